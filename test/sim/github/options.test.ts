import { describe, expect, it } from "vitest";
import {
  createSimulatedGitHub,
  createVirtualClock,
  populateWorld,
  type SimulatedGitHub,
} from "../../../src/sim/index.js";

describe("options", () => {
  it.each([
    [{ sekunden: 1 }, /unknown key `sekunden`; known are clock, /],
    [{ limits: { cor: {} } }, /limits: unknown key `cor`; known are core, /],
    [{ limits: { core: 5 } }, /`limits.core` must be { limit: … }, not 5/],
    [{ limits: { core: { limt: 5 } } }, /limits.core: unknown key `limt`; known are limit, /],
    [
      { limits: { core: { windowMs: 10 } } },
      /`limits.core.windowMs` must be a number and must be at least 1000, but is 10/,
    ],
    [{ limits: { core: { limit: -1 } } }, /`limits.core.limit` must be a number and must not be negative, but is -1/],
    [{ secondary: { concurency: 1 } }, /secondary: unknown key `concurency`/],
    [{ secondary: { by: "host" } }, /`secondary.by` must be one of "template", "path", not "host"/],
    [
      { secondary: { recoveryMs: [5] } },
      /`secondary.recoveryMs\[1\]` must be a number and must be at least 5, but is undefined/,
    ],
    [{ latency: { medianMs: 1 } }, /latency: unknown key `medianMs`; known are restMedianMs, /],
    [{ primaryStatus: 404 }, /`primaryStatus` must be one of 403, 429, not 404/],
    [{ gzip: true }, /`gzip` must be one of "accepted", "never", not true/],
    [{ etagFormula: "md5" }, /`etagFormula` must be one of "github", "opaque", not "md5"/],
    [{ seed: "x" }, /`seed` must be a number, but is "x"/],
    [{ baseUrl: "nowhere" }, /`baseUrl` must be an absolute URL/],
  ])("such as %j are refused by name, bound and value", (options, message) => {
    expect(() => createSimulatedGitHub(options as object)).toThrow(message);
  });

  it.each<[string, (github: SimulatedGitHub) => unknown, RegExp]>([
    ["fault", (github) => github.fault({ kind: "boom" } as never), /`kind` must be one of "status", .*, not "boom"/],
    ["fault", (github) => github.fault({ kind: "slow" } as never), /`ms` must be a number .*, but is undefined/],
    ["fault", (github) => github.fault({ kind: "reset", times: -1 }), /`times` must be a number .*, but is -1/],
    [
      "consume",
      (github) => github.consume("ghp_a", "cor" as never, 1),
      /`resource` must be one of "core", .*, not "cor"/,
    ],
    ["consume", (github) => github.consume("ghp_a", "core", -1), /`units` must be a number .*, but is -1/],
    ["usage", (github) => github.usage("ghp_a", "x" as never), /`resource` must be one of "core"/],
    ["block", (github) => github.block("ghp_a", Number.NaN), /`forMs` must be a number .*, but is NaN/],
    ["setClockSkew", (github) => github.setClockSkew(Number.NaN), /`skewMs` must be a number, but is NaN/],
    [
      "addRepository",
      (github) => github.world.addRepository({ owner: "a" } as never),
      /`name` must be .*, but is undefined/,
    ],
  ])("of %s are checked as well", (_where, call, message) => {
    const github = createSimulatedGitHub();
    github.world.addToken("ghp_a", "mona");
    expect(() => call(github)).toThrow(message);
  });

  it("make windows as short as a demonstration needs", async () => {
    const clock = createVirtualClock();
    const github = createSimulatedGitHub({ clock, limits: { core: { limit: 2, windowMs: 10_000 } } });
    github.world.addToken("ghp_a", "mona");
    const status = async () =>
      (await clock.settle(github.fetch("https://api.github.com/user", { headers: { authorization: "token ghp_a" } })))
        .status;
    expect([await status(), await status(), await status()]).toEqual([200, 200, 403]);
    await clock.advance(10_000);
    expect(await status()).toBe(200);
  });

  it("bound the log", async () => {
    const github = createSimulatedGitHub({ clock: createVirtualClock(), logLimit: 10 });
    for (let count = 0; count < 35; count++) await github.fetch("https://api.github.com/zen");
    expect(github.log.map((one) => one.id)).toEqual([26, 27, 28, 29, 30, 31, 32, 33, 34, 35]);
  });
});

describe("populateWorld", () => {
  it("gives the same world for the same options", async () => {
    const bodies = async () => {
      const github = createSimulatedGitHub({ clock: createVirtualClock() });
      populateWorld(github.world, { repositories: 2, issues: 5, pullRequests: 5 });
      return (await github.fetch("https://api.github.com/repos/acme/app-2/issues")).text();
    };
    expect(await bodies()).toBe(await bodies());
  });
});

describe("world", () => {
  it("explains what it does not know", () => {
    const { world } = createSimulatedGitHub();
    expect(() => world.addIssue({ owner: "a", repo: "b", title: "x" })).toThrow(
      'no repository "a/b". Add it with world.addRepository().',
    );
    world.addUser("mona");
    expect(() => world.addUser("Mona")).toThrow('already an account "Mona"');
  });
});
