import { describe, expect, it } from "vitest";
import { setUpBench } from "../harness/octokit-in-squad.js";

const HOUR = 3_600_000;

describe("the order of calls when a window opens", () => {
  it("a newcomer does not overtake a more urgent call when the window opens", async () => {
    const bench = setUpBench({ maxWaitMs: 5 * HOUR });
    const { github, clock, octokit } = bench;
    github.quota("token alice").limit = 2;
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    await alice.request("HEAD /user");
    await alice.request("HEAD /user");
    github.requests.length = 0;
    const call = (agent: string, priority: number) =>
      alice.request("HEAD /user", { headers: { "x-agent": agent }, request: { squad: { priority } } });
    // Made at the very moment at which the window opens, just before the waiting room's own timer.
    const opensInMs = HOUR + 500;
    const late = new Promise((resolve) => void clock.timer(opensInMs, () => resolve(call("late", 2))));
    const urgent = [call("urgent", 0), call("urgent", 0)];
    await clock.advance(0);
    expect(bench.squad.status().waiting[0]?.untilAt).toBe(clock.now() + opensInMs);
    await clock.settle(Promise.all([...urgent, late]));
    expect(github.requests.map(({ headers }) => headers.get("x-agent"))).toEqual(["urgent", "urgent", "late"]);
  });
});
