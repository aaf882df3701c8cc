import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSquadRateError } from "../../src/errors.js";
import { decodeDocument, encodeDocument, nextRevision } from "../../src/store/document.js";

const NOW = Date.UTC(2030, 0, 1);

describe("decodeDocument", () => {
  it("reads what encodeDocument wrote", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 1, max: 2 ** 40 }),
        (fields, revision) => {
          const document = { ...(JSON.parse(JSON.stringify(fields)) as object), revision };
          expect(decodeDocument("k", encodeDocument(document, NOW + 1), NOW)).toEqual({ document, revision });
        },
      ),
    );
  });

  it("takes an expired document for an absent one, and goes on counting from it", () => {
    const text = encodeDocument({ revision: 7 }, NOW);

    expect(decodeDocument("k", text, NOW)).toEqual({ document: undefined, revision: 7 });
  });

  it("rejects whatever is cut off or overwritten anywhere, or reads it as another valid document", () => {
    const text = encodeDocument({ total: 5_000, by: { picard: 1 }, revision: 3 }, NOW + 1);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ minLength: 0, maxLength: 3 }), (at, other) => {
        const torn = text.slice(0, at) + other;
        try {
          decodeDocument("k", torn, NOW);
        } catch (error) {
          expect(isSquadRateError(error) && error.code).toBe("SQUAD_RATE_STORE");
          return;
        }
        // Nothing that begins as a document does and ends early is one.
        expect(JSON.parse(torn)).toHaveProperty("value.revision");
      }),
    );
  });

  it.each([
    ["null", "null"],
    ["a number", "5"],
    ["no value", "{}"],
    ["a text for value", '{"value":"hello"}'],
    ["a fractional revision", '{"value":{"revision":1.5}}'],
    ["an expiry that is no number", '{"value":{"revision":1},"expires":"soon"}'],
    ["megabytes", JSON.stringify({ value: { revision: 1, filler: "x".repeat(5_000_000) } })],
  ])("rejects %s, and quotes none of it", (_what, text) => {
    expect(() => decodeDocument("k", text, NOW)).toThrowError(/^The document k in the store is unreadable: .{5,60}\.$/);
  });
});

describe("nextRevision", () => {
  it("is one more than the current one, whatever a change returns besides a higher revision", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.oneof(fc.anything(), fc.integer(), fc.double(), fc.constant(2 ** 52 + 1)),
        (current, returned) => {
          fc.pre(!(Number.isInteger(returned) && (returned as number) > current && (returned as number) <= 2 ** 52));
          expect(nextRevision("k", current, returned)).toBe(current + 1);
        },
      ),
    );
  });

  it("is the higher one that a change returns, and one that can be read again", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 2 ** 52 }), (current, returned) => {
        fc.pre(returned > current);
        const revision = nextRevision("k", current, returned);
        expect(revision).toBe(returned);
        expect(decodeDocument("k", encodeDocument({ revision }, undefined), NOW).revision).toBe(revision);
      }),
    );
  });
});
