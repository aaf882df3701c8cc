import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addSample, forecast, type UsageSamples, type UsageSeen } from "../../src/policy/forecast.js";
import { RESET_GUARD_MS } from "../../src/policy/window.js";

const T0 = Date.UTC(2030, 0, 1);
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const RESET = T0 + HOUR_MS;
const RUNS = { numRuns: 500 };

/** A sample so many minutes into the window. */
function seen(minute: number, used: number, resetAt = RESET): UsageSeen {
  return { at: T0 + minute * MINUTE_MS, used, resetAt };
}

function keepAll(list: readonly UsageSeen[], from?: UsageSamples, windowMs = HOUR_MS): UsageSamples | undefined {
  return list.reduce<UsageSamples | undefined>((kept, sample) => addSample(kept, sample, windowMs), from);
}

/** The samples as [minute, used]. */
function pairs(kept: UsageSamples | undefined): readonly (readonly [number, number])[] {
  return (kept?.samples ?? []).map(({ at, used }) => [(at - T0) / MINUTE_MS, used]);
}

describe("forecast", () => {
  const steady = keepAll([seen(0, 1_000), seen(1, 1_600), seen(2, 2_200)]);

  it("divides what remains by the pace", () => {
    const told = forecast(steady, 2_800, T0 + 2 * MINUTE_MS);
    expect(told?.unitsPerMinute).toBeCloseTo(600, 6);
    expect(told?.exhaustedInMs).toBeCloseTo(280_000, 3);
  });

  it("fits all samples, so that a burst at either end does not decide", () => {
    const burst = keepAll([seen(0, 100), seen(1, 110), seen(2, 120), seen(3, 130), seen(4, 400)]);
    // Covariance 620 over a spread of 10; from first to last it would be 75 a minute.
    expect(forecast(burst, 1_000, T0 + 4 * MINUTE_MS)?.unitsPerMinute).toBeCloseTo(62, 6);
  });

  it("says nothing of fewer than three samples, or of a window that nobody uses", () => {
    expect(forecast(undefined, 100, T0)).toBeUndefined();
    expect(forecast(keepAll([seen(0, 1), seen(1, 4_000)]), 100, T0 + MINUTE_MS)).toBeUndefined();
    expect(forecast(keepAll([seen(0, 7), seen(1, 7), seen(2, 7)]), 100, T0 + 2 * MINUTE_MS)).toBeUndefined();
  });

  it("says nothing of a window that is over", () => {
    expect(forecast(steady, 2_800, RESET + RESET_GUARD_MS - 1)).toBeDefined();
    expect(forecast(steady, 2_800, RESET + RESET_GUARD_MS)).toBeUndefined();
  });

  it("has nothing left to wait for when nothing remains, also when more is in flight than that", () => {
    expect(forecast(steady, 0, T0 + 2 * MINUTE_MS)?.exhaustedInMs).toBe(0);
    expect(forecast(steady, -50, T0 + 2 * MINUTE_MS)?.exhaustedInMs).toBe(0);
  });

  it("keeps the pace when a limit changes, and goes by what remains of the new one", () => {
    const after = keepAll([seen(3, 2_800)], steady);
    expect(forecast(after, 15_000 - 2_800, T0 + 3 * MINUTE_MS)).toMatchObject({
      unitsPerMinute: expect.closeTo(600, 6),
      exhaustedInMs: expect.closeTo(1_220_000, 3),
    });
  });

  it("slows down over a silence once what is believed after it is a sample", () => {
    const after = keepAll([seen(12, 2_200)], steady);
    expect(forecast(after, 2_800, T0 + 12 * MINUTE_MS)?.unitsPerMinute).toBeLessThan(100);
  });
});

