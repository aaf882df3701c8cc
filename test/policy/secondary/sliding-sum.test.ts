import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SlidingSum, STEP_BACK_BUCKETS } from "../../../src/policy/secondary/sliding-sum.js";

const T0 = Date.UTC(2030, 0, 1);

interface Added {
  readonly at: number;
  amount: number;
}

function sumSince(added: readonly Added[], from: number): number {
  return added.reduce((sum, { at, amount }) => (at >= from ? sum + amount : sum), 0);
}

describe("SlidingSum", () => {
  it("counts what was added until a whole bucket has left the window", () => {
    const sum = new SlidingSum(1_000, 60);
    sum.add(5, T0 + 250);
    sum.add(2, T0 + 1_000);
    expect(sum.total(T0 + 60_250)).toBe(7);
    expect(sum.total(T0 + 60_999)).toBe(7);
    expect(sum.total(T0 + 61_000)).toBe(2);
    expect(sum.total(T0 + 62_000)).toBe(0);
  });

  it("says when it will have fallen so far", () => {
    const sum = new SlidingSum(1_000, 60);
    sum.add(5, T0 + 250);
    sum.add(2, T0 + 1_000);
    const now = T0 + 2_000;
    expect(sum.fallsTo(7, now)).toBe(now);
    expect(sum.fallsTo(6, now)).toBe(T0 + 61_000);
    expect(sum.fallsTo(2, now)).toBe(T0 + 61_000);
    expect(sum.fallsTo(1, now)).toBe(T0 + 62_000);
    expect(sum.fallsTo(0, now)).toBe(T0 + 62_000);
  });

  it("counts again what had just left when the time steps back a little", () => {
    const sum = new SlidingSum(1_000, 60);
    sum.add(5, T0);
    expect(sum.total(T0 + 61_000)).toBe(0);
    expect(sum.total(T0 + 60_999)).toBe(5);
    expect(sum.total(T0 + 61_000)).toBe(0);
  });

  it("neither loses anything nor keeps it for days when the clock is set back a day", () => {
    const sum = new SlidingSum(1_000, 60);
    const dayMs = 86_400_000;
    sum.add(5, T0 - 90_000);
    sum.add(3, T0);
    sum.add(2, T0 + 30_500);
    expect(sum.total(T0 - dayMs)).toBe(5);
    expect(sum.total(T0 - dayMs + 60_999)).toBe(5);
    expect(sum.total(T0 - dayMs + 61_000)).toBe(0);
  });

  it("forgets everything over a long silence", () => {
    const sum = new SlidingSum(1_000, 60);
    for (let second = 0; second < 100; second++) sum.add(1, T0 + second * 1_000);
    expect(sum.isEmpty(T0 + 100_000)).toBe(false);
    expect(sum.total(T0 + 3_600_000)).toBe(0);
    expect(sum.isEmpty(T0 + 3_600_000)).toBe(true);
  });

  it("does not mistake a bucket that is long past for one that is on its way out", () => {
    const sum = new SlidingSum(1_000, 60);
    sum.add(7, T0);
    sum.add(2, T0 + 64_000);
    expect(sum.total(T0 + 64_000 + 63_000)).toBe(0);
    sum.takeBack(7, T0);
    expect(sum.total(T0 + 64_000 + 60_000)).toBe(2);
  });

  it("is not empty while a small step back could bring something back", () => {
    const sum = new SlidingSum(1_000, 60);
    sum.add(1, T0);
    expect(sum.total(T0 + 61_000)).toBe(0);
    expect(sum.isEmpty(T0 + 60_000 + STEP_BACK_BUCKETS * 1_000)).toBe(false);
    expect(sum.isEmpty(T0 + 61_000 + STEP_BACK_BUCKETS * 1_000)).toBe(true);
  });

  it("lets what it cannot find stay: too much is safe", () => {
    const sum = new SlidingSum(1_000, 60);
    sum.add(3, T0);
    sum.takeBack(3, T0 + 5_000);
    sum.takeBack(3, T0 + 500_000);
    sum.takeBack(3, T0 - 500_000);
    expect(sum.total(T0 + 5_000)).toBe(3);
    sum.takeBack(5, T0);
    expect(sum.total(T0 + 5_000)).toBe(0);
  });

  it("counts all of the window, and no more than a bucket beyond it, however the time steps", () => {
    const bucketMs = 100;
    const buckets = 10;
    const stepMs = fc.oneof(
      { weight: 8, arbitrary: fc.nat(250) },
      { weight: 4, arbitrary: fc.constantFrom(0, 1, 99, 100, 101, 1_000, 1_100, 1_200, 1_300, 1_400, 1_500) },
      { weight: 2, arbitrary: fc.integer({ min: -150, max: 0 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
    );
    const act = fc.constantFrom("add", "look", "undo");
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1_234, T0),
        fc.array(fc.record({ stepMs, act, amount: fc.integer({ min: 1, max: 9 }), which: fc.nat() }), {
          maxLength: 80,
        }),
        (start, steps) => {
          const sum = new SlidingSum(bucketMs, buckets);
          const added: Added[] = [];
          let latest = start;
          let now = start;
          for (const { stepMs, act, amount, which } of steps) {
            // Never further back than is promised.
            const earliest = (Math.floor(latest / bucketMs) - STEP_BACK_BUCKETS) * bucketMs;
            now = Math.max(now + stepMs, earliest);
            latest = Math.max(latest, now);
            if (act === "add") {
              sum.add(amount, now);
              added.push({ at: now, amount });
            }
            const undone = added[which % Math.max(1, added.length)];
            if (act === "undo" && undone !== undefined) {
              sum.takeBack(undone.amount, undone.at);
              undone.amount = 0;
            }
            const total = sum.total(now);
            expect(total).toBeGreaterThanOrEqual(sumSince(added, now - bucketMs * buckets));
            expect(total).toBeLessThanOrEqual(sumSince(added, now - bucketMs * (buckets + 1)));
            const most = amount % (total + 1);
            const fallsAt = sum.fallsTo(most, now);
            const fallen = sumSince(added, fallsAt - bucketMs * buckets);
            expect(fallen).toBeLessThanOrEqual(most);
            if (fallsAt > now) expect(sumSince(added, fallsAt - bucketMs * (buckets + 1))).toBeGreaterThan(most);
            else expect(total).toBeLessThanOrEqual(most);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("is never negative and never more than what was added, whatever the clock does", () => {
    const step = fc.record({
      at: fc.integer({ min: T0 - 200_000, max: T0 + 200_000 }),
      amount: fc.integer({ min: 1, max: 9 }),
      undo: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const sum = new SlidingSum(1_000, 60);
        let all = 0;
        for (const { at, amount, undo } of steps) {
          sum.add(amount, at);
          if (undo) sum.takeBack(amount, at);
          else all += amount;
          const total = sum.total(at);
          expect(total).toBeGreaterThanOrEqual(undo ? 0 : amount);
          expect(total).toBeLessThanOrEqual(all);
        }
        expect(sum.total(T0 + 1_000_000)).toBe(0);
        expect(sum.isEmpty(T0 + 1_000_000)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
