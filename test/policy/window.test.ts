import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endOfWindow, observe, type RateSeen, type RateWindow, remaining } from "../../src/policy/window.js";

const T0 = Date.UTC(2030, 0, 1);
const HOUR_MS = 3_600_000;
const RESET = T0 + HOUR_MS;
const RUNS = { numRuns: 10_000 };

function seen(used: number, resetAt = RESET, limit = 5_000): RateSeen {
  return { limit, used, remaining: Math.max(0, limit - used), resetAt };
}

function observeAll(headers: readonly RateSeen[], now = T0, from?: RateWindow): RateWindow | undefined {
  return headers.reduce<RateWindow | undefined>((window, header) => observe(window, header, now), from);
}

describe("within a window", () => {
  it("knows nothing before the first header", () => {
    expect(remaining(undefined, T0)).toBeUndefined();
  });

  it("keeps the stricter when headers go backwards", () => {
    const window = observeAll([seen(100), seen(40), seen(70)]);
    expect(remaining(window, T0)).toBe(4_900);
  });

  it("takes resets two seconds apart for one window, and the later of them for its end", () => {
    const window = observeAll([seen(100, RESET + 1_000), seen(101, RESET - 1_000)]);
    expect(window).toMatchObject({ used: 101, resetAt: RESET + 1_000, next: undefined });
  });

  it("adopts a changed limit and goes on counting what was used", () => {
    const window = observeAll([seen(1_000), seen(900, RESET, 15_000)]);
    expect(remaining(window, T0)).toBe(14_000);
    expect(remaining(observeAll([seen(1_001)], T0, window), T0)).toBe(3_999);
  });

  it("is empty, not negative, when more was used than the limit", () => {
    expect(remaining(observeAll([seen(5_006)]), T0)).toBe(0);
  });

  it("believes the stricter of two headers that contradict each other", () => {
    expect(remaining(observeAll([{ ...seen(10), remaining: 200 }]), T0)).toBe(200);
    expect(remaining(observeAll([{ ...seen(4_000), remaining: 4_990 }]), T0)).toBe(1_000);
  });

  it("returns the same object when a header brings nothing new", () => {
    const window = observeAll([seen(100)]);
    expect(observe(window, seen(99), T0)).toBe(window);
  });

  it("ends in the same state in whatever order the answers arrive", () => {
    const header = fc.record({ used: fc.nat(5_100), jitterS: fc.constantFrom(-1, 0, 1) });
    const shuffled = fc
      .array(header, { minLength: 1, maxLength: 8 })
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        const [a, b] = [list, other].map((headers) =>
          observeAll(headers.map(({ used, jitterS }) => seen(used, RESET + jitterS * 1_000))),
        );
        expect(a).toEqual(b);
      }),
      RUNS,
    );
  });
});

describe("an unopened window", () => {
  it("is provisional, its end unknown, until something is charged", () => {
    const floating = observeAll([seen(0, RESET), seen(0, RESET + 30_000)]);
    expect(floating).toMatchObject({ provisional: true, resetAt: RESET + 30_000 });
    expect(endOfWindow(floating as RateWindow, T0)).toBeUndefined();
    const opened = observeAll([seen(1, RESET + 12_000)], T0, floating);
    expect(opened).toMatchObject({ provisional: false, resetAt: RESET + 12_000, used: 1 });
    expect(endOfWindow(opened as RateWindow, T0)).toBe(RESET + 12_000);
  });

  it("does not push the end of an open one", () => {
    const window = observeAll([seen(5), seen(0, RESET + 1_500), seen(0, RESET + 40_000)]);
    expect(window).toMatchObject({ used: 5, resetAt: RESET, next: undefined });
  });
});

