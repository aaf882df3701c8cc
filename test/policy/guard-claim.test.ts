import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Claim,
  claim,
  currentValue,
  isClaimed,
  LEASE_MS,
  land,
  lastValue,
  release,
  renew,
} from "../../src/policy/guard-claim.js";
import type { GuardDocument, GuardedValue } from "../../src/policy/guard-document.js";

const T0 = Date.UTC(2030, 0, 1);
const HOUR_MS = 3_600_000;
const [A, B] = ["a".repeat(64), "b".repeat(64)] as const;
const VALUE: GuardedValue = { text: "1", signature: A, producedAt: T0 };

function wish(id: string, more: Partial<Claim> = {}): Claim {
  return {
    id,
    signature: A,
    maxAgeMs: HOUR_MS,
    lookedAt: Number.MAX_SAFE_INTEGER,
    known: undefined,
    takesOver: false,
    ...more,
  };
}

function granted(doc: GuardDocument | undefined, id: string, now: number, more: Partial<Claim> = {}): GuardDocument {
  const claimed = claim(doc, wish(id, more), now);
  if (claimed.kind !== "granted") throw new Error(`${id} was not granted the claim: ${claimed.kind}`);
  return claimed.doc;
}

describe("a claim", () => {
  it("is granted to the first, and to others once it has run out", () => {
    const doc = granted(undefined, "first", T0);
    expect(doc).toEqual({ kind: "guard", version: 1, value: null, producer: { id: "first", until: T0 + LEASE_MS } });
    expect(claim(doc, wish("second"), T0 + LEASE_MS - 1)).toEqual({ kind: "taken", last: undefined });
    expect(granted(doc, "second", T0 + LEASE_MS).producer?.id).toBe("second");
  });

  it("is not needed where a fitting value is young enough", () => {
    const doc = land(granted(undefined, "first", T0), "first", VALUE, T0) as GuardDocument;
    expect(claim(doc, wish("second"), T0 + HOUR_MS - 1)).toEqual({ kind: "there", value: VALUE });
    expect(claim(doc, wish("second"), T0 + HOUR_MS).kind).toBe("granted");
    expect(claim(doc, wish("second", { signature: B }), T0).kind).toBe("granted");
  });

  it("is taken over by who has waited long enough", () => {
    const doc = granted(undefined, "first", T0);
    expect(granted(doc, "second", T0 + 1, { takesOver: true }).producer?.id).toBe("second");
  });

  it("is not granted to reads that began before another value came, but for who has waited long enough", () => {
    const doc = land(granted(undefined, "first", T0), "first", VALUE, T0) as GuardDocument;
    const late = wish("second", { signature: B, lookedAt: T0 + 999 });
    expect(claim(doc, late, T0 + 1_000)).toEqual({ kind: "overtaken", last: VALUE });
    expect(claim(doc, { ...late, known: VALUE }, T0 + 1_000).kind).toBe("granted");
    expect(claim(doc, { ...late, takesOver: true }, T0 + 1_000).kind).toBe("granted");
    expect(claim(doc, { ...late, lookedAt: T0 + 1_000 }, T0 + 1_000).kind).toBe("granted");
  });

  it("keeps the last value beside it, for when reads fail, and tells it to whoever waits", () => {
    const doc = land(granted(undefined, "first", T0), "first", VALUE, T0);
    const next = granted(doc, "second", T0 + 1_000, { signature: B });
    expect(next.value).toEqual(VALUE);
    expect(claim(next, wish("third", { signature: B }), T0 + 1_000)).toEqual({ kind: "taken", last: VALUE });
    expect(granted(next, "fourth", T0 + HOUR_MS).value).toBeNull();
  });

  it("is prolonged and given back by its owner alone", () => {
    const doc = granted(undefined, "first", T0);
    expect(renew(doc, "first", T0 + 5_000)?.producer).toEqual({ id: "first", until: T0 + 5_000 + LEASE_MS });
    expect(renew(doc, "second", T0)).toBeUndefined();
    expect(renew(undefined, "first", T0)).toBeUndefined();
    expect(release(doc, "first")?.producer).toBeNull();
    expect(release(doc, "second")).toBeUndefined();
  });

  it("that lasts too long was written by a wrong clock, and binds nobody", () => {
    const forged: GuardDocument = { ...granted(undefined, "first", T0), producer: { id: "x", until: T0 + HOUR_MS } };
    expect(isClaimed(forged, T0)).toBe(false);
    expect(claim(forged, wish("second"), T0).kind).toBe("granted");
  });
});

