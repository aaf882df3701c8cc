import { describe, expect, it } from "vitest";
import { checkBatchOptions } from "../../src/batch/check-options.js";
import { requestDefaults, resolveOptions } from "../../src/options.js";

const defaults = requestDefaults(resolveOptions({}, {}, { hostname: "host", pid: 1 }));
const check = (given: unknown) => checkBatchOptions(given, defaults);

describe("options of a batch", () => {
  it("have defaults", () => {
    const plain = { size: 25, variables: new Map(), fragments: "", request: {}, name: undefined };
    expect([check(undefined), check({}), check({ size: undefined, request: undefined })]).toEqual([
      plain,
      plain,
      plain,
    ]);
  });

  it("are read once, so that later changes do not matter", () => {
    const request = { squad: { priority: 2 as const } };
    const variables = { n: { type: "Int!", value: 1 } };
    const checked = check({ request, variables });
    Object.assign(request, { signal: AbortSignal.abort() });
    variables.n = { type: "Int", value: 2 };
    expect([checked.request.signal, checked.variables.get("n")]).toEqual([undefined, { type: "Int!", value: 1 }]);
  });

  it.each([
    [[], /batch: options must be a plain object/],
    [{ sise: 3 }, /batch: options\.sise: unknown option; did you mean `size`\?/],
    [{ size: 0 }, /batch: options\.size must be a whole number of items from 1 to 100; got 0/],
    [{ size: 101 }, /size must be/],
    [{ size: 2.5 }, /size must be/],
    [{ size: "25" }, /size must be/],
    [{ variables: [1] }, /options\.variables must be a plain object/],
    [{ variables: { "a-b": { type: "Int", value: 1 } } }, /letters, digits and _; got "a-b"/],
    [{ variables: { n: 5 } }, /variables\.n must be \{ type, value \}; got 5/],
    [{ variables: { n: { type: 5, value: 1 } } }, /variables\.n\.type must be/],
    [{ variables: { n: { typ: "Int", value: 1 } } }, /variables\.n\.typ: unknown option; did you mean `type`/],
    [{ variables: { url: { type: "URI", value: "x" } } }, /variables\.url: Octokit takes url/],
    [{ fragments: ["fragment"] }, /options\.fragments must be/],
    [{ request: "x" }, /options\.request must be a plain object/],
    [{ request: { squad: { prioritty: 1 } } }, /options\.request\.squad\.prioritty: unknown option/],
    [{ name: "two words" }, /options\.name must be letters/],
    [{ name: "" }, /options\.name/],
    [{ name: 5 }, /options\.name/],
  ])("are turned down: %j", (given, message) => {
    expect(() => check(given)).toThrow(
      expect.objectContaining({ code: "SQUAD_RATE_OPTIONS", message: expect.stringMatching(message) }),
    );
  });
});
