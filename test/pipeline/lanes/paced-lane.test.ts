import { afterEach, describe, expect, it, vi } from "vitest";
import { PacedLane } from "../../../src/pipeline/lanes/paced-lane.js";
import type { Lane, LaneSpacing } from "../../../src/policy/pacing.js";
import { startChild } from "../../harness/child.js";

/** Long enough that a test which waits for it fails. */
const HOUR_MS = 3_600_000;
const LONG: LaneSpacing = { writeMs: HOUR_MS, notificationMs: HOUR_MS, searchMs: HOUR_MS };
/** Timers are exact to a millisecond or so. */
const INEXACT_MS = 3;

const WRITE = { method: "PATCH", url: "/repos/mona/hello/issues/1" };
const NOTIFICATION = { method: "POST", url: "/repos/mona/hello/issues" };
const SEARCH = { method: "GET", url: "/search/code{?q}" };

const lanes: PacedLane[] = [];

function laneWith(spacing: LaneSpacing, timed = true): PacedLane {
  const lane = new PacedLane({ spacing, timed });
  lanes.push(lane);
  return lane;
}

afterEach(() => {
  vi.restoreAllMocks();
  for (const lane of lanes.splice(0)) lane.close();
});

/** Whether it is done after the limiters have had time to let it pass at once. */
async function done(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(() => {
    settled = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 60));
  return settled;
}

describe("a timed lane", () => {
  it("keeps three writes a second apart, really sleeping for two, since limiters know no clock but the machine's", async () => {
    const lane = laneWith({ writeMs: 1_000, notificationMs: HOUR_MS, searchMs: HOUR_MS });
    const beganAt = performance.now();
    const afterMs: number[] = [];
    const made = [1, 2, 3].map((number) =>
      lane.through("write", WRITE, async () => {
        afterMs.push(performance.now() - beganAt);
        return number;
      }),
    );
    expect(await Promise.all(made)).toEqual([1, 2, 3]);
    // From the beginning, because a busy machine may be late with any of them, and never early.
    expect(afterMs[1]).toBeGreaterThanOrEqual(1_000 - INEXACT_MS);
    expect(afterMs[2]).toBeGreaterThanOrEqual(2_000 - INEXACT_MS);
  });

  it.each([
    ["write", WRITE, { ...LONG, notificationMs: 0, searchMs: 0 }],
    ["search", SEARCH, { ...LONG, writeMs: 0, notificationMs: 0 }],
    ["notification", NOTIFICATION, { ...LONG, writeMs: 0, searchMs: 0 }],
    ["notification", NOTIFICATION, { ...LONG, notificationMs: 0, searchMs: 0 }],
  ] as const)(
    "holds the second %s, on GitHub Enterprise Server too (really waiting 60 ms to see it)",
    async (name, request, spacing) => {
      const lane = laneWith(spacing);
      const enterprise = { ...request, url: `https://ghe.example/api/v3${request.url}` };
      await lane.through(name, enterprise, async () => undefined);
      const second = lane.through(name, request, async () => "after all");
      expect(await done(second)).toBe(false);
      lane.close();
      expect(await second).toBe("after all");
    },
  );

  it("does not count a search as a write, nor what goes direct as anything", async () => {
    const lane = laneWith(LONG);
    const request = async (name: Lane, { method, url }: typeof WRITE): Promise<string> =>
      lane.through(name, { method, url }, async () => name);
    expect(await request("write", WRITE)).toBe("write");
    expect(await request("search", { ...SEARCH, method: "get" })).toBe("search");
    for (let round = 0; round < 3; round++) expect(await request("direct", WRITE)).toBe("direct");
  });

  it("lets principals keep a pace each", async () => {
    const lane = laneWith(LONG);
    for (const principal of ["mona", "hubot"]) {
      expect(await lane.through("write", WRITE, async () => principal, principal)).toBe(principal);
    }
  });

  it("lets two lanes of one process keep a pace each", async () => {
    for (const lane of [laneWith(LONG), laneWith(LONG)]) {
      expect(await lane.through("write", WRITE, async () => "made")).toBe("made");
    }
  });

  it("does not hold a write for the hour that the machine's clock was set back", async () => {
    const lane = laneWith({ writeMs: 1, notificationMs: 1, searchMs: 1 });
    const { now } = Date;
    let setMs = 0;
    vi.spyOn(Date, "now").mockImplementation(() => now() + setMs);
    for (const hours of [0, 2, 1, 0, -1]) {
      setMs = hours * HOUR_MS;
      expect(await lane.through("write", WRITE, async () => hours)).toBe(hours);
    }
  });

  it("does not count answers: as many writes are under way as take long", async () => {
    const lane = laneWith({ writeMs: 1, notificationMs: 1, searchMs: 1 });
    let release = (): void => undefined;
    const answer = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = 0;
    let allBegun = (): void => undefined;
    const all = new Promise<void>((resolve) => {
      allBegun = resolve;
    });
    const made = Array.from({ length: 12 }, () =>
      lane.through("write", WRITE, () => {
        if (++begun === 12) allBegun();
        return answer;
      }),
    );
    await all;
    release();
    await Promise.all(made);
  });
});

