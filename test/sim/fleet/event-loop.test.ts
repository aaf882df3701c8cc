import { describe, expect, it } from "vitest";
import { createEventLoop } from "../../../src/sim/fleet/event-loop.js";

describe("the event loop", () => {
  it("fires in order of time, then of making, each at its own moment", () => {
    const loop = createEventLoop(1_000);
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name}@${loop.now()}`);
    loop.timer(30, note("c"));
    loop.timer(10, note("a"));
    loop.timer(10, note("b"));
    loop.timer(10, () => loop.timer(5, note("nested")));
    loop.run(1_020);
    expect(fired).toEqual(["a@1010", "b@1010", "nested@1015"]);
    loop.run(1_100);
    expect(fired.at(-1)).toBe("c@1030");
    expect([loop.now(), loop.monotonic()]).toEqual([1_100, 100]);
  });

  it("fires nothing that was cancelled", () => {
    const loop = createEventLoop(0);
    let fired = 0;
    const cancel = loop.timer(10, () => {
      fired += 1;
    });
    cancel();
    loop.run(100);
    expect(fired).toBe(0);
  });

  it("lets promises settle between events when asked to", async () => {
    const loop = createEventLoop(0);
    const seen: number[] = [];
    const sleeper = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn++) {
        await new Promise<void>((resolve) => loop.timer(10, resolve));
        seen.push(loop.now());
      }
    };
    void sleeper();
    await loop.runSettling(100, async () => {
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    });
    expect(seen).toEqual([10, 20, 30]);
  });

  it("ends early when it is over, and does not let promises settle for what was cancelled", async () => {
    const loop = createEventLoop(0);
    let settled = 0;
    let over = false;
    const settle = async (): Promise<void> => {
      settled += 1;
    };
    loop.timer(10, () => {});
    loop.timer(20, () => {})();
    loop.timer(30, () => {
      over = true;
    });
    loop.timer(40, () => {});
    await loop.runSettling(100, settle, () => over);
    expect([loop.now(), loop.fired, settled]).toEqual([30, 2, 3]);
    await loop.runSettling(100, settle);
    expect([loop.now(), loop.fired]).toEqual([100, 3]);
  });
});
