import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuotaDocument } from "../../../src/policy/share/parse-quota-document.js";
import { asking, documentAfter, reportOf, seen, T0, update } from "./reports.js";

const doc = update(
  documentAfter([reportOf("a", { 1: { spent: 7, inFlight: 2, balance: 11 } }, { header: seen(9) }), T0]),
  reportOf("b", { 0: asking(3), 2: asking(1) }),
  T0 + 1_000,
).doc;

/** What a store would return. */
function stored(change: (json: Record<string, unknown>) => void = () => {}): unknown {
  const json = JSON.parse(JSON.stringify(doc)) as Record<string, unknown>;
  change(json);
  return json;
}

function why(value: unknown, now: number = T0 + 1_000): string {
  const parsed = parseQuotaDocument(value, now);
  return parsed.kind === "unreadable" ? parsed.why : "ok";
}

/** Sets what is at a path of keys. */
function put(path: readonly string[], value: unknown): unknown {
  return stored((json) => {
    let at = json as Record<string, unknown>;
    for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
    at[path.at(-1) as string] = value;
  });
}

describe("a quota document", () => {
  it("comes back from a store as it was written", () => {
    expect(parseQuotaDocument(stored(), T0 + 1_000)).toEqual({ kind: "ok", doc: JSON.parse(JSON.stringify(doc)) });
  });

  it("may have keys that this version does not know", () => {
    expect(why(put(["later"], { anything: 1 }))).toBe("ok");
    expect(why(put(["allocations", "a", "later"], [1]))).toBe("ok");
  });

  it.each([
    ["nothing", undefined, "document is missing, not an object"],
    ["null", null, "document is null"],
    ["a string", '{"version":1', "document is a string"],
    ["a list", [1, 2], "document is an array"],
    ["another program's", { totalLimit: 5_000, allocations: {} }, "document.version is missing"],
    ["a later version's", put(["version"], 2), "document.version is 2; this reads version 1"],
    ["one that lacks a key", put(["allocations"], undefined), "document.allocations is missing"],
    ["a negative count", put(["used"], -1), "document.used is -1"],
    ["an enormous count", put(["totalLimit"], 1e12), "document.totalLimit is 1000000000000"],
    ["a count in words", put(["used"], "7"), "document.used is a string, not a number"],
    ["a fraction of a window", put(["window"], 1.5), "document.window is 1.5, not a whole number"],
    ["a window of no length", put(["windowMs"], 0), "document.windowMs is 0"],
    ["retired units of two classes", put(["retired"], [0, 1]), "document.retired is an array"],
    [
      "a negative share",
      put(["allocations", "a", "classes", "1", "soon"], -2),
      "document.allocations[0].classes.1.soon is -2",
    ],
    [
      "sums that do not agree",
      put(["allocations", "a", "allocated"], 500),
      "document.allocations[0] is not the sum of its classes",
    ],
    [
      "more used than allocated",
      put(["allocations", "a", "classes", "1", "inFlight"], 11),
      "document.allocations[0].classes.1 has used more",
    ],
    ["a reset days ahead", put(["resetAt"], T0 + 3 * 86_400_000), "document.resetAt is more than a window ahead"],
    ["an urgency that is none", put(["allocations", "a", "priority"], 3), "document.allocations[0].priority is 3"],
  ])("is unreadable when it is %s", (_, value, reason) => {
    expect(why(value)).toContain(reason);
  });

  it("is unreadable when it was written in the future", () => {
    expect(why(stored(), T0 - 3_600_000)).toBe("document.updatedAt is 3601 s in the future");
    expect(why(stored(), T0 - 200_000)).toBe("ok");
  });

  it("is read by a clock that nobody has set, which may be behind, unless what it says is ahead of itself", () => {
    const behind = T0 - 3_600_000;
    const unset = (value: unknown): string => {
      const parsed = parseQuotaDocument(value, behind, false);
      return parsed.kind === "unreadable" ? parsed.why : "ok";
    };
    expect(unset(stored())).toBe("ok");
    for (const key of ["resetAt", "previousResetAt", "usedAt", "blockedUntil"]) {
      expect(unset(put([key], T0 + 3 * 86_400_000))).toContain(`document.${key} is`);
    }
  });

  it("never quotes what a foreign document holds", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12 }), (secret) => {
        for (const value of [{ version: secret }, { ...(stored() as object), used: secret }, secret]) {
          expect(why(value)).not.toContain(secret);
        }
      }),
    );
  });

  it("takes a spender's name for a name, whatever it is", () => {
    const report = reportOf("__proto__", { 1: asking(2) }, { window: undefined });
    const turn = update(doc, report, T0 + 2_000);
    const parsed = parseQuotaDocument(JSON.parse(JSON.stringify(turn.doc)), T0 + 2_000);
    expect(parsed.kind === "ok" && Object.keys(parsed.doc.allocations)).toContain("__proto__");
    expect(parsed.kind === "ok" && Object.hasOwn(parsed.doc.allocations, "constructor")).toBe(false);
  });

  it("never throws, and never takes damage for a fresh budget", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(parseQuotaDocument(value, T0).kind).toBe("unreadable");
      }),
      { numRuns: 2_000 },
    );
  });

  it("is whole or unreadable when any one value in it is replaced", () => {
    const paths: string[][] = [];
    const walk = (value: unknown, path: string[]): void => {
      if (typeof value !== "object" || value === null) paths.push(path);
      else for (const [key, of] of Object.entries(value)) walk(of, [...path, key]);
    };
    walk(stored(), []);
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.anything(), (path, value) => {
        const parsed = parseQuotaDocument(put(path, value), T0 + 1_000);
        if (parsed.kind === "unreadable") return;
        const { doc: next } = update(parsed.doc, reportOf("c", { 1: asking(1) }), T0 + 1_000);
        expect(parseQuotaDocument(JSON.parse(JSON.stringify(next)), T0 + 1_000).kind).toBe("ok");
      }),
      { numRuns: 3_000 },
    );
  });
});
