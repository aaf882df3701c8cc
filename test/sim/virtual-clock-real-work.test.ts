import { expect, it } from "vitest";
import { createVirtualClock } from "../../src/sim/index.js";

it("waits, in real time, for work that is none of its own, such as a module that is being loaded", async () => {
  const clock = createVirtualClock();
  const loaded = new Promise((resolve) => setTimeout(() => resolve("loaded"), 100));

  expect(await clock.settle(loaded)).toBe("loaded");
  expect(clock.monotonic()).toBe(0);
});
