import type { Priority } from "../../policy/light.js";

/** What one class asks of the binding limit, and what of it the class gets. */
export interface PlanClass {
  readonly priority: Priority;
  readonly agents: number;
  /** In the units of the limit, per window of it. */
  readonly asks: number;
  /** Share (0-1) of what it asks. */
  readonly gets: number;
}

export type ClassDemand = Omit<PlanClass, "gets">;

/** A pool's parts, as docs/pool.md has them. A class that nobody uses does not count. */
const PARTS: Readonly<Record<Priority, number>> = { 0: 0.4, 1: 0.35, 2: 0.25 };

/**
 * What a pool gives to each class of `available`: up to its part what it asks, and what others leave of their parts is lent
 * in order of priority.
 */
export function divideByParts(classes: readonly ClassDemand[], available: number): readonly PlanClass[] {
  const present = classes.filter(({ asks }) => asks > 0);
  const whole = present.reduce((sum, { priority }) => sum + PARTS[priority], 0);
  const entitled = (one: ClassDemand): number =>
    one.asks === 0 ? 0 : Math.min(one.asks, (available * PARTS[one.priority]) / whole);
  let toLend = available - classes.reduce((sum, one) => sum + entitled(one), 0);
  return inOrder(classes).map((one) => {
    const lent = Math.min(toLend, one.asks - entitled(one));
    toLend -= lent;
    return served(one, entitled(one) + lent);
  });
}

/** Where there are no parts, the most urgent has all it asks, and the next what is left. */
export function divideInOrder(classes: readonly ClassDemand[], available: number): readonly PlanClass[] {
  let left = available;
  return inOrder(classes).map((one) => {
    const gets = Math.min(left, one.asks);
    left -= gets;
    return served(one, gets);
  });
}

/** Where nobody minds priorities, all fare alike. */
export function divideAlike(classes: readonly ClassDemand[], available: number): readonly PlanClass[] {
  const asked = classes.reduce((sum, { asks }) => sum + asks, 0);
  const part = asked === 0 ? 1 : Math.min(1, available / asked);
  return inOrder(classes).map((one) => served(one, one.asks * part));
}

function inOrder(classes: readonly ClassDemand[]): readonly ClassDemand[] {
  return [...classes].sort((a, b) => a.priority - b.priority);
}

function served(one: ClassDemand, amount: number): PlanClass {
  return { ...one, gets: one.asks === 0 ? 1 : amount / one.asks };
}
