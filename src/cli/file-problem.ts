import { CommandEnd } from "./command-end.js";
import { EXIT } from "./exit-code.js";

const WHY: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such folder",
  EISDIR: "it is a folder",
  EACCES: "it may not be touched",
  EPERM: "it may not be touched",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
};

/** The ending for a file that could not be read or written; what is no error of a file is given back as it is. */
export function fileProblem(did: "read" | "write", file: string, error: unknown): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === undefined || error instanceof CommandEnd || !/^E[A-Z0-9]+$/.test(code)) return error;
  return new CommandEnd(did === "read" ? EXIT.usage : EXIT.cannotWrite, {
    message: `${file} cannot be ${did === "read" ? "read" : "written"}: ${whyOf(did, code)}`,
    remedy: did === "read" ? "give the path of a file that can be read" : "give another path",
    cause: error,
  });
}

function whyOf(did: "read" | "write", code: string): string {
  // A file that is not there yet is made, but no folder for it.
  if (did === "write" && code === "ENOENT") return "there is no such folder";
  return WHY[code] ?? code;
}
