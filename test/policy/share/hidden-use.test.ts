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
