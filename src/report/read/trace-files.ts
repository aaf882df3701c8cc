import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The files that `paths` stand for, each once: of folders every `*.jsonl`, of a file also what it was rotated to. */
export function traceFiles(paths: readonly string[]): readonly string[] {
  const files = new Set<string>();
  for (const path of paths) {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path)) if (name.endsWith(".jsonl")) files.add(join(path, name));
    } else {
      for (const rotated of rotatedFrom(path)) files.add(rotated);
      files.add(path);
    }
  }
  return [...files];
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
    .filter((other) => existsSync(other) && statSync(other).isFile());
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
