import type { QuotaDocument } from "../policy/share/quota-document.js";
import { balances, type PoolSpender } from "./pool-spender.js";

/** What this process holds of a shared quota, and what it last saw of the whole. Times are GitHub's, epoch milliseconds. */
export interface LeaseStatus {
  /** This process's name in the pool. */
  readonly spender: string;
  /**
   * `granted`: calls spend what is in hand. `empty`: nothing is in hand, and the next call asks. `asking`: a report is on its
   * way. `lost`: the store does not answer, and calls go at a pace. `unmetered`: GitHub names no quota here.
   */
  readonly state: "granted" | "empty" | "asking" | "lost" | "unmetered";
  /** Units in hand, by priority. */
  readonly heldUnits: readonly [number, number, number];
  /** Units that waiting calls need, by priority. */
  readonly waitingUnits: readonly [number, number, number];
  readonly inFlightUnits: number;
  /** Units that this process was charged in this window. */
  readonly spentUnits: number;
  /** Nothing in hand is sent from then on without asking again; undefined while nothing was granted. */
  readonly spendUntil: number | undefined;
  /** The whole pool, as of the last update; undefined before the first. */
  readonly shared: SharedStatus | undefined;
}

/** A shared quota as its document told it. */
export interface SharedStatus {
  readonly updatedAt: number;
  readonly limit: number;
  /** The most that headers have shown, whoever spent it. */
  readonly usedUnits: number;
  /** Units handed to spenders in this window, spent or not. */
  readonly allocatedUnits: number;
  readonly spenders: number;
  /** Expected spending by others than the pool, units per hour. */
  readonly hiddenPerHour: number;
}

export function leaseStatus(spender: PoolSpender, githubNow: number): LeaseStatus {
  const { state, newest } = spender;
  const [a, b, c] = state.classes;
  const heldUnits = githubNow < state.spendUntil ? balances(state) : ([0, 0, 0] as const);
  return {
    spender: state.spender,
    state: stateOf(spender, heldUnits[0] + heldUnits[1] + heldUnits[2]),
    heldUnits,
    waitingUnits: [a.waiting, b.waiting, c.waiting],
    inFlightUnits: a.inFlight + b.inFlight + c.inFlight,
    spentUnits: a.spent + b.spent + c.spent,
    spendUntil: state.window === undefined ? undefined : state.spendUntil,
    shared: newest && sharedStatus(newest),
  };
}

function stateOf({ state }: PoolSpender, held: number): LeaseStatus["state"] {
  if (state.unmetered) return "unmetered";
  if (state.lost) return "lost";
  if (held > 0) return "granted";
  return state.reporting ? "asking" : "empty";
}

function sharedStatus(doc: QuotaDocument): SharedStatus {
  const allocations = Object.values(doc.allocations);
  const retired = doc.retired[0] + doc.retired[1] + doc.retired[2];
  return {
    updatedAt: doc.updatedAt,
    limit: doc.totalLimit,
    usedUnits: doc.used,
    allocatedUnits: allocations.reduce((sum, { allocated }) => sum + allocated, retired),
    spenders: allocations.length,
    hiddenPerHour: Math.round(doc.hiddenPerHour),
  };
}
