import fc from "fast-check";
import { getLocation, getOperationAST, parse, Source, validate } from "graphql";
import { describe, expect, it } from "vitest";
import type { InsertedCapture } from "../../src/graphql/operation.js";
import { SCHEMA } from "./random-query/draft.js";
import { arbitraryQuery } from "./random-query.js";
import { readOne } from "./read-one.js";

/** Many runs on a busy machine. */
const PATIENCE_MS = 90_000;

const ASKED = "rateLimit { cost limit remaining used resetAt nodeCount }";

function insertedInto(text: string, operationName?: string): InsertedCapture {
  const { capture } = readOne(text, operationName);
  if (capture.kind !== "insert") throw new Error(`it is ${capture.kind}`);
  return capture;
}

describe("a selection of rateLimit", () => {
  it("goes right before the brace that ends the operation", () => {
    const capture = insertedInto("query A($a: Int) {\n  viewer { login } # }\n}\nfragment F on User { id }");
    expect(capture).toEqual({
      kind: "insert",
      document: `query A($a: Int) {\n  viewer { login } # }\n squadRateLimit: ${ASKED}}\nfragment F on User { id }`,
      key: "squadRateLimit",
      line: 3,
      column: 1,
      columns: ` squadRateLimit: ${ASKED}`.length,
    });
  });

  it("goes into the operation that runs", () => {
    const text = "query A { a } query B { b } mutation C { c }";
    expect(insertedInto(text, "A").document).toBe(
      `query A { a  squadRateLimit: ${ASKED}} query B { b } mutation C { c }`,
    );
    expect(insertedInto(text, "B").document).toBe(
      `query A { a } query B { b  squadRateLimit: ${ASKED}} mutation C { c }`,
    );
    expect(readOne(text, "C").capture).toEqual({ kind: "none" });
  });

  it.each([
    ["mutation { a }"],
    ["subscription { a }"],
    // It says no more than that it is none of ours to look at.
    ["mutation { rateLimit { cost } }"],
  ])("does not go into %s", (text) => {
    expect(readOne(text).capture).toEqual({ kind: "none" });
  });

  it.each([
    ["of the text", "{ a }", "squadRateLimit"],
    ["of a field", "{ squadRateLimit }", "squadRateLimit2"],
    ["of several", "{ squadRateLimit squadRateLimit2: a squadRateLimit3: b }", "squadRateLimit4"],
    ["as a part of a name", "{ mysquadRateLimit25 }", "squadRateLimit3"],
    ["in a string", '{ a(b: "squadRateLimit2") }', "squadRateLimit3"],
    ["in a comment", "{ a } # squadRateLimit", "squadRateLimit2"],
  ])("has a key that is no part %s", (_, text, key) => {
    const capture = insertedInto(text);
    expect(capture.key).toBe(key);
    expect(text.includes(capture.key)).toBe(false);
  });

  it("has a key soon, however many are taken", () => {
    const text = `{ a # ${Array.from({ length: 40_000 }, (_, index) => `squadRateLimit${index}`).join(" ")}\n}`;
    expect(insertedInto(text).key).toBe("squadRateLimit40000");
  });

  it.each([
    ["itself", "{ a rateLimit { cost } }", "rateLimit"],
    ["under an alias", "{ budget: rateLimit { cost used } }", "budget"],
    ["in an inline fragment", "{ ... { ... on Query { r: rateLimit { cost } } } }", "r"],
    ["in a named fragment", "{ ...F } fragment F on Query { ...G } fragment G on Query { r: rateLimit { cost } }", "r"],
    [
      "beyond a circle",
      "{ ...F } fragment F on Query { ...F ...G r: rateLimit { cost } } fragment G on Query { ...F }",
      "r",
    ],
    ["under @skip", "query ($is: Boolean!) { r: rateLimit @skip(if: $is) { cost } }", "r"],
    ["in a fragment under @include", "{ ... @include(if: false) { r: rateLimit { cost } } }", "r"],
    ["without its cost", "{ r: rateLimit { used } }", "r"],
    ["twice, once with its cost", "{ a: rateLimit { used } b: rateLimit { c: cost cost } }", "b"],
  ])("is left to the caller who asks for it %s", (_, text, key) => {
    expect(readOne(text).capture).toEqual({ kind: "present", key });
  });

  it.each([
    ["is only an alias", "{ rateLimit: viewer { id } }"],
    ["is further down", "{ relay { rateLimit { cost } } }"],
    ["is in a fragment that is not spread", "{ a } fragment F on Query { rateLimit { cost } }"],
    ["is in a fragment that is not there", "{ a ...F }"],
    ["is in another operation", "query A { a } query B { rateLimit { cost } }"],
  ])("is added where it %s", (_, text) => {
    expect(readOne(text, text.startsWith("query A") ? "A" : undefined).capture.kind).toBe("insert");
  });

  it.each([
    ["{ a\n\n b }", 3, 4],
    ["{ a\r\n\r\n b }", 3, 4],
    ["{ a\r\r b }", 3, 4],
    ["{ a\n\r b }", 3, 4],
    ["\uFEFF{ a }", 1, 6],
    ['{ a(b: "😀") }', 1, 14],
    ['{ a(b: """\n"""\n) }', 3, 3],
    ['{ a(b: "\u2028") }', 1, 13],
  ])("tells where it stands in %j", (text, line, column) => {
    expect(insertedInto(text)).toMatchObject({ line, column });
  });

  it(
    "is all that is added to any query, where it is said to be, and leaves the query valid",
    () => {
      const seen = { insert: 0, present: 0, none: 0 };
      fc.assert(
        fc.property(arbitraryQuery(), ({ query, operationName }) => {
          const { capture, kind, name } = readOne(query, operationName);
          seen[capture.kind]++;
          const own = getOperationAST(parse(query), operationName);
          expect([kind, name]).toEqual(["query", own?.name?.value]);
          if (capture.kind !== "insert") return;
          const { document, key, line, column, columns } = capture;
          const at = (own?.selectionSet.loc?.end ?? 0) - 1;
          expect(getLocation(new Source(query), at)).toEqual({ line, column });
          expect(document.slice(0, at) + document.slice(at + columns)).toBe(query);
          expect(document.slice(at, at + columns)).toBe(` ${key}: ${ASKED}`);
          expect(query).not.toContain(key);
          const parsed = parse(document);
          expect(validate(SCHEMA, parsed)).toEqual([]);
          const last = getOperationAST(parsed, operationName)?.selectionSet.selections.at(-1);
          expect(last).toMatchObject({ alias: { value: key }, name: { value: "rateLimit" } });
          // And it costs nothing.
          const added = readOne(document, operationName);
          expect(added.capture).toEqual({ kind: "present", key });
        }),
        { numRuns: 1_000 },
      );
      expect(seen.insert).toBeGreaterThan(500);
      expect(seen.present).toBeGreaterThan(20);
      expect(seen.none).toBe(0);
    },
    PATIENCE_MS,
  );
});

