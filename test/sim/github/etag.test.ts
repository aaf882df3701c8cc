import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { githubETag, matchesETag } from "../../../src/sim/github/etag.js";

const NOTHING = { accept: undefined, authorization: undefined, cookie: undefined };

describe("githubETag", () => {
  it("agrees with the published vector of an empty list without headers", () => {
    expect(githubETag(NOTHING, "[]")).toBe("4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945");
  });

  it("puts present headers, each with a colon, before the body", () => {
    const expected = createHash("sha256").update("application/json:token t:a=b:{}").digest("hex");
    expect(githubETag({ accept: "application/json", authorization: "token t", cookie: "a=b" }, "{}")).toBe(expected);
    expect(githubETag({ ...NOTHING, accept: "*/*" }, "x")).toBe(createHash("sha256").update("*/*:x").digest("hex"));
  });
});

describe("matchesETag", () => {
  it.each([
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", W/"abc" , "y"', true],
    ["*", true],
    ["abc", false],
    ['"ab"', false],
    ['"abc', false],
  ])("compares %s weakly, quotes required", (header, matches) => {
    expect(matchesETag(header, "abc")).toBe(matches);
  });
});
