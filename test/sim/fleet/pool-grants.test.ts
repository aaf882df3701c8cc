import { expect, it } from "vitest";
import type { ClassAllocation, QuotaDocument } from "../../../src/policy/share/quota-document.js";
import { PoolGrants } from "../../../src/sim/fleet/pool-grants.js";
import { asking, documentAfter, openWindow, reportOf, T0, update } from "../../policy/share/reports.js";

const KEY = "squad-rate:quota:github.com:one:core";
const LATER = T0 + 60_000;

const textOf = (doc: QuotaDocument): string => JSON.stringify({ value: doc });

/** A window with 10 units left of which P0 waits for 8, as the pool itself would never write it: P2 is given six. */
function overtaken(granted: number): { readonly before: QuotaDocument; readonly after: QuotaDocument } {
  const window = openWindow(4_960);
  const p2: ClassAllocation = { allocated: 0, used: 0, inFlight: 0, soon: 0, wantPerHour: 100, waiting: 6 };
  const base = documentAfter(
    [reportOf("scout", {}, {}), T0],
    [reportOf("lead", { 0: asking(40) }, { stint: undefined }), T0],
  );
  const doc = {
    ...window,
    ...base,
    used: 4_960,
    usedAt: T0,
    countedAt: T0,
    resetAt: window.resetAt,
    totalLimit: 5_000,
  };
  const of = (allocated: number): QuotaDocument => ({
    ...doc,
    updatedAt: LATER,
    allocations: {
      lead: entry(0, { ...p2, waiting: 40, wantPerHour: 500 }),
      late: entry(2, { ...p2, allocated }),
    },
  });
  return { before: of(0), after: of(granted) };
}

function entry(priority: 0 | 2, of: ClassAllocation): QuotaDocument["allocations"][string] {
  return {
    priority,
    allocated: of.allocated,
    used: of.used,
    leaseExpiry: LATER + 300_000,
    spendUntil: LATER + 300_000,
    reportedAt: LATER,
    stint: 0,
    limit: 5_000,
    requestTimeoutMs: 60_000,
    writtenOff: 0,
    classes: { [priority]: of },
  };
}

it("counts a grant to P2 that leaves P0's waiting calls too few", () => {
  const grants = new PoolGrants(() => LATER);
  const { before, after } = overtaken(15);
  grants.replaced(KEY, textOf(before), textOf(after));
  expect(grants.figures()).toEqual({ updates: 1, grants: 1, inversions: 1 });
});

it("holds nothing against an update that grants nothing, and looks at no other document", () => {
  const grants = new PoolGrants(() => LATER);
  const { before } = overtaken(0);
  grants.replaced(KEY, textOf(before), textOf({ ...before, revision: before.revision + 1 }));
  grants.replaced("squad-rate:members:github.com:one", undefined, textOf(before));
  expect(grants.figures()).toEqual({ updates: 1, grants: 0, inversions: 0 });
});

it("finds none in what the pool itself writes", () => {
  const grants = new PoolGrants(() => LATER);
  let doc: QuotaDocument = openWindow(4_960);
  for (const [name, priority] of [
    ["late", 2],
    ["lead", 0],
    ["late", 2],
    ["lead", 0],
  ] as const) {
    const { doc: next } = update(doc, reportOf(name, { [priority]: asking(20) }), LATER);
    grants.replaced(KEY, textOf(doc), textOf(next));
    doc = next;
  }
  expect(grants.figures().grants).toBeGreaterThan(0);
  expect(grants.figures().inversions).toBe(0);
});
