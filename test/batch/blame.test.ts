import { describe, expect, it } from "vitest";
import { blame } from "../../src/batch/blame.js";
import type { Composed } from "../../src/batch/compose.js";

/** Two items, in lines 2 and 3. */
const composed: Composed = {
  document: "",
  variables: {},
  count: 2,
  itemInLine: (line) => (line === 2 || line === 3 ? line - 2 : undefined),
};

describe("blame", () => {
  it.each([
    ["GitHub's path", { path: ["query", "i1", "foo"] }, 1, ["foo"]],
    ["GitHub's path in an operation with a name", { path: ["query Mine", "i0"] }, 0, []],
    ["the path of a null that took the whole answer along", { path: ["i1", "owner", 0] }, 1, ["owner", 0]],
    ["the line, where there is no path", { locations: [{ line: 3, column: 9 }] }, 1, undefined],
    [
      "the line, where the path is of something else",
      { path: ["fragment F", "id"], locations: [{ line: 2 }] },
      0,
      undefined,
    ],
  ])("finds the item by %s", (_what, where, index, path) => {
    const entry = { message: "no", ...(path === undefined ? {} : { path }) };
    expect([...blame([{ message: "no", ...where }], composed)]).toEqual([[index, [entry]]]);
  });

  it.each([
    ["nothing that says where", {}],
    ["a path of the operation alone", { path: ["query"] }],
    ["a path of a fragment", { path: ["fragment F", "i0"] }],
    ["an item that there is not", { path: ["query", "i2"] }],
    ["a line of no item", { locations: [{ line: 1 }] }],
    ["nonsense", { path: "i0", locations: [null, 3, { line: "2" }] }],
  ])("blames nobody for %s", (_what, where) => {
    expect(blame([{ message: "no", ...where }], composed).size).toBe(0);
  });

  it("collects several errors of an item, and one of several", () => {
    const both = { message: "both", locations: [{ line: 2 }, { line: 3 }, { line: 2 }] };
    const blamed = blame([both, { message: "more", path: ["query", "i1"] }], composed);
    expect([...blamed].map(([index, errors]) => [index, errors.map(({ message }) => message)])).toEqual([
      [0, ["both"]],
      [1, ["both", "more"]],
    ]);
  });
});
