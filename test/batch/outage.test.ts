import { expect, it } from "vitest";
import { setUpBench } from "../harness/octokit-in-squad.js";

it("a batch in an outage does not ask for each of its items alone", async () => {
  const { clock, github, octokit } = setUpBench();
  github.route("/graphql", { status: 502, body: "<html>" });
  const items = Array.from({ length: 200 }, (_, i) => i);
  await clock.settle(
    (async () => {
      for await (const _ of octokit("ghp_x").squad.batch(items, (i) => `node(id: "${i}") { id }`));
    })(),
  );
  expect(github.requests.length).toBeLessThan(60);
});

it("an abort is told although the source's return() throws, as by for await", async () => {
  const { clock, github, octokit } = setUpBench();
  github.route("/graphql", { json: { data: { i0: { id: 1 } } } });
  const source = {
    [Symbol.iterator]: () => ({
      next: () => ({ done: false as const, value: 1 }),
      return: () => {
        throw new Error("return");
      },
    }),
  };
  const leaving = new AbortController();
  const run = (async () => {
    for await (const _ of octokit("ghp_x").squad.batch(source as Iterable<number>, () => "viewer { id }", {
      size: 1,
      request: { signal: leaving.signal },
    }))
      leaving.abort(new Error("left"));
  })();
  await expect(clock.settle(run)).rejects.toThrow("left");
});
