import { describe, expect, it } from "vitest";
import type { QuotaDocument } from "../../../src/policy/share/quota-document.js";
import { updateShare } from "../../../src/policy/share.js";
import { documentAfter, reportOf, seen, T0, update } from "./reports.js";

const MINUTE_MS = 60_000;

describe("leases", () => {
  const held = reportOf("dead", { 1: { spent: 10, balance: 40 } }, { header: seen(10) });
  /** Alive and well: reports every minute, so that the store was never away. */
  function minutes(count: number, headerUntil: number): QuotaDocument {
    const beats = Array.from({ length: count }, (_, index) => {
      const now = T0 + (index + 1) * MINUTE_MS;
      const header = seen(11, Math.min(now, headerUntil));
      return [reportOf("alive", { 1: { spent: 1 } }, { header }), now] as const;
    });
    return documentAfter([held, T0], ...beats);
  }

  it("lasts five minutes, and a twelfth of a shorter window", () => {
    expect(update(undefined, held, T0).doc.allocations.dead?.leaseExpiry).toBe(T0 + 300_000);
    const short = { ...held, windowMs: 600_000, header: undefined };
    expect(update(undefined, short, T0).grant.spendUntil).toBe(T0 + 50_000);
  });

  it("keeps a silent spender's units while its last request may still be charged", () => {
    expect(minutes(6, Number.POSITIVE_INFINITY).allocations.dead?.allocated).toBe(50);
  });

  it("gives them back after a header asked for later than lease and timeout", () => {
    const doc = minutes(7, Number.POSITIVE_INFINITY);
    expect(doc.allocations.dead).toBeUndefined();
    expect(doc.retired).toEqual([0, 10, 0]);
  });

  it("keeps them when the header came late but was asked for early: it may not count the last request", () => {
    const doc = minutes(6, Number.POSITIVE_INFINITY);
    const now = T0 + 7 * MINUTE_MS;
    const late = { ...seen(11, now), sentAt: now - MINUTE_MS };
    const docWith = (header: typeof late): QuotaDocument =>
      update(doc, reportOf("alive", { 1: { spent: 1 } }, { header }), now).doc;
    expect(docWith(late).allocations.dead?.allocated).toBe(50);
    expect(docWith({ ...late, sentAt: now - 58_000 }).allocations.dead).toBeUndefined();
  });

  it("keeps them as long as no such header was seen", () => {
    expect(minutes(20, T0 + 2 * MINUTE_MS).allocations.dead).toBeDefined();
  });

  it("tells who comes back after that to start anew, without counting its spending twice", () => {
    const doc = minutes(7, Number.POSITIVE_INFINITY);
    const {
      grant,
      doc: back,
      events,
    } = update(doc, reportOf("dead", { 1: { spent: 12, balance: 38 } }), T0 + 8 * MINUTE_MS);
    expect(grant.kind).toBe("restarted");
    expect(back.allocations.dead).toMatchObject({ allocated: 0, used: 0 });
    expect(events).toContainEqual({ kind: "came-back", spender: "dead" });
  });

  it("does not believe what somebody still holds who has not heard of its retirement", () => {
    const now = T0 + 8 * MINUTE_MS;
    const stale = reportOf("dead", { 1: { spent: 10, balance: 40 } }, { stint: 1 });
    const unheard = updateShare(minutes(7, Number.POSITIVE_INFINITY), stale, now).doc;
    const again = updateShare(unheard, stale, now + 1_000);
    expect(again.grant.kind).toBe("restarted");
    expect(again.doc.allocations.dead).toMatchObject({ allocated: 0, used: 0 });
  });

  it("retires nobody when the store was away for everybody", () => {
    const header = seen(11, T0 + 20 * MINUTE_MS);
    const { doc, events } = update(documentAfter([held, T0]), reportOf("first", {}, { header }), T0 + 20 * MINUTE_MS);
    expect(doc.allocations.dead?.leaseExpiry).toBe(T0 + 25 * MINUTE_MS);
    expect(events).toContainEqual(expect.objectContaining({ kind: "leases-extended", spenders: 1 }));
  });

  it("ends at once on close, and what was spent stays counted", () => {
    const doc = documentAfter([held, T0], [reportOf("dead", { 1: { spent: 30 } }, { closing: true }), T0 + 1_000]);
    expect(doc.allocations.dead).toBeUndefined();
    expect(doc.retired).toEqual([0, 30, 0]);
  });
});
