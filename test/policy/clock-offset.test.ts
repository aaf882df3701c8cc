import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ClockOffset, type DateSeen, narrowOffset, offsetMs } from "../../src/policy/clock-offset.js";

const T0 = Date.UTC(2030, 0, 1);
const HOUR_MS = 3_600_000;
const RUNS = { numRuns: 10_000 };

/** An exchange as a local clock sees it when GitHub is `skewMs` ahead. */
function exchange(sentAt: number, thereMs: number, backMs: number, skewMs: number): DateSeen {
  const stampedAt = sentAt + thereMs + skewMs;
  return { sentAt, receivedAt: sentAt + thereMs + backMs, dateMs: Math.floor(stampedAt / 1_000) * 1_000 };
}

const latency = fc.nat(30_000);
const skew = fc.integer({ min: -20 * HOUR_MS, max: 20 * HOUR_MS });
const exchanges = fc.array(fc.record({ afterMs: fc.nat(60_000), thereMs: latency, backMs: latency }), {
  minLength: 1,
  maxLength: 12,
});

describe("narrowOffset", () => {
  it("keeps the true offset inside, and never widens, whatever the skew and the latencies", () => {
    fc.assert(
      fc.property(skew, exchanges, (skewMs, list) => {
        let state: ClockOffset | undefined;
        let sentAt = T0;
        for (const { afterMs, thereMs, backMs } of list) {
          sentAt += afterMs;
          const step = narrowOffset(state, exchange(sentAt, thereMs, backMs, skewMs));
          expect(step.kind).toBe("narrowed");
          const next = step.state as ClockOffset;
          expect(next.minMs).toBeLessThanOrEqual(skewMs);
          expect(next.maxMs).toBeGreaterThanOrEqual(skewMs);
          expect(Math.abs(offsetMs(next) - skewMs)).toBeLessThanOrEqual((1_000 + thereMs + backMs) / 2);
          if (state !== undefined) expect(next.maxMs - next.minMs).toBeLessThanOrEqual(state.maxMs - state.minMs);
          state = next;
        }
      }),
      RUNS,
    );
  });

  it("comes within milliseconds when answers fall at different parts of the second", () => {
    let state: ClockOffset | undefined;
    for (let index = 0; index < 100; index++)
      state = narrowOffset(state, exchange(T0 + index * 1_010, 2, 2, 1_234)).state;
    expect(Math.abs(offsetMs(state) - 1_234)).toBeLessThan(15);
  });

  it("restarts from the newest answer when a clock was set", () => {
    const before = narrowOffset(undefined, exchange(T0, 50, 50, 0)).state;
    const step = narrowOffset(before, exchange(T0 + 1_000, 50, 50, 90_000));
    expect(step.kind).toBe("restarted");
    expect(Math.abs(offsetMs(step.state) - 90_000)).toBeLessThanOrEqual(550);
  });

  it.each([
    ["a date of another day", { sentAt: T0, receivedAt: T0 + 100, dateMs: T0 - 25 * HOUR_MS }],
    ["no date at all", { sentAt: T0, receivedAt: T0 + 100, dateMs: Number.NaN }],
    ["a clock set back in mid-exchange", { sentAt: T0, receivedAt: T0 - 5_000, dateMs: T0 }],
  ])("says why it ignores %s, and keeps what it knew", (_what, seen) => {
    const state = { minMs: -10, maxMs: 20 };
    expect(narrowOffset(state, seen)).toEqual({ kind: "ignored", state, why: expect.stringMatching(/\w/) });
    expect(narrowOffset(undefined, seen).state).toBeUndefined();
  });
});

it("takes the local clock for GitHub's while nothing is known", () => {
  expect(offsetMs(undefined)).toBe(0);
});
