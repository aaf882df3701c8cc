import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DEFAULT_LANE_SPACING,
  decidePace,
  enterLane,
  IDLE_LANES,
  type Lane,
  type PaceState,
} from "../../src/policy/pacing.js";

const LANES: readonly Lane[] = ["direct", "write", "notification", "search"];
const T0 = 1_234_567.891;

/** What each lane is told when `entered` was entered at T0 and it is `afterMs` later. */
function untilAfter(entered: Lane, afterMs: number): Record<string, number | "go"> {
  const state = enterLane(IDLE_LANES, entered, T0);
  return Object.fromEntries(
    LANES.map((lane) => {
      const decision = decidePace(state, lane, DEFAULT_LANE_SPACING, T0 + afterMs);
      return [lane, decision.kind === "go" ? "go" : decision.untilAt - T0];
    }),
  );
}

describe("decidePace", () => {
  it("lets everybody into lanes that were never entered", () => {
    for (const lane of LANES) expect(decidePace(IDLE_LANES, lane, DEFAULT_LANE_SPACING, 0)).toEqual({ kind: "go" });
  });

  it("keeps a second between writes, three between those that notify, two between searches, and none else", () => {
    expect(untilAfter("direct", 0)).toEqual({ direct: "go", write: "go", notification: "go", search: "go" });
    expect(untilAfter("write", 400)).toEqual({ direct: "go", write: 1_000, notification: 1_000, search: "go" });
    expect(untilAfter("notification", 400)).toEqual({ direct: "go", write: 1_000, notification: 3_000, search: "go" });
    expect(untilAfter("search", 400)).toEqual({ direct: "go", write: "go", notification: "go", search: 2_000 });
    expect(untilAfter("notification", 1_000)).toMatchObject({ write: "go", notification: 3_000 });
    expect(untilAfter("search", 1_999.9)).toMatchObject({ search: 2_000 });
    expect(untilAfter("search", 2_000)).toMatchObject({ search: "go" });
  });

  it("holds a notification for a write that has just gone, also when no notification has for long", () => {
    const state = enterLane(enterLane(IDLE_LANES, "notification", T0), "write", T0 + 2_500);
    expect(decidePace(state, "notification", DEFAULT_LANE_SPACING, T0 + 3_200)).toEqual({
      kind: "wait",
      untilAt: T0 + 3_500,
      why: "writes are sent 1 s apart, as GitHub asks; the last went 700 ms ago",
    });
  });

  it.each([
    ["write", 400, "writes are sent 1 s apart, as GitHub asks; the last went 400 ms ago"],
    ["write", 0, "writes are sent 1 s apart, as GitHub asks; the last went just now"],
    [
      "notification",
      2_999,
      "writes that notify people are sent 3 s apart, since GitHub limits them further; the last went 2.9 s ago",
    ],
    [
      "search",
      1_500,
      "searches are sent 2 s apart, since GitHub allows only so many a minute; the last went 1.5 s ago",
    ],
  ] as const)("says why a %s waits after %i ms", (lane, afterMs, why) => {
    const now = 50_000;
    const state = enterLane(IDLE_LANES, lane, now - afterMs);
    expect(decidePace(state, lane, DEFAULT_LANE_SPACING, now)).toMatchObject({ kind: "wait", why });
  });

  it("says a spacing of one's own as it is, and keeps none of zero", () => {
    const state = enterLane(IDLE_LANES, "write", T0);
    const told = decidePace(state, "write", { writeMs: 1_500, notificationMs: 0, searchMs: 0 }, T0);
    expect(told).toMatchObject({ why: "writes are sent 1.5 s apart, as GitHub asks; the last went just now" });
    const none = { writeMs: 0, notificationMs: 0, searchMs: 0 };
    for (const lane of LANES) expect(decidePace(state, lane, none, T0)).toEqual({ kind: "go" });
  });

  it("never lets two into a lane closer than its spacing, and lets the next in at the time it was told", () => {
    const spacingMs = fc.integer({ min: 0, max: 5_000 });
    const step = fc.record({
      lane: fc.constantFrom(...LANES),
      passMs: fc.double({ min: 0, max: 4_000, noNaN: true }),
      setBackMs: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 3_600_000, noNaN: true })),
      patient: fc.boolean(),
    });
    const steps = fc.array(step, { maxLength: 40 });
    const spacings = fc.record({ writeMs: spacingMs, notificationMs: spacingMs, searchMs: spacingMs });
    fc.assert(
      fc.property(steps, spacings, fc.double({ min: 0, max: 5_000, noNaN: true }), (all, spacing, startAt) => {
        let state: PaceState = IDLE_LANES;
        let realMs = 0;
        let clock = startAt;
        const starts: { readonly lane: Lane; readonly realMs: number }[] = [];
        for (const { lane, passMs, setBackMs, patient } of all) {
          realMs += passMs;
          clock += passMs - setBackMs;
          let decision = decidePace(state, lane, spacing, clock);
          if (decision.kind === "wait") {
            expect(decision.untilAt).toBeGreaterThan(clock);
            if (!patient) continue;
            realMs += decision.untilAt - clock;
            clock = decision.untilAt;
            decision = decidePace(state, lane, spacing, clock);
            expect(decision).toEqual({ kind: "go" });
          }
          state = enterLane(state, lane, clock);
          starts.push({ lane, realMs });
        }
        const gaps = (lanes: readonly Lane[]): number[] => {
          const times = starts.filter((start) => lanes.includes(start.lane)).map((start) => start.realMs);
          return times.slice(1).map((time, index) => time - (times[index] as number));
        };
        // Sums of doubles in another order.
        const least = (lanes: readonly Lane[]): number => Math.min(...gaps(lanes)) + 1e-3;
        expect(least(["write", "notification"])).toBeGreaterThanOrEqual(spacing.writeMs);
        expect(least(["notification"])).toBeGreaterThanOrEqual(spacing.notificationMs);
        expect(least(["search"])).toBeGreaterThanOrEqual(spacing.searchMs);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("enterLane", () => {
  it("leaves the state as it is for whoever goes direct", () => {
    expect(enterLane(IDLE_LANES, "direct", T0)).toBe(IDLE_LANES);
  });

  it("counts a notification as a write, and a search as neither", () => {
    expect(enterLane(IDLE_LANES, "notification", T0)).toEqual({ ...IDLE_LANES, writeAt: T0, notificationAt: T0 });
    expect(enterLane(IDLE_LANES, "search", T0)).toEqual({ ...IDLE_LANES, searchAt: T0 });
  });

  it("does not forget a later entry over one that is said to be earlier", () => {
    for (const lane of ["write", "notification", "search"] as const) {
      const state = enterLane(IDLE_LANES, lane, T0);
      expect(enterLane(state, lane, T0 - 500)).toEqual(state);
    }
  });
});
