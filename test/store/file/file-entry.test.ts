import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatEntry, parseEntry, parseHead } from "../../../src/store/file/file-entry.js";

describe("a file's content", () => {
  it("is indented JSON with the key first", () => {
    const entry = { key: "squad-rate:pool", expiresAt: 5, text: '{"value":{"limit":5000},"expires":5}' };

    expect(formatEntry(entry)).toBe(`{
  "key": "squad-rate:pool",
  "expires": 5,
  "value": {
    "limit": 5000
  }
}
`);
  });

  it("gives every text back to the letter, Keyv's or anybody's", () => {
    const keyv = fc
      .record({ value: fc.jsonValue(), expires: fc.nat() }, { requiredKeys: [] })
      .map((stored) => JSON.stringify(stored));
    const foreign = fc.oneof(
      fc.string(),
      fc.constantFrom('{"value":9223372036854775807}', '{"value":1.0}', "null", "[]"),
    );
    fc.assert(
      fc.property(
        fc.string(),
        fc.oneof(keyv, foreign),
        fc.option(fc.nat(), { nil: undefined }),
        (key, text, expiresAt) => {
          const entry = { key, expiresAt, text };
          const content = formatEntry(entry);
          expect(parseEntry(content)).toEqual(entry);
          expect(parseHead(content.slice(0, 4_096))).toEqual({ key, expiresAt });
        },
      ),
    );
  });

  it("is not taken for an entry when it is torn anywhere", () => {
    const content = formatEntry({ key: "k", expiresAt: 5, text: '{"value":{"a":[1,"}"]},"expires":5}' });
    for (let length = 0; length < content.trimEnd().length; length++) {
      expect(parseEntry(content.slice(0, length))).toBeUndefined();
    }
  });

  it.each(["null", "[]", '{"key":5}', '{"key":"k","expires":"soon"}', '{"key":"k","text":5}'])(
    "is not taken for an entry when it is %s",
    (content) => {
      expect(parseEntry(content)).toBeUndefined();
    },
  );
});
