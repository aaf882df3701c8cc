import { Octokit } from "@octokit/core";
import { describe, expect, it } from "vitest";
import { squadRate } from "../../src/plugin.js";
import { setUpBench } from "../harness/octokit-in-squad.js";
import { spendDown } from "../harness/spend-down.js";

const api = "https://api.github.com";

describe("whose quota a call needs", () => {
  it("a bare fetch with a fine token does not wait for another token's window", async () => {
    const bench = setUpBench({ maxWaitMs: 0 });
    await spendDown(bench, "alice", 100, 5_000);
    const bob = await bench.squad.fetch(`${api}/user`, { headers: { authorization: "token bob" }, method: "HEAD" });
    expect(bob.status).toBe(404);
  });

  it("an Octokit whose token rotates between a spent and a fine one waits for the spent one only", async () => {
    const bench = setUpBench({ maxWaitMs: 0 });
    const { github, squad } = bench;
    await spendDown(bench, "spent", 100, 5_000);
    github.route("/user", { json: {} });
    const tokens = ["spent", "fine", "spent", "fine"];
    const rotating = (inner: Octokit): Record<string, never> => {
      inner.hook.before("request", (options) => {
        options.headers.authorization = `token ${tokens[0]}`;
      });
      return {};
    };
    const octokit = new (Octokit.plugin(rotating, squadRate))({ squad, request: { fetch: github.fetch } });
    const ends = [];
    while (tokens.length > 0) {
      ends.push(
        await octokit.request("HEAD /user").then(
          () => "sent",
          (error: { code: string }) => error.code,
        ),
      );
      tokens.shift();
    }
    expect(ends).toEqual(["SQUAD_RATE_LIGHT", "sent", "SQUAD_RATE_LIGHT", "sent"]);
  });
});
