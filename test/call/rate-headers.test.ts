import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRateHeaders } from "../../src/call/rate-headers.js";

const GENUINE: Readonly<Record<string, string>> = {
  "x-ratelimit-limit": "5000",
  "x-ratelimit-remaining": "4988",
  "x-ratelimit-used": "12",
  "x-ratelimit-reset": "1893456000",
  "x-ratelimit-resource": "core",
};

function parse(headers: Readonly<Record<string, string | undefined>>) {
  return parseRateHeaders((name) => headers[name] ?? null);
}

function without(name: string) {
  return { ...GENUINE, [name]: undefined };
}

describe("parseRateHeaders", () => {
  it("reads the five headers, the reset as epoch milliseconds", () => {
    expect(parse(GENUINE)).toEqual({
      kind: "seen",
      resource: "core",
      limit: 5_000,
      used: 12,
      remaining: 4_988,
      resetAt: Date.UTC(2030, 0, 1),
    });
  });

  it("finds none where limits are off", () => {
    expect(parse({ date: "now" })).toEqual({ kind: "none" });
  });

  it("derives `used` and does without `resource`", () => {
    expect(parse(without("x-ratelimit-used"))).toMatchObject({ kind: "seen", used: 12 });
    expect(parse(without("x-ratelimit-resource"))).toMatchObject({ kind: "seen", resource: undefined });
  });

  it("takes a `used` above the limit, which GitHub sends when calls overshoot", () => {
    const over = { ...GENUINE, "x-ratelimit-used": "5006", "x-ratelimit-remaining": "0" };
    expect(parse(over)).toMatchObject({ kind: "seen", used: 5_006, remaining: 0 });
  });

  it.each([
    ["x-ratelimit-limit", "0"],
    ["x-ratelimit-limit", "5e3"],
    ["x-ratelimit-limit", "99999999999999999999"],
    ["x-ratelimit-remaining", "5001"],
    ["x-ratelimit-remaining", "-1"],
    ["x-ratelimit-remaining", ""],
    ["x-ratelimit-used", "12, 13"],
    ["x-ratelimit-used", " 12"],
    ["x-ratelimit-reset", "1893456000000"],
    ["x-ratelimit-reset", "2030-01-01T00:00:00Z"],
    ["x-ratelimit-resource", "core\n"],
    ["x-ratelimit-resource", "__proto__"],
  ])("names the header that is nonsense: %s %j", (name, value) => {
    const rate = parse({ ...GENUINE, [name]: value });
    expect(rate).toEqual({ kind: "nonsense", why: `${name} is ${JSON.stringify(value)}` });
  });

  it.each(["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"])(
    "names %s when only it is missing",
    (name) => {
      expect(parse(without(name))).toEqual({ kind: "nonsense", why: `${name} is missing` });
    },
  );

  it("never throws and never lets a number out of bounds through", () => {
    const odd = fc.oneof(fc.string(), fc.integer().map(String), fc.nat(10_000).map(String), fc.constant(undefined));
    const headers = fc.record(
      Object.fromEntries(
        Object.entries(GENUINE).map(([name, value]) => [
          name,
          fc.oneof({ weight: 4, arbitrary: fc.constant<string | undefined>(value) }, odd),
        ]),
      ),
    );
    fc.assert(
      fc.property(headers, (given) => {
        const rate = parse(given);
        if (rate.kind !== "seen") return;
        expect(rate.limit).toBeGreaterThan(0);
        expect(rate.remaining).toBeLessThanOrEqual(rate.limit);
        for (const number of [rate.limit, rate.used, rate.remaining, rate.resetAt]) {
          expect(Number.isSafeInteger(number) && number >= 0).toBe(true);
        }
      }),
      { numRuns: 10_000 },
    );
  });
});
