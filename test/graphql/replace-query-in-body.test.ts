import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replaceQueryInBody } from "../../src/graphql/replace-query-in-body.js";
import { anyStyle, anyTree, type JsonEntry, written } from "./any-json.js";

const QUERY = 'query($n: Int) {\n  a(title: "{ q }", n: $n)\n}';
const DOCUMENT = 'query($n: Int) {\n  a(title: "{ q }", n: $n) cost: rateLimit { cost }}';

describe("replacing the query in a request body", () => {
  it("changes the query and not one other byte, whatever else is in the body and however it is written", () => {
    const anyMembers = fc.array(fc.tuple(fc.constantFrom("variables", "operationName", "q", ""), anyTree(["query"])), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(
        anyMembers,
        fc.nat(4),
        anyStyle,
        fc.string(),
        fc.string(),
        (others, place, style, query, document) => {
          const body = (text: string): string => {
            const members: JsonEntry[] = others.map(([key, tree]) => [JSON.stringify(key), tree]);
            members.splice(place, 0, ['"query"', JSON.stringify(text)]);
            return `${style.newline}${written({ members }, style)}${style.newline}`;
          };
          expect(replaceQueryInBody(body(query), query, document)).toBe(body(document));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("leaves numbers alone that JavaScript cannot hold", () => {
    const body = (query: string) => `{"variables":{"n":12345678901234567890,"x":1.0},"query":${JSON.stringify(query)}}`;
    expect(replaceQueryInBody(body(QUERY), QUERY, DOCUMENT)).toBe(body(DOCUMENT));
  });

  it("knows the query however its characters are escaped", () => {
    expect(replaceQueryInBody('{"query":"\\u007ba\\u007d"}', "{a}", "{a b}")).toBe('{"query":"{a b}"}');
    expect(replaceQueryInBody('{"qu\\u0065ry":"{a}"}', "{a}", "{a b}")).toBe('{"qu\\u0065ry":"{a b}"}');
  });

  it.each([
    ["is no object", ["", "null", "[]", '"{a}"', '[{"query":"{a}"}]', "{a}"]],
    [
      "is broken",
      ['{"query":"{a}"', '{"query":"{a}"}}', '{"query":"{a}",}', '{"query":"{a}"} x', '\uFEFF{"query":"{a}"}'],
    ],
    ["has no query at its top", ["{}", '{"variables":{"query":"{a}"}}', '{"Query":"{a}"}', '{"a":"query"}']],
    ["has several", ['{"query":"{a}","query":"{a}"}', '{"query":"{a}","x":1,"qu\\u0065ry":"{b}"}']],
    [
      "has another query",
      ['{"query":"{b}"}', '{"query":null}', '{"query":["{a}"]}', '{"query":"{a} "}', '{"query":{}}'],
    ],
  ])("lets a body be that %s", (_, bodies) => {
    for (const body of bodies) expect([body, replaceQueryInBody(body, "{a}", "{a b}")]).toEqual([body, undefined]);
  });

  it("throws at no text", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(...'{}[]":,\\ query') }));
    fc.assert(fc.property(text, (body) => void replaceQueryInBody(body, "query", "{a}")));
  });
});
