export type { CacheOutcome } from "../call/cache-outcome.js";
export type { OutcomeKind } from "../call/outcome.js";
export type { CancelTimer, Clock } from "../clock.js";
export type { TraceFileOptions } from "../options.js";
export type { Priority } from "../policy/light.js";
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
