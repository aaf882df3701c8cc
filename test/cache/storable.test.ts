import { describe, expect, it } from "vitest";
import { isStorable } from "../../src/cache/storable.js";

const usual = { etag: '"a"', "content-type": "application/json; charset=utf-8", vary: "Accept, Authorization, Cookie" };
const storable = (more: Readonly<Record<string, string>>, status = 200): boolean =>
  isStorable(status, new Headers({ ...usual, ...more }));

describe("isStorable", () => {
  it.each([
    ["GitHub's usual answer", {}],
    ["text", { "content-type": "text/plain; charset=utf-8" }],
    ["a raw file", { "content-type": "application/vnd.github.raw; charset=utf-8" }],
    ["an older media type", { "content-type": "application/vnd.github.v3+json" }],
    ["SCIM", { "content-type": "application/scim+json" }],
    ["a weak tag", { etag: 'W/"a"' }],
    ["a charset in quotes", { "content-type": 'application/json; charset="UTF-8"' }],
    ["private and max-age", { "cache-control": "private, max-age=60, s-maxage=60" }],
    ["a covered Vary in any spelling", { vary: "accept,AUTHORIZATION , x-github-otp, Accept-Encoding" }],
  ])("keeps %s", (_what, more) => {
    expect(storable(more)).toBe(true);
  });

  it.each([
    ["an empty tag header", { etag: "" }],
    ["a tag without quotes", { etag: "a" }],
    ["binary", { "content-type": "application/octet-stream" }],
    ["an archive", { "content-type": "application/zip" }],
    ["another charset", { "content-type": "text/plain; charset=iso-8859-1" }],
    ["a type that only ends like JSON", { "content-type": "application/notjson" }],
    ["no-store", { "cache-control": "private, no-store" }],
    ["a part", { "content-range": "bytes 0-1/2" }],
    ["Vary: *", { vary: "*" }],
    ["a Vary that the key does not cover", { vary: "Accept, Accept-Language" }],
  ])("does not keep %s", (_what, more) => {
    expect(storable(more)).toBe(false);
  });

  it.each([201, 202, 203, 204, 206, 301, 304, 404, 500])("does not keep status %i", (status) => {
    expect(storable({}, status)).toBe(false);
  });

  it("does not keep an answer without a tag or a type", () => {
    expect(isStorable(200, new Headers({ etag: '"a"' }))).toBe(false);
    expect(isStorable(200, new Headers({ "content-type": "application/json" }))).toBe(false);
  });
});
