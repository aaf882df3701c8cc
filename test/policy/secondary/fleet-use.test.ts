import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type FleetUseDocument,
  MAX_PROCESSES,
  type MinuteUse,
  updateFleetUse,
  useReportEveryMs,
  usesAt,
} from "../../../src/policy/secondary/fleet-use.js";
import { GITHUB_SECONDARY_LIMITS } from "../../../src/policy/secondary/limits.js";
import { parseFleetUse } from "../../../src/policy/secondary/parse-fleet-use.js";
import { fleetPressure, type LimitParts, NO_USE, partsOf, WHOLE } from "../../../src/policy/secondary/parts.js";
import { measureUse, toldUse, type UseRate } from "../../../src/policy/secondary/use-rate.js";

const T0 = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;
const KINDS: readonly (keyof LimitParts)[] = ["points", "graphqlPoints", "responseMs", "graphqlResponseMs"];
/** Eight reads a minute of 213 ms each: a session that polls every half minute, and is told that nothing has changed. */
const QUIET: MinuteUse = { requests: 8, restPoints: 8, graphqlPoints: 0, restMs: 1_704, graphqlMs: 0 };
const BUSY: MinuteUse = { requests: 50, restPoints: 40, graphqlPoints: 10, restMs: 8_000, graphqlMs: 13_000 };

const use: fc.Arbitrary<MinuteUse> = fc.record({
  requests: fc.nat(500),
  restPoints: fc.nat(900),
  graphqlPoints: fc.nat(500),
  restMs: fc.nat(90_000),
  graphqlMs: fc.nat(60_000),
});

function documentOf(uses: readonly MinuteUse[], at = T0): FleetUseDocument {
  const processes = Object.fromEntries(uses.map((use, index) => [`p${index}`, { at, ...use }]));
  return { version: 1, revision: 1, updatedAt: at, processes };
}

function parts(doc: FleetUseDocument | undefined, id: string, more: Partial<Parameters<typeof partsOf>[1]> = {}) {
  return partsOf(doc, { id, isNew: false, processes: 1, limits: GITHUB_SECONDARY_LIMITS, ...more }, T0);
}

describe("parts of the secondary limits", () => {
  it("come to no more than the whole by one document, whoever is in it", () => {
    fc.assert(
      fc.property(fc.array(use, { minLength: 1, maxLength: 20 }), fc.nat(40), (uses, processes) => {
        const doc = documentOf(uses);
        const ids = Object.keys(usesAt(doc, T0));
        for (const kind of KINDS) {
          const sum = ids.reduce((sum, id) => sum + parts(doc, id, { processes })[kind], 0);
          expect(sum).toBeLessThanOrEqual(1 + 1e-9);
          if (processes <= uses.length && ids.length === uses.length) expect(sum).toBeCloseTo(1, 6);
        }
      }),
    );
  });

  it("are everything where nobody else is known", () => {
    expect(parts(undefined, "p0")).toBe(WHOLE);
    expect(parts(documentOf([QUIET]), "p0")).toBe(WHOLE);
  });

  it("are even among those of whom nothing is known but their number", () => {
    expect(parts(undefined, "p0", { processes: 4 }).responseMs).toBe(0.25);
  });

  it("let fifty quiet processes have as much each, though their answers cost no quota", () => {
    const doc = documentOf(Array.from({ length: 50 }, () => QUIET));
    const { responseMs } = parts(doc, "p7", { processes: 50 });
    expect(responseMs).toBeCloseTo(1 / 50, 9);
    expect(responseMs * 0.93 * 90_000).toBeGreaterThan(7.5 * 213);
  });

  it("follow use of each limit by itself", () => {
    const own = parts(documentOf([QUIET, BUSY]), "p0", { processes: 2 });
    expect(own.points).toBeGreaterThan(own.responseMs);
    expect(own.graphqlPoints).toBeCloseTo(0.05 / 1.1, 9);
    expect(own.responseMs).toBeCloseTo((1_704 / 22_704 + 0.05) / 1.1, 9);
  });

  it("make one that is not listed the mean of the others", () => {
    const doc = documentOf([QUIET, QUIET, QUIET]);
    expect(parts(doc, "somebody", { processes: 4 }).responseMs).toBeCloseTo(0.25, 9);
  });

  it("leave a new one what the others do not use, less a fifth of all, or its place in the even tenth", () => {
    const half = documentOf([{ ...QUIET, restMs: 45_000 }]);
    expect(parts(half, "new", { isNew: true, processes: 2 }).responseMs).toBeCloseTo(0.3, 9);
    const full = documentOf([{ ...QUIET, restMs: 90_000 }]);
    expect(parts(full, "new", { isNew: true, processes: 2 }).responseMs).toBeCloseTo(0.05, 9);
    expect(parts(full, "new", { isNew: false, processes: 2 }).responseMs).toBeCloseTo(0.5, 9);
  });
});

describe("what all processes use together", () => {
  it("is measured by the nearest limit", () => {
    expect(fleetPressure(undefined, GITHUB_SECONDARY_LIMITS, T0)).toBe(0);
    const doc = documentOf(Array.from({ length: 50 }, () => QUIET));
    expect(fleetPressure(doc, GITHUB_SECONDARY_LIMITS, T0)).toBeCloseTo((50 * 1_704) / 90_000, 9);
    expect(fleetPressure(documentOf([BUSY, BUSY]), GITHUB_SECONDARY_LIMITS, T0)).toBeCloseTo(42 / 90, 9);
  });
});

