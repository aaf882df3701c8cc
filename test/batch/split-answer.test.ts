import { describe, expect, it } from "vitest";
import { GraphqlItemError } from "../../src/batch/item-error.js";
import { splitAnswer } from "../../src/batch/split-answer.js";

const error = (message: string, path?: readonly unknown[], more: object = {}) => ({
  ...(path === undefined ? {} : { path }),
  locations: [{ line: 2, column: 3 }],
  message,
  ...more,
});

describe("splitAnswer", () => {
  it("gives each item its own value and errors, with paths as they are in the value", () => {
    const errors = [
      error("gone", ["i1"], { type: "NOT_FOUND" }),
      error("secret", ["i0", "nodes", 3, "name"], { extensions: { code: "x" } }),
    ];
    expect(splitAnswer({ i0: { id: 1 }, i1: null, i2: [] }, errors, 3)).toEqual([
      { value: { id: 1 }, errors: [{ path: ["nodes", 3, "name"], message: "secret", extensions: { code: "x" } }] },
      { value: null, errors: [{ path: [], type: "NOT_FOUND", message: "gone" }] },
      { value: [], errors: [] },
    ]);
  });

  it("explains with an error that has no path the items that have neither value nor error", () => {
    const answers = splitAnswer({ i0: 1, i1: null, i2: null }, [error("why", ["i2"]), error("lost")], 3);
    expect(answers.map(({ errors }) => errors.map(({ message }) => message))).toEqual([[], ["lost"], ["why"]]);
  });

  it("tells everybody of an error that explains nobody's lack", () => {
    const answers = splitAnswer({ i0: 1, i1: null }, [error("why", ["i1"]), error("odd", ["viewer"])], 2);
    expect(answers.map(({ errors }) => errors.map(({ message }) => message))).toEqual([["odd"], ["why", "odd"]]);
  });

  it("tells what is left out from what is null", () => {
    const values = splitAnswer({ i1: null, constructor: 1 }, undefined, 2).map(({ value }) => value);
    expect(values).toEqual([undefined, null]);
  });

  it("bears whatever stands in the place of errors", () => {
    const odd = [
      null,
      7,
      "text",
      {},
      { message: 5, path: "i0", type: 3 },
      { message: "far", path: ["i7", 0] },
      { path: [] },
    ];
    const [answer] = splitAnswer({ i0: null }, odd, 1);
    expect(answer?.errors.map(({ message }) => message)).toEqual([
      "GitHub gives no reason.",
      "GitHub gives no reason.",
      "far",
      "GitHub gives no reason.",
    ]);
    expect(splitAnswer({ i0: 1 }, "errors", 1)).toEqual([{ value: 1, errors: [] }]);
  });
});

describe("GraphqlItemError", () => {
  it("says each reason once, and the first kind", () => {
    const made = new GraphqlItemError([
      { message: "a" },
      { message: "b", type: "FORBIDDEN" },
      { message: "a", type: "X" },
    ]);
    expect([made.message, made.type, made.name]).toEqual(["a; b", "FORBIDDEN", "GraphqlItemError"]);
  });
});
