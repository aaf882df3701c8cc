import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * The files that `paths` stand for, each once, however often and by whatever name it is given: of folders every `*.jsonl`,
 * of a file also what it was rotated to.
 */
export function traceFiles(paths: readonly string[]): readonly string[] {
  const files = new Map<string, string>();
  const add = (file: string): void => {
    const real = realpathSync(file);
    if (!files.has(real)) files.set(real, file);
  };
  for (const path of paths) {
    if (statSync(path).isDirectory()) {
      const names = readdirSync(path).filter((name) => name.endsWith(".jsonl"));
      for (const file of names.map((name) => join(path, name)).filter(isFile)) add(file);
    } else {
      for (const rotated of rotatedFrom(path)) add(rotated);
      add(path);
    }
  }
  return [...files.values()];
}

/** `trace.2.jsonl` and `trace.jsonl.2` were both `trace.jsonl` once. */
function rotatedFrom(path: string): readonly string[] {
  const folder = dirname(path);
  const name = basename(path);
  const dot = name.lastIndexOf(".");
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const extension = dot > 0 ? name.slice(dot) : "";
  const isRotated = (other: string): boolean =>
    (isNumber(between(other, `${stem}.`, extension)) || isNumber(between(other, `${name}.`, ""))) && other !== name;
  return readdirSync(folder)
    .filter(isRotated)
    .map((other) => join(folder, other))
    .filter(isFile);
}

/** Not what has gone since the folder was read either. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function between(text: string, start: string, end: string): string | undefined {
  const isLong = text.length > start.length + end.length;
  return isLong && text.startsWith(start) && text.endsWith(end)
    ? text.slice(start.length, text.length - end.length)
    : undefined;
}

function isNumber(text: string | undefined): boolean {
  return text !== undefined && /^\d{1,6}$/.test(text);
}
