import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSquadRateError } from "../../src/errors.js";
import {
  requestDefaults,
  resolveOptions,
  resolveRequestOptions,
  type SquadOptions,
  squadRequest,
} from "../../src/options.js";

function defaultsOf(options: SquadOptions = {}): ReturnType<typeof requestDefaults> {
  return requestDefaults(resolveOptions(options, {}, { hostname: "h", pid: 1 }));
}

const defaults = defaultsOf({ agent: "ralph", priority: 2, session: "s", maxWaitMs: 7, cache: { freshForMs: 5 } });

describe("resolveRequestOptions", () => {
  it("returns the defaults themselves when the call says nothing", () => {
    expect(resolveRequestOptions(undefined, defaults)).toBe(defaults);
    expect(resolveRequestOptions({}, defaults)).toBe(defaults);
    expect(resolveRequestOptions({ agent: undefined }, defaults)).toBe(defaults);
  });

  it("takes from the call what it says and from the squad what it does not", () => {
    expect(resolveRequestOptions({ priority: "P0", emergency: true, operation: "merge" }, defaults)).toEqual({
      agent: "ralph",
      priority: 0,
      emergency: true,
      session: "s",
      operation: "merge",
      maxWaitMs: 7,
      retries: 3,
      cache: { mode: "use", freshForMs: 5, maxStaleMs: 0 },
    });
  });

  it("has as many retries as the squad, none where they are off, and its own above that", () => {
    expect(defaultsOf({ retry: { limit: 5 } }).retries).toBe(5);
    expect(defaultsOf({ retry: false }).retries).toBe(0);
    expect(resolveRequestOptions({ retries: 1 }, defaults).retries).toBe(1);
    expect(() => resolveRequestOptions({ retries: 11 }, defaults)).toThrow(
      "request.squad.retries must be a whole number of retries from 0 to 10; got 11.",
    );
  });

  it("leaves defaults and the caller's object as they were, and sees later changes of the latter", () => {
    const given = { agent: "one" };
    expect(resolveRequestOptions(given, defaults).agent).toBe("one");
    given.agent = "two";
    expect(resolveRequestOptions(given, defaults).agent).toBe("two");
    expect(defaults.agent).toBe("ralph");
  });

  it.each([
    ["bypass", { mode: "bypass", freshForMs: 0, maxStaleMs: 0 }],
    ["revalidate", { mode: "revalidate", freshForMs: 0, maxStaleMs: 0 }],
    [{ maxStaleMs: 9 }, { mode: "use", freshForMs: 5, maxStaleMs: 9 }],
    [{ freshForMs: 0 }, { mode: "use", freshForMs: 0, maxStaleMs: 0 }],
  ])("understands cache: %j", (cache, expected) => {
    expect(resolveRequestOptions({ cache }, defaults).cache).toEqual(expected);
  });

  it.each(["revalidate", "bypass", { freshForMs: 5 }])("cannot switch a cache on that is off, by %j", (cache) => {
    expect(resolveRequestOptions({ cache }, defaultsOf({ cache: false })).cache.mode).toBe("bypass");
  });

  it.each([
    [{ prioritty: 0 }, "request.squad.prioritty: unknown option; did you mean `priority`?"],
    [{ priority: 7 }, /^request\.squad\.priority must be/],
    [{ emergency: 1 }, /^request\.squad\.emergency must be true or false; got 1/],
    [{ maxWaitMs: -1 }, /^request\.squad\.maxWaitMs .*from 0 to 86400000; got -1/],
    [{ operation: "a\u0000" }, /^request\.squad\.operation must be/],
    [{ cache: "no-store" }, /^request\.squad\.cache must be "revalidate", "bypass" or a plain object.*"no-store"/],
    [{ cache: null }, /^request\.squad\.cache must be .*got null/],
    [{ cache: { maxBytes: 1 } }, /^request\.squad\.cache\.maxBytes: unknown option/],
    [{ cache: { freshForMs: 0.5 } }, /^request\.squad\.cache\.freshForMs .*got 0\.5/],
    ["P0", /^request\.squad must be a plain object of options; got "P0"/],
    [null, /^request\.squad must be .*got null/],
  ])("refuses %o by name, bound and value", (given, message) => {
    expect(() => resolveRequestOptions(given, defaults)).toThrow(message);
  });

  it("names the place where the caller wrote it", () => {
    expect(() => resolveRequestOptions({ priority: 7 }, defaults, "init.squad")).toThrow(/^init\.squad\.priority/);
  });

  it("throws nothing but a SquadRateError, whatever it is given", () => {
    const keys = ["agent", "priority", "emergency", "session", "operation", "maxWaitMs", "cache"];
    const record = fc.dictionary(fc.constantFrom(...keys), fc.anything());
    fc.assert(
      fc.property(fc.oneof(fc.anything(), record), (given) => {
        try {
          resolveRequestOptions(given, defaults);
        } catch (error) {
          if (!isSquadRateError(error)) throw error;
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("squadRequest", () => {
  it("returns what it is given", () => {
    const options = { priority: 0 } as const;
    expect(squadRequest(options)).toBe(options);
  });
});