describe("the samples", () => {
  it("are the newest ten, a 120th of the window apart", () => {
    const many = Array.from({ length: 61 }, (_, index) => seen(index / 4, 1 + index));
    expect(pairs(keepAll(many))).toEqual(Array.from({ length: 10 }, (_, index) => [10.5 + index / 2, 43 + 2 * index]));
    const minute = Array.from({ length: 9 }, (_, index) => ({ at: T0 + 250 * index, used: 1 + index, resetAt: RESET }));
    expect(keepAll(minute, undefined, MINUTE_MS)?.samples.map(({ at }) => at - T0)).toEqual([
      0, 500, 1_000, 1_500, 2_000,
    ]);
  });

  it("are as many as they are told to be", () => {
    let kept: UsageSamples | undefined;
    for (let minute = 0; minute < 10; minute++) kept = addSample(kept, seen(minute, 10 + minute), HOUR_MS, 4);
    expect(pairs(kept).map(([minute]) => minute)).toEqual([6, 7, 8, 9]);
  });

  it("begin anew with a window that ends later, and do not hear a late answer of the one before", () => {
    const old = keepAll([seen(50, 4_000), seen(55, 4_500)]);
    const fresh = addSample(old, seen(61, 3, RESET + HOUR_MS), HOUR_MS);
    expect(fresh).toEqual({ resetAt: RESET + HOUR_MS, samples: [{ at: T0 + 61 * MINUTE_MS, used: 3 }] });
    expect(addSample(fresh, seen(59, 4_900), HOUR_MS)).toBe(fresh);
  });

  it("take a reset that jitters by a second or two for the same window", () => {
    const kept = keepAll([seen(0, 1, RESET), seen(1, 2, RESET + 2_000), seen(2, 3, RESET - 2_000)]);
    expect(kept?.resetAt).toBe(RESET);
    expect(pairs(kept)).toHaveLength(3);
  });

  it("take no answer whose window has ended, and none that was charged nothing: its reset floats", () => {
    expect(addSample(undefined, seen(0, 0), HOUR_MS)).toBeUndefined();
    const kept = keepAll([seen(0, 5)]);
    expect(addSample(kept, seen(1, 0, RESET + MINUTE_MS), HOUR_MS)).toBe(kept);
    expect(addSample(undefined, { at: RESET + RESET_GUARD_MS, used: 5, resetAt: RESET }, HOUR_MS)).toBeUndefined();
  });

  it("put a late answer in its place in time", () => {
    expect(pairs(keepAll([seen(0, 10), seen(2, 30), seen(1, 20)]))).toEqual([
      [0, 10],
      [1, 20],
      [2, 30],
    ]);
  });

  it("let no count go backwards: a lower one stands at the earlier's, a higher one raises the later's", () => {
    expect(pairs(keepAll([seen(0, 10), seen(1, 4), seen(3, 40), seen(2, 90)]))).toEqual([
      [0, 10],
      [1, 10],
      [2, 90],
      [3, 90],
    ]);
  });

  it("keep one of several at the same time: the first's place, the highest count", () => {
    expect(pairs(keepAll([seen(1, 10), seen(1, 25), seen(1, 20)]))).toEqual([[1, 25]]);
  });

  it("forget the oldest rather than take in one that is older still", () => {
    const full = keepAll(Array.from({ length: 10 }, (_, index) => seen(10 + index, 10 + index)));
    expect(addSample(full, seen(2, 1), HOUR_MS)).toBe(full);
  });
});

describe("whatever answers say, in whatever order", () => {
  const answer = fc.record({
    at: fc.oneof(fc.nat(3), fc.nat(2 * HOUR_MS)).map((ms) => T0 + ms),
    used: fc.oneof(fc.nat(20), fc.nat(5_100)),
    resetAt: fc.constantFrom(RESET - 1_000, RESET, RESET + 1_000, RESET + HOUR_MS),
  });
  const length = fc.constantFrom(0, MINUTE_MS, HOUR_MS);

  it("samples rise in time by at least a 120th of the window, never fall in use, and are at most ten", () => {
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 60 }), length, (answers, windowMs) => {
        const samples = keepAll(answers, undefined, windowMs)?.samples ?? [];
        expect(samples.length).toBeLessThanOrEqual(10);
        samples.slice(1).forEach((sample, index) => {
          const before = samples[index] ?? sample;
          expect(sample.at - before.at).toBeGreaterThanOrEqual(Math.max(1, windowMs / 120));
          expect(sample.used).toBeGreaterThanOrEqual(before.used);
        });
      }),
      RUNS,
    );
  });

  it("a forecast is a finite pace above 0, and more that remains lasts longer", () => {
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 30 }), length, fc.nat(5_000), (answers, windowMs, left) => {
        const told = forecast(keepAll(answers, undefined, windowMs), left, T0 + MINUTE_MS);
        if (told === undefined) return;
        expect(told.unitsPerMinute).toBeGreaterThan(0);
        expect(Number.isFinite(told.exhaustedInMs)).toBe(true);
        const more = forecast(keepAll(answers, undefined, windowMs), left + 1, T0 + MINUTE_MS);
        expect(more?.exhaustedInMs).toBeGreaterThan(told.exhaustedInMs);
      }),
      RUNS,
    );
  });

  it("nothing is foreseen while the count stands still, whenever it was seen", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(HOUR_MS), { maxLength: 20 }), fc.integer({ min: 1, max: 5_000 }), (times, used) => {
        const kept = keepAll(times.map((ms) => ({ at: T0 + ms, used, resetAt: RESET })));
        expect(forecast(kept, 10, T0)).toBeUndefined();
      }),
      RUNS,
    );
  });

  it("hits the moment when use is even, however irregularly it was seen and however shuffled", () => {
    const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { minLength: 3, maxLength: 10 });
    const shuffled = minutes.chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));
    fc.assert(
      fc.property(shuffled, fc.integer({ min: 1, max: 300 }), (list, perMinute) => {
        const kept = keepAll(list.map((minute) => seen(minute, 1 + minute * perMinute)));
        const told = forecast(kept, 10 * perMinute, T0 + 50 * MINUTE_MS);
        expect(told?.unitsPerMinute).toBeCloseTo(perMinute, 4);
        expect((told?.exhaustedInMs ?? 0) / MINUTE_MS).toBeCloseTo(10, 4);
      }),
      RUNS,
    );
  });
});
