import type { Priority } from "../light.js";
import { type Book, type Entry, isPresent } from "./book.js";
import { type PerClass, PRIORITIES } from "./quota-document.js";
import type { Standing } from "./standing.js";

/** P0 40 %, P1 35 %, P2 25 % of the quota, over the classes that are present. */
const CLASS_SHARES: PerClass<number> = [0.4, 0.35, 0.25];

/** Of the limit, in proportion to the time left: kept for P0 even when no P0 call has been seen. */
export const P0_FLOOR_SHARE = 0.05;

/** Demand is guessed from few arrivals; so many of its standard deviations more are held for P0, none for the others. */
const MARGIN_DEVIATIONS: PerClass<number> = [3, 0, 0];

const HOUR_MS = 3_600_000;

/** What one class has, may have, and needs. Units. */
export interface ClassStanding {
  /** How many spenders have it. */
  spenders: number;
  allocated: number;
  /** Allocated, and not reported as spent. */
  unspent: number;
  /** Needed by waiting calls and not covered by what their spenders hold. */
  backlog: number;
  /** Needed until the window ends, and not held yet. */
  need: number;
  /** Of the need, what is only foreseen. */
  expected: number;
  /** Share (0-1) of the quota that the class is entitled to; 0 when it is not present. */
  share: number;
  /** What it is still entitled to. */
  entitled: number;
  /** What is held for it of the free units. */
  held: number;
}

export type Division = PerClass<ClassStanding>;

/** Reported backlog is void after this long: the calls have been served or have given up. */
export function backlogLivesMs(windowMs: number): number {
  return Math.max(5_000, windowMs / 20);
}

/** Divides the free units: held for recorded need in class order, each class up to its entitlement. */
export function divide(book: Book, standing: Standing, now: number): Division {
  const division: Division = [newClass(0, book), newClass(1, book), newClass(2, book)];
  for (const entry of book.entries.values()) add(division, entry, book.windowMs, standing.leftMs, now);
  const shares = presentShares(division);
  let free = Math.max(0, standing.free);
  for (const priority of PRIORITIES) {
    const own = division[priority];
    own.share = shares[priority];
    own.entitled = Math.max(0, own.share * (standing.limit - standing.hidden - standing.ahead) - own.allocated);
    const margin = MARGIN_DEVIATIONS[priority] * Math.sqrt(own.expected);
    own.held = Math.min(own.entitled, Math.max(0, own.need + margin), free);
    free -= own.held;
  }
  return division;
}

/**
 * What `priority` may be given: its own entitlement as far as the free units go, and beyond it what nobody else needs.
 * Either way urgent classes' waiting calls come first, and P0's floor stays.
 */
export function availableTo(priority: Priority, division: Division, standing: Standing, windowMs: number): number {
  const free = Math.max(0, standing.free);
  const own = division[priority];
  const floor = priority === 0 ? 0 : P0_FLOOR_SHARE * standing.limit * Math.min(1, standing.leftMs / windowMs);
  let heldForOthers = 0;
  let owedAbove = 0;
  let keptFromLoans = 0;
  for (const other of PRIORITIES) {
    if (other === priority) continue;
    const { held, entitled, backlog } = division[other];
    const above = other < priority;
    heldForOthers += held;
    if (above) owedAbove += Math.min(entitled, backlog);
    keptFromLoans += Math.max(held, above ? Math.min(backlog, free) : 0, other === 0 ? floor : 0);
  }
  const entitled = Math.min(own.entitled, free - heldForOthers, free - Math.max(owedAbove, floor));
  return Math.max(0, entitled, free - keptFromLoans);
}

function newClass(priority: Priority, book: Book): ClassStanding {
  const allocated = book.retired[priority];
  return { spenders: 0, allocated, unspent: 0, backlog: 0, need: 0, expected: 0, share: 0, entitled: 0, held: 0 };
}

function add(division: Division, entry: Entry, windowMs: number, leftMs: number, now: number): void {
  const alive = now <= entry.leaseExpiry;
  const waits = now - entry.reportedAt <= backlogLivesMs(windowMs);
  for (const priority of PRIORITIES) {
    const from = entry.classes[priority];
    const to = division[priority];
    const unspent = from.allocated - from.used;
    to.allocated += from.allocated;
    to.unspent += unspent;
    if (!alive || !isPresent(from)) continue;
    const waiting = waits ? from.waiting : 0;
    to.spenders += 1;
    to.backlog += Math.max(0, waiting - unspent);
    to.expected += (from.wantPerHour / HOUR_MS) * leftMs;
    to.need += waiting + (from.wantPerHour / HOUR_MS) * leftMs - unspent;
  }
}

function presentShares(division: Division): PerClass<number> {
  const share = (priority: Priority): number => (division[priority].spenders > 0 ? CLASS_SHARES[priority] : 0);
  const sum = share(0) + share(1) + share(2) || 1;
  return [share(0) / sum, share(1) / sum, share(2) / sum];
}
