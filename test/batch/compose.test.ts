import { parse } from "graphql";
import { beforeAll, describe, expect, it } from "vitest";
import { checkBatchOptions } from "../../src/batch/check-options.js";
import { type Composed, compose, type Shared } from "../../src/batch/compose.js";
import { withFragments } from "../../src/batch/read-fragments.js";
import { readSelection } from "../../src/batch/read-selection.js";
import { readShared } from "../../src/batch/read-shared.js";
import { type GraphqlParser, loadParser } from "../../src/graphql/load-parser.js";

let parser: GraphqlParser;
beforeAll(async () => {
  parser = await loadParser();
});

const sharedBy = (options: object): Shared => readShared(parser, checkBatchOptions(options, {} as never));
const composed = (texts: readonly string[], options: object = {}): Composed => {
  const shared = sharedBy(options);
  const selections = texts.map((text) => {
    const read = readSelection(parser, text);
    return { text: read.text, ...withFragments(read, shared.fragments) };
  });
  return compose(selections, shared);
};

const FRAGMENTS = `
  fragment Repo on Repository { name ...Owner issues(first: $n) { totalCount } }
  fragment Owner on Repository { owner { login } }
  # unused
  fragment Alone on User { login }
`;
const VARIABLES = {
  n: { type: "Int!", value: 5 },
  who: { type: " String # whoever\n ! ", value: "mona" },
  spare: { type: "[ID!]", value: null },
};

describe("compose", () => {
  it("gives each item an alias in a query of its own line", () => {
    expect(composed(["viewer { login }", 'me: user(login: "mona") { name }']).document).toBe(
      'query {\ni0: viewer { login }\ni1: user(login: "mona") { name }\n}',
    );
  });

  it("declares the variables and brings the fragments that are used, and no others", () => {
    const { document, variables } = composed(
      ['repository(owner: $who, name: "a") { ...Repo }', 'repository(owner: $who, name: "b") { id }'],
      { fragments: FRAGMENTS, variables: VARIABLES, name: "Overview" },
    );
    const [operation, ...fragments] = parse(document).definitions;
    expect(operation).toMatchObject({ name: { value: "Overview" } });
    expect(fragments.map((one) => ("name" in one ? one.name?.value : ""))).toEqual(["Repo", "Owner"]);
    expect(document).toContain("$who: String # whoever\n !");
    expect(variables).toEqual({ who: "mona", n: 5 });
  });

  it("brings nothing that nobody uses", () => {
    const { document, variables } = composed(["viewer { login }"], { fragments: FRAGMENTS, variables: VARIABLES });
    expect([document, variables]).toEqual(["query {\ni0: viewer { login }\n}", {}]);
  });

  it("brings fragments that spread each other once, and leaves them to GitHub", () => {
    const fragments = "fragment A on User { ...B } fragment B on User { ...A }";
    expect(composed(["viewer { ...A }"], { fragments }).document).toMatch(/fragment A .*\nfragment B .*$/);
  });

  it("knows whose selection stands in a line, whatever ends the lines", () => {
    const { document, itemInLine } = composed(
      ["user(login: $who) {\r\n id\r name\n}", "viewer { ...Alone }", 'user(login: """\n"""\n) { id }'],
      { fragments: FRAGMENTS, variables: VARIABLES },
    );
    const byLine = document.split("\n").map((line, index) => `${itemInLine(index + 1) ?? "-"} ${line}`);
    expect(byLine).toEqual([
      "- query($who: String # whoever",
      "-  !) {",
      "0 i0: user(login: $who) {",
      "0  id",
      "0  name",
      "0 }",
      "1 i1: viewer { ...Alone }",
      '2 i2: user(login: """',
      '2 """',
      "2 ) { id }",
      "- }",
      "- fragment Alone on User { login }",
    ]);
    expect([0, -1, 99, 1.5].map(itemInLine)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe("what a batch's items share", () => {
  it.each([
    [
      "what is no type",
      { variables: { n: { type: "Int!) { viewer { id } } query Q($m: Int", value: 1 } } },
      /variables\.n\.type/,
    ],
    ["an empty type", { variables: { n: { type: "", value: 1 } } }, /variables\.n\.type/],
    [
      "operations among the fragments",
      { fragments: "fragment A on User { id } query { viewer { id } }" },
      /options\.fragments/,
    ],
    ["fragments that cannot be read", { fragments: "fragment A on User { id" }, /options\.fragments .*found <EOF>/],
    [
      "two fragments of one name",
      { fragments: "fragment A on User { id } fragment A on User { name }" },
      /two fragments called A/,
    ],
  ])("is turned down for %s", (_what, options, message) => {
    expect(() => sharedBy(options)).toThrow(
      expect.objectContaining({ code: "SQUAD_RATE_OPTIONS", message: expect.stringMatching(message) }),
    );
  });
});
