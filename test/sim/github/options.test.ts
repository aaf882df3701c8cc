import { describe, expect, it } from "vitest";
import { createSimulatedGitHub, createVirtualClock, populateWorld } from "../../../src/sim/index.js";

describe("options", () => {
  it.each([
    [{ sekunden: 1 }, /unknown option `sekunden`/],
    [{ limits: { cor: {} } }, /no resource "cor"/],
    [{ limits: { core: { windowMs: 10 } } }, /`limits.core.windowMs` must be at least 1000, not 10/],
    [{ limits: { core: { limit: -1 } } }, /`limits.core.limit` must not be negative, but is -1/],
    [{ secondary: { concurency: 1 } }, /unknown option `secondary.concurency`/],
    [{ baseUrl: "nowhere" }, /`baseUrl` must be an absolute URL/],
  ])("such as %j are refused by name, bound and value", (options, message) => {
    expect(() => createSimulatedGitHub(options as object)).toThrow(message);
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
