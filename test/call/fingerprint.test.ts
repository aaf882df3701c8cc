import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FingerprintMemo, fingerprint } from "../../src/call/fingerprint.js";

const secret = "token example-secret-0123456789";

describe("fingerprint", () => {
  it("is the same everywhere and for ever", () => {
    // Computed with: printf %s "$secret" | openssl dgst -sha256 -hmac octokit-plugin-squad-rate/credential/v1
    expect(fingerprint(secret)).toBe("ff88593686ed53329465b6b52f28ab84");
  });

  it("is 128 bits in hex, equal for equal and different for different secrets", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
        expect(fingerprint(a)).toMatch(/^[0-9a-f]{32}$/);
        expect(fingerprint(a) === fingerprint(b)).toBe(a === b);
      }),
    );
  });
});

describe("FingerprintMemo", () => {
  it("agrees with fingerprint, the first time and every other", () => {
    const memo = new FingerprintMemo(2);
    for (const one of [secret, "b", secret, "c", "d", secret]) expect(memo.of(one)).toBe(fingerprint(one));
  });

  it("holds no more secrets than it is allowed, and none after clear()", () => {
    const memo = new FingerprintMemo(3);
    for (let index = 0; index < 100; index++) memo.of(`secret ${index}`);
    expect(memo.size).toBe(3);
    memo.clear();
    expect(memo.size).toBe(0);
  });

  it("shows no secret to a log or dump", () => {
    const memo = new FingerprintMemo(3);
    memo.of(secret);
    const shown = [inspect(memo, { depth: 9, showHidden: true }), JSON.stringify(memo), String(memo)].join();
    expect(shown).not.toContain("example-secret");
    expect(Reflect.ownKeys(memo)).toEqual([]);
  });
});
