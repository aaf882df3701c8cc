import { describe, expect, it } from "vitest";
import { isSquadRateError, type SquadRateError } from "../../src/errors.js";
import {
  IdentityNumbers,
  optionsKey,
  type ResolvedOptions,
  resolveOptions,
  type SquadOptions,
} from "../../src/options.js";
import { openStore } from "../../src/store/open-store.js";

const identity = { hostname: "build-7", pid: 42 };

function resolve(options: unknown, environment: Record<string, string | undefined> = {}): ResolvedOptions {
  return resolveOptions(options as SquadOptions, environment, identity);
}

function refusal(options: unknown): SquadRateError {
  try {
    resolve(options);
  } catch (error) {
    if (!isSquadRateError(error)) throw error;
    expect(error.code).toBe("SQUAD_RATE_OPTIONS");
    return error;
  }
  throw new Error("was accepted");
}

describe("squad.pool", () => {
  const lending = { name: undefined, share: "lend", mirror: undefined };

  it.each([[{ store: "memory:" }], [{ store: "memory:", pool: true }], [{}]])(
    "is on unless it is switched off, whether or not there is a store to share through: %o",
    (given) => {
      expect(resolve(given).pool).toEqual(lending);
    },
  );

  it("is on with a store from the environment", () => {
    expect(resolve({}, { SQUAD_RATE_STORE: "memory:" }).pool).toEqual(lending);
  });

  it("is off when it is switched off", () => {
    expect(resolve({ store: "memory:", pool: false }).pool).toBe(false);
  });

  it("takes a name, a way to share and a mirror", () => {
    const pool = { name: "Bots.of_acme-1", share: "fixed", mirror: "~/.squad/rate-pool.json" };
    expect(resolve({ store: "memory:", pool }).pool).toEqual(pool);
    expect(resolve({ store: "memory:", pool: { name: "n".repeat(64) } }).pool).toMatchObject({ name: "n".repeat(64) });
  });

  it("is compared by value, so that equal options are one squad", () => {
    const numbers = new IdentityNumbers();
    const key = (pool: SquadOptions["pool"]): string => optionsKey(resolve({ store: "memory:", pool }), numbers);
    expect(key({ share: "lend", name: "a" })).toBe(key({ name: "a" }));
    expect(key({})).toBe(key(undefined));
    const different = [false, true, { name: "a" }, { name: "b" }, { share: "fixed" }, { mirror: "m" }] as const;
    expect(new Set(different.map(key)).size).toBe(different.length);
  });

  const letters = "squad.pool.name must be 1 to 64 letters (A to Z, a to z), digits, dots, underscores or hyphens";
  const path = "squad.pool.mirror must be the path of a file, at least one character and none of them NUL";
  it.each([
    [null, "squad.pool must be true, false or a plain object of options; got null."],
    ["bots", 'squad.pool must be true, false or a plain object of options; got "bots".'],
    [{ name: "" }, `${letters}; got "".`],
    [{ name: "n".repeat(65) }, `${letters}; got "${"n".repeat(60)}…".`],
    [{ name: "two words" }, `${letters}; got "two words".`],
    [{ name: "bots\n" }, `${letters}; got "bots\\n".`],
    [{ name: "böts" }, `${letters}; got "böts".`],
    [{ name: "a:b" }, `${letters}; got "a:b".`],
    [{ name: 7 }, `${letters}; got 7.`],
    [{ name: null }, `${letters}; got null.`],
    [{ share: "equal" }, 'squad.pool.share must be "lend" or "fixed"; got "equal".'],
    [{ share: true }, 'squad.pool.share must be "lend" or "fixed"; got true.'],
    [{ mirror: "" }, `${path}; got "".`],
    [{ mirror: "a\0b" }, `${path}; got "a\\u0000b".`],
    [{ mirror: true }, `${path}; got true.`],
    [{ mirror: new URL("file:///tmp/m") }, `${path}; got an object.`],
    [{ nam: "a" }, "squad.pool.nam: unknown option; did you mean `name`?"],
    [{ lend: true }, "squad.pool.lend: unknown option."],
  ])("refuses %o by name, bound and value, with a store and without", (pool, message) => {
    expect(refusal({ pool }).message).toBe(message);
    expect(refusal({ store: "memory:", pool }).message).toBe(message);
    expect(refusal({ pool }).remedy).toBeTruthy();
  });

  it("refuses a credential as a name, and does not show it", () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const { message } = refusal({ pool: { name: token } });
    expect(message).toMatch(
      /^squad\.pool\.name must be a name; it is written to stores and traces; got a string of 40/,
    );
    expect(message).not.toContain(token);
  });
});

describe("squad.requestTimeoutMs", () => {
  it.each([1_000, 600_000])("takes %d", (requestTimeoutMs) => {
    expect(resolve({ requestTimeoutMs })).toMatchObject({ requestTimeoutMs });
  });

  it.each([[999], [600_001], [1_000.5], [Number.POSITIVE_INFINITY], ["60s"], [null], [0], [-1], [Number.NaN]])(
    "refuses %o",
    (requestTimeoutMs) => {
      expect(refusal({ requestTimeoutMs }).message).toBe(
        `squad.requestTimeoutMs must be a whole number of milliseconds from 1000 to 600000; got ${
          typeof requestTimeoutMs === "string" ? '"60s"' : requestTimeoutMs
        }.`,
      );
    },
  );

  it("is known by the name that people may try", () => {
    expect(refusal({ requestTimeout: 1 }).message).toBe(
      "squad.requestTimeout: unknown option; did you mean `requestTimeoutMs`?",
    );
  });
});

describe("squad.store", () => {
  it("takes what openStore returned, as it is", async () => {
    await using store = await openStore("memory:");
    expect(resolve({ store }).store).toBe(store);
    expect(resolve({ store }).pool).not.toBe(false);
  });

  it("tells to await the opening", () => {
    const { message, remedy } = refusal({ store: openStore("memory:") });
    expect(message).toBe("squad.store must be an opened store, not the promise of one; got an object.");
    expect(remedy).toBe("Write `store: await openStore(…)`.");
  });

  it("says how to make a store of a Map, whose methods only look like one's", () => {
    const { message, remedy } = refusal({ store: new Map() as never });
    expect(message).toBe("squad.store must be a store's URI, what openStore returned, or a Keyv; got an object.");
    expect(remedy).toBe("Write `store: new Keyv({ store: map })`.");
  });
});
