import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cacheKey } from "../../src/cache/key.js";

const base = {
  url: "https://api.github.com/repos/o/r/issues?state=open&page=2",
  accept: "application/vnd.github.v3+json",
  apiVersion: "",
  requestedWith: "",
  userAgent: "octokit-core.js/7",
};
const keyOf = (url: string): string => cacheKey({ ...base, url });
const repo = "https://api.github.com/r";

describe("cacheKey", () => {
  it.each([
    ["the order of parameters", keyOf(`${repo}?a=1&b=2`), keyOf(`${repo}?b=2&a=1`)],
    ["a fragment", keyOf(`${repo}?a=1#top`), keyOf(`${repo}?a=1`)],
    ["which of two compact agents asks", cacheKey({ ...base, userAgent: "probot" }), cacheKey(base)],
    [
      "which of two pretty agents asks",
      cacheKey({ ...base, userAgent: "curl/8" }),
      cacheKey({ ...base, userAgent: "Wget" }),
    ],
  ])("does not depend on %s", (_what, a, b) => {
    expect(a).toBe(b);
  });

  it.each([
    ["the order of equal names", keyOf(`${repo}?a=1&a=2`), keyOf(`${repo}?a=2&a=1`)],
    ["the path", keyOf(`${repo}?a=1`), keyOf(`${repo}s?a=1`)],
    ["a value", keyOf(`${repo}?a=1`), keyOf(`${repo}?a=2`)],
    ["whether a parameter has a value", keyOf(`${repo}?a=&b`), keyOf(`${repo}?a&b`)],
    ["the host", keyOf(`${repo}?a=1`), keyOf("https://ghe.example/r?a=1")],
    ["Accept", cacheKey({ ...base, accept: "application/vnd.github.raw" }), cacheKey(base)],
    ["the API version", cacheKey({ ...base, apiVersion: "2022-11-28" }), cacheKey(base)],
    ["X-Requested-With", cacheKey({ ...base, requestedWith: "XMLHttpRequest" }), cacheKey(base)],
    ["pretty printing", cacheKey({ ...base, userAgent: "Mozilla/5.0 Firefox/130" }), cacheKey(base)],
  ])("depends on %s", (_what, a, b) => {
    expect(a).not.toBe(b);
  });

  it("is the same for every order of distinct names, and different for different parameters", () => {
    const parameters = fc.uniqueArray(
      fc.tuple(fc.stringMatching(/^[a-z_]{1,8}$/), fc.stringMatching(/^[\w%+-]{0,6}$/)),
      {
        selector: ([name]) => name,
        minLength: 1,
        maxLength: 6,
      },
    );
    const urlOf = (pairs: readonly (readonly [string, string])[]): string =>
      `${repo}?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}`;
    fc.assert(
      fc.property(
        parameters.chain((pairs) =>
          fc.tuple(fc.constant(pairs), fc.shuffledSubarray(pairs, { minLength: pairs.length })),
        ),
        parameters,
        ([pairs, shuffled], others) => {
          expect(keyOf(urlOf(shuffled))).toBe(keyOf(urlOf(pairs)));
          const same = [...pairs].sort().join("&") === [...others].sort().join("&");
          expect(keyOf(urlOf(others)) === keyOf(urlOf(pairs))).toBe(same);
        },
      ),
    );
  });
});
