import { describe, expect, it } from "vitest";
import { setUpBench } from "../../harness/octokit-in-squad.js";

const SECRET = `ghp_${"S".repeat(36)}`;
describe("no error shows a token that stands", () => {
  const { octokit } = setUpBench();
  const { squad } = octokit("ghp_x");
  const first = async (results: AsyncIterable<{ error?: unknown }>) => {
    for await (const { error } of results) throw error;
  };
  it.each<[string, () => Promise<unknown>]>([
    ["in a query to estimate", () => squad.estimate(`{ viewer "${SECRET}" }`)],
    ["in place of a query", () => squad.estimate(SECRET)],
    ["in place of an operation's name", () => squad.estimate("{ a }", {}, SECRET)],
    [
      "in a batch's type",
      () =>
        first(squad.batch([1], () => "viewer { id }", { variables: { x: { type: `String "${SECRET}"`, value: 1 } } })),
    ],
    ["in a batch's fragments", () => first(squad.batch([1], () => "viewer { id }", { fragments: `"${SECRET}" x` }))],
    [
      "in a guard's route",
      async () => {
        const route = `GET /user?access_token=${SECRET}`;
        void squad.guard(route, {}, () => 1).catch(() => 0);
        await squad.guard(route, {}, () => 2);
      },
    ],
  ])("%s", async (_, ask) => {
    const error = await ask().then(
      () => new Error("resolved"),
      (thrown: Error & { remedy?: string }) => thrown,
    );
    expect(`${error.message} ${(error as { remedy?: string }).remedy}`).not.toContain(SECRET);
  });
});
