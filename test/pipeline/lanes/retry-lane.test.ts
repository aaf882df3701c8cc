import { afterEach, describe, expect, it, vi } from "vitest";
import { RetryLane } from "../../../src/pipeline/lanes/retry-lane.js";

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each([true, false])("a retry, timed: %s", (timed) => {
  it("is made once, and its answer comes out", async () => {
    const lane = new RetryLane({ timed });
    const answers = [
      { status: 200, data: { errors: [{ message: "Something went wrong while executing your query." }] } },
      "text",
      undefined,
    ];
    for (const answer of answers) {
      const make = vi.fn(async () => answer);
      expect(await lane.again(make)).toBe(answer);
      expect(make).toHaveBeenCalledTimes(1);
    }
  });

  it.each([
    ["an error", new Error("no network")],
    [
      "one that plugin-retry would retry",
      Object.assign(new Error("bad gateway"), { status: 502, request: { request: {} } }),
    ],
    [
      "one that asks for retries",
      Object.assign(new Error("again"), { status: 500, request: { request: { retries: 3 } } }),
    ],
    ["undefined", undefined],
  ])("that fails with %s is not made again, and fails with that", async (_, thrown) => {
    const lane = new RetryLane({ timed });
    const make = vi.fn(() => Promise.reject(thrown));
    const caught = await lane.again(make).catch((error: unknown) => ({ error }));
    expect(caught).toEqual({ error: thrown });
    expect((caught as { error: unknown }).error).toBe(thrown);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it("does not wait for others", async () => {
    const lane = new RetryLane({ timed });
    let release = (): void => undefined;
    const held = lane.again(
      () =>
        new Promise<string>((resolve) => {
          release = () => resolve("held");
        }),
    );
    expect(await lane.again(async () => "at once")).toBe("at once");
    release();
    expect(await held).toBe("held");
  });
});

it("is plugin-retry's: the request begins on its limiter's timer, which waits no time", async () => {
  const lane = new RetryLane({ timed: true });
  await lane.again(async () => undefined);
  const delays: unknown[] = [];
  const { setTimeout } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((callback: () => void, ms?: number) => {
    delays.push(ms ?? 0);
    return setTimeout(callback, ms);
  }) as typeof globalThis.setTimeout);
  await lane.again(async () => undefined);
  expect(delays.length).toBeGreaterThan(0);
  expect(new Set(delays)).toEqual(new Set([0]));
});

it("sets no timer when it is not timed", async () => {
  const setTimer = vi.spyOn(globalThis, "setTimeout");
  await new RetryLane({ timed: false }).again(async () => undefined);
  expect(setTimer).not.toHaveBeenCalled();
});
