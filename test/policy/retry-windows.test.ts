import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Priority } from "../../src/policy/light.js";
import {
  type Release,
  releasePlace,
  releaseWindows,
  retryDelayMs,
  retryWindow,
} from "../../src/policy/retry-windows.js";

const T0 = Date.UTC(2030, 0, 1);
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const RUNS = { numRuns: 500 };
const ALMOST_ONE = 1 - 2 ** -53;
const CLASSES: readonly Priority[] = [0, 1, 2];

const anyRandom = fc.oneof(fc.constantFrom(0, ALMOST_ONE), fc.double({ min: 0, max: ALMOST_ONE, noNaN: true }));
const anyWindowMs = fc.oneof(
  fc.constantFrom(MINUTE_MS, 600_000, HOUR_MS, 24 * HOUR_MS),
  fc.integer({ min: 1, max: HOUR_MS }),
);

function release(overrides: Partial<Release> = {}): Release {
  return { at: T0, waiting: [1, 1, 1], limit: 5_000, windowMs: HOUR_MS, ...overrides };
}

/** The windows' edges in seconds after the release. */
function edges(of: Release): readonly (readonly [number, number])[] {
  return releaseWindows(of).map(({ fromAt, toAt }) => [(fromAt - of.at) / 1_000, (toAt - of.at) / 1_000]);
}

describe("the retry window", () => {
  it("is P0's 0.5–5 s, P1's 2–30 s, P2's 5–60 s", () => {
    expect(CLASSES.map((priority) => retryWindow(priority, HOUR_MS))).toEqual([
      { fromMs: 500, toMs: 5_000 },
      { fromMs: 2_000, toMs: 30_000 },
      { fromMs: 5_000, toMs: 60_000 },
    ]);
  });

  it("shrinks with a window shorter than ten minutes, and never grows", () => {
    expect(retryWindow(2, 600_000)).toEqual({ fromMs: 5_000, toMs: 60_000 });
    expect(retryWindow(2, MINUTE_MS)).toEqual({ fromMs: 500, toMs: 6_000 });
    expect(retryWindow(2, 24 * HOUR_MS)).toEqual({ fromMs: 5_000, toMs: 60_000 });
  });
});

describe("the delay before a retry", () => {
  it("may be twice as long with every attempt, until the window's end", () => {
    const longest = [1, 2, 3, 4, 5, 6].map((attempt) => Math.round(retryDelayMs(1, attempt, HOUR_MS, ALMOST_ONE)));
    expect(longest).toEqual([4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it("may be as short as the window's start at every attempt, and is half way between at an even chance", () => {
    expect([1, 4, 9].map((attempt) => retryDelayMs(1, attempt, HOUR_MS, 0))).toEqual([2_000, 2_000, 2_000]);
    expect(retryDelayMs(1, 3, HOUR_MS, 0.5)).toBe(9_000);
  });

  it("is never outside its window, whatever the attempt, the chance and the length of the window", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CLASSES),
        fc.oneof(fc.nat(6), fc.nat(1e9)),
        anyWindowMs,
        anyRandom,
        (priority, attempt, windowMs, random) => {
          const { fromMs, toMs } = retryWindow(priority, windowMs);
          const delayMs = retryDelayMs(priority, attempt, windowMs, random);
          expect(delayMs).toBeGreaterThanOrEqual(fromMs);
          expect(delayMs).toBeLessThanOrEqual(toMs);
          expect(retryDelayMs(priority, attempt + 1, windowMs, random)).toBeGreaterThanOrEqual(delayMs);
        },
      ),
      RUNS,
    );
  });
});

