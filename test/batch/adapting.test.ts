import { describe, expect, it } from "vitest";
import type { GraphqlItemError } from "../../src/batch/item-error.js";
import { numbers, pullRequest, setUpBench } from "./bench.js";

const select = (number: number) => pullRequest(number);
const MINUTE = 60_000;

describe("the size of a batch's queries", () => {
  it.each([
    ["502", {}, 502],
    ["504 of nginx", { body: "html" }, 504],
    ["500 in GitHub's words", {}, 500],
  ] as const)(
    "halves at a timeout (%s) and grows again, and every item has its value",
    async (_what, fault, status) => {
      const { batch, all, github, asked } = await setUpBench();
      github.fault({ kind: "status", status, ...fault, match: { path: "/graphql" } });
      const results = await all(batch(numbers(1, 60), select));
      expect(asked()).toEqual([25, 12, 13, 14, 15, 6]);
      expect(results.map(({ value }) => (value as { pullRequest: { number: number } }).pullRequest.number)).toEqual(
        numbers(1, 60),
      );
    },
  );

  it("goes down to one item, which is tried once more and then has the timeout for its error", async () => {
    const { batch, all, github, asked } = await setUpBench();
    github.fault({ kind: "status", match: { path: "/graphql" }, times: 5 });
    const results = await all(batch(numbers(1, 8), select, { size: 8 }));
    // The first one has had two tries.
    expect(asked()).toEqual([8, 4, 2, 1, 1, 1, 2, 3, 1]);
    expect(results.map(({ item, error }) => [item, (error as { status?: number } | undefined)?.status])).toEqual(
      numbers(1, 8).map((item) => [item, item === 1 ? 502 : undefined]),
    );
  });

  it("is remembered for selections of the same shape, and only for those", async () => {
    const { batch, all, github, asked, clock } = await setUpBench();
    github.fault({ kind: "status", match: { path: "/graphql" } });
    await all(batch(numbers(1, 25), select));
    expect(asked()).toEqual([25, 12, 13]);
    await all(batch(numbers(1, 50), select));
    expect(asked().slice(3)).toEqual([14, 15, 16, 5]);
    await all(batch(numbers(1, 50), (number) => pullRequest(number, "title reviews(first: 10) { totalCount }")));
    expect(asked().slice(7)).toEqual([25, 25]);
    await clock.advance(10 * MINUTE);
    await all(batch(numbers(1, 60), select));
    expect(asked().slice(9)).toEqual([17, 25, 18]);
  });

  it("is learnt for all Octokits of a squad", async () => {
    const { batch, all, github, asked, octokit, squad } = await setUpBench();
    const { batchFor } = await import("../../src/batch/batch.js");
    const { engineOf } = await import("../../src/squad.js");
    github.fault({ kind: "status", match: { path: "/graphql" } });
    await all(batch(numbers(1, 12), select));
    await all(batchFor(engineOf(squad) as never, octokit.graphql)(numbers(1, 12), select));
    expect(asked()).toEqual([12, 6, 6, 7, 5]);
  });

  it("keeps what GitHub answered before it had spent too much, and asks for the rest in smaller queries", async () => {
    const { batch, all, github, asked } = await setUpBench();
    github.fault({ kind: "resource-limits" });
    const results = await all(batch(numbers(1, 30), select));
    // 24 of 25 are kept. The first is asked for again, along with others.
    expect(asked()).toEqual([25, 6]);
    expect(results.map(({ item, error }) => [item, error])).toEqual(numbers(1, 30).map((item) => [item, undefined]));
  });

  it("is one in the end for an item that takes too much by itself", async () => {
    const { batch, all, github, asked } = await setUpBench();
    github.fault({ kind: "resource-limits", times: 3 });
    const results = await all(batch(numbers(1, 4), select));
    expect(asked()).toEqual([4, 1]);
    expect((results[0]?.error as GraphqlItemError | undefined)?.type).toBe("RESOURCE_LIMITS_EXCEEDED");
  });

  it("is never above what the caller says", async () => {
    const { batch, all, asked } = await setUpBench();
    await all(batch(numbers(1, 12), select, { size: 5 }));
    await all(batch(numbers(1, 60), select, { size: 100 }));
    expect(asked()).toEqual([5, 5, 2, 60]);
  });

  it("does not suffer from failures that have to do with no query's size", async () => {
    const { batch, all, github, asked } = await setUpBench({ retry: false });
    github.fault({ kind: "status", status: 503, body: "html", match: { path: "/graphql" } });
    const results = await all(batch(numbers(1, 50), select));
    expect(asked()).toEqual([25, 25]);
    expect(results.map(({ error }) => (error as { status?: number } | undefined)?.status ?? 200)).toEqual([
      ...Array(25).fill(503),
      ...Array(25).fill(200),
    ]);
  });
});
