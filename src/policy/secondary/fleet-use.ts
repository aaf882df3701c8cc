import { DOCUMENT_VERSION } from "../share/quota-document.js";

/** What one process asks of GitHub in a minute, as far as secondary limits count it; answers that cost no quota, too. */
export interface MinuteUse {
  /** Requests of any kind. */
  readonly requests: number;
  /** Points of REST, over all endpoints. */
  readonly restPoints: number;
  readonly graphqlPoints: number;
  /** Milliseconds of response time that they are expected to take. */
  readonly restMs: number;
  readonly graphqlMs: number;
}

/** One process's use, and when it told of it: GitHub's time, epoch milliseconds. */
export interface ProcessUse extends MinuteUse {
  readonly at: number;
}

/**
 * Who uses how much of a principal's secondary limits. A document of its own: the limits span all resources, and whoever
 * is answered by 304s alone has nothing to write to the documents of quota.
 */
export interface FleetUseDocument {
  readonly version: typeof DOCUMENT_VERSION;
  readonly revision: number;
  readonly updatedAt: number;
  /** Keyed by an id that is unique to process and principal. */
  readonly processes: { readonly [id: string]: ProcessUse };
}

/** Ten times the largest fleet this is meant for; those beyond are reckoned with by their number alone. */
export const MAX_PROCESSES = 5_000;

/** What a process tells of itself; `undefined`: it sends nothing any more. */
export interface UseReport {
  readonly id: string;
  readonly use: MinuteUse | undefined;
}

/** Between two reports of a process: long enough to cost little, short enough that a limit per minute can go by it. */
const REPORT_EVERY_MS = 55_000;
/** However many processes there are, they write no more than about two documents a second. */
const EVERY_MS_PER_PROCESS = 450;
/** A report takes an operation of the store, and stands for at least so many requests. */
export const REQUESTS_PER_REPORT = 4;
/** Who is late with so many reports sends nothing, or next to nothing. */
const REPORTS_MISSED = 2.5;
const LONGEST_SILENCE_MS = 10 * 60_000;
const MINUTE_MS = 60_000;

/** How often one of so many processes tells what it uses, in milliseconds. */
export function useReportEveryMs(processes: number): number {
  return Math.max(REPORT_EVERY_MS, processes * EVERY_MS_PER_PROCESS);
}

/** Writes one report, if there is one, and takes those off that have been silent. `now` is GitHub's time. */
export function updateFleetUse(
  doc: FleetUseDocument | undefined,
  { id, use }: UseReport,
  now: number,
): FleetUseDocument {
  const processes = new Map(Object.entries(usesAt(doc, now)));
  processes.delete(id);
  if (use !== undefined && processes.size < MAX_PROCESSES) processes.set(id, { at: now, ...use });
  return {
    version: DOCUMENT_VERSION,
    revision: (doc?.revision ?? 0) + 1,
    updatedAt: Math.max(doc?.updatedAt ?? 0, now),
    processes: Object.fromEntries(processes),
  };
}

/** Those who still count at `now`, GitHub's time. */
export function usesAt(doc: FleetUseDocument | undefined, now: number): FleetUseDocument["processes"] {
  const uses = Object.entries(doc?.processes ?? {});
  const everyMs = useReportEveryMs(uses.length);
  return Object.fromEntries(uses.filter(([, use]) => now - use.at <= countsForMs(use, everyMs)));
}

/** Who sends little reports seldom, and is missed later. */
function countsForMs({ requests }: MinuteUse, everyMs: number): number {
  const dueMs = Math.max(everyMs, (REQUESTS_PER_REPORT / Math.max(requests, Number.EPSILON)) * MINUTE_MS);
  return Math.min(REPORTS_MISSED * dueMs, Math.max(LONGEST_SILENCE_MS, REPORTS_MISSED * everyMs));
}
