import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evict } from "../../../src/policy/share/evict.js";
import { leaseMs } from "../../../src/policy/share/lease.js";
import { parseQuotaDocument } from "../../../src/policy/share/parse-quota-document.js";
import type { QuotaDocument } from "../../../src/policy/share/quota-document.js";
import { PoolModel, type PoolStep, poolSteps } from "../../harness/pool-model.js";
import { expectSafe, expectWithinGrant, modelOptions, PREAMBLE } from "./laws.js";
import { asking, documentAfter, reportOf, seen, T0, update } from "./reports.js";

const MINUTE_MS = 60_000;
const TIMEOUT_MS = 60_000;

const DEAD = new Set(["dead"]);
const held = reportOf("dead", { 1: { spent: 10, inFlight: 2, balance: 38, wantPerHour: 3_000 } }, { header: seen(10) });

/** What a store hands back. */
function stored(doc: QuotaDocument, now = T0): QuotaDocument {
  const parsed = parseQuotaDocument(JSON.parse(JSON.stringify(doc)), now);
  if (parsed.kind === "unreadable") throw new Error(parsed.why);
  return parsed.doc;
}

describe("ending a spender's lease from outside", () => {
  it("tells what it holds and when that comes back, and changes nothing that is counted", () => {
    const before = documentAfter([held, T0]);
    const { doc, ended } = evict(before, DEAD);
    const returnsAfter = T0 + 5 * MINUTE_MS + TIMEOUT_MS + 1_000;
    expect(ended).toEqual([{ spender: "dead", spentUnits: 10, heldUnits: 38, inFlightUnits: 2, returnsAfter }]);
    expect(stored(doc).allocations.dead).toMatchObject({ allocated: 50, used: 12, leaseExpiry: 0 });
    expect(stored(doc).revision).toBe(before.revision + 1);
  });

  it("takes one that holds nothing off at once, and what it spent stays counted", () => {
    const idle = reportOf("dead", { 1: { spent: 10 } }, { header: seen(10) });
    const { doc, ended } = evict(documentAfter([idle, T0]), DEAD);
    expect(ended).toEqual([{ spender: "dead", spentUnits: 10, heldUnits: 0, inFlightUnits: 0, returnsAfter: 0 }]);
    expect(stored(doc)).toMatchObject({ allocations: {}, retired: [0, 10, 0] });
  });

  it("holds nothing more for what it said it would need", () => {
    const greedy = reportOf("dead", { 0: { spent: 1, balance: 1, wantPerHour: 90_000 } }, { header: seen(1) });
    const other = reportOf("alive", { 2: asking(1, { wantPerHour: 150_000 }) });
    const granted = (doc: QuotaDocument): number => update(doc, other, T0 + 1_000).grant.units[2];
    const doc = documentAfter([greedy, T0]);
    expect(granted(evict(doc, DEAD).doc)).toBeGreaterThan(granted(doc));
  });

  it("hands its units out again after the first answer to a request of later than its last one, not before", () => {
    const { doc, ended } = evict(documentAfter([held, T0]), DEAD);
    const after = ended[0]?.returnsAfter ?? 0;
    const whenAnswered = (sentAt: number): QuotaDocument => {
      const beats = [1, 2, 3, 4, 5].map(
        (minute) => [reportOf("alive", { 1: { spent: 1 } }), T0 + minute * MINUTE_MS] as const,
      );
      const alive = beats.reduce((now, [report, at]) => update(now, report, at).doc, doc);
      const header = { ...seen(11, sentAt + 10), sentAt };
      return update(alive, reportOf("alive", { 1: { spent: 1 } }, { header }), sentAt + 20).doc;
    };
    expect(whenAnswered(after).allocations.dead?.allocated).toBe(50);
    expect(whenAnswered(after + 1).allocations.dead).toBeUndefined();
  });

  it("stays ended when the store was away, though that prolongs everybody else's lease", () => {
    const doc = documentAfter([held, T0], [reportOf("other", { 1: { balance: 5 } }), T0]);
    const now = T0 + 20 * MINUTE_MS;
    const back = update(evict(doc, DEAD).doc, reportOf("first", {}), now).doc;
    expect([back.allocations.dead?.leaseExpiry, back.allocations.other?.leaseExpiry]).toEqual([0, now + 5 * MINUTE_MS]);
  });

  it("lets one that lives come back with its next report, as if nothing had been", () => {
    const stint = documentAfter([held, T0]).allocations.dead?.stint;
    const { doc } = evict(documentAfter([held, T0]), DEAD);
    const { grant, doc: back } = update(doc, { ...held, stint }, T0 + MINUTE_MS);
    expect(grant.kind).toBe("continued");
    expect(back.allocations.dead).toMatchObject({ allocated: 50, used: 12, leaseExpiry: T0 + 6 * MINUTE_MS });
  });

  it("changes nothing a second time but the revision, and nothing at all where there is nobody of the name", () => {
    const once = evict(documentAfter([held, T0]), DEAD);
    const twice = evict(once.doc, DEAD);
    expect(twice.ended).toEqual(once.ended);
    expect({ ...twice.doc, revision: once.doc.revision }).toEqual(once.doc);
    expect(evict(once.doc, new Set(["nobody"])).doc).toBe(once.doc);
  });
});

type Step = PoolStep | { readonly kind: "evict"; readonly who: number };

const steps: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    poolSteps({ hidden: false, windowMs: 600_000 }),
    fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 12 }),
  )
  .map(([list, evictions]) => {
    const mixed: Step[] = [...list];
    for (const [place, who] of evictions) mixed.splice(place % (mixed.length + 1), 0, { kind: "evict", who });
    return mixed;
  });

describe("ending leases of the living and the dead at any moment", () => {
  it("never lets more be handed out than there is, nor GitHub refuse anything, nor units come back later", () => {
    fc.assert(
      fc.property(modelOptions, steps, (options, list) => {
        const model = new PoolModel(options, (made, report, before) => expectSafe(made, report, before, options.limit));
        for (const step of [...PREAMBLE, ...list]) {
          if (step.kind === "evict") evictOne(model, step.who);
          else model.step(step);
          expectWithinGrant(model);
          if (model.refused > 0) throw new Error("GitHub refused a request");
        }
      }),
      { numRuns: 300 },
    );
  });

  function evictOne(model: PoolModel, who: number): void {
    if (model.doc === undefined) return;
    const names = Object.keys(model.doc.allocations);
    const name = names[who % Math.max(1, names.length)] ?? "";
    const before = model.doc.allocations[name];
    const { doc, ended } = evict(model.doc, new Set([name]));
    if (before !== undefined && before.requestTimeoutMs > 0) {
      const unevicted = Math.max(before.leaseExpiry, before.spendUntil) + before.requestTimeoutMs + 1_000;
      expect(ended[0]?.returnsAfter).toBeLessThanOrEqual(unevicted);
      // A clock that nobody has set may be a minute off either way.
      const latest = model.now + leaseMs(doc.windowMs) + 4 * MINUTE_MS + before.requestTimeoutMs;
      expect(ended[0]?.returnsAfter).toBeLessThanOrEqual(latest);
    }
    model.doc = JSON.parse(JSON.stringify(doc)) as QuotaDocument;
  }
});