describe("the document of use", () => {
  it("has of each process its latest report, and can be read by others", () => {
    const first = updateFleetUse(undefined, { id: "a", use: QUIET }, T0);
    const second = updateFleetUse(first, { id: "b", use: BUSY }, T0 + 1_000);
    const third = updateFleetUse(second, { id: "a", use: BUSY }, T0 + 2_000);
    expect(third).toEqual({
      version: 1,
      revision: 3,
      updatedAt: T0 + 2_000,
      processes: { a: { at: T0 + 2_000, ...BUSY }, b: { at: T0 + 1_000, ...BUSY } },
    });
    expect(parseFleetUse(JSON.parse(JSON.stringify(third)), T0)).toEqual({ kind: "ok", doc: third });
  });

  it("forgets who says that it ends, and who is silent for two reports and a half", () => {
    const doc = updateFleetUse(updateFleetUse(undefined, { id: "a", use: QUIET }, T0), { id: "b", use: BUSY }, T0);
    expect(Object.keys(updateFleetUse(doc, { id: "a", use: undefined }, T0).processes)).toEqual(["b"]);
    expect(Object.keys(usesAt(doc, T0 + 137_000))).toEqual(["a", "b"]);
    expect(usesAt(doc, T0 + 138_000)).toEqual({});
  });

  it("waits longer for who sends seldom, but not for ever", () => {
    const seldom = updateFleetUse(undefined, { id: "a", use: { ...QUIET, requests: 2 } }, T0);
    expect(Object.keys(usesAt(seldom, T0 + 5 * MINUTE_MS))).toEqual(["a"]);
    expect(usesAt(seldom, T0 + 5 * MINUTE_MS + 1)).toEqual({});
    const never = updateFleetUse(undefined, { id: "a", use: NO_USE }, T0);
    expect(usesAt(never, T0 + 10 * MINUTE_MS + 1)).toEqual({});
  });

  it("is written about twice a second by the largest fleets, and once a minute by each process of small ones", () => {
    expect(useReportEveryMs(1)).toBe(55_000);
    expect(1_000 * (1_000 / useReportEveryMs(1_000))).toBeLessThan(2.5);
  });

  it("takes no more processes than can be read", () => {
    const full = documentOf(Array.from({ length: MAX_PROCESSES }, () => QUIET));
    expect(Object.keys(updateFleetUse(full, { id: "one more", use: QUIET }, T0).processes)).toHaveLength(MAX_PROCESSES);
    const text = { ...full, processes: { ...full.processes, more: { at: T0, ...QUIET } } };
    expect(parseFleetUse(text, T0)).toMatchObject({ kind: "unreadable" });
  });

  it.each([
    ["nothing", null],
    ["another version", { ...documentOf([QUIET]), version: 2 }],
    ["the future", documentOf([QUIET], T0 + 10 * MINUTE_MS)],
    ["a process without numbers", { ...documentOf([]), processes: { a: {} } }],
    ["a negative use", { ...documentOf([]), processes: { a: { at: T0, ...QUIET, restMs: -1 } } }],
    ["no number", { ...documentOf([]), processes: { a: { at: T0, ...QUIET, requests: Number.NaN } } }],
  ])("is not read when it is of %s", (_, value) => {
    expect(parseFleetUse(value, T0).kind).toBe("unreadable");
  });
});

describe("the measured rate of a process", () => {
  const begun: UseRate = { since: 0, total: NO_USE, perMinute: undefined, told: NO_USE };
  const times = (use: MinuteUse, factor: number): MinuteUse => ({
    requests: use.requests * factor,
    restPoints: use.restPoints * factor,
    graphqlPoints: use.graphqlPoints * factor,
    restMs: use.restMs * factor,
    graphqlMs: use.graphqlMs * factor,
  });

  it("is what was used per minute, once the greater part of one has passed", () => {
    expect(measureUse(begun, QUIET, false, 44_000)).toBe(begun);
    expect(measureUse(begun, QUIET, false, MINUTE_MS).perMinute).toEqual(QUIET);
    expect(measureUse(begun, QUIET, false, 2 * MINUTE_MS).perMinute).toEqual(times(QUIET, 0.5));
  });

  it("falls soon for who sends less, and not at all while calls are held back", () => {
    const rate = measureUse(begun, BUSY, false, MINUTE_MS);
    const idle = measureUse(rate, BUSY, false, 2 * MINUTE_MS);
    expect(idle.perMinute?.requests).toBeCloseTo(50 * Math.exp(-1), 6);
    expect(measureUse(rate, BUSY, true, 2 * MINUTE_MS).perMinute).toEqual(BUSY);
    expect(measureUse(rate, times(BUSY, 3), true, 2 * MINUTE_MS).perMinute?.requests).toBeGreaterThan(80);
  });

  it("is taken for the others' mean before it is measured, and stays that if the first minute was held back", () => {
    const told = toldUse(begun, { ...NO_USE, requests: 1 }, [QUIET, BUSY]);
    expect(told.requests).toBe(29);
    expect(toldUse(begun, QUIET, [])).toEqual(QUIET);
    const held = measureUse({ ...begun, told }, { ...NO_USE, requests: 1 }, true, MINUTE_MS);
    expect(toldUse(held, NO_USE, [])).toEqual(told);
  });
});
