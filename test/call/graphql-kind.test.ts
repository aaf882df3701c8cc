import fc from "fast-check";
import { Kind, type OperationDefinitionNode, parse, print } from "graphql";
import { describe, expect, it } from "vitest";
import { graphqlOperationKind } from "../../src/call/graphql-kind.js";

describe("graphqlOperationKind", () => {
  it.each([
    ["{ viewer { login } }", undefined, "query"],
    ["\uFEFF  # a comment: mutation\n , { viewer }", undefined, "query"],
    ["query { viewer }", undefined, "query"],
    ['query Q($a: [Int!]! = [1], $b: In = {c: {d: "}"}}) @dir(x: {y: 1}) { viewer }', undefined, "query"],
    ["mutation { a }", undefined, "mutation"],
    ["mutation M($input: I!) { a(input: $input) { b } }", undefined, "mutation"],
    ["subscription { a }", undefined, "subscription"],
    ["mutation@x{a}", undefined, "mutation"],
    ["fragment F on User { login } mutation { a }", undefined, "mutation"],
    ["fragment query on User { mutation } query { ...query }", undefined, "query"],
    ["query A { a } mutation B { b }", undefined, "query"],
    ["query A { a } mutation B { b }", null, "query"],
    ["query A { a } mutation B { b }", "", "query"],
    ["query A { a } mutation B { b }", "B", "mutation"],
    ["mutation B { b } query A { a }", "A", "query"],
    ["query A { a } mutation B { b }", "C", "unknown"],
    ['query A { a(s: "} mutation B {") } mutation B { b }', "B", "mutation"],
    ['query A { a(s: "\\"}") } mutation B { b }', "B", "mutation"],
    ['query A { a(s: """ " \\""" } mutation C { """) } mutation B { b }', "B", "mutation"],
    ["query A { a # } mutation B { x\n } query B { b }", "B", "query"],
    ['"a description" mutation M { a }', undefined, "mutation"],
    ['"""\nmutation\n""" query Q { a }', undefined, "query"],
  ] as const)("reads %j (%j) as %s", (document, name, kind) => {
    expect(graphqlOperationKind(document, name)).toBe(kind);
  });

  it.each([
    "",
    "   # only a comment",
    "query",
    "mutation ",
    "queryA { a }",
    "query language is great",
    "query 5 { a }",
    "type Query { a: Int }",
    "extend type Query { a: Int }",
    "Mutation { a }",
    ")(",
    '"unterminated',
    '"""unterminated \\"""',
    "fragment F on User { login }",
    "fragment F on User { login",
    "fragment F on User { ( } ) } query { a }",
  ])("does not know %j", (document) => {
    expect(graphqlOperationKind(document)).toBe("unknown");
  });

  it("agrees with the reference parser on every operation of a document", () => {
    const name = fc.stringMatching(/^[_A-Za-z][_0-9A-Za-z]{0,8}$/).filter((n) => n !== "on");
    const text = fc.string({ unit: "binary" }).map((value) => JSON.stringify(value.replace(/[\ud800-\udfff]/g, "")));
    const block = fc.stringMatching(/^[a-z{}()"# \n]{0,20}$/).map((body) => `"""${body.replaceAll('"', '\\"""')}"""`);
    const value = fc.oneof(text, block, fc.constantFrom("1", "[1, 2]", "{a: {b: 1}}", "$x", "ENUM"));
    const selection = fc.tuple(name, value).map(([field, arg]) => `{ ${field}(a: ${arg}) { b # }{"\n } }`);
    const definition = fc.oneof(
      fc
        .tuple(fc.constantFrom("query", "mutation", "subscription"), name, selection)
        .map(([kind, operation, body]) => `${kind} ${operation}($x: I = {a: "}"}) ${body}`),
      fc.tuple(name, selection).map(([fragment, body]) => `fragment ${fragment} on T ${body}`),
    );
    fc.assert(
      fc.property(fc.array(definition, { minLength: 1, maxLength: 4 }), fc.boolean(), (definitions, pretty) => {
        const source = definitions.join("\n");
        const document = parse(source);
        const written = pretty ? print(document) : source;
        const operations = document.definitions.filter(
          (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
        );
        expect(graphqlOperationKind(written)).toBe(operations[0]?.operation ?? "unknown");
        for (const { name: operationName } of operations) {
          const first = operations.find((node) => node.name?.value === operationName?.value);
          expect(graphqlOperationKind(written, operationName?.value)).toBe(first?.operation);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("never throws, and takes no guess at noise", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}()[]"\\#\n aquerymutation@$:,') }),
        fc.string(),
        (document, name) => {
          expect(["query", "mutation", "subscription", "unknown"]).toContain(graphqlOperationKind(document, name));
        },
      ),
    );
  });

  it("finds the end of long documents without recursion", () => {
    const body = `a(s: """${"x".repeat(500_000)}""") ${"# c\n".repeat(50_000)} ${"{b".repeat(20_000)}${"}".repeat(20_000)}`;
    expect(graphqlOperationKind(`query A { ${body} } mutation B { b }`, "B")).toBe("mutation");
    expect(graphqlOperationKind(`query A { ${body} `, "B")).toBe("unknown");
  });
});
