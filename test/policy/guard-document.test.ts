import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GuardDocument, MAX_VALUE_CHARACTERS, parseGuardDocument } from "../../src/policy/guard-document.js";

const DOC: GuardDocument = {
  kind: "guard",
  version: 1,
  value: { text: '{"a":1}', signature: "0".repeat(64), producedAt: Date.UTC(2030, 0, 1) },
  producer: { id: "0123456789ab", until: Date.UTC(2030, 0, 1) },
};

describe("parseGuardDocument", () => {
  it("reads what was written, and tolerates what a later minor version adds", () => {
    const stored = JSON.parse(JSON.stringify({ ...DOC, revision: 3, later: true }));
    expect(parseGuardDocument(stored)).toEqual({ kind: "ok", doc: DOC });
    const empty = { ...DOC, value: null, producer: null };
    expect(parseGuardDocument(empty)).toEqual({ kind: "ok", doc: empty });
  });

  it("knows a later version from a foreign document", () => {
    expect(parseGuardDocument({ ...DOC, version: 2 })).toEqual({ kind: "newer" });
    expect(parseGuardDocument({ ...DOC, kind: "quota", version: 2 })).toEqual({
      kind: "unreadable",
      why: "document.kind is not guard",
    });
  });

  it("says what is wrong without quoting it", () => {
    const text = "x".repeat(MAX_VALUE_CHARACTERS + 1);
    const whys = [
      { ...DOC, value: { ...DOC.value, text } },
      { ...DOC, value: { ...DOC.value, signature: "secret" } },
      { ...DOC, value: { ...DOC.value, producedAt: -1 } },
      { ...DOC, producer: { id: "secret", until: 0 } },
    ].map((stored) => parseGuardDocument(stored));
    expect(whys).toEqual([
      { kind: "unreadable", why: "document.value.text has 1900001 characters, more than 1900000" },
      { kind: "unreadable", why: "document.value.signature is not hexadecimal" },
      { kind: "unreadable", why: "document.value.producedAt is -1, outside 0 to 8640000000000000" },
      { kind: "unreadable", why: "document.producer.id is not hexadecimal" },
    ]);
  });

  it("never throws, whatever lies in the store", () => {
    const part = fc.oneof(fc.jsonValue(), fc.constantFrom(DOC.value, DOC.producer, "guard", 1, 2, null, undefined));
    const document = fc.record({ kind: part, version: part, value: part, producer: part }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), document), (stored) => {
        expect(["ok", "unreadable", "newer"]).toContain(parseGuardDocument(stored).kind);
      }),
      { numRuns: 500 },
    );
  });
});
