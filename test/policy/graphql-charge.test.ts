import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChargeQuestion, chargeOf } from "../../src/policy/graphql-charge.js";

const QUESTION: ChargeQuestion = {
  told: undefined,
  isDryRun: false,
  isRefused: false,
  expectedUnits: 18,
  rise: undefined,
};

describe("chargeOf", () => {
  it.each<[string, Partial<ChargeQuestion>, number]>([
    ["what the answer says, before all else", { told: 17, rise: { units: 40, isOwn: true } }, 17],
    ["what the count rose by, when nobody else can have done it", { rise: { units: 16, isOwn: true } }, 16],
    ["what was expected, when others spend too", { rise: { units: 40, isOwn: false } }, 18],
    ["no more than the count rose by, whoever spent", { rise: { units: 5, isOwn: false } }, 5],
    ["what was expected, when no header tells", {}, 18],
    ["one unit for a refusal, whatever was asked for", { isRefused: true }, 1],
    ["nothing for a question of what it would cost", { isDryRun: true, told: 18 }, 0],
    ["one unit when that question was turned down", { isDryRun: true }, 1],
    [
      "what the count rose by, should that question cost something",
      { isDryRun: true, rise: { units: 1, isOwn: true } },
      1,
    ],
  ])("is %s", (_, question, units) => {
    expect(chargeOf({ ...QUESTION, ...question })).toBe(units);
  });

  it("is never more than the headers allow, unless the answer itself says so", () => {
    const question = fc.record({
      told: fc.constant(undefined),
      isDryRun: fc.boolean(),
      isRefused: fc.boolean(),
      expectedUnits: fc.nat(5_000),
      rise: fc.record({ units: fc.nat(5_000), isOwn: fc.boolean() }),
    });
    fc.assert(fc.property(question, (one) => chargeOf(one) <= one.rise.units));
  });
});
