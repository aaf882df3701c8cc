import { describe, expect, it } from "vitest";
import type { ShareReport } from "../../src/policy/share.js";
import {
  asking,
  documentAfter,
  grantedTo,
  HOUR_MS,
  openWindow,
  RESET,
  reportOf,
  seen,
  T0,
  update,
} from "./share/reports.js";

describe("when nobody knows the window", () => {
  it("lets one call of the whole fleet go, and tells the others to come back within a second or so", () => {
    const first = update(undefined, reportOf("a", { 1: asking(30) }), T0);
    expect(first.grant.units).toEqual([0, 1, 0]);
    const second = update(first.doc, reportOf("b", { 1: asking(30) }), T0 + 100);
    expect(grantedTo(second)).toBe(0);
    expect(second.retryAt).toBe(T0 + 1_100);
  });

  it("sends another scout when the first does not come back", () => {
    const first = update(undefined, reportOf("a", { 1: asking(1) }), T0);
    expect(grantedTo(update(first.doc, reportOf("b", { 1: asking(1) }), T0 + 5_000))).toBe(1);
  });

  it("gives freely once the first header is in", () => {
    const doc = openWindow();
    expect(update(doc, reportOf("b", { 1: asking(30) }), T0 + 200).grant.units[1]).toBe(30);
  });

  it("does not take what was used before the pool began for a rate of hidden use", () => {
    const { grant } = update(openWindow(3_000), reportOf("b", { 1: asking(5_000) }), T0 + 1_000);
    // 2,000 are left, less P0's floor of 250 and a cushion of 2.
    expect(grant.units[1]).toBe(1_748);
  });
});

describe("a machine whose clock nobody has set", () => {
  const unset = { clockKnown: false };

  it("gets one call at a time", () => {
    const { grant } = update(openWindow(), reportOf("b", { 1: asking(30) }, unset), T0 + 1_000);
    expect(grant.units).toEqual([0, 1, 0]);
  });

  it("ends no window half a minute early", () => {
    const { doc } = update(openWindow(), reportOf("b", {}, unset), RESET + 25_000);
    expect(doc.window).toBe(1);
  });

  it("leaves no word on when the document was written", () => {
    const doc = openWindow();
    expect(update(doc, reportOf("b", {}, unset), T0 + HOUR_MS / 2).doc.updatedAt).toBe(doc.updatedAt);
  });
});

describe("who gets how much", () => {
  /** Everybody wants everything, in turn, until nobody gets more. */
  function saturate(
    priorities: readonly (0 | 1 | 2)[],
    mode: ShareReport["mode"] = "lend",
    limit = 1_000,
  ): readonly number[] {
    let doc = openWindow(1, limit);
    const got = priorities.map(() => 0);
    for (let round = 0; round < 400; round++) {
      priorities.forEach((priority, index) => {
        const spent = got[index] ?? 0;
        const ask = asking(5, { spent, wantPerHour: 4 * limit });
        const report = reportOf(
          `s${index}`,
          { [priority]: ask },
          { mode, limit, header: seen(1, T0 + 1_000, RESET, limit) },
        );
        const turn = update(doc, report, T0 + 1_000);
        doc = turn.doc;
        got[index] = spent + grantedTo(turn);
      });
    }
    return got;
  }

  it("divides by entitlement when every class wants more: 40, 35 and 25 %", () => {
    const [p0, p1, p2] = saturate([0, 1, 2]);
    expect(p0).toBeGreaterThanOrEqual(396);
    expect(p1).toBeGreaterThanOrEqual(320);
    expect(p2).toBeGreaterThanOrEqual(225);
    expect((p0 ?? 0) + (p1 ?? 0) + (p2 ?? 0)).toBeLessThanOrEqual(997);
  });

  it("lends an absent class's share, but keeps P0's floor: 5 % of the limit for a whole window", () => {
    const [p2] = saturate([2]);
    expect(p2).toBeGreaterThanOrEqual(940);
    expect(p2).toBeLessThanOrEqual(950);
  });

  it("splits a class evenly among its spenders", () => {
    const [a, b] = saturate([1, 1]);
    // To within one grant: a thirtieth of what one of them wants in a window.
    expect(Math.abs((a ?? 0) - (b ?? 0))).toBeLessThanOrEqual(134);
  });

  it("with `fixed` gives each spender its part and lends nothing", () => {
    const [p0, a, b] = saturate([0, 2, 2], "fixed");
    expect(p0).toBeGreaterThan(600);
    expect(p0).toBeLessThanOrEqual(615);
    expect(a).toBeGreaterThan(185);
    expect(b).toBeLessThanOrEqual(193);
  });

  it("holds what urgent calls wait for", () => {
    const limit = 100;
    const base = openWindow(60, limit);
    const waiting = update(
      base,
      reportOf("urgent", { 0: { waiting: 30, wantPerHour: 30 } }, { limit }),
      T0 + 1_000,
    ).doc;
    const { grant } = update(waiting, reportOf("idle", { 2: asking(30) }, { limit }), T0 + 1_100);
    // 38 are free; P0 is entitled to 24 of the 40 that nobody had used.
    expect(grant.units[2]).toBe(13);
  });

  it("counts a spender's classes apart", () => {
    const { grant, doc } = update(openWindow(), reportOf("both", { 0: asking(3), 2: asking(4) }), T0 + 1_000);
    expect(grant.units).toEqual([3, 0, 4]);
    expect(doc.allocations.both).toMatchObject({
      priority: 0,
      allocated: 7,
      classes: { 0: { allocated: 3 }, 2: { allocated: 4 } },
    });
  });

  it("takes back what a spender says it no longer keeps", () => {
    const doc = documentAfter(
      [reportOf("a", { 1: { spent: 5, balance: 20 } }, { header: seen(5) }), T0],
      [reportOf("a", { 1: { spent: 6, balance: 0 } }), T0 + 1_000],
    );
    expect(doc.allocations.a).toMatchObject({ allocated: 6, used: 6 });
  });
});

describe("a denial", () => {
  const limit = 100;
  const spentUp = openWindow(97, limit);
  const denied = (priority: 0 | 1 | 2, denials: number): number =>
    (update(spentUp, reportOf("a", { [priority]: asking(1, { denials }) }, { limit }), T0 + 1_000).retryAt ?? 0) -
    T0 -
    1_000;

  it("says when to ask again: urgent classes sooner, each later than the time before", () => {
    expect(denied(0, 0)).toBeLessThan(denied(1, 0));
    expect(denied(1, 0)).toBeLessThan(denied(2, 0));
    expect(denied(1, 1)).toBe(2 * denied(1, 0));
    expect(denied(1, 20)).toBe(HOUR_MS / 20);
  });

  it("points to the next window when GitHub says that nothing is left", () => {
    const { retryAt } = update(openWindow(100, limit), reportOf("a", { 1: asking(1) }, { limit }), T0 + 1_000);
    expect(retryAt).toBe(RESET + 2_000);
  });

  it("tells in numbers why", () => {
    const { events } = update(spentUp, reportOf("a", { 1: asking(5, { firstUnits: 5 }) }, { limit }), T0 + 1_000);
    expect(events).toContainEqual({
      kind: "denied",
      denial: expect.objectContaining({ priority: 1, limit, freeUnits: 1, probing: false }),
    });
  });
});
