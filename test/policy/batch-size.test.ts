import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterAnswer, afterTrouble, type BatchSize, MAX_BATCH_SIZE, UNTRIED } from "../../src/policy/batch-size.js";

const MINUTE = 60_000;

describe("the size of a batch", () => {
  it("halves when a query was too much, down to one item", () => {
    let size = UNTRIED;
    const sizes = [];
    for (let asked = 25; asked > 1; asked = size.atMost) {
      size = afterTrouble(size, asked, 0);
      sizes.push(size.atMost);
    }
    expect(sizes).toEqual([12, 6, 3, 1]);
  });

  it("does not halve again for a query that was sent when more was allowed", () => {
    const first = afterTrouble(UNTRIED, 25, 0);
    expect(afterTrouble(first, 25, 100).atMost).toBe(12);
  });

  it("goes below what is allowed when a smaller query is too much", () => {
    expect(afterTrouble(afterTrouble(UNTRIED, 40, 0), 10, 100).atMost).toBe(5);
  });

  it("grows by one with each full query that is answered", () => {
    let size = afterTrouble(UNTRIED, 6, 0);
    for (let time = 1; time <= 4; time++) size = afterAnswer(size, size.atMost, time);
    expect(size.atMost).toBe(7);
  });

  it("learns nothing from a query that was not full", () => {
    const size = afterTrouble(UNTRIED, 25, 0);
    expect(afterAnswer(size, 11, MINUTE)).toBe(size);
  });

  it("doubles when there was no trouble for ten minutes", () => {
    const size = afterTrouble(UNTRIED, 25, 0);
    expect([9.99, 10].map((minutes) => afterAnswer(size, 12, minutes * MINUTE).atMost)).toEqual([13, 24]);
  });

  it("is forgotten when as many as ever may go together again", () => {
    expect(afterAnswer({ atMost: 60, troubleAt: 0 }, 60, 10 * MINUTE)).toBe(UNTRIED);
  });

  it("stays within its bounds, never grows by trouble and never shrinks by an answer", () => {
    const step = fc.record({ asked: fc.integer({ min: 1, max: 200 }), ms: fc.nat(20 * MINUTE), well: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let size: BatchSize = UNTRIED;
        let now = 0;
        for (const { asked, ms, well } of steps) {
          now += ms;
          const next = well ? afterAnswer(size, asked, now) : afterTrouble(size, asked, now);
          expect(next.atMost).toBeGreaterThanOrEqual(1);
          expect(next.atMost).toBeLessThanOrEqual(MAX_BATCH_SIZE);
          if (well) expect(next.atMost).toBeGreaterThanOrEqual(size.atMost);
          else expect(next.atMost).toBeLessThanOrEqual(Math.min(size.atMost, Math.max(1, asked / 2)));
          size = next;
        }
      }),
    );
  });
});
