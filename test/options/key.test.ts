import fc from "fast-check";
import Keyv from "keyv";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/clock.js";
import { IdentityNumbers, optionsKey, resolveOptions, type SquadOptions } from "../../src/options.js";

function keys(...options: readonly SquadOptions[]): readonly string[] {
  const numbers = new IdentityNumbers();
  return options.map((one) => optionsKey(resolveOptions(one, {}, { hostname: "h", pid: 1 }), numbers));
}

describe("optionsKey", () => {
  it("is equal for options that say the same in other words", () => {
    const [a, b, c] = keys(
      { priority: "P1", cache: { freshForMs: 5, maxStaleMs: 6 } },
      { cache: { maxStaleMs: 6, freshForMs: 5 } },
      { cache: { maxStaleMs: 6, freshForMs: 5, store: true }, light: {}, session: undefined },
    );
    expect(b).toBe(a);
    expect(c).toBe(a);
  });

  it("tells stores, clocks and functions apart by identity", () => {
    const store = new Keyv();
    const clock = Object.freeze({ ...systemClock });
    const random = (): number => 0;
    const [a, b] = keys({ store, clock, random }, { store, clock, random });
    expect(b).toBe(a);
    const different = keys(
      {},
      { store },
      { store: new Keyv() },
      { clock: { ...systemClock } },
      { clock: Object.freeze({ ...systemClock, now: () => 1 }) },
      { clock: Object.freeze({ ...systemClock, now: () => 1 }) },
      { random },
      { random: () => 0 },
      { fetch: globalThis.fetch },
    );
    expect(new Set(different).size).toBe(different.length);
  });

  it("differs as soon as any option differs", () => {
    const options = fc.record<SquadOptions>(
      {
        enabled: fc.boolean(),
        agent: fc.constantFrom("1", "null", "a"),
        session: fc.constantFrom("1", "null", "a"),
        priority: fc.constantFrom(0, 1, 2),
        maxWaitMs: fc.nat(3),
        storeTimeoutMs: fc.integer({ min: 1, max: 3 }),
        cache: fc.oneof(fc.boolean(), fc.record({ freshForMs: fc.nat(2), maxStaleMs: fc.nat(2) })),
        light: fc.oneof(fc.boolean(), fc.record({ redBelow: fc.constantFrom(0, 0.01) })),
      },
      { requiredKeys: [] },
    );
    const resolved = (one: SquadOptions): object => resolveOptions(one, {}, { hostname: "h", pid: 1 });
    fc.assert(
      fc.property(options, options, (a, b) => {
        const [keyA, keyB] = keys(a, b);
        let same = true;
        try {
          expect(resolved(a)).toEqual(resolved(b));
        } catch {
          same = false;
        }
        expect(keyA === keyB).toBe(same);
      }),
    );
  });
});
