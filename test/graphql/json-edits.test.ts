import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cuts, edited } from "../../src/graphql/json-edits.js";
import { elementsOf, membersOf } from "../../src/graphql/json-text.js";
import { anyStyle, anyTree, written } from "./any-json.js";

const anyItems = fc.array(fc.tuple(anyTree(["a", "b"]), fc.boolean()), { maxLength: 6 });

describe("cutting out of a JSON text", () => {
  it("leaves an array as if what was cut had never been in it, in any style", () => {
    fc.assert(
      fc.property(anyItems, anyStyle, (items, style) => {
        const text = written({ elements: items.map(([tree]) => tree) }, style);
        const expected = written({ elements: items.filter(([, isCut]) => !isCut).map(([tree]) => tree) }, style);
        const array = elementsOf(text, 0);
        if (array === undefined) throw new Error(text);
        expect(
          edited(
            text,
            cuts(array, (item) => items[array.items.indexOf(item)]?.[1] === true),
          ),
        ).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("leaves an object as if what was cut had never been in it, in any style", () => {
    fc.assert(
      fc.property(anyItems, anyStyle, (items, style) => {
        const members = items.map(([tree, isCut], index) => [`"${index}${isCut ? "-" : "+"}"`, tree] as const);
        const text = written({ members }, style);
        const expected = written({ members: members.filter(([key]) => key.endsWith('+"')) }, style);
        const object = membersOf(text, 0);
        if (object === undefined) throw new Error(text);
        expect(
          edited(
            text,
            cuts(object, ({ key }) => key.endsWith("-")),
          ),
        ).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe("cutting nothing", () => {
  it("leaves an empty list as it is written", () => {
    const array = elementsOf("[ ]", 0);
    expect(array && cuts(array, () => true)).toEqual([]);
  });
});

describe("editing a text", () => {
  it("replaces each piece by its own text, in whatever order they come", () => {
    const edits = [
      { start: 4, end: 5, text: "" },
      { start: 0, end: 1, text: "longer" },
      { start: 2, end: 2, text: "-" },
    ];
    expect(edited("abcde", edits)).toBe("longerb-cd");
  });

  it("gives the text back where there is nothing to edit", () => {
    expect(edited("as it is", [])).toBe("as it is");
  });
});