describe.each([true, false])("a lane, timed: %s", (timed) => {
  const QUICK: LaneSpacing = { writeMs: 1, notificationMs: 1, searchMs: 1 };

  it.each([
    ["a refusal that throttling would wait out", Object.assign(new Error("secondary rate limit"), { status: 403 })],
    ["one it would trip over", Object.assign(new Error("You have exceeded a secondary rate limit"), { status: 429 })],
    ["an error without anything", new Error("NEEDS_PERMIT")],
    ["a string", "thrown"],
    ["undefined", undefined],
  ])("passes %s on, and asks once", async (_, thrown) => {
    const lane = laneWith(QUICK, timed);
    for (const request of [WRITE, NOTIFICATION, { method: "POST", url: "/graphql" }]) {
      const make = vi.fn(() => Promise.reject(thrown));
      const caught = await lane.through("write", request, make).then(
        () => "nothing",
        (error: unknown) => ({ caught: error }),
      );
      expect(caught).toEqual({ caught: thrown });
      if (thrown instanceof Error) expect((caught as { caught: unknown }).caught).toBe(thrown);
      expect(make).toHaveBeenCalledTimes(1);
    }
  });

  it("does not look into a GraphQL answer", async () => {
    const lane = laneWith(QUICK, timed);
    const answers = [{ status: 200, data: { errors: [{ type: "RATE_LIMITED" }] } }, { status: 200 }, undefined];
    for (const answer of answers) {
      expect(await lane.through("write", { method: "POST", url: "/graphql" }, async () => answer)).toBe(answer);
    }
  });

  it("makes every call after it was closed, without spacing", async () => {
    const lane = laneWith(LONG, timed);
    await lane.through("write", WRITE, async () => undefined);
    lane.close();
    lane.close();
    expect(await lane.through("write", WRITE, async () => "made")).toBe("made");
  });

  it("knows which writes notify people when it is ready, GitHub Enterprise Server's too, and not before", async () => {
    const lane = laneWith(QUICK, timed);
    expect(() => lane.triggersNotification("/repos/mona/hello/issues")).toThrow("asked before ready()");
    await lane.ready();
    expect(lane.triggersNotification("/repos/mona/hello/issues")).toBe(true);
    expect(lane.triggersNotification("https://ghe.example/api/v3/repos/mona/hello/issues")).toBe(true);
    expect(lane.triggersNotification("/repos/{owner}/{repo}/git/refs")).toBe(false);
  });
});

describe("an untimed lane", () => {
  it("keeps no time of its own, and sets no timer", async () => {
    const lane = laneWith(LONG, false);
    await lane.ready();
    const setTimer = vi.spyOn(globalThis, "setTimeout");
    for (const [name, request] of [
      ["write", WRITE],
      ["notification", NOTIFICATION],
      ["search", SEARCH],
    ] as const) {
      for (let round = 0; round < 3; round++) {
        expect(await lane.through(name, request, async () => round)).toBe(round);
      }
    }
    expect(setTimer).not.toHaveBeenCalled();
  });
});

it("leaves nothing behind that keeps a process alive", async () => {
  const child = startChild("pipeline/lanes/processes/one-write.ts", []);
  const { how, stderr } = await child.ended;
  expect({ how, stderr, lines: child.lines }).toEqual({
    how: "0",
    stderr: "",
    lines: ["wrote, 0 timers", "retried, 0 timers"],
  });
});
