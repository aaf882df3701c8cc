import { describe, expect, it } from "vitest";
import { guardBench, PULLS, REPOSITORY } from "./guard-bench.js";

describe("a guard", () => {
  it("waits no longer than waitMs for another call of its process, as its option says", async () => {
    const { clock, guarding, setPulls } = guardBench();
    setPulls("one");
    const { pulls } = guarding();
    const produce = () => new Promise((resolve) => void clock.timer(120_000, () => resolve(1)));
    void pulls(produce, { waitMs: 1_000 });
    await clock.advance(10);
    let over = false;
    void pulls(produce, { waitMs: 1_000 }).then(
      () => {
        over = true;
      },
      () => {
        over = true;
      },
    );
    await clock.advance(30_000);
    expect(over).toBe(true);
  });
  it("inside the produce of another with the same key comes to an end after waitMs", async () => {
    const { clock, guarding, setPulls } = guardBench();
    setPulls("one");
    const { guard } = guarding();
    let over = false;
    const options = { key: "k", waitMs: 1_000 };
    void guard(PULLS, REPOSITORY, async () => (await guard(PULLS, REPOSITORY, () => 1, options)).value, options)
      .catch(() => undefined)
      .then(() => {
        over = true;
      });
    await clock.advance(10_000);
    expect(over).toBe(true);
  });
  it("whose produces guard each other come to an end", async () => {
    const { clock, guarding, setPulls } = guardBench();
    setPulls("one");
    const { guard } = guarding();
    const nap = () => new Promise<void>((resolve) => void clock.timer(100, resolve));
    const a = (): Promise<{ how: string }> =>
      guard(
        PULLS,
        REPOSITORY,
        async () => {
          await nap();
          return (await b()).how;
        },
        { key: "a", waitMs: 1_000 },
      );
    const b = (): Promise<{ how: string }> =>
      guard(
        PULLS,
        REPOSITORY,
        async () => {
          await nap();
          return (await a()).how;
        },
        { key: "b", waitMs: 1_000 },
      );
    let over = 0;
    for (const each of [a(), b()])
      each.then(
        () => over++,
        () => over++,
      );
    for (let i = 0; i < 60; i++) await clock.advance(60_000);
    expect(over).toBe(2);
  });
});
