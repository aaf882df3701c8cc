import { describe, expect, it } from "vitest";
import { asking, documentAfter, grantedTo, HOUR_MS, openWindow, RESET, reportOf, seen, T0, update } from "./reports.js";

describe("hidden use", () => {
  it("is counted on top of calls in flight, which no header has shown", () => {
    const limit = 100;
    let doc = documentAfter([reportOf("a", { 1: { spent: 50 } }, { header: seen(90, T0, RESET, limit), limit }), T0]);
    doc = { ...doc, watchedSince: T0 - HOUR_MS / 2, usedBefore: 40 };
    const { grant } = update(doc, reportOf("a", { 1: asking(20, { spent: 50, inFlight: 8 }) }, { limit }), T0 + 100);
    expect(grant.units[1]).toBe(0);
  });

  it("is not seen in what peers have spent and not reported", () => {
    let doc = documentAfter([
      reportOf("peer", { 1: { spent: 0, balance: 100, wantPerHour: 6_000 } }, { header: seen(1) }),
      T0,
    ]);
    doc = update(doc, reportOf("me", { 1: { spent: 1 } }, { header: seen(51, T0 + 30_000) }), T0 + 30_000).doc;
    const turned = update(doc, reportOf("me", {}), RESET + 2_000);
    expect(turned.doc.hiddenPerHour).toBeLessThan(10);
  });

  it("carries its rate into the next window", () => {
    const doc = documentAfter(
      [reportOf("a", {}, { header: seen(1) }), T0],
      [reportOf("a", {}, { header: seen(501, RESET - 1_000) }), RESET - 1_000],
    );
    expect(update(doc, reportOf("a", {}), RESET + 2_000).doc.hiddenPerHour).toBeCloseTo(400, -1);
  });
});

describe("units that came back though they may have been charged", () => {
  const limit = 100;
  /** `a` has been answered 50 times, `b` 20 times; `b` has 20 calls in flight that no header can have counted yet. */
  const before = documentAfter(
    [reportOf("a", { 1: { spent: 50, inFlight: 20 } }, { header: seen(50, T0, RESET, limit), limit }), T0],
    [reportOf("b", { 1: { spent: 20, inFlight: 20 } }, { limit }), T0],
  );
  const asks = reportOf("c", { 1: asking(20) }, { header: seen(90, T0 + 2_000, RESET, limit), limit });

  it("are not taken for a peer's calls in flight, and so handed out twice", () => {
    const given = reportOf("a", { 1: { spent: 50 } }, { writtenOff: 20, limit });
    const back = update(before, given, T0 + 1_000).doc;
    expect(update(back, asks, T0 + 2_000).grant.units[1]).toBe(0);
  });

  it("nor are those of a spender that died", () => {
    const late = T0 + 400_000;
    const alive = reportOf("b", { 1: { spent: 20, inFlight: 20 } }, { limit });
    const others = [
      [reportOf("a", { 1: { spent: 50, balance: 20 } }, { header: seen(50, T0, RESET, limit), limit }), T0],
      ...[T0 + 120_000, T0 + 240_000, late].map((at) => [alive, at] as const),
    ] as const;
    const header = seen(90, late + 2_000, RESET, limit);
    const { doc, grant } = update(documentAfter(...others), { ...asks, header }, late + 2_000);
    expect(doc).toMatchObject({ retired: [0, 50, 0], writtenOff: 20 });
    expect(grant.units[1]).toBe(0);
  });

  it("are free when headers show no more than what was reported", () => {
    const back = update(before, reportOf("a", { 1: { spent: 50 } }, { writtenOff: 20, limit }), T0 + 1_000).doc;
    const few = { ...asks, header: seen(70, T0 + 2_000, RESET, limit) };
    expect(update(back, few, T0 + 2_000).grant.units[1]).toBeGreaterThan(0);
  });

  it("belong to the past when the window is over", () => {
    const given = reportOf("a", { 1: { spent: 50 } }, { writtenOff: 20, spendUntil: RESET, limit });
    const turned = update(update(before, given, RESET - 60_000).doc, reportOf("c", {}), RESET + 2_000).doc;
    expect(turned.allocations.a?.writtenOff).toBe(0);
    expect(update(turned, given, RESET + 3_000).doc.allocations.a?.writtenOff).toBe(0);
  });
});

describe("a burst of hidden use", () => {
  /** What a spender that always wants more has been granted at each minute of an hour, after 2,000 units at minute 5. */
  function grantedByMinute(priority: 0 | 2): readonly number[] {
    let doc = openWindow(1, 5_000);
    let [used, spent] = [1, 0];
    let header = seen(used);
    const granted: number[] = [];
    for (let second = 10; second < 3_590; second += 10) {
      const now = RESET - HOUR_MS + second * 1_000;
      if (second === 300) used += 2_000;
      const ask = asking(10, { spent });
      const { doc: next, grant } = update(
        doc,
        reportOf("me", { [priority]: ask }, { header, window: doc.window, stint: doc.allocations.me?.stint }),
        now,
      );
      doc = next;
      const units = grant.units[priority];
      spent += units;
      used += units;
      if (units > 0) header = seen(used, now);
      granted[Math.floor(second / 60)] = spent;
    }
    return granted;
  }

  it.each([0, 2] as const)(
    "does not hold P%i up until the reset: a look now and then tells that it is over",
    (priority) => {
      const granted = grantedByMinute(priority);
      expect(granted[24]).toBeGreaterThan((granted[10] ?? 0) + 100);
      expect(granted[59]).toBeGreaterThan(2_500);
    },
  );

  it("is never said to be reserved for beyond what is left", () => {
    const doc = documentAfter(
      [reportOf("a", {}, { header: seen(1) }), T0],
      [reportOf("a", {}, { header: seen(2_001, T0 + 300_000) }), T0 + 300_000],
    );
    const { events } = update(doc, reportOf("a", { 2: asking(5) }), T0 + 301_000);
    expect(events).toContainEqual(
      expect.objectContaining({ denial: expect.objectContaining({ reservedForHiddenUnits: 2_999, freeUnits: 0 }) }),
    );
  });
});

describe("credentials with limits of their own", () => {
  it("gives one with a low limit nothing beyond it", () => {
    const doc = openWindow(4_990, 15_000);
    expect(
      grantedTo(update(doc, reportOf("low", { 1: asking(50) }, { limit: 5_000 }), T0 + 1_000)),
    ).toBeLessThanOrEqual(8);
  });

  it("grants nobody past a lower limit under which another still holds units", () => {
    const low = reportOf(
      "low",
      { 1: { spent: 10, balance: 20 } },
      { limit: 5_000, header: seen(4_970, T0, RESET, 5_000) },
    );
    const doc = documentAfter([low, T0]);
    const high = reportOf("high", { 1: asking(50) }, { limit: 15_000 });
    expect(grantedTo(update(doc, high, T0 + 1_000))).toBeLessThanOrEqual(8);
    const returned = update(doc, reportOf("low", { 1: { spent: 30 } }, { limit: 5_000 }), T0 + 2_000).doc;
    expect(grantedTo(update(returned, high, T0 + 3_000))).toBe(50);
  });
});