describe("a release", () => {
  it("starts P0 from 0.5 to 5 s, P1 to 30 s, P2 to 60 s after it, also a class of which nobody waits", () => {
    const usual = [
      [0.5, 5],
      [5, 30],
      [30, 60],
    ];
    expect(edges(release())).toEqual(usual);
    expect(edges(release({ waiting: [0, 0, 9] }))).toEqual(usual);
    expect(edges(release({ waiting: [12, 69, 83] }))).toEqual(usual);
  });

  it("gives a class as long as its calls need at twice the even pace, and starts the others later", () => {
    // 10,000 an hour are one call in 0.36 s.
    expect(edges(release({ waiting: [100, 1, 1_000] }))).toEqual([
      [0.5, 36.5],
      [36.5, 61.5],
      [61.5, 421.5],
    ]);
  });

  it("is over sooner in a short window", () => {
    expect(edges(release({ windowMs: MINUTE_MS, limit: 30, waiting: [0, 2, 10] }))).toEqual([
      [0.05, 0.5],
      [0.5, 3],
      [3, 13],
    ]);
  });

  it("does not divide by a limit of nothing", () => {
    expect(edges(release({ limit: 0, waiting: [0, 0, 1] })).at(2)).toEqual([30, 1_830]);
    expect(edges(release({ limit: 0, waiting: [0, 0, 0] })).at(2)).toEqual([30, 60]);
  });

  const anyRelease = fc.record({
    at: fc.integer({ min: T0, max: T0 + HOUR_MS }),
    waiting: fc.tuple(fc.nat(100_000), fc.nat(500), fc.oneof(fc.nat(500), fc.nat(100_000))),
    limit: fc.oneof(fc.constantFrom(10, 30, 1_000, 5_000, 15_000), fc.nat(20_000)),
    windowMs: anyWindowMs,
  });

  it("starts P0 before P1 before P2: windows follow one another, and none is over before it began", () => {
    fc.assert(
      fc.property(anyRelease, (of) => {
        const [p0, p1, p2] = releaseWindows(of);
        expect(p0.fromAt).toBeGreaterThan(of.at);
        for (const { fromAt, toAt } of [p0, p1, p2]) expect(toAt).toBeGreaterThan(fromAt);
        expect(p1.fromAt).toBe(p0.toAt);
        expect(p2.fromAt).toBe(p1.toAt);
      }),
      RUNS,
    );
  });

  it("never starts a class faster than twice the even pace, and no slower than that asks for", () => {
    fc.assert(
      fc.property(anyRelease, (of) => {
        const usual = releaseWindows({ ...of, waiting: [0, 0, 0] });
        const most = (2 * Math.max(1, of.limit)) / of.windowMs;
        releaseWindows(of).forEach(({ fromAt, toAt }, index) => {
          const waiting = of.waiting[index] ?? 0;
          // Epoch milliseconds resolve a quarter of a microsecond, twice.
          const lastsMs = toAt - fromAt + 0.001;
          expect(waiting / lastsMs).toBeLessThanOrEqual(most);
          const { fromAt: from, toAt: to } = usual[index] ?? { fromAt: 0, toAt: 0 };
          if (lastsMs > to - from + 0.01) expect((waiting + 1e-6) / (lastsMs - 0.002)).toBeGreaterThanOrEqual(most);
        });
      }),
      RUNS,
    );
  });

  it("gives every call a place in its class's window, and the same to the same chance", () => {
    fc.assert(
      fc.property(anyRelease, fc.constantFrom(...CLASSES), anyRandom, (of, priority, random) => {
        const window = releaseWindows(of)[priority];
        const at = releasePlace(window, random);
        expect(at).toBeGreaterThanOrEqual(window.fromAt);
        expect(at).toBeLessThanOrEqual(window.toAt);
        expect(releasePlace(releaseWindows(of)[priority], random)).toBe(at);
      }),
      RUNS,
    );
  });

  it("spreads calls over the whole window", () => {
    const [window] = releaseWindows(release());
    expect([0, 0.5, ALMOST_ONE].map((random) => Math.round(releasePlace(window, random) - T0))).toEqual([
      500, 2_750, 5_000,
    ]);
  });
});
