import fc from "fast-check";
import Keyv from "keyv";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/clock.js";
import { isSquadRateError, type SquadRateError } from "../../src/errors.js";
import { type ResolvedOptions, resolveOptions, type SquadOptions } from "../../src/options.js";
import { DEFAULT_LANE_SPACING } from "../../src/policy/pacing.js";
import { GITHUB_SECONDARY_LIMITS } from "../../src/policy/secondary.js";

const identity = { hostname: "build-7", pid: 42 };
const token = `ghp_${"a1B2".repeat(9)}`;

function resolve(options?: unknown, environment: Record<string, string | undefined> = {}): ResolvedOptions {
  return resolveOptions(options as SquadOptions | undefined, environment, identity);
}

function refusal(options: unknown, environment: Record<string, string | undefined> = {}): SquadRateError {
  try {
    resolve(options, environment);
  } catch (error) {
    if (isSquadRateError(error)) {
      expect(error.code).toBe("SQUAD_RATE_OPTIONS");
      expect(error.remedy).toBeTruthy();
      return error;
    }
    throw error;
  }
  throw new Error("was accepted");
}

describe("resolveOptions", () => {
  it("fills in every documented default", () => {
    expect(resolve()).toEqual({
      enabled: true,
      agent: "build-7:42",
      priority: 1,
      session: undefined,
      store: undefined,
      storeTimeoutMs: 250,
      maxWaitMs: 60_000,
      cache: {
        freshForMs: 0,
        maxStaleMs: 0,
        maxEntryBytes: 2_097_152,
        maxBytes: 67_108_864,
        store: true,
        storeTtlMs: 604_800_000,
      },
      light: { mode: "auto", amberBelow: 0.2, redBelow: 0.05, emergencyReserveUnits: 10 },
      pool: { name: undefined, share: "lend", mirror: undefined },
      requestTimeoutMs: 60_000,
      retry: { limit: 3 },
      breaker: true,
      secondary: { ...GITHUB_SECONDARY_LIMITS },
      pacing: { ...DEFAULT_LANE_SPACING },
      graphql: { capture: true },
      dependsOn: [],
      trace: false,
      clock: systemClock,
      random: Math.random,
      fetch: undefined,
    });
  });

  it("takes undefined for the default, everywhere", () => {
    const blank = Object.fromEntries(Object.keys(resolve()).map((key) => [key, undefined]));
    expect(resolve(blank)).toEqual(resolve());
    expect(resolve({ cache: { freshForMs: undefined }, light: { mode: undefined } })).toEqual(resolve());
    const blankPool = { name: undefined, share: undefined, mirror: undefined };
    expect(resolve({ store: "memory:", pool: blankPool })).toEqual(resolve({ store: "memory:" }));
  });

  it("freezes the result and its parts, and leaves what it was given as it was", () => {
    const given = { cache: { freshForMs: 1 }, store: new Keyv(), pool: { name: "a" } };
    const resolved = resolve(given);
    const { retry, secondary, pacing, dependsOn } = resolved;
    for (const part of [resolved, resolved.cache, resolved.light, resolved.pool, retry, secondary, pacing, dependsOn])
      expect(Object.isFrozen(part)).toBe(true);
    for (const part of [given, given.cache, given.store, given.pool]) expect(Object.isFrozen(part)).toBe(false);
  });

  it("puts options above the environment, and the environment above defaults", () => {
    const environment = { SQUAD_RATE_AGENT: "ralph", SQUAD_RATE_PRIORITY: "P2", SQUAD_RATE_SESSION: "ta-51" };
    expect(resolve({}, environment)).toMatchObject({ agent: "ralph", priority: 2, session: "ta-51" });
    expect(resolve({ agent: "bea", priority: 0, session: "x" }, environment)).toMatchObject({
      agent: "bea",
      priority: 0,
      session: "x",
    });
  });

  it("takes an empty variable for unset", () => {
    const environment = { SQUAD_RATE_AGENT: "", SQUAD_RATE_PRIORITY: "", SQUAD_RATE_SESSION: "", SQUAD_RATE_STORE: "" };
    expect(resolve({}, environment)).toEqual(resolve());
  });

  it("does not complain about a variable that an option overrides", () => {
    expect(resolve({ priority: 0 }, { SQUAD_RATE_PRIORITY: "high" }).priority).toBe(0);
    expect(resolve({ store: new Keyv() }, { SQUAD_RATE_STORE: "memory:" }).store).toBeInstanceOf(Keyv);
  });

  it("tells where an option stands that is looked for one level too high", () => {
    expect(refusal({ maxStaleMs: 3 }).message).toBe(
      "squad.maxStaleMs: unknown option; did you mean `cache.maxStaleMs`?",
    );
    expect(refusal({ redBelow: 0.1 }).message).toBe("squad.redBelow: unknown option; did you mean `light.redBelow`?");
    expect(refusal({ mirror: "m.json" }).message).toBe("squad.mirror: unknown option; did you mean `pool.mirror`?");
  });

  it("takes a store's address from the options or the environment", () => {
    expect(resolve({ store: "file:pool" }, { SQUAD_RATE_STORE: "memory:" }).store).toBe("file:pool");
    expect(resolve({}, { SQUAD_RATE_STORE: "memory:" }).store).toBe("memory:");
  });

  it.each([
    ["0", 0],
    ["1", 1],
    ["2", 2],
    ["P0", 0],
    ["P1", 1],
    ["P2", 2],
  ])("reads priority %s from the environment", (text, priority) => {
    expect(resolve({}, { SQUAD_RATE_PRIORITY: text }).priority).toBe(priority);
  });

  it.each([
    [{ SQUAD_RATE_PRIORITY: "3" }, /^SQUAD_RATE_PRIORITY must be 0, 1 or 2 .*got "3"/],
    [{ SQUAD_RATE_PRIORITY: "1.0" }, /^SQUAD_RATE_PRIORITY .*got "1.0"/],
    [{ SQUAD_RATE_AGENT: "a\nb" }, /^SQUAD_RATE_AGENT must be 1 to 200 printable characters; got "a\\nb"/],
    [{ SQUAD_RATE_SESSION: "x".repeat(201) }, /^SQUAD_RATE_SESSION must be/],
  ])("names the variable in %j", (environment, message) => {
    expect(refusal({}, environment).message).toMatch(message);
  });

  it("makes a default agent that passes its own check, whatever the host is called", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.nat(), (hostname, pid) => {
        const { agent } = resolveOptions(undefined, {}, { hostname, pid });
        expect(resolveOptions({ agent }, {}, identity).agent).toBe(agent);
      }),
    );
  });

  it.each<[SquadOptions, object]>([
    [{ cache: { maxBytes: 1_000 } }, { cache: { maxEntryBytes: 1_000, maxBytes: 1_000 } }],
    [{ light: { amberBelow: 0.01 } }, { light: { amberBelow: 0.01, redBelow: 0.01 } }],
    [{ light: { redBelow: 0.5 } }, { light: { amberBelow: 0.5, redBelow: 0.5 } }],
  ])("moves the default out of the way of %j", (given, expected) => {
    expect(resolve(given)).toMatchObject(expected);
  });

  it.each([
    [{ maxWaitMs: Number.NaN }, "squad.maxWaitMs must be a whole number of milliseconds from 0 to 86400000; got NaN."],
    [{ maxWaitMs: Number.POSITIVE_INFINITY }, /squad\.maxWaitMs .*got Infinity/],
    [{ maxWaitMs: -1 }, /squad\.maxWaitMs .*got -1/],
    [{ maxWaitMs: 0.5 }, /squad\.maxWaitMs .*got 0\.5/],
    [{ maxWaitMs: 1e300 }, /squad\.maxWaitMs .*got 1e\+300/],
    [{ maxWaitMs: "60s" }, /squad\.maxWaitMs .*got "60s"/],
    [{ maxWaitMs: null }, /squad\.maxWaitMs .*got null/],
    [{ maxWaitMs: [1] }, /squad\.maxWaitMs .*got an array/],
    [{ maxWaitMs: 1n }, /squad\.maxWaitMs .*got a bigint/],
    [{ storeTimeoutMs: 0 }, /squad\.storeTimeoutMs .*from 1 to 60000; got 0/],
    [{ enabled: "false" }, /squad\.enabled must be true or false; got "false"/],
    [{ agent: "" }, /squad\.agent must be 1 to 200/],
    [{ agent: "  " }, /squad\.agent/],
    [{ agent: "\ud800" }, /squad\.agent/],
    [{ priority: 3 }, /squad\.priority must be 0, 1 or 2 \(or P0, P1, P2\); got 3/],
    [{ priority: "0" }, /squad\.priority .*got "0"/],
    [{ session: null }, /squad\.session .*got null/],
    [
      { store: {} },
      "squad.store must be a store's URI, what openStore returned, or a Keyv, with get(), set(), delete(); got an object.",
    ],
    [{ store: new Map().get }, /squad\.store must be a store's URI, .*; got a function/],
    [{ store: { keyv: new Keyv() } }, /squad\.store must be a store's URI, .*; got an object/],
    [{ store: { keyv: {}, updates: new Map() } }, /squad\.store must be a store's URI, .*; got an object/],
    [
      { store: Promise.resolve(new Keyv()) },
      "squad.store must be an opened store, not the promise of one; got an object.",
    ],
    [{ clock: Date }, /squad\.clock must be a clock, with now\(\), monotonic\(\), timer\(\); got a function/],
    [{ random: 4 }, /squad\.random must be a function; got 4/],
    [{ fetch: {} }, /squad\.fetch must be a function; got an object/],
    [{ cache: null }, /squad\.cache must be true, false or a plain object of options; got null/],
    [{ cache: "on" }, /squad\.cache must be true, false/],
    [{ cache: { freshForMs: "soon" } }, /squad\.cache\.freshForMs .*got "soon"/],
    [{ cache: { maxEntryBytes: 0 } }, /squad\.cache\.maxEntryBytes must be a whole number of bytes from 1/],
    [
      { cache: { maxEntryBytes: 11, maxBytes: 10 } },
      /squad\.cache\.maxEntryBytes .*at most squad\.cache\.maxBytes \(10 b.*got 11/,
    ],
    [{ cache: { store: new Keyv() } }, /squad\.cache\.store must be true or false; got an object/],
    [{ light: { mode: null } }, /squad\.light\.mode must be "fixed" or "glide"; got null/],
    [{ light: { mode: "auto" } }, 'squad.light.mode must be "fixed" or "glide"; got "auto".'],
    [{ light: { amberBelow: 20 } }, /squad\.light\.amberBelow must be a share from 0 to 1; got 20/],
    [{ light: { redBelow: Number.NaN } }, /squad\.light\.redBelow .*got NaN/],
    [
      { light: { redBelow: 0.3, amberBelow: 0.2 } },
      /squad\.light\.redBelow must be at most squad\.light\.amberBelow \(0\.2\); got 0\.3/,
    ],
    [{ light: { emergencyReserveUnits: -1 } }, /squad\.light\.emergencyReserveUnits must be a whole number of units/],
    [null, /squad must be a plain object of options \(to switch off, pass \{ enabled: false \}\); got null/],
    [false, /squad must be a plain object .*got false/],
    [[], /squad must be a plain object .*got an array/],
    [new Map(), /squad must be a plain object .*got an object/],
  ])("refuses %o by name, bound and value", (given, message) => {
    expect(refusal(given).message).toMatch(message);
  });

  it.each([
    [{ prioritty: 1 }, "squad.prioritty: unknown option; did you mean `priority`?"],
    [{ maxwaitms: 1 }, "squad.maxwaitms: unknown option; did you mean `maxWaitMs`?"],
    [{ cahce: false }, "squad.cahce: unknown option; did you mean `cache`?"],
    [{ prio: 1 }, "squad.prio: unknown option; did you mean `priority`?"],
    [{ cache: { stale: 1 } }, "squad.cache.stale: unknown option; did you mean `maxStaleMs`?"],
    [{ cache: { freshFor: 1 } }, "squad.cache.freshFor: unknown option; did you mean `freshForMs`?"],
    [{ light: { redBellow: 1 } }, "squad.light.redBellow: unknown option; did you mean `redBelow`?"],
    [{ zzzzzzzz: 1 }, "squad.zzzzzzzz: unknown option."],
    [{ constructor: 1 }, "squad.constructor: unknown option."],
    [JSON.parse('{ "__proto__": { "agent": "x" } }'), "squad.__proto__: unknown option."],
    [{ "a b\n": 1 }, 'squad["a b\\n"]: unknown option.'],
    [{ prioritty: undefined }, "squad.prioritty: unknown option; did you mean `priority`?"],
  ])("answers the unknown key in %o", (given, message) => {
    const error = refusal(given);
    expect(error.message).toBe(message);
    expect(error.remedy).toContain("The options here are: ");
  });

  it("reads no option from a prototype", () => {
    expect(refusal(Object.create({ agent: "inherited" })).message).toMatch(/squad must be a plain object/);
  });

  it("accepts a plain object of another realm or without a prototype", () => {
    expect(resolve(Object.assign(Object.create(null), { agent: "a" })).agent).toBe("a");
  });

  it("wraps what a getter throws", () => {
    const cause = new Error("boom");
    const given = {
      get agent(): string {
        throw cause;
      },
    };
    expect(refusal(given).cause).toBe(cause);
  });

  it("refuses a credential as a name, and shows no secret in any error", () => {
    const secrets = [token, `github_pat_${"x".repeat(30)}`, "0123456789abcdef".repeat(3), "redis://u:hunter2@host"];
    for (const secret of secrets) {
      for (const key of Object.keys(resolve())) {
        for (const given of [{ [key]: secret }, { [key]: { [secret]: 1 } }, { [secret]: 1 }, { [key]: [secret] }]) {
          try {
            resolve(given);
          } catch (error) {
            expect(JSON.stringify([(error as Error).message, (error as SquadRateError).remedy])).not.toContain(secret);
          }
        }
      }
    }
    expect(refusal({ agent: token }).message).toMatch(/squad\.agent must be a name; .*withheld/);
    expect(refusal({}, { SQUAD_RATE_AGENT: token }).message).not.toContain(token);
  });

  it("cuts long values", () => {
    expect(refusal({ priority: "q".repeat(5_000) }).message.length).toBeLessThan(200);
    expect(refusal({ ["q".repeat(5_000)]: 1 }).message.length).toBeLessThan(200);
  });

  it("throws nothing but a SquadRateError, whatever it is given", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
      withBoxedValues: true,
      withSparseArray: true,
    });
    const keys = Object.keys(resolve());
    const nested = [
      "freshForMs",
      "maxBytes",
      "maxEntryBytes",
      "mode",
      "amberBelow",
      "redBelow",
      "store",
      "name",
      "share",
      "mirror",
    ];
    const record = fc.dictionary(
      fc.constantFrom(...keys),
      fc.oneof(anything, fc.dictionary(fc.constantFrom(...nested), fc.oneof(anything, fc.double(), fc.nat()))),
    );
    fc.assert(
      fc.property(fc.oneof(anything, record), (given) => {
        try {
          expect(Object.isFrozen(resolve(given))).toBe(true);
        } catch (error) {
          if (!isSquadRateError(error)) throw error;
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
