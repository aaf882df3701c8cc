import { describe, expect, it } from "vitest";
import type { QuotaDocument } from "../../../src/policy/share/quota-document.js";
import { asking, documentAfter, HOUR_MS, openWindow, RESET, reportOf, seen, T0, update } from "./reports.js";

describe("windows", () => {
  it("opens by a charged answer only", () => {
    expect(documentAfter([reportOf("a", {}, { header: seen(0) }), T0]).resetAt).toBeNull();
    expect(documentAfter([reportOf("a", {}, { header: seen(1) }), T0]).resetAt).toBe(RESET);
  });

  it("believes a later reset only when this window is over", () => {
    const later = seen(5, RESET - 10_000, RESET + HOUR_MS - 20_000);
    expect(
      documentAfter(
        [reportOf("a", {}, { header: seen(100) }), T0],
        [reportOf("a", {}, { header: later }), RESET - 10_000],
      ),
    ).toMatchObject({ resetAt: RESET, used: 100 });
  });

  it("turns two seconds after the reset, and forgets what was spent", () => {
    const doc = documentAfter([reportOf("a", { 1: { spent: 40, balance: 0 } }, { header: seen(40) }), T0]);
    expect(update(doc, reportOf("b", {}), RESET + 1_999).doc.window).toBe(1);
    const turned = update(doc, reportOf("b", {}), RESET + 2_000);
    expect(turned.doc).toMatchObject({ window: 2, resetAt: null, previousResetAt: RESET, used: 0 });
    expect(turned.events).toContainEqual(expect.objectContaining({ kind: "window-turned", used: 40 }));
  });

  it("is not brought back by a late answer that names it", () => {
    const turned = update(openWindow(), reportOf("b", {}), RESET + 3_000).doc;
    const late = reportOf("a", {}, { header: seen(4_900, RESET - 500, RESET + 1_000) });
    expect(update(turned, late, RESET + 3_500).doc).toMatchObject({ resetAt: null, used: 0 });
  });

  it("keeps the most that headers of a window have shown, in whatever order they come", () => {
    const headers = [seen(50, T0 + 3_000), seen(20, T0 + 4_000), seen(49, T0 + 5_000)];
    const doc = documentAfter(
      ...headers.map((header, index) => [reportOf("a", {}, { header }), T0 + 6_000 + index] as const),
    );
    expect(doc).toMatchObject({ used: 50, usedAt: T0 + 3_000 });
  });

  it("voids a balance of the window before, and counts calls that straddle", () => {
    const doc = documentAfter([reportOf("a", { 1: { spent: 10, balance: 20 } }, { header: seen(10) }), RESET - 60_000]);
    const { grant, doc: turned } = update(
      doc,
      reportOf("a", { 1: { spent: 12, inFlight: 3, balance: 15, spentAhead: 2 } }),
      RESET + 2_000,
    );
    expect(grant).toMatchObject({ window: 2, kind: "restarted" });
    expect(turned.allocations.a).toMatchObject({ allocated: 5, used: 5 });
  });

  it("counts what a silent spender may have sent across the edge until it reports", () => {
    const doc = documentAfter([
      reportOf("a", { 1: { spent: 10, inFlight: 1, balance: 20 } }, { header: seen(10) }),
      RESET - 60_000,
    ]);
    const turned = update(doc, reportOf("b", {}), RESET + 2_000).doc;
    expect(turned.allocations.a).toMatchObject({ allocated: 21, used: 0 });
    expect(update(turned, reportOf("a", { 1: { spent: 31 } }), RESET + 3_000).doc.allocations.a?.allocated).toBe(0);
  });

  it("counts what one whose clock nobody has set may send long after the reset", () => {
    const unset = { clockKnown: false, window: undefined };
    const doc = update(openWindow(), reportOf("a", { 1: asking(1) }, unset), RESET + 14_000).doc;
    expect(doc).toMatchObject({ window: 1, allocations: { a: { allocated: 1 } } });
    const late = RESET + 70_000;
    expect(update(doc, reportOf("b", {}), late).doc).toMatchObject({ window: 2, allocations: { a: { allocated: 1 } } });
  });

  it("counts what one may spend that does not hear of the new window and was never told the end of the old", () => {
    const ends = RESET + 20_000;
    const doc = documentAfter([
      reportOf("a", { 1: { spent: 10, balance: 20 } }, { header: seen(10), spendUntil: ends }),
      RESET - 60_000,
    ]);
    const report = reportOf("a", { 1: { spent: 12, balance: 18 } }, { madeAt: RESET + 2_000, spendUntil: ends });
    const unheard = update(doc, report, RESET + 2_000);
    expect(unheard.grant).toMatchObject({ window: 2, kind: "restarted" });
    expect(unheard.doc.allocations.a).toMatchObject({ allocated: 18, used: 0, writtenOff: 12 });
    const stopped = { ...report, madeAt: ends };
    expect(update(doc, stopped, ends).doc.allocations.a).toMatchObject({ allocated: 0 });
  });

  it("counts what may have been sent, and be in flight, since a report began to travel across the edge", () => {
    const held = reportOf("a", { 1: { spent: 10, balance: 20 } }, { header: seen(10), spendUntil: RESET });
    const doc = documentAfter([held, RESET - 60_000]);
    const slow = { ...held, madeAt: RESET - 1_000 };
    expect(update(doc, slow, RESET + 2_000).doc.allocations.a).toMatchObject({ allocated: 20, used: 0 });
    expect(update(doc, { ...slow, madeAt: RESET }, RESET + 2_000).doc.allocations.a).toMatchObject({ allocated: 0 });
  });

  it("goes on when hidden use was so fast that the next window looks spent before it began", () => {
    const doc: QuotaDocument = { ...openWindow(), hiddenPerHour: 1e6 };
    const { grant } = update(doc, reportOf("a", { 2: asking(3) }, { window: undefined }), RESET + 2_000);
    expect(grant.units).toEqual([0, 0, 1]);
  });
});
