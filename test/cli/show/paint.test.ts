import { describe, expect, it } from "vitest";
import { paintFor } from "../../../src/cli/show/paint.js";
import { fakeContext } from "../fake-context.js";

function isColoured(isTerminal: boolean, env: Record<string, string>, flag?: boolean): boolean {
  return paintFor(fakeContext({ isTerminal }).out, env, flag).red("x") !== "x";
}

describe("colour", () => {
  it.each([
    [true, {}, undefined, true],
    [false, {}, undefined, false],
    [true, { NO_COLOR: "1" }, undefined, false],
    [true, { NO_COLOR: "" }, undefined, true],
    [true, { TERM: "dumb" }, undefined, false],
    [false, { FORCE_COLOR: "1" }, undefined, true],
    [true, { FORCE_COLOR: "0" }, undefined, false],
    [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, undefined, false],
    [true, {}, false, false],
    [false, { NO_COLOR: "1" }, true, true],
  ])("on a terminal %s with %j and the flag %s: %s", (isTerminal, env, flag, expected) => {
    expect(isColoured(isTerminal, env as Record<string, string>, flag)).toBe(expected);
  });

  it("ends where it began, so that styles can be put into each other", () => {
    const paint = paintFor(fakeContext().out, {}, true);
    expect(paint.bold(`a${paint.red("b")}c`)).toBe("\u001b[1ma\u001b[31mb\u001b[39mc\u001b[22m");
    expect(paint.red("")).toBe("");
  });
});
