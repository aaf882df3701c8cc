import { describe, it } from "vitest";
import { assertLawsUnderHiddenUse, assertNothingRefused } from "./laws.js";

describe("whatever calls, answers, deaths, lost replies and clocks do, for longer", () => {
  it("nothing is refused without hidden use, every grant is safe and in order", () => {
    assertNothingRefused({ runs: 10_000 });
  }, 600_000);

  it("every grant is safe and in order with hidden use", () => {
    assertLawsUnderHiddenUse({ runs: 10_000 });
  }, 600_000);
});
