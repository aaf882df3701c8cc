import { DOCUMENT_VERSION } from "../share/quota-document.js";
import { isForgotten, type OperationCost } from "./cost.js";
import { applyObservations, type CostObservations } from "./observations.js";

/** What the processes of a pool have learnt of GraphQL operations. It holds counts, times and digests, and no query. */
export interface OperationCostsDocument {
  readonly version: typeof DOCUMENT_VERSION;
  readonly revision: number;
  readonly updatedAt: number;
  /** By cost key: 32 hex digits that say nothing of what they stand for. */
  readonly costs: { readonly [key: string]: OperationCost };
  /** Ids of the reports that were taken last, the newest at the end. */
  readonly reports: readonly string[];
}

/** What one process has seen since its last report, by cost key. */
export interface CostReport {
  /** No other report has it; so one whose answer was lost can be brought again, and counts once. */
  readonly id: string;
  readonly observations: ReadonlyMap<string, CostObservations>;
}

/** How many operations are remembered, the ones seen last: a program has dozens. The document stays near 100 kB. */
export const MAX_OPERATIONS = 1_000;

/** A report is brought again after a minute; in a fleet of as many processes the others have reported once each by then. */
const MAX_REPORTS = 200;

/**
 * The document after one more report. Returns `doc` itself when it has taken that report already. `now` is GitHub's time,
 * epoch milliseconds.
 *
 * @example
 * ```ts
 * const next = mergeCosts(parsed.doc, { id: "5f0c…:7", observations }, githubNow);
 * expectedUnits(next.costs[key], githubNow); // what a process reserves that has never sent this query
 * ```
 */
export function mergeCosts(
  doc: OperationCostsDocument | undefined,
  { id, observations }: CostReport,
  now: number,
): OperationCostsDocument {
  if (doc?.reports.includes(id) === true) return doc;
  const updatedAt = Math.max(doc?.updatedAt ?? 0, now);
  const costs = new Map(Object.entries(doc?.costs ?? {}));
  for (const [key, own] of observations) {
    const cost = applyObservations(costs.get(key), own);
    // A clock that was set back since has seen it later than now.
    costs.set(key, { ...cost, seenAt: Math.min(cost.seenAt, updatedAt) });
  }
  return {
    version: DOCUMENT_VERSION,
    revision: (doc?.revision ?? 0) + 1,
    updatedAt,
    costs: Object.fromEntries(newestCosts(costs, now)),
    reports: [...(doc?.reports ?? []), id].slice(-MAX_REPORTS),
  };
}

/**
 * What a store has, together with what a process remembers of it and the store has lost: with the whole document, or when
 * it went back to an older copy. Of each operation, what was seen last. Returns `stored` itself when nothing is lost.
 */
export function restoreCosts(
  stored: OperationCostsDocument | undefined,
  remembered: OperationCostsDocument | undefined,
): OperationCostsDocument | undefined {
  if (remembered === undefined) return stored;
  const lost = Object.entries(remembered.costs).filter(
    ([key, { seenAt }]) => seenAt > (stored?.costs[key]?.seenAt ?? Number.NEGATIVE_INFINITY),
  );
  if (lost.length === 0) return stored;
  const updatedAt = Math.max(remembered.updatedAt, stored?.updatedAt ?? 0);
  const all = new Map([...Object.entries(stored?.costs ?? {}), ...lost]);
  const costs = Object.fromEntries(newestCosts(all, updatedAt));
  // What others have dropped because it was old, or had to make room, is not lost.
  if (!lost.some(([key, cost]) => costs[key] === cost)) return stored;
  return {
    version: DOCUMENT_VERSION,
    revision: Math.max(remembered.revision, stored?.revision ?? 0) + 1,
    updatedAt,
    costs,
    reports: Array.from(new Set([...remembered.reports, ...(stored?.reports ?? [])])).slice(-MAX_REPORTS),
  };
}

/** Those seen last, the oldest first, without what is forgotten; the same ones for all who know the same. */
export function newestCosts(
  costs: ReadonlyMap<string, OperationCost>,
  now: number,
): readonly (readonly [string, OperationCost])[] {
  return Array.from(costs)
    .filter(([, cost]) => !isForgotten(cost, now))
    .sort(([key, { seenAt }], [otherKey, other]) => seenAt - other.seenAt || (key < otherKey ? -1 : 1))
    .slice(-MAX_OPERATIONS);
}
