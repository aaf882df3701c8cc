import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Entry } from "../../src/cache/entry.js";
import { type Validation, Variant } from "../../src/cache/variant.js";

const url = "https://api.github.com/user";
let serial = 0;
const variantOf = (body: string, verified = true): Variant =>
  new Variant({ body, bytes: body.length, headers: new Map(), verified, fromStore: false }, url);
const wordOn = (variant: Variant): Validation => ({
  variant,
  etag: `"${serial++}"`,
  url,
  redirected: false,
  date: undefined,
  startedAfterWrite: 0,
  startedAt: serial,
});

describe("Entry", () => {
  it("keeps what each credential was told", () => {
    const entry = new Entry();
    const [a, b] = [variantOf("a"), variantOf("b")];
    entry.confirm("alice", wordOn(a));
    entry.confirm("bob", wordOn(b));
    expect(entry.validation("alice")?.variant).toBe(a);
    expect(entry.validation("bob")?.variant).toBe(b);
    expect(entry.validation("carol")).toBeUndefined();
  });

  it("offers others the verified variant that was confirmed last, never an unverified one", () => {
    const entry = new Entry();
    const [a, b, opaque] = [variantOf("a"), variantOf("b"), variantOf("c", false)];
    expect(entry.shareable()).toBeUndefined();
    entry.confirm("carol", wordOn(opaque));
    expect(entry.shareable()).toBeUndefined();
    entry.confirm("alice", wordOn(a));
    entry.confirm("bob", wordOn(b));
    entry.confirm("carol", wordOn(opaque));
    expect(entry.shareable()).toBe(b);
    entry.confirm("alice", wordOn(a));
    expect(entry.shareable()).toBe(a);
  });

  it("drops a variant that no credential has any more", () => {
    const entry = new Entry();
    const old = variantOf("old".repeat(1000));
    entry.confirm("alice", wordOn(old));
    const withOld = entry.bytes;
    entry.confirm("alice", wordOn(variantOf("new")));
    expect(entry.bytes).toBe(withOld - 3000 + 3);
  });

  it("drops the oldest of more than four variants, with the credentials that had it", () => {
    const entry = new Entry();
    for (const name of ["a", "b", "c", "d", "e"]) entry.confirm(name, wordOn(variantOf(name)));
    expect(entry.validation("a")).toBeUndefined();
    expect(entry.validation("b")?.variant.body).toBe("b");
    expect(entry.validation("e")?.variant.body).toBe("e");
  });

  it("remembers 64 credentials, and forgets the one confirmed longest ago first", () => {
    const entry = new Entry();
    const shared = variantOf("same");
    for (let index = 0; index < 64; index++) entry.confirm(`token ${index}`, wordOn(shared));
    expect(entry.validation("token 0")).toBeDefined();
    entry.confirm("token 0", wordOn(shared));
    entry.confirm("token 64", wordOn(shared));
    expect(entry.validation("token 0")).toBeDefined();
    expect(entry.validation("token 1")).toBeUndefined();
  });

  it("forgets one credential's word and no other's", () => {
    const entry = new Entry();
    const shared = variantOf("same");
    entry.confirm("alice", wordOn(shared));
    entry.confirm("bob", wordOn(shared));
    entry.forget("alice");
    expect(entry.validation("alice")).toBeUndefined();
    expect(entry.validation("bob")?.variant).toBe(shared);
  });

  it("stays within its bounds, and gives a credential only what was its last word", () => {
    const step = fc.record({
      who: fc.integer({ min: 0, max: 80 }).map((number) => `token ${number}`),
      body: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
      forget: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const entry = new Entry();
        const variants = new Map(
          ["a", "b", "c", "d", "e", "f", "g"].map((body, at) => [body, variantOf(body, at % 2 === 0)]),
        );
        const last = new Map<string, Validation>();
        for (const { who, body, forget } of steps) {
          if (forget) {
            entry.forget(who);
            last.delete(who);
          } else {
            const word = wordOn(variants.get(body) as Variant);
            entry.confirm(who, word);
            last.set(who, word);
          }
          const kept = [...last.keys()].filter((name) => entry.validation(name) !== undefined);
          expect(kept.length).toBeLessThanOrEqual(64);
          expect(new Set(kept.map((name) => entry.validation(name)?.variant)).size).toBeLessThanOrEqual(4);
          expect(entry.bytes).toBeLessThanOrEqual(2_048 + 4);
          expect(entry.shareable()?.verified ?? true).toBe(true);
          for (const name of kept) expect(entry.validation(name)).toBe(last.get(name));
          if (!forget) expect(entry.validation(who)).toBe(last.get(who));
        }
      }),
    );
  });
});
