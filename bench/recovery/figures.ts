import type { Priority } from "../../src/policy/light.js";
import type { Observation, ObservedCall, ObservedExchange } from "./observation.js";
import { refusalEpisodes } from "./refusal-episodes.js";

const MINUTE_MS = 60_000;

/** What one run comes to. Shares are 0 to 1; what there was none of is undefined. */
export interface Figures {
  readonly calls: number;
  readonly answered: number;
  readonly failed: number;
  readonly open: number;
  /** How many calls of each class failed. */
  readonly failedOf: readonly [number, number, number];
  /** What they failed with, and how often. */
  readonly failures: Readonly<Record<string, number>>;
  readonly sent: number;
  readonly refusedByPrimary: number;
  readonly refusedBySecondary: number;
  /** Refused ÷ sent. */
  readonly wasted: number;
  /** Sent after a refusal had been answered to anybody, before its end. */
  readonly sentWhileBlocked: number;
  /** Of these, by processes that had been refused themselves. */
  readonly sentThoughTold: number;
  /** The most that one process sent so after one secondary refusal, told or not. */
  readonly mostAfterRefusal: number;
  /** Requests in the busiest second of any minute after a reset. */
  readonly peakPerSecond: number | undefined;
  /** The same ÷ the rate at which the quota would last. */
  readonly peakOverEven: number | undefined;
  /** Requests in the busiest of those minutes ÷ that rate. */
  readonly minuteOverEven: number | undefined;
  /** Of answered calls, from arrival to answer: of all, and by class. */
  readonly p99WaitMs: number | undefined;
  readonly p99WaitMsOf: readonly [number | undefined, number | undefined, number | undefined];
  readonly duplicatedWrites: number;
  /** Units of answers that were no refusals ÷ those there were. */
  readonly used: number | undefined;
  /** P0's writes that were answered, and those before which a less urgent one was sent that came to wait beside them. */
  readonly urgentWrites: number;
  readonly overtakenWrites: number;
}

export function figuresOf(observation: Observation): Figures {
  const { calls, exchanges, duplicatedWrites } = observation;
  const refused = exchanges.filter(({ refusedBy }) => refusedBy !== undefined);
  const refusedByPrimary = refused.filter(({ refusedBy }) => refusedBy === "primary").length;
  const episodes = refusalEpisodes(observation);
  const failed = calls.filter(({ outcome }) => outcome === "failed");
  const of = (among: readonly ObservedCall[], priority: Priority) => among.filter((call) => call.priority === priority);
  return {
    calls: calls.length,
    answered: calls.filter(({ outcome }) => outcome === "answered").length,
    failed: failed.length,
    open: calls.filter(({ outcome }) => outcome === "open").length,
    failedOf: [of(failed, 0).length, of(failed, 1).length, of(failed, 2).length],
    failures: countBy(failed, ({ failure }) => failure ?? ""),
    sent: exchanges.length,
    refusedByPrimary,
    refusedBySecondary: refused.length - refusedByPrimary,
    wasted: exchanges.length === 0 ? 0 : refused.length / exchanges.length,
    sentWhileBlocked: episodes.reduce((total, { sentAfter }) => total + sentAfter.length, 0),
    sentThoughTold: episodes.reduce((total, { sentThoughTold }) => total + sentThoughTold, 0),
    mostAfterRefusal: Math.max(
      0,
      ...episodes
        .filter(({ by }) => by !== "primary")
        .flatMap(({ sentAfter }) => Object.values(countBy(sentAfter, ({ agent }) => String(agent)))),
    ),
    ...stampede(observation),
    p99WaitMs: p99WaitMs(calls),
    p99WaitMsOf: [p99WaitMs(of(calls, 0)), p99WaitMs(of(calls, 1)), p99WaitMs(of(calls, 2))],
    duplicatedWrites,
    used: usedShare(observation),
    ...overtaking(calls, exchanges),
  };
}

/** What was sent in the minutes after resets. */
function stampede({
  exchanges,
  resetsAt,
  evenPerSecond,
}: Observation): Pick<Figures, "peakPerSecond" | "peakOverEven" | "minuteOverEven"> {
  const lastAt = exchanges.reduce((last, { startedAt }) => Math.max(last, startedAt), 0);
  const minutes = resetsAt
    .filter((resetAt) => resetAt > 0 && resetAt <= lastAt)
    .map((resetAt) =>
      exchanges
        .filter(({ startedAt }) => startedAt >= resetAt && startedAt < resetAt + MINUTE_MS)
        .map(({ startedAt }) => startedAt - resetAt),
    );
  if (minutes.length === 0) return { peakPerSecond: undefined, peakOverEven: undefined, minuteOverEven: undefined };
  const seconds = minutes.flatMap((minute) => Object.values(countBy(minute, (ms) => String(Math.floor(ms / 1_000)))));
  const peakPerSecond = Math.max(0, ...seconds);
  const busiest = Math.max(...minutes.map(({ length }) => length));
  return {
    peakPerSecond,
    peakOverEven: peakPerSecond / evenPerSecond,
    minuteOverEven: busiest / (60 * evenPerSecond),
  };
}

function usedShare({ exchanges, availableUnits, availableUntil }: Observation): number | undefined {
  if (availableUnits === undefined) return undefined;
  let units = 0;
  for (const { resource, refusedBy, endedAt, chargedUnits } of exchanges) {
    if (resource === "core" && refusedBy === undefined && endedAt <= availableUntil) units += chargedUnits;
  }
  return units / availableUnits;
}

/** A write waits from its arrival until the request is sent that is not refused. */
function overtaking(
  calls: readonly ObservedCall[],
  exchanges: readonly ObservedExchange[],
): Pick<Figures, "urgentWrites" | "overtakenWrites"> {
  const sentAt = new Map<number, number>();
  for (const { call, startedAt, refusedBy } of exchanges) {
    if (refusedBy === undefined && !sentAt.has(call)) sentAt.set(call, startedAt);
  }
  const writes = calls.flatMap(({ id, kind, priority, arrivedAt }) => {
    const at = sentAt.get(id);
    return kind === "write" && at !== undefined ? [{ priority, arrivedAt, sentAt: at }] : [];
  });
  const urgent = writes.filter(({ priority }) => priority === 0);
  const others = writes.filter(({ priority }) => priority !== 0);
  const overtaken = urgent.filter((write) =>
    others.some((other) => write.arrivedAt < other.sentAt && other.sentAt < write.sentAt),
  );
  return { urgentWrites: urgent.length, overtakenWrites: overtaken.length };
}

function p99WaitMs(calls: readonly ObservedCall[]): number | undefined {
  const waits = calls
    .filter(({ outcome }) => outcome === "answered")
    .map(({ arrivedAt, endedAt }) => endedAt - arrivedAt)
    .sort((a, b) => a - b);
  return waits[Math.min(waits.length - 1, Math.floor(0.99 * waits.length))];
}

function countBy<T>(all: readonly T[], key: (one: T) => string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const one of all) counts[key(one)] = (counts[key(one)] ?? 0) + 1;
  return counts;
}
