import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GraphqlDocuments } from "../../src/graphql/documents.js";
import { arbitraryQuery } from "./random-query.js";
import { documents, readOne } from "./read-one.js";

/** Many runs on a busy machine. */
const PATIENCE_MS = 90_000;

describe("a reader of documents", () => {
  it("reads nothing until the parser is loaded", async () => {
    const reader = new GraphqlDocuments();
    expect([reader.loaded, reader.read("{ a }", undefined)]).toEqual([false, undefined]);
    await Promise.all([reader.load(), reader.load()]);
    expect([reader.loaded, reader.read("{ a }", undefined)?.kind]).toEqual([true, "query"]);
  });

  it("loads the parser that graphql itself uses, and little else of graphql", () => {
    const script = `
      import { createRequire } from "node:module";
      const { parse } = await import("graphql/language/parser.js");
      const files = Object.keys(createRequire(import.meta.url).cache).filter((one) => one.includes("/graphql/"));
      const whole = await import("graphql");
      console.log(JSON.stringify({ files, same: whole.parse === parse }));`;
    const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    const { files, same } = JSON.parse(out) as { files: string[]; same: boolean };
    expect(same).toBe(true);
    expect(files.filter((one) => /\/graphql\/(type|execution|validation|utilities)\//.test(one))).toEqual([]);
    expect(files.length).toBeLessThan(25);
  });

  it.each([
    ["query", "{ a }", undefined, "query", undefined],
    ["query", "query Q { a }", undefined, "query", "Q"],
    ["query by name", "query Q { a }", "Q", "query", "Q"],
    ["mutation", "mutation { a { b } }", undefined, "mutation", undefined],
    ["subscription", "subscription S { a }", undefined, "subscription", "S"],
    ["of several", "query A { a } mutation B { b } fragment F on T { c }", "B", "mutation", "B"],
    ["after fragments", "fragment F on T { c } query A { ...F }", undefined, "query", "A"],
  ])("reads a %s", (_, text, operationName, kind, name) => {
    expect(documents.read(text, operationName)).toMatchObject({ kind, name });
  });

  it.each([
    ["an unknown name", "query A { a }", "B"],
    ["several and no name", "query A { a } query B { b }", undefined],
    ["an empty name", "{ a }", ""],
    ["no operation", "fragment F on T { a }", undefined],
    ["types", "type Query { a: Int }", undefined],
    ["an empty text", "", undefined],
    ["a broken text", "{ a ", undefined],
    ["a lone surrogate", "{ a \uD800 }", undefined],
  ])("reads nothing of %s", (_, text, operationName) => {
    expect(documents.read(text, operationName)).toBeUndefined();
    expect(documents.read(text, operationName)).toBeUndefined();
  });

  it("gives the same operation for the same text and name", () => {
    const text = "query A { a } query B { b }";
    expect(readOne(text, "A")).toBe(readOne(text, "A"));
    expect(readOne(text, "A")).not.toBe(readOne(text, "B"));
    expect(readOne("query Same { a }")).toBe(readOne("query Same { a }", "Same"));
  });

  it.each([
    ["objects", (n: number) => "{a".repeat(n) + "}".repeat(n)],
    ["inline fragments", (n: number) => "{...{a".repeat(n) + "}}".repeat(n)],
    ["lists", (n: number) => `{a(b:${"[".repeat(n)}${"]".repeat(n)})}`],
    ["types", (n: number) => `query($a:${"[".repeat(n)}A${"]".repeat(n)}){a}`],
  ])("survives %s nested deeply", (_, text) => {
    for (const depth of [500, 1_500, 2_500, 20_000]) documents.read(text(depth), undefined)?.estimate({});
    expect(documents.read(text(20_000), undefined)).toBeUndefined();
  });

  it("turns down documents of too many parts without going on", () => {
    expect(documents.read(`{${"a ".repeat(150_000)}}`, undefined)).toBeDefined();
    expect(documents.read(`{${"a ".repeat(250_000)}}`, undefined)).toBeUndefined();
  });

  it(
    "never throws, whatever the text, the name and the variables",
    () => {
      const piece = fc.constantFrom(
        ...'{ } ( ) [ ] : ! $ @ & | = ... # " """ \\ \n \r , a first last ids rateLimit'.split(" "),
        ..."query mutation fragment on F T $n true null 1 -1 1e9 @skip(if:$n) @include(if:true)".split(" "),
        "...F",
        "fragment F on T {a}",
        "\u{1F600}",
        "\uD800",
        "\0",
      );
      const text = fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(" ")),
        fc
          .tuple(arbitraryQuery(), fc.nat(2_000), fc.nat(30), piece)
          .map(([{ query }, at, count, instead]) => query.slice(0, at) + instead + query.slice(at + count)),
      );
      fc.assert(
        fc.property(text, fc.option(fc.string(), { nil: undefined }), fc.object(), (query, name, variables) => {
          const operation = documents.read(query, name);
          if (operation === undefined) return;
          expect(operation.costKey(variables)).toMatch(/^[0-9a-f]{32}$/);
          const { units, requests, nodes } = operation.estimate(variables);
          for (const one of [units, requests, nodes]) expect(Number.isSafeInteger(one) && one >= 0).toBe(true);
          expect(typeof operation.isDryRun(variables)).toBe("boolean");
        }),
        { numRuns: 3_000 },
      );
    },
    PATIENCE_MS,
  );
});