describe("a dry run", () => {
  it.each([
    [true, "{ rateLimit(dryRun: true) { cost } viewer { id } }", {}],
    [true, "{ a: rateLimit { cost } ...F } fragment F on Query { b: rateLimit(dryRun: true) { cost } }", {}],
    [true, "query ($is: Boolean) { rateLimit(dryRun: $is) { cost } }", { is: true }],
    [true, "query ($is: Boolean = true) { rateLimit(dryRun: $is) { cost } }", {}],
    [true, "query ($is: Boolean!) { rateLimit(dryRun: true) @include(if: $is) { cost } }", { is: true }],
    [false, "query ($is: Boolean!) { rateLimit(dryRun: true) @include(if: $is) { cost } }", { is: false }],
    [false, "query ($is: Boolean!) { ... @skip(if: $is) { rateLimit(dryRun: true) { cost } } }", { is: true }],
    [false, "query ($is: Boolean = true) { rateLimit(dryRun: $is) { cost } }", { is: false }],
    [false, "query ($is: Boolean = true) { rateLimit(dryRun: $is) { cost } }", { is: null }],
    [false, "query ($is: Boolean) { rateLimit(dryRun: $is) { cost } }", { is: "true" }],
    [false, "{ rateLimit(dryRun: false) { cost } }", {}],
    [false, "{ rateLimit { cost } a(dryRun: true) { b } }", {}],
    [false, "{ relay { rateLimit(dryRun: true) { cost } } }", {}],
  ])("is %s: %s %o", (is, text, variables) => {
    expect(readOne(text).isDryRun(variables)).toBe(is);
  });
});
