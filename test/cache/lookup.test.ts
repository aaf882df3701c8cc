import { describe, expect, it } from "vitest";
import { pathOf } from "../../src/cache/lookup.js";

describe("pathOf", () => {
  it.each([
    ["https://api.github.com/user", "/user"],
    ["https://api.github.com/user?a=/b", "/user"],
    ["https://api.github.com/user#/b", "/user"],
    ["https://api.github.com", "/"],
    ["https://ghe.example:8443/api/v3/user", "/api/v3/user"],
    ["https://api.github.com/", "/"],
  ])("of %s is %s", (url, path) => {
    expect(pathOf(url)).toBe(path);
  });
});
