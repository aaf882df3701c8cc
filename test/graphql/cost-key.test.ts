import fc from "fast-check";
import { parse, print, stripIgnoredCharacters } from "graphql";
import { describe, expect, it } from "vitest";
import { arbitraryQuery } from "./random-query.js";
import { readOne } from "./read-one.js";

/** Many runs on a busy machine. */
const PATIENCE_MS = 90_000;

const key = (text: string, variables: Record<string, unknown> = {}, name?: string) =>
  readOne(text, name).costKey(variables);

describe("the cost key", () => {
  it("is 32 hex digits", () => {
    expect(key("{ viewer { login } }")).toMatch(/^[0-9a-f]{32}$/);
  });

  const PULL = (alias: string, number: string) =>
    `${alias}: pullRequest(number: ${number}) { title labels(first: 5) { nodes { name } } }`;

  it.each([
    ["layout", "{ a(b: 1) { c } }", "{\n  a ( b : 2 , ) # comment\n  { c } }"],
    ["names of operations", "{ a { b } }", "query Name { a { b } }"],
    ["names of variables", "query ($n: Int) { a(first: $n) { b } }", "query ($size: Int) { a(first: $size) { b } }"],
    ["names of fragments", "{ ...A } fragment A on T { b }", "{ ...B } fragment B on T { b }"],
    [
      "the order of fragments",
      "{ ...A ...B } fragment A on T { a } fragment B on T { b }",
      "{ ...A ...B } fragment B on T { b } fragment A on T { a }",
    ],
    ["other operations", "query A { a }", "query A { a } query B { b { c } }"],
    ["unused fragments", "query A { a }", "query A { a } fragment F on T { b }"],
    ["the order of arguments", "{ a(b: 1, c: E) }", "{ a(c: E, b: 2) }"],
    ["words", '{ a(owner: "one", name: "two") }', '{ a(owner: "three", name: """four""") }'],
    ["numbers", "{ issue(number: 1, x: 1.5) { id } }", "{ issue(number: 2, x: 2.5) { id } }"],
    ["cursors by variable", '{ a(first: 5, after: "x") { b } }', "query ($x: String) { a(first: 5, after: $x) { b } }"],
    ["lists of words", '{ a(labels: ["x", "y"]) }', "query ($l: [String!]) { a(labels: $l) }"],
    ["ids", '{ nodes(ids: ["a", "b"]) { id } }', '{ nodes(ids: ["c", "d"]) { id } }'],
    ["sizes by variable", "{ a(first: 5) { b } }", "query ($n: Int = 5) { a(first: $n) { b } }"],
    ["conditions by variable", "{ a @skip(if: true) b }", "query ($is: Boolean = true) { a @skip(if: $is) b }"],
    [
      "aliases",
      `{ r: repository { ${PULL("a", "1")} ${PULL("b", "2")} } }`,
      `{ repository { ${PULL("pr7", "7")} ${PULL("pr8", "8")} } }`,
    ],
  ])("does not depend on %s", (_, one, other) => {
    expect(key(one, {}, one.startsWith("query A") ? "A" : undefined)).toBe(
      key(other, {}, other.startsWith("query A") ? "A" : undefined),
    );
  });

  it.each([
    ["fields", "{ a { b } }", "{ a { c } }"],
    ["the number of fields", "{ a(n: 1) { b } }", "{ a(n: 1) { b } x: a(n: 2) { b } }"],
    ["which keys are one", "{ a(first: 5) { b } a(first: 5) { b } }", "{ a(first: 5) { b } x: a(first: 5) { b } }"],
    ["which arguments there are", "{ a(b: 1) }", "{ a(c: 1) }"],
    ["page sizes", "{ a(first: 5) { b } }", "{ a(first: 6) { b } }"],
    ["the end that a page is at", "{ a(first: 5) { b } }", "{ a(last: 5) { b } }"],
    ["which page size is whose", "{ a(first: 5) { b(first: 6) { c } } }", "{ a(first: 6) { b(first: 5) { c } } }"],
    ["how many ids there are", '{ nodes(ids: ["a", "b"]) { id } }', '{ nodes(ids: ["c"]) { id } }'],
    ["enums", "{ a(states: [OPEN]) { b } }", "{ a(states: [OPEN, CLOSED]) { b } }"],
    ["enums in objects", "{ a(by: { d: ASC, f: X }) }", "{ a(by: { f: X, d: DESC }) }"],
    ["booleans and null", "{ a(b: true, c: null) }", "{ a(b: false, c: null) }"],
    ["conditions", "{ a @skip(if: true) b }", "{ a @include(if: true) b }"],
    ["types of fragments", "{ ... on A { b } }", "{ ... on B { b } }"],
    ["where fragments end", "{ ... on A { b c } }", "{ ... on A { b } c }"],
    [
      "what fragments hold",
      "{ ...A ...B } fragment A on T { a } fragment B on T { b }",
      "{ ...B ...A } fragment A on T { a } fragment B on T { b }",
    ],
    ["the kind", "query { a }", "mutation { a }"],
    ["other directives", "{ a @x b }", "{ a @y b }"],
  ])("depends on %s", (_, one, other) => {
    expect(key(one)).not.toBe(key(other));
  });

  it("depends on the values of variables that bear on size, and on no others", () => {
    const text =
      "query ($n: Int = 5, $ids: [ID!]!, $is: Boolean!, $owner: String!) { nodes(ids: $ids) { a(first: $n, owner: $owner) @include(if: $is) { b } } }";
    const base = { ids: ["1"], is: true, owner: "x" };
    const same = [
      { ...base, n: 5 },
      { ...base, ids: ["2"] },
      { ...base, owner: "y" },
      { ...base, other: 1 },
    ];
    const others = [
      { ...base, n: 6 },
      { ...base, n: null },
      { ...base, ids: ["1", "2"] },
      { ...base, is: false },
    ];
    for (const one of same) expect(key(text, one)).toBe(key(text, base));
    expect(new Set([base, ...others].map((one) => key(text, one))).size).toBe(5);
    expect(key(text, base)).toBe(key(text, base));
  });

  it(
    "is the same for any query, however it is laid out",
    () => {
      fc.assert(
        fc.property(arbitraryQuery(), ({ query, variables, operationName }) => {
          const own = key(query, variables, operationName);
          expect(key(print(parse(query)), variables, operationName)).toBe(own);
          expect(key(stripIgnoredCharacters(query), variables, operationName)).toBe(own);
        }),
        { numRuns: 1_000 },
      );
    },
    PATIENCE_MS,
  );

  it(
    "goes with one estimate",
    () => {
      const seen = new Map<string, string>();
      fc.assert(
        fc.property(arbitraryQuery({ size: 4 }), ({ query, variables, operationName }) => {
          const operation = readOne(query, operationName);
          const costKey = operation.costKey(variables);
          const { units, requests, nodes } = operation.estimate(variables);
          const told = JSON.stringify([units, requests, nodes]);
          expect(seen.get(costKey) ?? told).toBe(told);
          seen.set(costKey, told);
        }),
        { numRuns: 2_000 },
      );
      expect(seen.size).toBeLessThan(1_900);
    },
    PATIENCE_MS,
  );
});
