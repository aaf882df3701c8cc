import type { TraceRecord } from "../trace/record.js";
import { checkInteger, checkPath, checkRecord, optionError } from "./check.js";
import type { ResolvedTraceFile, ResolvedTraceOptions } from "./resolved.js";
import type { TraceFileOptions } from "./trace-types.js";

export const TRACE_KEYS: readonly (keyof TraceFileOptions)[] = ["file", "maxBytes", "keep"];

const RULE = "false, the path of a file, a function that takes records, or a plain object that names a file";
/** A file smaller than what is written at once would be full with every write. */
const MAX_BYTES = { min: 65_536, max: 2 ** 40, unit: "bytes" };
const KEEP = { min: 1, max: 1_000, unit: "files" };

/** Checks `squad.trace`. `path` is the environment's. */
export function resolveTrace(trace: unknown, path: string | undefined): ResolvedTraceOptions | false {
  if (trace === false) return false;
  if (trace === undefined) return path === undefined ? false : file(path);
  if (typeof trace === "function") {
    return Object.freeze({ kind: "function", take: trace as (record: TraceRecord) => unknown });
  }
  return resolveTraceFile(trace);
}

/** Checks what names a trace file. */
export function resolveTraceFile(trace: unknown): ResolvedTraceFile {
  if (typeof trace === "string") return file(checkPath("squad.trace", trace) as string);
  const given = checkRecord("squad.trace", trace, TRACE_KEYS, RULE);
  const named = checkPath("squad.trace.file", given.file);
  if (named === undefined) throw optionError("squad.trace.file", "the path of a file", named);
  return file(named, given.maxBytes, given.keep);
}

function file(path: string, maxBytes?: unknown, keep?: unknown): ResolvedTraceFile {
  return Object.freeze({
    kind: "file",
    file: path,
    maxBytes: checkInteger("squad.trace.maxBytes", maxBytes, MAX_BYTES, 104_857_600),
    keep: checkInteger("squad.trace.keep", keep, KEEP, 9),
  });
}
