import { Octokit } from "@octokit/core";
import { describe, expect, it } from "vitest";
import { squadRate } from "../../src/plugin.js";
import { createSimulatedGitHub } from "../../src/sim/index.js";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";

/** A plugin that writes down what its hooks see. */
function witness(name: string, seen: string[]): (octokit: Octokit) => void {
  return (octokit) => {
    octokit.hook.before("request", () => void seen.push(`${name} before`));
    octokit.hook.after("request", (response) => void seen.push(`${name} after ${response.status}`));
    octokit.hook.error("request", (error) => {
      seen.push(`${name} error`);
      throw error;
    });
    octokit.hook.wrap("request", async (request, options) => {
      const response = await request(options);
      seen.push(`${name} wrap ${response.status}`);
      return response;
    });
  };
}

describe("an answer that GitHub called unchanged", () => {
  it("is a 200 to the caller and to every hook, inside the plugin's and outside", async () => {
    const clock = createVirtualClock();
    const github = createSimulatedGitHub({ clock });
    github.world.addToken("ghp_mona", "mona");
    const seen: string[] = [];
    const Witnessed = Octokit.plugin(witness("inner", seen), squadRate, witness("outer", seen));
    const octokit = new Witnessed({ auth: "ghp_mona", request: { fetch: github.fetch }, squad: { agent: "a", clock } });
    const first = await octokit.request("GET /user");
    const inFirst = seen.splice(0);
    const second = await octokit.request("GET /user");
    expect(github.log.map(({ status }) => status)).toEqual([200, 304]);
    expect(second).toMatchObject({ status: 200, url: first.url, data: first.data });
    expect(second.headers).toMatchObject({
      "content-type": first.headers["content-type"],
      "x-squad-rate": "revalidated",
    });
    expect(seen).toEqual(inFirst);
    expect(seen.toSorted()).toEqual(
      ["inner", "outer"].flatMap((name) => [`${name} after 200`, `${name} before`, `${name} wrap 200`]),
    );
  });
});
