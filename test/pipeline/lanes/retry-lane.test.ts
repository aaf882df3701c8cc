import { afterEach, describe, expect, it, vi } from "vitest";
import { RetryLane } from "../../../src/pipeline/lanes/retry-lane.js";

type Attempt = (options: object) => unknown;
type Wrap = (attempt: Attempt, options: object) => Promise<unknown>;

/** What plugin-retry saw of its attempts, and how each of its requests ended. */
const plugin = vi.hoisted(() => ({ attempts: [] as string[], ends: [] as Promise<string>[] }));

vi.mock("@octokit/plugin-retry", async (importOriginal) => {
  const { retry } = await importOriginal<typeof import("@octokit/plugin-retry")>();
  const end = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => "passed",
      () => "failed",
    );
  const watched: typeof retry = Object.assign((octokit: Parameters<typeof retry>[0], options: object) => {
    const { hook } = octokit as unknown as {
      readonly hook: { readonly error: unknown; readonly wrap: (name: string, wrap: Wrap) => void };
    };
    const wrap = (name: string, inner: Wrap): void =>
      hook.wrap(name, (attempt, given) => {
        const watchedAttempt: Attempt = async (seen) => {
          const made = Promise.resolve(attempt(seen));
          plugin.attempts.push(await end(made));
          return made;
        };
        const request = inner(watchedAttempt, given);
        plugin.ends.push(end(request));
        return request;
      });
    return retry({ hook: { error: hook.error, wrap } } as unknown as typeof octokit, options);
  }, retry);
  return { retry: watched };
});

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

it("is plugin-retry's: its second attempt, at once, after a failure that it was given", async () => {
  const lane = new RetryLane({ timed: true });
  await lane.again(async () => undefined);
  const delays: unknown[] = [];
  const { setTimeout } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((callback: () => void, ms?: number) => {
    delays.push(ms ?? 0);
    return setTimeout(callback, ms);
  }) as typeof globalThis.setTimeout);
  const attempts = plugin.attempts.length;
  await lane.again(async () => "made");
  await lane.again(() => Promise.reject(new Error("failed"))).catch(() => undefined);
  expect(new Set(delays)).toEqual(new Set([0]));
  expect(plugin.attempts.slice(attempts)).toEqual(["failed", "passed", "failed", "passed"]);
  expect(await Promise.all(plugin.ends)).not.toContain("failed");
});

it("sets no timer when it is not timed", async () => {
  const setTimer = vi.spyOn(globalThis, "setTimeout");
  await new RetryLane({ timed: false }).again(async () => undefined);
  expect(setTimer).not.toHaveBeenCalled();
});
