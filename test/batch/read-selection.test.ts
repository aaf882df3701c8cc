import fc from "fast-check";
import { parse } from "graphql";
import { beforeAll, describe, expect, it } from "vitest";
import { readSelection } from "../../src/batch/read-selection.js";
import { type GraphqlParser, loadParser } from "../../src/graphql/load-parser.js";

let parser: GraphqlParser;
beforeAll(async () => {
  parser = await loadParser();
});

const problemOf = (given: unknown): { code?: string; message?: string } => {
  try {
    readSelection(parser, given);
  } catch (error) {
    return error as { code?: string; message?: string };
  }
  return {};
};

describe("readSelection", () => {
  it.each([
    ["a plain field", "viewer { login }", "viewer { login }"],
    ["a field without anything selected of it", "__typename", "__typename"],
    ["an alias of its own, which goes", "me: viewer { login }", "viewer { login }"],
    ["comments and commas around it, which go", "# me\n , viewer { login }, # and no more", "viewer { login }"],
    ["comments within it", "viewer { # who\n login\n}", "viewer { # who\n login\n}"],
    ["braces in strings", 'user(login: "}{") { name }', 'user(login: "}{") { name }'],
    ["a string of several lines", 'user(login: """\n}\n""") { id }', 'user(login: """\n}\n""") { id }'],
    ["directives", "viewer @include(if: $yes) { id }", "viewer @include(if: $yes) { id }"],
  ])("takes %s", (_what, given, text) => {
    expect(readSelection(parser, given).text).toBe(text);
  });

  it("says which variables and fragments it uses", () => {
    const text = 'user(login: $who) { ...Name ... on User @skip(if: $no) { b: bio(x: "$none ...None") } } # $never';
    const { variables, fragments } = readSelection(parser, text);
    expect([[...variables], [...fragments]]).toEqual([["who", "no"], ["Name"]]);
  });

  it.each([
    ["nothing", ""],
    ["only a comment", "# viewer"],
    ["two fields", "viewer { id } viewer { login }"],
    ["a spread", "...Me"],
    ["a fragment in place", "... on Query { viewer { id } }"],
    ["a whole query", "{ viewer { id } }"],
    ["a whole query with a name", "query Mine { viewer { id } }"],
    ["a brace too few", "viewer { id"],
    ["a brace too many", "viewer { id } }"],
    ["a second operation", "viewer { id } } query Other { viewer { id }"],
    ["a second query without a name", "viewer { id } } { viewer { id }"],
    ["a mutation", 'viewer { id } } mutation { addStar(input: { starrableId: "1" }) { clientMutationId }'],
    ["a fragment's definition", "viewer { id } } fragment Me on User { id"],
    ["a string without an end", 'user(login: "'],
    ["a block string without an end", 'user(login: """'],
    ["a NUL", "viewer\0 { id }"],
    ["undefined", undefined],
    ["a number", 7],
    ["an object", { text: "viewer { id }" }],
    ["a text that nests too deeply", "a{".repeat(20_000)],
    ["a text that is too long", `a { ${"b ".repeat(60_000)} }`],
  ])("turns down %s", (_what, given) => {
    expect(problemOf(given)).toMatchObject({
      code: "SQUAD_RATE_OPTIONS",
      message: expect.stringContaining("toSelection must return one field of a query"),
    });
  });

  it.each(["rateLimit { cost }", "mine: rateLimit(dryRun: true) { cost }"])(
    "turns down %s, which would speak for all items, or keep the query from being run",
    (given) => {
      expect(problemOf(given)).toMatchObject({
        code: "SQUAD_RATE_OPTIONS",
        message: expect.stringMatching(/rateLimit/),
      });
    },
  );

  it("shows no credential that stands in a text it cannot read", () => {
    const { message } = problemOf(`user(login "ghp_${"a".repeat(36)}") { id }`);
    expect(message).not.toContain("ghp_");
  });

  it("lets nothing through that is not one field wherever it is put", () => {
    const pieces = [
      "a",
      "{",
      "}",
      "(",
      ")",
      ":",
      '"',
      '"""',
      "#",
      "\n",
      ",",
      "...",
      "$v",
      "query",
      "fragment F on T",
      "@d",
      " ",
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((some) => some.join(""));
    fc.assert(
      fc.property(text, (given) => {
        if (problemOf(given).code !== undefined) return;
        const read = readSelection(parser, given).text;
        const [operation, ...others] = parse(`{ before i0: ${read} after }`).definitions;
        expect(others).toEqual([]);
        const { selectionSet } = operation as {
          selectionSet: { selections: readonly { alias?: { value: string } }[] };
        };
        expect(selectionSet.selections.map(({ alias }) => alias?.value)).toEqual([undefined, "i0", undefined]);
      }),
      { numRuns: 2_000 },
    );
  });
});
