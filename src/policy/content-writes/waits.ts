import type { Priority } from "../light.js";
import { type PerClass, PRIORITIES } from "../share/quota-document.js";
import { type ContentSpender, total } from "./document.js";
import { MINUTE_MS } from "./windows.js";

/** How long a wait is recorded beyond the moment at which it is to be asked for again: who has not come by then is gone. */
const GRACE_MS = 10_000;

/**
 * Whoever waits longer than this has to say so again, lest a process that died hold others up for the rest of an hour. A
 * minute's turn is over sooner.
 */
export const RENEW_WAIT_MS = 75_000;

/** No wait is recorded for longer. */
export const WAITS_AT_MOST_MS: number = RENEW_WAIT_MS + GRACE_MS;

/** What was taken counts for a third after this. */
const FORGETTING_MS = MINUTE_MS;

/** Another process that waits. */
export interface Rival {
  readonly name: string;
  readonly waiting: PerClass<number>;
  /** Writes that it took of late, as of now. */
  readonly took: number;
}

/** Until when a wait counts that is to be asked for again at `untilAt`. */
export function waitsUntil(untilAt: number, now: number): number {
  return Math.min(untilAt, now + RENEW_WAIT_MS) + GRACE_MS;
}

/** Writes that a process took of late, as of `now`. */
export function tookOfLate({ took, tookAt }: Pick<ContentSpender, "took" | "tookAt">, now: number): number {
  return took * Math.exp(Math.min(0, tookAt - now) / FORGETTING_MS);
}

/** The processes other than `name` whose waits are recorded and still count. */
export function rivalsOf(spenders: ReadonlyMap<string, ContentSpender>, name: string, now: number): readonly Rival[] {
  const rivals: Rival[] = [];
  for (const [other, of] of spenders) {
    if (other === name || of.waitsUntil <= now || total(of.waiting) === 0) continue;
    rivals.push({ name: other, waiting: of.waiting, took: tookOfLate(of, now) });
  }
  return rivals;
}

/** The most urgent class in which something waits; undefined when nothing does. */
export function mostUrgent(waiting: PerClass<number>): Priority | undefined {
  return PRIORITIES.find((priority) => waiting[priority] > 0);
}

/** Writes of more urgent classes that rivals wait for. */
export function moreUrgentWaits(rivals: readonly Rival[], priority: Priority): number {
  let writes = 0;
  for (const { waiting } of rivals) for (let of = 0; of < priority; of++) writes += waiting[of as Priority];
  return writes;
}
