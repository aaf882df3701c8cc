import { describe, expect, it } from "vitest";
import { GraphqlItemError } from "../../src/batch/item-error.js";
import { numbers, pullRequest, setUpBench } from "./bench.js";

/** Each a connection of 100 whose nodes carry one of 50. */
const HEAVY =
  "comments(first: 100) { nodes { id } } reviewThreads(first: 50) { nodes { comments(first: 5) { totalCount } } }";

describe("a batch", () => {
  it("asks for 60 items in 3 queries, and gives each the value it has alone", async () => {
    const { batch, all, asked, octokit, clock } = await setUpBench();
    const items = numbers(1, 60);
    const results = await all(batch(items, (number) => pullRequest(number, "title reviews(first: 5) { totalCount }")));
    expect(asked()).toEqual([25, 25, 10]);
    expect(results.map(({ item }) => item)).toEqual(items);
    for (const { item, value, error } of results) {
      const alone = octokit.graphql(`{ ${pullRequest(item, "title reviews(first: 5) { totalCount }")} }`);
      expect({ repository: value }).toEqual(await clock.settle(alone));
      expect(error).toBeUndefined();
    }
  });

  it("costs what GitHub's rule says of its queries", async () => {
    const { batch, all, github, asked } = await setUpBench();
    // 1 + 1 + 50 requests an item.
    await all(batch(numbers(1, 10), (number) => pullRequest(number, HEAVY), { size: 4 }));
    expect(asked()).toEqual([4, 4, 2]);
    expect(github.log.map(({ chargedUnits }) => chargedUnits)).toEqual([2, 2, 1]);
    expect(github.usage("ghp_mona", "graphql").used).toBe(5);
  });

  it("sends variables, fragments, name and options of the request with each query", async () => {
    const { batch, all, documents, squad } = await setUpBench();
    const results = await all(
      batch(
        [1, 2, 61],
        (number) => `repository(owner: $owner, name: "app-1") { issueOrPullRequest(number: ${number}) { ...Title } }`,
        {
          size: 2,
          variables: { owner: { type: "String!", value: "acme" }, spare: { type: "Int", value: 1 } },
          fragments: "fragment Title on PullRequest { title } fragment Spare on User { id }",
          name: "Titles",
          request: { squad: { agent: "poller", priority: 0 } },
        },
      ),
    );
    expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect(results[2]?.value).toEqual({ issueOrPullRequest: {} });
    expect(documents.map((document) => document.split("\n")[0])).toEqual(
      Array(2).fill("query Titles($owner: String!) {"),
    );
    expect(squad.status().counters.calls).toBe(2);
  });

  it("gives each item its own errors, and leaves the others alone", async () => {
    const { batch, all, asked } = await setUpBench();
    const selections = [
      pullRequest(1),
      'repository(owner: "acme", name: "nowhere") { id }',
      `repository(owner: "acme", name: "app-1") { name a: pullRequest(number: 999) { title } }`,
      'repositoryOwner(login: "nobody") { id }',
      pullRequest(2),
    ];
    const results = await all(batch(selections, (selection) => selection));
    expect(asked()).toEqual([5]);
    expect(results[1]?.error).toBeInstanceOf(GraphqlItemError);
    expect(
      results.map(({ value, error, ...rest }) => [value, error && { ...error }, "errors" in rest ? rest.errors : 0]),
    ).toEqual([
      [{ pullRequest: { number: 1, title: expect.any(String) } }, undefined, 0],
      [
        undefined,
        {
          name: "GraphqlItemError",
          type: "NOT_FOUND",
          errors: [
            { type: "NOT_FOUND", path: [], message: "Could not resolve to a Repository with the name 'acme/nowhere'." },
          ],
        },
        0,
      ],
      [
        { name: "app-1", a: null },
        undefined,
        [{ type: "NOT_FOUND", path: ["a"], message: "Could not resolve to a PullRequest with the number of 999." }],
      ],
      [null, undefined, 0],
      [{ pullRequest: { number: 2, title: expect.any(String) } }, undefined, 0],
    ]);
  });

  it("asks again without the items that made GitHub turn a query down", async () => {
    const { batch, all, asked } = await setUpBench();
    const fields = (number: number) => (number % 10 === 3 ? "nope" : "number");
    // A server that has never told a cost is asked once more without that, should it be the reason.
    await all(batch([1], (number) => pullRequest(number)));
    const results = await all(batch(numbers(1, 24), (number) => pullRequest(number, fields(number))));
    expect(asked()).toEqual([1, 24, 21]);
    const failed = results.filter(({ error }) => error !== undefined);
    expect(failed.map(({ item }) => item)).toEqual([3, 13, 23]);
    expect(failed[0]?.error?.message).toBe('Cannot query field "nope" on type "PullRequest".');
  });

  it("sends nothing for items that cannot be asked for, and tells why", async () => {
    const { batch, all, documents, github } = await setUpBench();
    const thrown = new RangeError("no such thing");
    const toSelection = (text: string | undefined) => {
      if (text === undefined) throw thrown;
      return text;
    };
    const injection =
      'user(login: "x") { id } } mutation { addStar(input: { starrableId: "MDEw" }) { clientMutationId }';
    const results = await all(
      batch(
        [
          pullRequest(1),
          injection,
          "viewer { login ",
          undefined,
          "user(login: $who) { id }",
          "viewer { ...Me }",
          pullRequest(2),
        ],
        toSelection,
      ),
    );
    expect(results.map(({ error }) => (error as { code?: string })?.code ?? error?.name)).toEqual([
      undefined,
      "SQUAD_RATE_OPTIONS",
      "SQUAD_RATE_OPTIONS",
      "RangeError",
      "SQUAD_RATE_OPTIONS",
      "SQUAD_RATE_OPTIONS",
      undefined,
    ]);
    expect(results[3]?.error).toBe(thrown);
    expect(documents).toEqual([expect.not.stringContaining("mutation")]);
    expect(github.log).toHaveLength(1);
  });

  it("wraps what toSelection throws that is no error", async () => {
    const { batch, all } = await setUpBench();
    const toSelection = (): string => {
      throw "text";
    };
    const [result] = await all(batch([1], toSelection));
    expect(result?.error).toMatchObject({ message: "batch: toSelection threw.", cause: "text" });
  });

  it("keeps each query under GitHub's limit of nodes", async () => {
    const { batch, all, asked } = await setUpBench();
    // 100 + 100 * 100 + 100 * 100 * 10 nodes each.
    const nodes = (size: number) =>
      `viewer { repositories(first: 100) { nodes { issues(first: 100) { nodes { labels(first: ${size}) { nodes { id } } } } } } }`;
    const results = await all(batch([10, 10, 10, 10, 10, 10], nodes));
    expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(asked()).toEqual([4, 2]);
  });

  it("does not send what GitHub would turn down for its size alone", async () => {
    const { batch, all, asked } = await setUpBench();
    const nodes = (size: number) =>
      `viewer { repositories(first: 100) { nodes { issues(first: 100) { nodes { labels(first: ${size}) { nodes { id } } } } } } }`;
    const results = await all(batch([1, 90, 101, 2], nodes));
    expect(asked()).toEqual([2]);
    expect(results.map(({ error }) => (error as GraphqlItemError | undefined)?.type)).toEqual([
      undefined,
      "MAX_NODE_LIMIT_EXCEEDED",
      "EXCESSIVE_PAGINATION",
      undefined,
    ]);
  });

  it("sends nothing for no items", async () => {
    const { batch, all, github } = await setUpBench();
    expect(await all(batch([], String))).toEqual([]);
    expect(github.log).toEqual([]);
  });

  it("works where costs are not found out, and where the squad is switched off", async () => {
    for (const options of [{ graphql: false }, { graphql: { capture: false } }, { enabled: false }]) {
      const { batch, all, asked } = await setUpBench(options);
      const results = await all(batch(numbers(1, 30), (number) => pullRequest(number)));
      expect([results.filter(({ error }) => error === undefined).length, asked()]).toEqual([30, [25, 5]]);
    }
  });

  it.each([
    ["options", [[], String, { size: 0 }], /options\.size/],
    ["items", [5, String], /batch: items must be an array/],
    ["items that are a text", ["abc", String], /batch: items/],
    ["toSelection", [[], "viewer { id }"], /batch: toSelection must be a function/],
  ])("checks its %s at once", async (_what, given, message) => {
    const { batch } = await setUpBench();
    const call = batch as (...given: unknown[]) => unknown;
    expect(() => call(...given)).toThrow(
      expect.objectContaining({ code: "SQUAD_RATE_OPTIONS", message: expect.stringMatching(message) }),
    );
  });

  it("tells of types that cannot be read when its results are asked for", async () => {
    const { batch, all } = await setUpBench();
    await expect(all(batch([1], String, { variables: { n: { type: "[Int", value: 1 } } }))).rejects.toMatchObject({
      code: "SQUAD_RATE_OPTIONS",
    });
  });
});
