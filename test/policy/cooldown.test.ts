import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CooldownDocument,
  type CooldownRefusal,
  cooldownAfter,
  extendCooldown,
  MAX_COOLDOWN_MS,
  parseCooldownDocument,
} from "../../src/policy/cooldown.js";

const T0 = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;
const RUN = { startedAt: T0, repeats: 0, unexplained: false };
const REFUSAL: CooldownRefusal = {
  until: T0 + MINUTE_MS,
  why: "secondary limit, retry after 60 s",
  by: "ralph",
  ...RUN,
};
const DOC = extendCooldown(undefined, REFUSAL, T0);

function reread(doc: object, now: number): ReturnType<typeof parseCooldownDocument> {
  return parseCooldownDocument(JSON.parse(JSON.stringify(doc)), now);
}

describe("extendCooldown", () => {
  it("begins with the first refusal", () => {
    expect(DOC).toEqual({ version: 1, revision: 1, updatedAt: T0, ...REFUSAL });
  });

  it("takes the refusal that lasts longer, with its reason", () => {
    const longer = { until: T0 + 5 * MINUTE_MS, why: "abuse detection", by: "data", ...RUN };
    expect(extendCooldown(DOC, longer, T0 + 1_000)).toEqual({
      version: 1,
      revision: 2,
      updatedAt: T0 + 1_000,
      ...longer,
    });
  });

  it("is the same document while it lasts longer than what is refused anew", () => {
    expect(extendCooldown(DOC, { ...REFUSAL, until: T0 + 30_000, by: "data" }, T0 + 1_000)).toBe(DOC);
    expect(extendCooldown(DOC, { ...REFUSAL, by: "data" }, T0 + 1_000)).toBe(DOC);
  });

  it("begins anew when the one before is over, however long that was", () => {
    const next = extendCooldown(DOC, { until: T0 + MINUTE_MS - 1, why: "late", by: "data", ...RUN }, T0 + MINUTE_MS);
    expect(next).toMatchObject({ revision: 2, until: T0 + MINUTE_MS - 1, by: "data" });
  });

  it("holds a day at most, and cuts what is too long to be stored", () => {
    const doc = extendCooldown(
      undefined,
      { until: Number.POSITIVE_INFINITY, why: "w".repeat(1_000), by: "b".repeat(1_000), ...RUN, repeats: 1e9 },
      T0,
    );
    expect(doc).toMatchObject({ until: T0 + MAX_COOLDOWN_MS, why: "w".repeat(300), by: "b".repeat(256) });
    expect(reread(doc, T0).kind).toBe("ok");
  });

  it("never ends sooner than it was going to, and is readable to clocks minutes behind, whatever is refused when", () => {
    const step = fc.record({
      afterMs: fc.integer({ min: -MINUTE_MS, max: 2 * MAX_COOLDOWN_MS }),
      aheadMs: fc.integer({ min: -MINUTE_MS, max: 2 * MAX_COOLDOWN_MS }),
      why: fc.string({ maxLength: 400 }),
      by: fc.string({ maxLength: 300 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let now = T0;
        let doc: CooldownDocument | undefined;
        for (const { afterMs, aheadMs, why, by } of steps) {
          now += afterMs;
          const next = extendCooldown(doc, { until: now + aheadMs, why, by, ...RUN }, now);
          expect(next.until).toBeGreaterThanOrEqual(now + Math.min(aheadMs, MAX_COOLDOWN_MS));
          if (doc !== undefined && now < doc.until) expect(next.until).toBeGreaterThanOrEqual(doc.until);
          expect(next.updatedAt).toBeGreaterThanOrEqual(doc?.updatedAt ?? now);
          if (next !== doc) expect(next.revision).toBe((doc?.revision ?? 0) + 1);
          expect(reread(next, next.updatedAt - 5 * MINUTE_MS)).toEqual({ kind: "ok", doc: next });
          doc = next;
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("a cooldown document", () => {
  it("comes back from a store as it was written, also when it is long over", () => {
    expect(reread(DOC, T0)).toEqual({ kind: "ok", doc: DOC });
    expect(reread(DOC, T0 + 30 * MAX_COOLDOWN_MS)).toEqual({ kind: "ok", doc: DOC });
  });

  it("may have keys that this version does not know", () => {
    expect(reread({ ...DOC, later: [1] }, T0)).toEqual({ kind: "ok", doc: DOC });
  });

  it.each([
    ["nothing", undefined, "document is missing, not an object"],
    ["a torn text", '{"version":1', "document is a string, not an object"],
    ["a list", [DOC], "document is an array, not an object"],
    ["another program's", { cooldown: 60 }, "document.version is missing; this reads version 1"],
    ["a later version's", { ...DOC, version: 2 }, "document.version is 2; this reads version 1"],
    ["one from the future", { ...DOC, updatedAt: T0 + 600_000 }, "document.updatedAt is 600 s in the future"],
    ["one without an end", { ...DOC, until: null }, "document.until is null, not a number"],
    ["one before all time", { ...DOC, until: -1 }, "document.until is -1, outside 0 to 8640000000000000"],
    ["one for days", { ...DOC, until: T0 + MAX_COOLDOWN_MS + 1 }, "document.until is more than 24 h ahead"],
    [
      "one with a book for a reason",
      { ...DOC, why: "x".repeat(301) },
      "document.why has 301 characters, more than 300",
    ],
    ["one by nobody", { ...DOC, by: undefined }, "document.by is missing, not a string"],
  ])("is unreadable when it is %s", (_, value, why) => {
    expect(parseCooldownDocument(value, T0)).toEqual({ kind: "unreadable", why });
  });
});

describe("cooldownAfter", () => {
  /** Refused at `at` minutes after a request that was sent `agoMs` before. */
  const refusedAfter = (doc: CooldownDocument | undefined, at: number, retryAfterMs?: number, agoMs = 100) => {
    const now = T0 + at * MINUTE_MS;
    const { until, repeats } = cooldownAfter(doc, { sentAt: now - agoMs, retryAfterMs }, now);
    return { minutes: (until - now) / MINUTE_MS, repeats };
  };
  const of = (until: number, repeats = 0): CooldownDocument =>
    extendCooldown(undefined, { ...REFUSAL, until: T0 + until * MINUTE_MS, repeats }, T0);

  it("is as long as GitHub asks, or a minute where it asks for nothing", () => {
    expect([refusedAfter(undefined, 0, 30_000), refusedAfter(undefined, 0), refusedAfter(undefined, 0, 0)]).toEqual([
      { minutes: 0.5, repeats: 0 },
      { minutes: 1, repeats: 0 },
      { minutes: 1, repeats: 0 },
    ]);
  });

  it("doubles each time that it happens again soon, up to a quarter of an hour", () => {
    const waits = [0, 1, 2, 3, 4, 900].map((repeats) => refusedAfter(of(1, repeats), 2).minutes);
    expect(waits).toEqual([2, 4, 8, 15, 15, 15]);
    expect(refusedAfter(of(1, 3), 17)).toEqual({ minutes: 1, repeats: 0 });
  });

  it("is no longer for what was in flight when it began", () => {
    const running = of(1, 2);
    expect(refusedAfter(running, 0.5, undefined, 35_000)).toEqual({ minutes: 0.5, repeats: 2 });
    expect(refusedAfter(running, 0.5, 90_000, 35_000)).toEqual({ minutes: 1.5, repeats: 2 });
  });

  it("takes a request that was sent at its end for a new one, though the clock was a little ahead", () => {
    expect(refusedAfter(of(1), 1.01, undefined, 1_000)).toEqual({ minutes: 2, repeats: 1 });
  });
});