describe("a value", () => {
  it("lands with its claim, which ends", () => {
    expect(land(granted(undefined, "first", T0), "first", VALUE, T0)).toEqual({
      kind: "guard",
      version: 1,
      value: VALUE,
      producer: null,
    });
  });

  it("of one that was overtaken is dropped if a later one is there, and leaves others their claim", () => {
    const first = granted(undefined, "first", T0);
    const second = granted(first, "second", T0 + LEASE_MS);
    expect(land(second, "first", VALUE, T0)).toMatchObject({ value: VALUE, producer: { id: "second" } });
    const later = { ...VALUE, signature: B, producedAt: T0 + 15_000 };
    const landed = land(second, "second", later, T0 + LEASE_MS);
    expect(land(landed, "first", { ...VALUE, producedAt: T0 + 20_000 }, T0)).toBeUndefined();
  });

  it("that is no JSON, too old or from the future is none", () => {
    const doc = (value: Partial<GuardedValue>): GuardDocument => ({
      kind: "guard",
      version: 1,
      value: { ...VALUE, ...value },
      producer: null,
    });
    const both = (value: Partial<GuardedValue>, now = T0) => [
      currentValue(doc(value), A, HOUR_MS, now),
      lastValue(doc(value), HOUR_MS, now),
    ];
    expect(both({})).toEqual([VALUE, VALUE]);
    for (const wrong of [{ text: "{" }, { producedAt: T0 - HOUR_MS }, { producedAt: T0 + 61_000 }]) {
      expect(both(wrong)).toEqual([undefined, undefined]);
    }
    expect(both({ signature: B })).toEqual([undefined, { ...VALUE, signature: B }]);
    // Machines differ a little in what GitHub's time is.
    expect(both({ producedAt: T0 + 1_000 })[0]).toMatchObject({ signature: A });
  });
});

describe("whatever a few producers do, alive or dying", () => {
  interface Step {
    readonly who: number;
    readonly does: "claim" | "renew" | "land" | "release" | "die";
    readonly passMs: number;
  }
  const step = fc.record<Step>({
    who: fc.integer({ min: 0, max: 3 }),
    does: fc.constantFrom("claim", "renew", "land", "release", "die"),
    passMs: fc.constantFrom(0, 1, 3_000, LEASE_MS - 1, LEASE_MS),
  });

  it("no two of them hold a claim that has not run out, and what landed last began last", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let doc: GuardDocument | undefined;
        let now = T0;
        let count = 0;
        /** By producer, its claim: name, when it began to produce, until when it is believed to live. */
        const held = new Map<number, { id: string; beganAt: number; until: number }>();
        let lastBegan = 0;
        for (const { who, does, passMs } of steps) {
          now += passMs;
          const mine = held.get(who);
          if (does === "claim" && mine === undefined) {
            const id = (++count).toString(16).padStart(12, "0");
            const claimed = claim(doc, wish(id, { signature: id }), now);
            const rivals = [...held.values()].filter(({ until }) => until > now);
            expect(claimed.kind === "granted").toBe(rivals.length === 0);
            if (claimed.kind !== "granted") continue;
            doc = claimed.doc;
            held.set(who, { id, beganAt: now, until: now + LEASE_MS });
          } else if (mine !== undefined) {
            if (does === "renew") {
              const next = renew(doc, mine.id, now);
              if (next !== undefined) mine.until = now + LEASE_MS;
              else expect(mine.until).toBeLessThanOrEqual(now);
              doc = next ?? doc;
            } else if (does === "land") {
              const value = { text: String(mine.beganAt), signature: mine.id, producedAt: now };
              const next = land(doc, mine.id, value, mine.beganAt);
              if (next !== undefined) {
                expect(mine.beganAt).toBeGreaterThanOrEqual(lastBegan);
                lastBegan = mine.beganAt;
              }
              doc = next ?? doc;
              held.delete(who);
            } else if (does === "release") {
              doc = release(doc, mine.id) ?? doc;
              held.delete(who);
            }
          }
          if (doc?.value) expect(Number(doc.value.text)).toBe(lastBegan);
        }
      }),
      { numRuns: 500 },
    );
  });
});
