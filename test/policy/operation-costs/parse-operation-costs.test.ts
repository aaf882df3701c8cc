import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CostObservations,
  mergeCosts,
  observeCost,
  parseOperationCosts,
} from "../../../src/policy/operation-costs.js";

const T0 = Date.UTC(2030, 0, 1);
const KEY = "0123456789abcdef0123456789abcdef";
const SEEN = observeCost(1.5, T0) as CostObservations;
const DOC = mergeCosts(undefined, { id: "a:1", observations: new Map([[KEY, SEEN]]) }, T0);

describe("a stored document of what operations cost", () => {
  it("comes back as it was written, also to clocks minutes behind or unknown", () => {
    for (const now of [T0, T0 + 48 * 3_600_000, T0 - 5 * 60_000, Number.POSITIVE_INFINITY]) {
      expect(parseOperationCosts(JSON.parse(JSON.stringify(DOC)), now)).toEqual({ kind: "ok", doc: DOC });
    }
  });

  it("may have keys that this version does not know", () => {
    const costs = { [KEY]: { ...DOC.costs[KEY], later: 1 } };
    expect(parseOperationCosts({ ...DOC, costs, later: [1] }, T0)).toEqual({ kind: "ok", doc: DOC });
  });

  const cost = (of: object): object => ({ ...DOC, costs: { [KEY]: { ...DOC.costs[KEY], ...of } } });

  it.each([
    ["nothing", undefined, "document is missing, not an object"],
    ["a torn text", '{"version":1,"costs":{', "document is a string, not an object"],
    ["a list", [DOC], "document is an array, not an object"],
    ["another program's", { costs: {} }, "document.version is missing; this reads version 1"],
    ["a later version's", { ...DOC, version: 2 }, "document.version is 2; this reads version 1"],
    ["one from the future", { ...DOC, updatedAt: T0 + 600_000 }, "document.updatedAt is 600 s in the future"],
    ["one without a revision", { ...DOC, revision: -1 }, "document.revision is -1, outside 0 to 9007199254740991"],
    ["one without costs", { ...DOC, costs: undefined }, "document.costs is missing, not an object"],
    ["one with a list of costs", { ...DOC, costs: [1] }, "document.costs is an array, not an object"],
    [
      "one with more operations than anybody writes",
      { ...DOC, costs: Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`${index}`, 1])) },
      "document.costs holds 10001 operations",
    ],
    [
      "one that quotes a query",
      { ...DOC, costs: { "query { viewer { login } }": DOC.costs[KEY] } },
      "document.costs[0] stands under a key that is no digest",
    ],
    ["one with a number for a cost", { ...DOC, costs: { [KEY]: 51 } }, "document.costs[0] is 51, not an object"],
    ["one that costs less than nothing", cost({ units: -1 }), "document.costs[0].units is -1, outside 0 to 1000000"],
    [
      "one that costs too much",
      cost({ lastUnits: 1e7 }),
      "document.costs[0].lastUnits is 10000000, outside 0 to 1000000",
    ],
    ["one that costs no number", cost({ units: Number.NaN }), "document.costs[0].units is NaN, not a number"],
    ["one with half a call", cost({ count: 0.5 }), "document.costs[0].count is 0.5, not a whole number"],
    ["one seen after it was written", cost({ seenAt: T0 + 1 }), "document.costs[0].seenAt is later than the document"],
    ["one without reports", { ...DOC, reports: undefined }, "document.reports is missing, not an array"],
    ["one with reports of another kind", { ...DOC, reports: [7] }, "document.reports.0 is 7, not a string"],
    ["one with endless reports", { ...DOC, reports: Array(10_001).fill("a") }, "document.reports has 10001 entries"],
    [
      "one with a book for a report",
      { ...DOC, reports: ["x".repeat(65)] },
      "document.reports.0 has 65 characters, more than 64",
    ],
  ])("is unreadable when it is %s", (_, value, why) => {
    expect(parseOperationCosts(value, T0)).toEqual({ kind: "unreadable", why });
  });

  it("never makes a reader throw, whatever it is", () => {
    const near = fc.record(
      {
        version: fc.constantFrom<unknown>(1, 2, "1"),
        revision: fc.oneof(fc.nat(), fc.jsonValue()),
        updatedAt: fc.oneof(fc.constant(T0), fc.jsonValue()),
        costs: fc.oneof(
          fc.dictionary(
            fc.constantFrom(KEY, "__proto__", "constructor"),
            fc.oneof(fc.constant(DOC.costs[KEY]), fc.jsonValue()),
          ),
          fc.jsonValue(),
        ),
        reports: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(near, fc.jsonValue(), fc.anything()), (value) => {
        const parsed = parseOperationCosts(value, T0);
        if (parsed.kind === "ok") expect(parseOperationCosts(parsed.doc, T0)).toEqual(parsed);
        else expect(parsed.why).toMatch(/^document/);
      }),
      { numRuns: 500 },
    );
  });
});
