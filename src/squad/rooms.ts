import { hostname } from "node:os";
import { ConditionalCache } from "../cache/conditional-cache.js";
import { StoreTier } from "../cache/store-tier.js";
import { redact } from "../call/redact.js";
import { systemClock } from "../clock.js";
import type { ResolvedOptions } from "../options.js";
import type { Engine } from "../pipeline/engine.js";
import { reportFault } from "../pipeline/fault.js";
import { PacedLane } from "../pipeline/lanes/paced-lane.js";
import { RetryLane } from "../pipeline/lanes/retry-lane.js";
import { Pool } from "../pool/pool.js";
import { DeferredStore } from "../store/deferred-store.js";
import { homePath } from "../store/file/home-path.js";
import { FileSink } from "../trace/file/file-sink.js";
import { lineWriter } from "../trace/file/line-writer.js";
import { FunctionSink } from "../trace/function-sink.js";
import type { OnSinkFailure, TraceSink } from "../trace/sink.js";
import { Trace } from "../trace/trace.js";

/** The store that the options name, not opened yet. */
export function deferredStore(
  options: ResolvedOptions,
  onWarning: (message: string) => void,
): DeferredStore | undefined {
  const { enabled, store: target, clock, random, storeTimeoutMs: timeoutMs } = options;
  if (target === undefined || !enabled) return undefined;
  return new DeferredStore({ target, clock, random, timeoutMs, onWarning });
}

const NO_STORE =
  "pool has a name or a mirror, but there is no store to share quota through; set squad.store or SQUAD_RATE_STORE.";

export function buildPool(
  options: ResolvedOptions,
  opened: DeferredStore | undefined,
  onChange: { readonly onMore: () => void; readonly onMembers: () => void },
  warn: (message: string) => void,
): Pool | undefined {
  const { pool, agent, clock, requestTimeoutMs } = options;
  if (pool === false) return undefined;
  const { name, share, mirror } = pool;
  if (opened === undefined) {
    // The store is often a matter of where a program runs, so this is no error.
    if (options.enabled && (name !== undefined || mirror !== undefined)) warn(NO_STORE);
    return undefined;
  }
  return new Pool({
    open: () => opened.open(),
    where: opened.where,
    isTold: (error) => opened.isTold(error),
    name,
    share,
    mirror,
    agent,
    machine: hostname(),
    requestTimeoutMs,
    clock,
    ...onChange,
    report: reportFault,
    warn,
  });
}

/** The ways to GitHub of calls that keep a pace, and of those that are made again. */
export function buildLanes({ pacing, clock }: ResolvedOptions): Pick<Engine, "pacedLane" | "retryLane"> {
  // Under a clock that was handed in nobody else may keep time.
  const timed = clock === systemClock;
  return {
    pacedLane: new PacedLane({ spacing: pacing === false ? NO_SPACING : pacing, timed }),
    retryLane: new RetryLane({ timed }),
  };
}

const NO_SPACING = { writeMs: 0, notificationMs: 0, searchMs: 0 };

/** How long `close()` waits for answers on their way, whose charges would otherwise have to be guessed. */
const LAST_ANSWERS_MS = 2_000;

/** Waits a little for answers on their way. */
export async function answersIn({ pool, underWay, clock }: Engine): Promise<void> {
  if (pool === undefined || underWay.size === 0) return;
  await underWay.settled(clock, LAST_ANSWERS_MS);
}

export function buildCache(options: ResolvedOptions, store: DeferredStore | undefined): ConditionalCache | undefined {
  const { cache, clock, storeTimeoutMs } = options;
  if (cache === false) return undefined;
  const { maxBytes, maxEntryBytes, storeTtlMs: ttlMs } = cache;
  const tier =
    store === undefined || !cache.store
      ? undefined
      : new StoreTier({ store, clock, timeoutMs: storeTimeoutMs, ttlMs, maxEntryBytes, report: reportFault });
  return new ConditionalCache({ clock, maxBytes, maxEntryBytes, tier });
}

/** Where records go; a sink that fails is one warning for whoever runs the program, and a fault each time. */
export function buildTrace(options: ResolvedOptions, warn: (message: string) => void): Trace {
  let isTold = false;
  const onFailure: OnSinkFailure = (what, cause) => {
    reportFault(what, cause);
    const message = redact(cause instanceof Error ? cause.message : String(cause));
    if (!isTold) warn(`${what}: ${message}. Calls go on without it.`);
    isTold = true;
  };
  return new Trace({
    sink: sinkOf(options, onFailure),
    clock: options.clock,
    machine: hostname(),
    pid: globalThis.process?.pid ?? 0,
  });
}

function sinkOf({ trace, clock, enabled }: ResolvedOptions, onFailure: OnSinkFailure): TraceSink | undefined {
  if (trace === false || !enabled) return undefined;
  if (trace.kind === "function") return new FunctionSink(trace.take, onFailure);
  const { file, maxBytes, keep } = trace;
  return new FileSink({ path: homePath(file), maxBytes, keep, clock, onFailure, lineOf: lineWriter() });
}
