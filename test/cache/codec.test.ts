import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeEntry, encodeEntry, mayUseStore } from "../../src/cache/codec.js";
import { KEPT_HEADERS, Variant } from "../../src/cache/variant.js";

const url = "https://api.github.com/repos/o/r/issues";
const json = "application/json; charset=utf-8";
const headersOf = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  "content-type": json,
  ...more,
});
const variantOf = (body: string, headers = headersOf(), verified = true): Variant =>
  new Variant({ body, bytes: body.length, headers: new Map(Object.entries(headers)), verified, fromStore: false }, url);
const entry = { v: 1, body: '{"a":1}', headers: headersOf() };

describe("encodeEntry", () => {
  it("stores a version, the body and the headers, and nothing else", () => {
    expect(encodeEntry(variantOf('{"a":1}'), url)).toEqual(entry);
  });

  it.each([
    ["an unverified body", variantOf("{}", headersOf(), false)],
    ["another content type", variantOf("{}", { "content-type": "application/json" })],
    ["text that is not JSON", variantOf("hello")],
    [
      "a link that could not be believed later",
      variantOf("[]", headersOf({ link: '<https://x.example/>; rel="next"' })),
    ],
  ])("does not store %s", (_what, variant) => {
    expect(encodeEntry(variant, url)).toBeUndefined();
  });
});

describe("decodeEntry", () => {
  it("gives back what was stored, as verified, and as from the store", () => {
    const link = `<${url}?page=2>; rel="next", <${url}?page=3>; rel="last"`;
    const stored = encodeEntry(variantOf("[1]", headersOf({ link, "last-modified": "yesterday" })), url);
    const variant = decodeEntry(JSON.parse(JSON.stringify(stored)), url, 100);
    expect(variant).toMatchObject({ body: "[1]", bytes: 3, verified: true, fromStore: true });
    expect(Object.fromEntries(variant?.headers ?? [])).toEqual(headersOf({ link, "last-modified": "yesterday" }));
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", JSON.stringify(entry)],
    ["a list", [entry]],
    ["no version", { ...entry, v: undefined }],
    ["a later version", { ...entry, v: 2 }],
    ["a version as text", { ...entry, v: "1" }],
    ["no body", { v: 1, headers: headersOf() }],
    ["a body that is no text", { ...entry, body: { a: 1 } }],
    ["a body that is no JSON document", { ...entry, body: "<html>" }],
    ["an empty body", { ...entry, body: "" }],
    ["a body beyond the bound", { ...entry, body: `[${"1".repeat(100)}]` }],
    ["a body beyond the bound in bytes alone", { ...entry, body: `["${"é".repeat(49)}"]` }],
    ["no headers", { v: 1, body: "{}" }],
    ["headers in a list", { ...entry, headers: [["content-type", json]] }],
    ["no content type", { ...entry, headers: {} }],
    ["another content type", { ...entry, headers: { "content-type": "text/html" } }],
    ["an etag", { ...entry, headers: headersOf({ etag: '"a"' }) }],
    ["a cookie", { ...entry, headers: headersOf({ "set-cookie": "a=b" }) }],
    ["a header that is no text", { ...entry, headers: { ...headersOf(), "last-modified": 1 } }],
    ["a header with a line break", { ...entry, headers: headersOf({ "last-modified": "a\r\nset-cookie: b" }) }],
    ["a huge header", { ...entry, headers: headersOf({ "last-modified": "x".repeat(4_001) }) }],
    ["an upper-case header", { ...entry, headers: headersOf({ Link: "" }) }],
    ["a prototype as a header", { ...entry, headers: { ...headersOf(), __proto__: { link: "x" }, constructor: "x" } }],
    ["a Vary that forbids it", { ...entry, headers: headersOf({ vary: "*" }) }],
    ["no-store", { ...entry, headers: headersOf({ "cache-control": "no-store" }) }],
    ["a link to elsewhere", { ...entry, headers: headersOf({ link: '<https://x.example/?page=2>; rel="next"' }) }],
  ])("refuses %s", (_what, value) => {
    expect(decodeEntry(value, url, 100)).toBeUndefined();
  });

  it("takes anything without throwing, and lets nothing through that could not be an honest entry", () => {
    const almost = fc.record(
      {
        v: fc.oneof(fc.constant(1), fc.anything()),
        body: fc.oneof(fc.constantFrom("{}", "[]", "[1]", "x"), fc.anything()),
        headers: fc.oneof(
          fc.dictionary(
            fc.oneof(fc.constantFrom(...KEPT_HEADERS, "etag"), fc.string()),
            fc.oneof(fc.string(), fc.anything()),
          ),
          fc.constant(headersOf()),
          fc.anything(),
        ),
        more: fc.anything(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything({ withNullPrototype: true, withBigInt: true }), almost), (value) => {
        const variant = decodeEntry(value, url, 100);
        if (variant === undefined) return;
        expect(variant.headers.get("content-type")).toBe(json);
        for (const name of variant.headers.keys()) expect(KEPT_HEADERS).toContain(name);
        expect(variant.bytes).toBeLessThanOrEqual(100);
        expect(() => new Headers([...variant.headers])).not.toThrow();
        variant.mayHaveGrown();
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("mayUseStore", () => {
  it.each(["*/*", "", "application/json", "application/vnd.github+json", "application/vnd.github.v3+json"])(
    "takes %j",
    (accept) => {
      expect(mayUseStore(accept)).toBe(true);
    },
  );

  it.each(["application/vnd.github.raw+json", "application/vnd.github.v3.diff", "text/html", "*/*, text/html"])(
    "leaves %j alone",
    (accept) => {
      expect(mayUseStore(accept)).toBe(false);
    },
  );
});
