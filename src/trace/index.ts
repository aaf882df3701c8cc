export type { TraceFileOptions } from "../options.js";
export { openTraceFile, type TraceFile, type TraceFileHooks } from "./open-trace-file.js";
export {
  type AttemptRecord,
  type CallRecord,
  type ReadingRecord,
  TRACE_VERSION,
  type TraceFacts,
  type TraceRate,
  type TraceRecord,
} from "./record.js";
export type { TraceCounts } from "./sink.js";
