import { Octokit } from "@octokit/core";
import { expect, it } from "vitest";
import { loadParser } from "../../src/graphql/load-parser.js";
import { squadRate } from "../../src/index.js";
import { reachGitHub } from "../e2e/simulated-octokit.js";

it("reaches /api/graphql of GitHub Enterprise Server from octokit.squad", async () => {
  // Files are read in real time.
  await loadParser();
  const { clock, client } = await reachGitHub("in process", { ghes: true });
  const addresses: string[] = [];
  const fetch = ((input: string, init: RequestInit) => {
    addresses.push(input);
    return client.request.fetch(input, init);
  }) as typeof globalThis.fetch;
  const octokit = new (Octokit.plugin(squadRate))({
    auth: "ghp_mona",
    ...client,
    request: { fetch },
    squad: { agent: "reader", clock },
  });
  const values: unknown[] = [];
  const going = async (): Promise<void> => {
    const results = octokit.squad.batch(
      ["hello", "gone"],
      (name) => `repository(owner: "mona", name: "${name}") { name }`,
    );
    for await (const { value, error } of results) values.push(value ?? error?.message);
  };
  await clock.settle(going());
  expect(values).toEqual([{ name: "hello" }, "Could not resolve to a Repository with the name 'mona/gone'."]);
  expect(addresses).toEqual(["https://github.example.com/api/graphql"]);
});
