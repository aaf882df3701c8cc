import type { Priority } from "../../policy/light.js";
import { backlogLivesMs } from "../../policy/share/division.js";
import {
  type Allocation,
  type ClassAllocation,
  PRIORITIES,
  type QuotaDocument,
} from "../../policy/share/quota-document.js";
import { returnsAfter } from "../../policy/share/retirement.js";
import { identifySpender } from "./process-of.js";

/** What one spender holds of a quota. Times are GitHub's, epoch milliseconds. */
export interface LeaseView {
  readonly spender: string;
  /** Its squad's own agent, whomever it serves. */
  readonly agent: string;
  /** What its name and its agents' ids have in common; undefined where that cannot be told. */
  readonly process: string | undefined;
  readonly priority: Priority;
  /** `ended`: it has been silent for longer than its lease. `evicted`: an operator has ended it. */
  readonly state: "alive" | "ended" | "evicted";
  /** Handed to it in this window: spent, in flight or held. */
  readonly allocatedUnits: number;
  readonly spentUnits: number;
  readonly inFlightUnits: number;
  readonly heldUnits: number;
  /** What its waiting calls need beyond what it holds, if it has told so of late. */
  readonly waitingUnits: number;
  readonly wantPerHour: number;
  readonly reportedAt: number;
  readonly spendUntil: number;
  /** 0: none is left. */
  readonly leaseLeftMs: number;
  /** If it says nothing any more, what it holds comes back with the first answer to a request sent after this. */
  readonly returnsAfter: number;
}

export function leaseViews({ allocations, windowMs }: QuotaDocument, now: number): readonly LeaseView[] {
  return Object.entries(allocations)
    .map(([spender, allocation]) => leaseView(spender, allocation, windowMs, now))
    .sort((a, b) => a.priority - b.priority || b.allocatedUnits - a.allocatedUnits || (a.spender < b.spender ? -1 : 1));
}

function leaseView(spender: string, allocation: Allocation, windowMs: number, now: number): LeaseView {
  const { priority, allocated, used, leaseExpiry, spendUntil, reportedAt, classes } = allocation;
  const sum = (of: keyof ClassAllocation): number =>
    PRIORITIES.reduce<number>((units, each) => units + (classes[each]?.[of] ?? 0), 0);
  const inFlightUnits = sum("inFlight");
  return {
    spender,
    ...identifySpender(spender),
    priority,
    state: leaseExpiry === 0 ? "evicted" : now < leaseExpiry ? "alive" : "ended",
    allocatedUnits: allocated,
    spentUnits: used - inFlightUnits,
    inFlightUnits,
    heldUnits: allocated - used,
    waitingUnits: now - reportedAt > backlogLivesMs(windowMs) ? 0 : backlogOf(allocation),
    wantPerHour: Math.round(sum("wantPerHour")),
    reportedAt,
    spendUntil,
    leaseLeftMs: Math.max(0, leaseExpiry - now),
    returnsAfter: returnsAfter(allocation),
  };
}

function backlogOf({ classes }: Allocation): number {
  return PRIORITIES.reduce<number>((sum, priority) => {
    const { waiting = 0, allocated = 0, used = 0 } = classes[priority] ?? {};
    return sum + Math.max(0, waiting - (allocated - used));
  }, 0);
}