describe("the turn of a window", () => {
  it("is full a second after the reset, not before", () => {
    const window = observeAll([seen(5_000)]);
    expect(remaining(window, RESET + 999)).toBe(0);
    expect(remaining(window, RESET + 1_000)).toBe(5_000);
  });

  it("does not believe a later reset before GitHub time has passed the old one, and then does", () => {
    const both = observeAll([seen(4_000), seen(3, RESET + 1_800_000)]);
    expect(remaining(both, T0)).toBe(1_000);
    expect(endOfWindow(both as RateWindow, T0)).toBe(RESET);
    expect(remaining(both, RESET + 1_000)).toBe(4_997);
    const stricter = observeAll([seen(4_990, RESET + 1_800_000)], T0, both);
    expect(remaining(stricter, T0)).toBe(10);
    expect(endOfWindow(stricter as RateWindow, T0)).toBe(RESET + 1_800_000);
  });

  it("keeps the stricter of two windows between which answers alternate", () => {
    const other = RESET - 600_000;
    const window = observeAll([seen(100), seen(3_000, other), seen(101), seen(3_001, other)]);
    expect(remaining(window, T0)).toBe(1_999);
    expect(remaining(window, other + 1_000)).toBe(4_899);
  });

  it("is not undone by a late answer that names the dead reset", () => {
    const opened = observeAll([seen(2, RESET + HOUR_MS)], RESET + 1_500, observeAll([seen(5_000)]));
    const late = observeAll([seen(5_003, RESET + 1_000), seen(5_004, RESET)], RESET + 1_500, opened);
    expect(late).toBe(opened);
    expect(remaining(late, RESET + 1_500)).toBe(4_998);
  });

  it("is not undone by the dead reset's own jitter, before the new window has been seen or after", () => {
    const spent = observeAll([seen(5_000)]);
    expect(observe(spent, seen(5_001, RESET + 1_000), RESET + 1_500)).toBe(spent);
    const early = observe(spent, seen(1, RESET + HOUR_MS), RESET + 500) as RateWindow;
    const late = observe(early, seen(5_001, RESET + 1_000), RESET + 1_500);
    expect(remaining(late, RESET + 1_500)).toBe(4_999);
  });

  it("ignores a dead reset though nothing else is known, and one beyond a day", () => {
    expect(observe(undefined, seen(5_000, T0 - 1_000), T0)).toBeUndefined();
    expect(observe(undefined, seen(5_000, T0 + 25 * HOUR_MS), T0)).toBeUndefined();
  });
});

describe("any stream of headers", () => {
  const WINDOW_MS = 60_000;
  /** Steps of time; at each, an answer that was made up to ten seconds ago in a window of then, jitter included. */
  const stream = fc.array(
    fc.record({
      stepMs: fc.nat(15_000),
      lateMs: fc.nat(10_000),
      used: fc.integer({ min: 1, max: 30 }),
      jitterS: fc.constantFrom(-1, 0, 1),
    }),
    { minLength: 1, maxLength: 30 },
  );

  it("never shows more than the strictest header of the live window, and no dead window returns", () => {
    fc.assert(
      fc.property(stream, (steps) => {
        let window: RateWindow | undefined;
        let now = T0;
        const heard: { readonly trueReset: number; readonly used: number }[] = [];
        for (const { stepMs, lateMs, used, jitterS } of steps) {
          now += stepMs;
          const madeAt = now - Math.min(lateMs, now - T0);
          const trueReset = T0 + (Math.floor((madeAt - T0) / WINDOW_MS) + 1) * WINDOW_MS;
          window = observe(window, seen(used, trueReset + jitterS * 1_000, 30), now);
          heard.push({ trueReset, used });

          const left = remaining(window, now) ?? 30;
          // Away from the edge, where jitter leaves it open which window is meant, the answer is exact.
          const sinceEdgeMs = (now - T0) % WINDOW_MS;
          if (sinceEdgeMs < 2_000 || sinceEdgeMs > WINDOW_MS - 1_000) continue;
          const liveReset = now - sinceEdgeMs + WINDOW_MS;
          const strictest = Math.max(0, ...heard.filter((h) => h.trueReset === liveReset).map((h) => h.used));
          expect(left).toBe(30 - strictest);
        }
      }),
      RUNS,
    );
  });

  it("never shows more than any header whose reset is still to come, when answers alternate between two windows", () => {
    const alternating = fc.array(
      fc.record({ stepMs: fc.nat(20_000), used: fc.nat(60), windowS: fc.constantFrom(60, 100) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(alternating, (steps) => {
        let window: RateWindow | undefined;
        let now = T0;
        const heard: RateSeen[] = [];
        for (const { stepMs, used, windowS } of steps) {
          now += stepMs;
          const header = seen(used, T0 + windowS * 1_000, 50);
          window = observe(window, header, now);
          heard.push(header);
          for (const h of heard) if (h.resetAt > now) expect(remaining(window, now)).toBeLessThanOrEqual(h.remaining);
        }
      }),
      RUNS,
    );
  });
});
