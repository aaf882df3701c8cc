/** What of `node:fs` a trace file needs. */
export type FileSystem = Pick<
  typeof import("node:fs"),
  | "constants"
  | "openSync"
  | "closeSync"
  | "readSync"
  | "writeSync"
  | "fstatSync"
  | "statSync"
  | "mkdirSync"
  | "renameSync"
>;

/** The file system, without a turn of the event loop; undefined where no module can be had without waiting. */
export function fileSystemAtOnce(): FileSystem | undefined {
  return globalThis.process?.getBuiltinModule?.("node:fs");
}

/** The file system, wherever there is one. */
export function loadFileSystem(): Promise<FileSystem> {
  return import("node:fs");
}
