import { describe, expect, it } from "vitest";
import { guardBench, PULLS_PATH } from "./guard-bench.js";

const breaksOff = () => {
  let n = 0;
  return new ReadableStream<Uint8Array>({
    pull: (c) => (n++ === 0 ? c.enqueue(new TextEncoder().encode('[{"t')) : c.error(new TypeError("terminated"))),
  });
};

describe("a guard whose read", () => {
  it.each([
    ["breaks off, without an ETag", () => ({ body: breaksOff(), etag: "none" as const }), {}],
    ["breaks off, without a cache", () => ({ body: breaksOff() }), { cache: false as const }],
    [
      "is a JSON answer cut short",
      () => ({ body: '[{"title":"on', headers: { "content-type": "application/json" } }),
      {},
    ],
    ["is empty", () => ({ body: "", etag: "none" as const }), {}],
  ])("%s gives the last value, and does not produce", async (_, answer, options) => {
    const { clock, github, guarding, setPulls } = guardBench();
    setPulls("one");
    const { pulls } = guarding(options);
    let made = 0;
    const produce = () => ++made;
    await clock.settle(pulls(produce));
    github.route(PULLS_PATH, answer());
    expect(await clock.settle(pulls(produce))).toMatchObject({ value: 1, how: "stale" });
    expect(made).toBe(1);
  });
});
