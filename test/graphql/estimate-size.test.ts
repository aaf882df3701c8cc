import fc from "fast-check";
import * as graphql from "graphql";
import { getOperationAST, getVariableValues, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { costOf, type QueryCost } from "../../src/sim/github/graphql/cost.js";
import { SCHEMA } from "./random-query/draft.js";
import { arbitraryQuery, type RandomQuery } from "./random-query.js";
import { readOne } from "./read-one.js";

/** Many runs on a busy machine. */
const PATIENCE_MS = 90_000;

const estimate = (text: string, variables: Record<string, unknown> = {}) => readOne(text).estimate(variables);

describe("the documented examples", () => {
  it("come to 51 units and 305,100 nodes for 100 repositories, 50 issues and 60 labels", () => {
    const text =
      "{ viewer { repositories(first: 100) { edges { node { id issues(first: 50) { edges { node { id labels(first: 60) { edges { node { id name } } } } } } } } } } }";
    expect(estimate(text)).toEqual({ units: 51, requests: 5_101, nodes: 305_100, rejected: undefined });
  });

  it("come to 6 units for a connection of 100 whose nodes each carry six connections", () => {
    const six = Array.from({ length: 6 }, (_, index) => `c${index}: labels(first: 1) { totalCount }`).join(" ");
    const text = `{ repository(owner: "o", name: "n") { pullRequests(first: 100) { nodes { ${six} } } } }`;
    expect(estimate(text)).toMatchObject({ units: 6, requests: 601 });
  });

  it("come to at least 1 unit, and 1 for a mutation whatever it returns", () => {
    expect(estimate("{ viewer { login } }")).toEqual({ units: 1, requests: 0, nodes: 0, rejected: undefined });
    const text =
      "mutation { a { repositories(first: 100) { nodes { issues(first: 10) { nodes { x: labels(first: 1) { totalCount } } } } } } }";
    expect(estimate(text)).toMatchObject({ units: 1, requests: 1_101 });
  });
});

describe("a connection", () => {
  it.each([
    ["is what has a page size", "{ a(first: 3) { anything } b(last: 4) { anything } }", 2, 7],
    ["is what selects items", "{ a { nodes { id } } b { edges { cursor } } c { pageInfo { endCursor } } }", 3, 0],
    ["is what counts", '{ a { totalCount } search(query: "") { issueCount } }', 2, 0],
    ["is told by a fragment too", "{ a { ...F } } fragment F on AConnection { ... { totalCount } }", 1, 0],
    ["is not told by what is left out", "{ a { x totalCount @skip(if: true) } }", 0, 0],
    ["is not what selects `nodes` by ids", '{ relay { nodes(ids: ["1"]) { id } } }', 0, 0],
    ["is not what has such an alias", "{ a { nodes: x { id } totalCount: y } }", 0, 0],
    ["is one for one key, at its largest", "{ a(first: 3) { x } a(first: 5) { y } }", 1, 5],
    [
      "is one in a fragment, however often it is spread",
      "{ ...F ...F ... { ...F } } fragment F on Q { a(first: 2) { x } }",
      1,
      2,
    ],
    ["is several under several keys", "{ a: c(first: 3) { x } b: c(first: 3) { x } }", 2, 6],
    ["is several on several types", "{ n { ... on A { c(first: 3) { x } } ... on B { c(first: 3) { x } } } }", 2, 6],
    ["is one on one type", "{ n { ... on A { c(first: 3) { x } } ...F } } fragment F on A { c(first: 3) { x } }", 1, 3],
    [
      "is one where one is on any",
      "{ n { ... on A { c(first: 3) { x } } ... on B { c(first: 3) { x } } c(first: 3) { x } } }",
      1,
      3,
    ],
    [
      "is on the innermost type",
      "{ n { ... on A { ... on B { c(first: 3) { x } } ... { d(first: 1) { x } } } ... on B { c(first: 3) { x } } ... on A { d(first: 1) { x } } } }",
      2,
      4,
    ],
    [
      "is several where a part alike is on several types",
      "{ n { ... on A { ... { c(first: 3) { x } } } ... on B { ... { c(first: 3) { x } } } } }",
      2,
      6,
    ],
    ["multiplies what is within", "{ a(first: 3) { nodes { b(first: 5) { x } c { d(last: 2) { x } } } } }", 7, 24],
    ["of none has nothing within", "{ a(first: 0) { nodes { b(first: 5) { x } } } }", 1, 0],
    ["prefers `first`", "{ a(first: 3, last: 9) { x } b(first: null, last: 9) { x } }", 2, 12],
  ])("%s", (_, text, requests, nodes) => {
    expect(estimate(text)).toMatchObject({ requests, nodes });
  });

  it.each([
    ["a variable", { n: 7 }, 7],
    ["a default", {}, 5],
    ["a default for undefined", { n: undefined }, 5],
    ["nothing for null", { n: null }, 0],
    ["nothing for what is no number", { n: "7" }, 0],
    ["nothing for a fraction", { n: 1.5 }, 0],
  ])("is as large as %s says", (_, variables, nodes) => {
    expect(estimate("query ($n: Int = 5) { a(first: $n) { totalCount } }", variables).nodes).toBe(nodes);
  });

  it.each([
    ["a list", { ids: ["1", "2", "3"] }, 3],
    ["an empty list", { ids: [] }, 0],
    ["one id", { ids: "1" }, 1],
    ["a default", {}, 2],
  ])("is asked of each node of %s", (_, variables, requests) => {
    const text =
      'query ($ids: [ID!]! = ["a", "b"]) { nodes(ids: $ids) { ... on User { issues(first: 1) { totalCount } } } }';
    expect(estimate(text, variables).requests).toBe(requests);
  });

  it.each([
    ["@skip(if: $is)", {}, 0],
    ["@skip(if: $is)", { is: false }, 1],
    ["@include(if: $is)", {}, 1],
    ["@include(if: $is)", { is: false }, 0],
    ["@include(if: $is) @skip(if: $is)", { is: true }, 0],
    ["@include(if: $nobody)", {}, 1],
    ["@other(if: false)", {}, 1],
  ])("under %s counts as %o says", (directive, variables, requests) => {
    for (const part of [
      `a(first: 1) ${directive} { x }`,
      `... ${directive} { a(first: 1) { x } }`,
      `...F ${directive}`,
    ]) {
      const text = `query ($is: Boolean = true) { ${part} } fragment F on Q { a(first: 1) { x } }`;
      expect(estimate(text, variables).requests).toBe(requests);
    }
  });

  it("is not read from names that every object has", () => {
    const text = "query ($constructor: Int, $__proto__: Int) { a(first: $constructor) { nodes { x } } }";
    expect(estimate(text).rejected?.type).toBe("MISSING_PAGINATION_BOUNDARIES");
  });
});

describe("GitHub turns down", () => {
  it.each([
    ["MISSING_PAGINATION_BOUNDARIES", "{ a { nodes { id } } b(first: 101) { x } }"],
    ["MISSING_PAGINATION_BOUNDARIES", "{ a { totalCount edges { cursor } } }"],
    ["EXCESSIVE_PAGINATION", "{ a(first: 101) { x } b { nodes { id } } }"],
    ["EXCESSIVE_PAGINATION", "{ a(last: -1) { x } }"],
    ["EXCESSIVE_PAGINATION", "{ a(first: 101) { nodes { b { nodes { id } } } } }"],
    ["MAX_NODE_LIMIT_EXCEEDED", "{ a(first: 100) { x { b(first: 100) { x { c(first: 50) { x } } } } } }"],
    [undefined, "{ a(first: 100) { x { b(first: 100) { x { c(first: 48) { x } } } } } }"],
    [undefined, "{ a { totalCount } b(first: 0) { totalCount } }"],
  ])("as %s", (type, text) => {
    expect(estimate(text).rejected?.type).toBe(type);
  });

  it("and it says so with the numbers", () => {
    expect(estimate("{ issues(first: 1000) { x } }").rejected?.why).toMatch(/`issues`.* 1000 .* 100$/);
    expect(estimate("{ a(first: 100) { x { b(first: 100) { x { c(first: 100) { x } } } } } }").rejected?.why).toMatch(
      /1010100 .* 500000/,
    );
  });
});

describe("the estimate ends soon", () => {
  const chain = (count: number, body: (next: string) => string) =>
    `{ ...F0 } ${Array.from({ length: count }, (_, index) => `fragment F${index} on T { ${body(`...F${index + 1}`)} }`).join(" ")} fragment F${count} on T { a(first: 1) { x } }`;

  it("for fragments that double forty times, and knows what they come to", () => {
    const text = chain(40, (next) => `a { ${next} } b { ${next} }`);
    expect(estimate(text)).toMatchObject({ requests: 2 ** 40, nodes: 2 ** 40 });
  });

  it("for numbers beyond all numbers", () => {
    const { requests, nodes, units, rejected } = estimate(chain(150, (next) => `a(first: 100) { x { ${next} } }`));
    expect([requests, nodes]).toEqual([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);
    expect(units).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
    expect(rejected?.type).toBe("MAX_NODE_LIMIT_EXCEEDED");
    expect(estimate(`{ a(first: ${"9".repeat(500)}) { x } }`).nodes).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("for long chains of spreads", () => {
    expect(estimate(chain(15_000, (next) => next))).toMatchObject({ requests: 1 });
    expect(estimate(chain(15_000, (next) => `a { ${next} }`)).rejected?.type).toBe("MAX_NODE_LIMIT_EXCEEDED");
  });

  it.each([
    ["of spreads", "{ ...F } fragment F on T { ...G a(first: 2) { x } } fragment G on T { ...F }", 1],
    ["of fields", "{ ...F } fragment F on T { a(first: 2) { x { ...F } } }", Number.MAX_SAFE_INTEGER],
  ])("for circles %s", (_, text, requests) => {
    expect(estimate(text).requests).toBe(requests);
  });

  it("for fragments that meet in ever new sets", () => {
    // Which of them meet at a place depends on the last twenty fields on the way to it, so that no two ways are alike.
    const fragments = Array.from({ length: 30 }, (_, depth) =>
      Array.from({ length: 20 }, (__, state) => {
        const next = `...F${state === 0 ? 0 : state + 1}x${depth + 1}`;
        const also = state === 0 ? `...F1x${depth + 1}` : "";
        return `fragment F${state}x${depth} on T { a { ${next} ${also} } b { ${next} } }`;
      }).join(" "),
    );
    expect(estimate(`{ ...F0x0 } ${fragments.join(" ")}`).rejected?.type).toBe("MAX_NODE_LIMIT_EXCEEDED");
  });

  it("for a megabyte of selections", () => {
    const text = `{ ${Array.from({ length: 8_000 }, (_, index) => `aVeryLongAliasThatSaysNothingAtAllAboutTheRepository${index}: repository(owner: "o", name: "n") { issues(first: 1) { totalCount } }`).join(" ")} }`;
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(estimate(text)).toEqual({ units: 80, requests: 8_000, nodes: 8_000, rejected: undefined });
  });
});

describe("against the simulator, which knows the schema", () => {
  const simulated = ({ query, variables, operationName }: RandomQuery): QueryCost => {
    const document = parse(query);
    const operation = getOperationAST(document, operationName);
    if (operation === null || operation === undefined) throw new Error("no operation");
    const { coerced = {} } = getVariableValues(SCHEMA, operation.variableDefinitions ?? [], variables);
    return costOf(graphql, SCHEMA, document, operation, coerced);
  };
  const estimated = ({ query, variables, operationName }: RandomQuery) => {
    const { units, requests, nodes, rejected } = readOne(query, operationName).estimate(variables);
    return { units, requests, nodes, problem: rejected?.type };
  };
  const expected = ({ units, requests, nodes, problems }: QueryCost) => ({
    units,
    requests,
    nodes,
    problem: problems[0]?.type,
  });

  it(
    "it is exact where fragments are on objects",
    () => {
      fc.assert(
        fc.property(arbitraryQuery({ size: 60, conditions: "objects" }), (query) => {
          expect(estimated(query)).toEqual(expected(simulated(query)));
        }),
        { numRuns: 1_500 },
      );
    },
    PATIENCE_MS,
  );

  it(
    "it is exact or too much where they are on anything, and mostly exact",
    () => {
      const seen = { exact: 0, more: 0 };
      fc.assert(
        fc.property(arbitraryQuery({ size: 60 }), (query) => {
          const own = estimated(query);
          const { requests, nodes } = simulated(query);
          expect(own.requests).toBeGreaterThanOrEqual(requests);
          expect(own.nodes).toBeGreaterThanOrEqual(nodes);
          seen[own.requests === requests && own.nodes === nodes ? "exact" : "more"]++;
        }),
        { numRuns: 1_000 },
      );
      expect(seen.exact / (seen.exact + seen.more)).toBeGreaterThan(0.75);
    },
    PATIENCE_MS,
  );
});
