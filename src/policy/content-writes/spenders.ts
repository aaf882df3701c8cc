import { type ContentDocument, type ContentSpender, MAX_SPENDERS } from "./document.js";
import { mostUrgent, tookOfLate } from "./waits.js";
import { HOUR_MS, UNSURE_MS } from "./windows.js";

/** A process of which nothing is known. */
export const UNKNOWN_SPENDER: ContentSpender = { waiting: [0, 0, 0], waitsUntil: 0, took: 0, tookAt: 0 };

/** Less than this is what rounding leaves of nothing. */
const NEXT_TO_NOTHING = 0.05;

/** Of the listed processes those of whom there is still something to know. */
export function knownSpenders({ spenders }: ContentDocument, now: number): Map<string, ContentSpender> {
  const known = new Map<string, ContentSpender>();
  for (const [name, of] of Object.entries(spenders)) {
    if (of.waitsUntil > now) known.set(name, of);
    else if (of.tookAt + HOUR_MS + UNSURE_MS > now) known.set(name, { ...of, waiting: [0, 0, 0], waitsUntil: 0 });
  }
  return known;
}

/** A process after it took `writes`, or gave as many back when negative. */
export function withTaken(of: ContentSpender, writes: number, now: number): ContentSpender {
  if (writes === 0) return of;
  if (writes > 0) return { ...of, took: rounded(tookOfLate(of, now) + writes), tookAt: Math.max(of.tookAt, now) };
  const took = rounded(Math.max(0, of.took + writes));
  return took < NEXT_TO_NOTHING ? { ...of, took: 0, tookAt: 0 } : { ...of, took };
}

/** As many as a document may list: those with the most urgent waits first, then those that took something last. */
export function listSpenders(spenders: ReadonlyMap<string, ContentSpender>): ContentDocument["spenders"] {
  const entries = [...spenders].filter(([, { waitsUntil, tookAt }]) => waitsUntil > 0 || tookAt > 0);
  if (entries.length > MAX_SPENDERS) {
    entries.sort(([, one], [, other]) => rank(one) - rank(other) || other.tookAt - one.tookAt);
  }
  return Object.fromEntries(entries.slice(0, MAX_SPENDERS));
}

/** How many processes took some of the writes that a window of `lastsMs` counts. */
export function takersIn(spenders: ReadonlyMap<string, ContentSpender>, lastsMs: number, now: number): number {
  let takers = 0;
  for (const { tookAt } of spenders.values()) if (tookAt > 0 && tookAt + lastsMs + UNSURE_MS > now) takers++;
  return takers;
}

function rank({ waiting }: ContentSpender): number {
  return mostUrgent(waiting) ?? 3;
}

function rounded(writes: number): number {
  return Math.round(100 * writes) / 100;
}
