import { describe, expect, it } from "vitest";
import { type Batch, batchFor } from "../../src/batch/batch.js";
import type { BatchResult } from "../../src/batch/batch-result.js";
import type { GraphqlItemError } from "../../src/batch/item-error.js";
import { createVirtualClock } from "../../src/sim/index.js";
import { createSquad, engineOf } from "../../src/squad.js";

/** What Octokit's `graphql` throws for an answer with errors. */
function answerWith(errors: readonly unknown[], data: unknown = null): Error {
  return Object.assign(new Error("Request failed due to following response errors"), { errors, data });
}

/** A batch whose queries are answered by `answer`, and how many items each asked for. */
function setUp(answer: (names: readonly string[], query: string) => unknown): {
  readonly batch: Batch;
  readonly asked: readonly number[];
} {
  const asked: number[] = [];
  const squad = createSquad({ agent: "ralph", clock: createVirtualClock() });
  const graphql = async (query: string): Promise<unknown> => {
    const names = [...query.matchAll(/^i\d+: (\w+)/gm)].map(([, name]) => name as string);
    asked.push(names.length);
    return answer(names, query);
  };
  return { batch: batchFor(engineOf(squad) as never, graphql), asked };
}

/** The same value for all. */
const valuesFor = (names: readonly string[]) => Object.fromEntries(names.map((name, index) => [`i${index}`, name]));

async function all<I, V>(results: AsyncIterable<BatchResult<I, V>>): Promise<readonly BatchResult<I, V>[]> {
  const found: BatchResult<I, V>[] = [];
  for await (const result of results) found.push(result);
  return found;
}

const messages = (results: readonly BatchResult<unknown, unknown>[]) => results.map(({ error }) => error?.message);

