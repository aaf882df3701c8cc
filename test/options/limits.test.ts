import { describe, expect, it } from "vitest";
import { IdentityNumbers, optionsKey, resolveOptions, type SquadOptions } from "../../src/options.js";

const resolve = (options: SquadOptions) => resolveOptions(options, {}, { hostname: "build-7", pid: 42 });

describe("the options of retries, breaker, limits and pace", () => {
  it("are off with false, and as by default with true", () => {
    const off = resolve({ retry: false, breaker: false, secondary: false, pacing: false });
    expect(off).toMatchObject({ retry: false, breaker: false, secondary: false, pacing: false });
    expect(resolve({ retry: true, breaker: true, secondary: true, pacing: true })).toEqual(resolve({}));
  });

  it("fill in what is left out", () => {
    const { secondary, pacing } = resolve({ secondary: { concurrent: 20 }, pacing: { writeMs: 0 } });
    expect(secondary).toMatchObject({ concurrent: 20, pointsPerMinute: 900 });
    expect(pacing).toEqual({ writeMs: 0, notificationMs: 3_000, searchMs: 2_000 });
  });

  it("name each agent once that is depended on", () => {
    expect(resolve({ dependsOn: ["data", "ralph", "data"] }).dependsOn).toEqual(["data", "ralph"]);
  });

  it("are compared by value, so that equal options make one squad", () => {
    const numbers = new IdentityNumbers();
    const key = (options: SquadOptions) => optionsKey(resolve(options), numbers);
    expect(key({ dependsOn: ["data"], retry: { limit: 2 } })).toBe(key({ dependsOn: ["data"], retry: { limit: 2 } }));
    expect(key({ dependsOn: ["data"] })).not.toBe(key({ dependsOn: ["ralph"] }));
    expect(key({ pacing: { writeMs: 1 } })).not.toBe(key({ pacing: { writeMs: 2 } }));
  });

  it.each([
    [{ retry: 3 }, "squad.retry must be true, false or a plain object of options; got 3."],
    [{ retry: { limit: 11 } }, "squad.retry.limit must be a whole number of retries from 0 to 10; got 11."],
    [{ retry: { retries: 1 } }, /^squad\.retry\.retries: unknown option/],
    [{ breaker: "on" }, 'squad.breaker must be true or false; got "on".'],
    [{ secondary: { concurent: 3 } }, "squad.secondary.concurent: unknown option; did you mean `concurrent`?"],
    [
      { secondary: { concurrent: 0 } },
      "squad.secondary.concurrent must be a whole number of requests from 1 to 10000000; got 0.",
    ],
    [{ secondary: { pointsPerMinute: 4 } }, /whole number of points from 5 to/],
    [
      { pacing: { writeMs: -1 } },
      "squad.pacing.writeMs must be a whole number of milliseconds from 0 to 60000; got -1.",
    ],
    [{ concurrent: 5 }, "squad.concurrent: unknown option; did you mean `secondary.concurrent`?"],
    [{ dependsOn: "data" }, 'squad.dependsOn must be a list of at most 100 names of agents; got "data".'],
    [{ dependsOn: [""] }, /^squad\.dependsOn\[0\] must be/],
    [{ dependsOn: [undefined] }, "squad.dependsOn[0] must be the name of an agent; got undefined."],
  ])("say what is wrong with %j", (options, message) => {
    expect(() => resolve(options as SquadOptions)).toThrow(message);
  });
});
