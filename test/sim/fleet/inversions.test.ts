import { expect, it } from "vitest";
import { Inversions } from "../../../src/sim/fleet/inversions.js";

const LIMIT = 100;
const WINDOW = 3_600_000;

/** Counts after 5 s, 30 s and 120 s. */
function counts(inversions: Inversions): readonly number[] {
  return inversions.figures().byWait.map(({ count }) => count);
}

function waiting(priority: 0 | 1 | 2, madeAt: number, state = { waits: true, over: false }) {
  return { priority, madeAt, waits: () => state.waits && !state.over, isOver: () => state.over };
}

function lined(): Inversions {
  return new Inversions(new Set([0, 1, 2]), () => LIMIT);
}

it("counts who is sent and charged while a more urgent call has waited, by how long", () => {
  const inversions = lined();
  inversions.made(waiting(0, 0));
  for (const at of [4_999, 5_000, 30_000, 120_000]) inversions.charged(2, 1, WINDOW, inversions.sent(2, at, WINDOW));
  expect(counts(inversions)).toEqual([3, 2, 1]);
});

it("does not count what cost nothing, nor who is as urgent or more", () => {
  const inversions = lined();
  inversions.made(waiting(1, 0));
  inversions.sent(2, 60_000, WINDOW);
  inversions.charged(1, 1, WINDOW, inversions.sent(1, 60_000, WINDOW));
  inversions.charged(0, 1, WINDOW, inversions.sent(0, 60_000, WINDOW));
  expect(counts(inversions)).toEqual([0, 0, 0]);
});

it("counts nothing while the more urgent call stands still, and nothing when it is over", () => {
  const inversions = lined();
  const state = { waits: false, over: false };
  inversions.made(waiting(0, 0, state));
  inversions.charged(2, 1, WINDOW, inversions.sent(2, 60_000, WINDOW));
  state.waits = true;
  inversions.charged(2, 1, WINDOW, inversions.sent(2, 60_000, WINDOW));
  state.over = true;
  inversions.charged(2, 1, WINDOW, inversions.sent(2, 60_000, WINDOW));
  expect(counts(inversions)).toEqual([1, 1, 0]);
});

it("looks behind a call that stands still", () => {
  const inversions = lined();
  inversions.made(waiting(0, 0, { waits: false, over: false }));
  inversions.made(waiting(0, 10_000));
  inversions.charged(2, 1, WINDOW, inversions.sent(2, 20_000, WINDOW));
  expect(counts(inversions)).toEqual([1, 0, 0]);
});

it("lets a class be overtaken that has had its part, until the window is over", () => {
  const inversions = lined();
  inversions.charged(0, 40, WINDOW, inversions.sent(0, 0, WINDOW));
  inversions.made(waiting(0, 0));
  inversions.charged(2, 1, WINDOW, inversions.sent(2, 60_000, WINDOW));
  expect(counts(inversions)).toEqual([0, 0, 0]);
  inversions.charged(2, 1, 2 * WINDOW, inversions.sent(2, 60_000, 2 * WINDOW));
  expect(counts(inversions)).toEqual([1, 1, 0]);
});

it("gives the parts of absent classes to those that are there", () => {
  const inversions = new Inversions(new Set([0, 2]), () => LIMIT);
  inversions.charged(0, 60, WINDOW, inversions.sent(0, 0, WINDOW));
  inversions.made(waiting(0, 0));
  inversions.charged(2, 1, WINDOW, inversions.sent(2, 60_000, WINDOW));
  expect(counts(inversions)).toEqual([1, 1, 0]);
});