describe("what comes of a batch's query", () => {
  it("asks apart for items of different shapes when nobody says which of them is wrong", async () => {
    const { batch, asked } = setUp((names) => {
      if (names.includes("bad")) throw answerWith([{ message: "no such field" }]);
      return valuesFor(names);
    });
    const results = await all(batch(["good", "bad", "fine", "good", "bad", "good"], (name) => `${name} { id }`));
    expect(messages(results)).toEqual([undefined, "no such field", undefined, undefined, "no such field", undefined]);
    expect(asked).toEqual([6, 3, 2, 1]);
    expect(results[1]?.error?.name).toBe("GraphqlItemError");
  });

  it("does not let items that go apart end up with new ones of another shape", async () => {
    const { batch, asked } = setUp((names) => {
      if (new Set(names).size > 1) throw answerWith([{ message: "they do not get on" }]);
      return valuesFor(names);
    });
    const results = await all(batch(["a", "b", "a", "b", "a", "a"], (name) => `${name} { id }`, { size: 4 }));
    expect(messages(results)).toEqual(Array(6).fill(undefined));
    expect(results.map(({ value }) => value)).toEqual(["a", "b", "a", "b", "a", "a"]);
    expect(asked).toEqual([4, 4, 2]);
  });

  it("asks again without the item whose null took the whole answer with it", async () => {
    const { batch, asked } = setUp((names) => {
      const index = names.indexOf("viewer");
      if (index >= 0) throw answerWith([{ type: "FORBIDDEN", path: [`i${index}`, "email"], message: "not yours" }]);
      return valuesFor(names);
    });
    const results = await all(batch(["a", "viewer", "b"], (name) => `${name} { email }`));
    expect(asked).toEqual([3, 2]);
    expect((results[1]?.error as GraphqlItemError | undefined)?.errors).toEqual([
      { type: "FORBIDDEN", path: ["email"], message: "not yours" },
    ]);
  });

  it("asks again for all when something, nobody says what, was too much", async () => {
    const limit = { type: "RESOURCE_LIMITS_EXCEEDED", message: "Resource limits for this query exceeded." };
    const { batch, asked } = setUp((names) => {
      if (names.length > 1) throw answerWith([limit], valuesFor(names));
      return valuesFor(names);
    });
    const results = await all(batch(["a", "a", "a"], (name) => `${name} { id }`));
    expect(asked).toEqual([3, 1, 2, 1, 1]);
    expect(messages(results)).toEqual([undefined, undefined, undefined]);
  });

  it("asks again for what is missing without a word in an answer that was too much", async () => {
    const limit = { type: "RESOURCE_LIMITS_EXCEEDED", path: ["i1", "nodes", 3], message: "exceeded" };
    const { batch, asked } = setUp((names) => {
      if (names.length > 3) throw answerWith([limit], { i0: "kept", i1: { nodes: [null] }, i2: null });
      return valuesFor(names);
    });
    const results = await all(batch(["a", "b", "c", "d"], (name) => `${name} { id }`, { size: 4 }));
    expect(results.map(({ value }) => value)).toEqual(["kept", "b", "c", "d"]);
    expect(asked).toEqual([4, 2, 1]);
  });

  it("tells what was left out in an item alone beside what is there", async () => {
    const limit = { type: "RESOURCE_LIMITS_EXCEEDED", path: ["i0", "nodes"], message: "exceeded" };
    const { batch } = setUp(() => {
      throw answerWith([limit], { i0: { name: "app", nodes: null } });
    });
    expect(await all(batch(["a"], (name) => `${name} { id }`))).toEqual([
      { item: "a", value: { name: "app", nodes: null }, errors: [{ ...limit, path: ["nodes"] }] },
    ]);
  });

  it.each([
    ["an answer that is no object", () => undefined, "GitHub's answer cannot be read."],
    ["null", () => null, "GitHub's answer cannot be read."],
    [
      "something thrown that is no error",
      () => {
        throw "text";
      },
      "The query failed.",
    ],
    [
      "a refusal",
      () => {
        throw answerWith([{ type: "RATE_LIMITED", message: "API rate limit exceeded" }]);
      },
      "Request failed due to following response errors",
    ],
  ])("gives all items of a query %s for their error, and goes on", async (_what, answer, message) => {
    const { batch, asked } = setUp(answer);
    const results = await all(batch(["a", "b", "c"], (name) => `${name} { id }`, { size: 2 }));
    expect(messages(results)).toEqual([message, message, message]);
    expect(asked).toEqual([2, 1]);
  });

  it.each([
    ["504", { status: 504, response: { data: "<html>" } }],
    [
      "500 in GitHub's words",
      { status: 500, response: { data: { message: "We couldn't respond to your request in time." } } },
    ],
    ["200 in GitHub's words", answerWith([{ message: "Something went wrong while executing your query." }])],
    ["MAX_NODE_LIMIT_EXCEEDED", answerWith([{ type: "MAX_NODE_LIMIT_EXCEEDED", message: "too many" }])],
  ])("divides a query that was too much where no squad saw it: %s", async (_what, failure) => {
    const { batch, asked } = setUp((names) => {
      if (names.length > 2) throw Object.assign(failure instanceof Error ? failure : new Error("no"), failure);
      return valuesFor(names);
    });
    const results = await all(batch(["a", "a", "a", "a"], (name) => `${name} { id }`));
    expect(messages(results)).toEqual([undefined, undefined, undefined, undefined]);
    expect(asked).toEqual([4, 2, 2]);
  });

  it("comes to an end whatever GitHub says", async () => {
    const failures = [
      answerWith([{ message: "?" }]),
      answerWith([{ type: "RESOURCE_LIMITS_EXCEEDED", message: "?" }], {}),
      answerWith([{ type: "RESOURCE_LIMITS_EXCEEDED", message: "?" }]),
      answerWith([], {}),
      answerWith([{ message: "?", path: ["query", "i0"] }]),
      answerWith([{ message: "?", path: ["i7"] }], { i0: null }),
      new TypeError("fetch failed"),
    ];
    for (const failure of failures) {
      const { batch, asked } = setUp(() => {
        throw failure;
      });
      const items = Array.from({ length: 40 }, (_, index) => `n${index % 3}`);
      const results = await all(batch(items, (name) => `${name} { id }`));
      expect(results.map(({ item }) => item)).toEqual(items);
      expect(asked.length).toBeLessThan(100);
    }
  });

  it("comes to an end beside batches that go well and raise what is allowed", async () => {
    const { batch, asked } = setUp((names, query) => {
      if (query.includes("Slow")) throw Object.assign(new Error("no"), { status: 502, response: { data: "" } });
      return valuesFor(names);
    });
    const names: readonly string[] = Array(60).fill("a");
    const many = Array.from({ length: 10 }, () => all(batch(names, (name) => `${name} { id }`, { size: 2 })));
    const slow = await all(batch(names.slice(0, 20), (name) => `${name} { id }`, { name: "Slow" }));
    await Promise.all(many);
    expect(new Set(messages(slow))).toEqual(new Set(["no"]));
    expect(asked.length).toBeLessThan(400);
  });
});
