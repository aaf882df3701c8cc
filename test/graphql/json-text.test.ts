import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endOfValue } from "../../src/graphql/json-ends.js";
import { elementsOf, memberNamed, membersOf, parsed, type Span } from "../../src/graphql/json-text.js";
import { anyStyle, anyTree, type JsonTree, written } from "./any-json.js";

const anyJson = fc.tuple(anyTree(["a", "b"]), anyStyle);
const part = (text: string, { start, end }: Span): string => text.slice(start, end);

/** Goes down to every literal by the spans alone. */
function writtenAgain(text: string, at: number): JsonTree | undefined {
  const object = membersOf(text, at);
  if (object !== undefined)
    return { members: object.items.map(({ key, value }) => [`"${key}"`, writtenAgain(text, value.start) ?? "?"]) };
  const array = elementsOf(text, at);
  if (array !== undefined) return { elements: array.items.map(({ start }) => writtenAgain(text, start) ?? "?") };
  const end = endOfValue(text, at);
  return end === undefined ? undefined : text.slice(at, end);
}

describe("the pieces of a JSON text", () => {
  it("are found wherever they stand and however they are written", () => {
    fc.assert(
      fc.property(anyJson, fc.string(), fc.string(), ([tree, style], before, after) => {
        const json = written(tree, style);
        // What follows is not its business, but a number has no end of its own.
        const text = `${before}${json},${after}`;
        expect(endOfValue(text, before.length)).toBe(before.length + json.length);
        expect(writtenAgain(text, before.length)).toEqual(tree);
      }),
      { numRuns: 1000 },
    );
  });

  it("span keys, values and brackets", () => {
    const text = ' { "a" : 1.0 , "b\\"" : [ true , "]" ] } ';
    const object = membersOf(text, 1);
    expect(object && part(text, object)).toBe(text.trim());
    expect(object?.items.map((one) => [one.key, part(text, one.value), part(text, one)])).toEqual([
      ["a", "1.0", '"a" : 1.0'],
      ['b\\"', '[ true , "]" ]', '"b\\"" : [ true , "]" ]'],
    ]);
    const array = elementsOf(text, object?.items[1]?.value.start ?? 0);
    expect(array?.items.map((one) => part(text, one))).toEqual(["true", '"]"']);
  });

  it.each([
    ["an end", ['{"a":1', '{"a":', '{"a"', "{", "[", '["a', "[1,", '"a', '"a\\"', '"\\\\\\"', '{"a":[1}', "[[1]"]],
    ["a bracket of its own kind", ["{]", "[}", '{"a":1]', "[1}", '{"a":[1}}', '[{"a":1]]']],
    ["what goes between", ["[1 2]", "[,1]", "[1,]", "[1,,2]", '{"a" 1}', '{"a":1 "b":2}', '{"a":1,}', "{,}", "{1:2}"]],
    ["a value", ["", " ", ",", ":", "]", "}", '{"a":}', '{"a":,"b":1}']],
  ])("are not found where %s is missing", (_, texts) => {
    for (const text of texts) {
      expect([text, membersOf(text, 0), elementsOf(text, 0)]).toEqual([text, undefined, undefined]);
      const end = endOfValue(text, 0);
      expect(end === undefined || !isJson(text.slice(0, end))).toBe(true);
    }
  });

  it("are not found in a text that breaks off", () => {
    fc.assert(
      fc.property(anyJson, fc.nat(), ([tree, style], cut) => {
        const json = written({ elements: [tree] }, style);
        expect(endOfValue(json.slice(0, cut % json.length), 0)).toBeUndefined();
        expect(elementsOf(json.slice(0, cut % json.length), 0)).toBeUndefined();
      }),
    );
  });

  it("are looked for without an error in any text, at any place", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(...'{}[]":,\\ 1n') }));
    fc.assert(
      fc.property(text, fc.integer({ min: -5, max: 200 }), (any, at) => {
        for (const read of [membersOf, elementsOf]) {
          const list = read(any, at);
          expect(list === undefined || (list.start === at && list.end <= any.length)).toBe(true);
        }
        expect(endOfValue(any, at) ?? any.length).toBeLessThanOrEqual(any.length);
      }),
      { numRuns: 2000 },
    );
  });

  it("may be nested as deeply as a text is long", () => {
    const depth = 200_000;
    const text = `{"a":${"[".repeat(depth)}${"]".repeat(depth)},"b":1}`;
    expect(membersOf(text, 0)?.items.map(({ key }) => key)).toEqual(["a", "b"]);
    expect(endOfValue("[".repeat(depth), 0)).toBeUndefined();
  });

  it("take no longer to find for many quotes and backslashes than their number", () => {
    const text = `["${'\\"'.repeat(500_000)}","${"\\".repeat(1_000_000)}"]`;
    expect(elementsOf(text, 0)?.items).toHaveLength(2);
  });
});

describe("one member of an object", () => {
  it("is found without reading what comes behind it", () => {
    const found = memberNamed('{"a":[1],"b":2,broken', 0, "a");
    expect(found).toEqual({ start: 1, end: 8, key: "a", value: { start: 5, end: 8 } });
  });

  it("is the first of its key", () => {
    expect(memberNamed('{"a":1,"a":2}', 0, "a")?.value).toEqual({ start: 5, end: 6 });
  });

  it("is found only in the object itself, by the whole key", () => {
    expect(memberNamed('{"x":{"a":1},"aa":2}', 0, "a")).toBeUndefined();
    expect(memberNamed('["a"]', 0, "a")).toBeUndefined();
  });
});

describe("a piece's value", () => {
  it("is what JSON says, or none", () => {
    expect(parsed('{"a":[1]}', { start: 5, end: 8 })).toEqual([1]);
    expect(parsed("{nope}", { start: 1, end: 5 })).toBeUndefined();
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
