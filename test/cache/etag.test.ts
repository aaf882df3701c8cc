import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { githubEtag, isEntityTag, provesFormula, sameTag } from "../../src/cache/etag.js";

const nobody = { accept: undefined, authorization: undefined, cookie: undefined };

describe("githubEtag", () => {
  it("gives the tag that GitHub gave an empty list without any header", () => {
    expect(githubEtag(nobody, "[]")).toBe('"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"');
  });

  it("puts Accept, Authorization and Cookie before the body, in that order, each with a colon", () => {
    const all = { accept: "a", authorization: "b", cookie: "c" };
    expect(githubEtag(all, "[]")).toBe(githubEtag(nobody, "a:b:c:[]"));
    expect(githubEtag({ ...nobody, accept: "*/*" }, "{}")).toBe(githubEtag(nobody, "*/*:{}"));
    expect(githubEtag({ ...nobody, cookie: "c" }, "{}")).toBe(githubEtag(nobody, "c:{}"));
  });

  it("hashes the bytes of a text in UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (body) => {
        const bytes = new TextEncoder().encode(body);
        expect(githubEtag(nobody, body)).toBe(`"${createHash("sha256").update(bytes).digest("hex")}"`);
      }),
    );
  });
});

describe("provesFormula", () => {
  it("accepts the weak form that compressed answers carry", () => {
    const tag = githubEtag(nobody, "[]");
    expect(provesFormula(tag, nobody, "[]")).toBe(true);
    expect(provesFormula(`W/${tag}`, nobody, "[]")).toBe(true);
  });

  it("refuses any other body, credential or tag", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (body, more, token) => {
        const mine = { ...nobody, authorization: token };
        const tag = githubEtag(mine, body);
        expect(provesFormula(tag, mine, body)).toBe(true);
        expect(provesFormula(tag, mine, body + more)).toBe(false);
        expect(provesFormula(tag, { ...mine, authorization: token + more }, body)).toBe(false);
      }),
    );
    for (const tag of ["", '""', '"abc"', "W/", '"', "4f53cda1", `"${"0".repeat(64)}"`]) {
      expect(provesFormula(tag, nobody, "[]")).toBe(false);
    }
  });
});

describe("sameTag", () => {
  it("compares weakly", () => {
    expect(sameTag('W/"a"', '"a"')).toBe(true);
    expect(sameTag('"a"', '"a"')).toBe(true);
    expect(sameTag('"a"', '"b"')).toBe(false);
    expect(sameTag('W/"a"', '"A"')).toBe(false);
  });
});

describe("isEntityTag", () => {
  it.each(['"a"', 'W/"a"', '""', '"a,b"', `"${"0".repeat(64)}"`])("takes %s", (tag) => {
    expect(isEntityTag(tag)).toBe(true);
  });

  it.each(["", "a", '"a', 'a"', 'w/"a"', '"a" ', '"a", "b"', '"a b"', "*", '"a""b"'])("refuses %s", (tag) => {
    expect(isEntityTag(tag)).toBe(false);
  });
});
