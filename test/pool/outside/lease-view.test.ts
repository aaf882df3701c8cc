import { describe, expect, it } from "vitest";
import { evict } from "../../../src/policy/share/evict.js";
import { leaseViews } from "../../../src/pool/outside/lease-view.js";
import { identifyMember, identifySpender } from "../../../src/pool/outside/process-of.js";
import { asking, documentAfter, reportOf, seen, T0 } from "../../policy/share/reports.js";

const MINUTE_MS = 60_000;
const SPENDER = "ralph~5f0c31aa77e0-1c2d3e4f";

function viewed(report: Parameters<typeof reportOf>[1], now = T0 + 1_000) {
  const doc = documentAfter([reportOf(SPENDER, report, { header: seen(0) }), T0]);
  return leaseViews(doc, now)[0];
}

describe("a lease that is looked at", () => {
  it("tells whose it is, what is spent of it, and for how long it lasts", () => {
    expect(viewed({ 0: { spent: 5, balance: 3 }, 1: { spent: 2, inFlight: 1, balance: 10 } })).toMatchObject({
      agent: "ralph",
      process: "5f0c31aa77e0",
      priority: 0,
      state: "alive",
      allocatedUnits: 21,
      spentUnits: 7,
      inFlightUnits: 1,
      heldUnits: 13,
      leaseLeftMs: 5 * MINUTE_MS - 1_000,
    });
  });

  it("calls waiting only what is not covered by what is held, and was told of late", () => {
    // Of twenty, all granted: the report that asked is the last one there is.
    expect(viewed({ 1: asking(20) })).toMatchObject({ heldUnits: expect.any(Number), waitingUnits: 0 });
    expect(viewed({ 1: { waiting: 20, balance: 8 } })?.waitingUnits).toBe(12);
    expect(viewed({ 1: { waiting: 20, balance: 8 } }, T0 + 4 * MINUTE_MS)?.waitingUnits).toBe(0);
  });

  it("has ended when nobody has reported for longer than it lasts, or an operator has ended it", () => {
    const doc = documentAfter([reportOf(SPENDER, { 1: { balance: 9 } }, { header: seen(0) }), T0]);
    expect(leaseViews(doc, T0 + 6 * MINUTE_MS)[0]).toMatchObject({ state: "ended", leaseLeftMs: 0 });
    expect(leaseViews(evict(doc, new Set([SPENDER])).doc, T0 + 1_000)[0]?.state).toBe("evicted");
  });
});

describe("ids", () => {
  it("tell agent and process, also where a name has the mark in it", () => {
    expect(identifyMember("a~b~5f0c31aa77e0")).toEqual({ agent: "a~b", process: "5f0c31aa77e0" });
    expect(identifySpender("a~b~5f0c31aa77e0-1c2d3e4f")).toEqual({ agent: "a~b", process: "5f0c31aa77e0" });
  });

  it("tell no process where they are of another make", () => {
    expect(identifyMember("ralph")).toEqual({ agent: "ralph", process: undefined });
    expect(identifySpender("ralph~17")).toEqual({ agent: "ralph", process: undefined });
  });
});
