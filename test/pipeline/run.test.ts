import { Octokit } from "@octokit/core";
import { describe, expect, it } from "vitest";
import { squadRate } from "../../src/plugin.js";
import { setUpBench } from "../harness/octokit-in-squad.js";
import { spendDown } from "../harness/spend-down.js";

const HOUR = 3_600_000;

describe("run", () => {
  it("does not send a write again that was sent and failed, because it had needed a permit before", async () => {
    const bench = setUpBench({ maxWaitMs: 2 * HOUR });
    const { github, clock, squad } = bench;
    await spendDown(bench, "alice", 100, 5_000);
    github.route("/user/repos", { status: 502, json: {} });
    const again = (inner: Octokit): Record<string, never> => {
      inner.hook.wrap("request", async (request, options) => {
        try {
          return await request(options);
        } catch {
          await new Promise<void>((resolve) => void clock.timer(2 * HOUR, resolve));
          return request(options);
        }
      });
      return {};
    };
    const octokit = new (Octokit.plugin(again, squadRate))({ auth: "alice", squad, request: { fetch: github.fetch } });
    const call = octokit.request("POST /user/repos", { name: "x" });
    await expect(clock.settle(call)).rejects.toMatchObject({ status: 502 });
    expect(github.requests).toHaveLength(1);
  });
});
