import { Octokit } from "@octokit/core";
import { describe, expect, it } from "vitest";
import { squadRate } from "../src/plugin.js";
import { createVirtualClock } from "../src/sim/virtual-clock.js";
import { createSquad, engineOf } from "../src/squad.js";
import { VERSION } from "../src/version.js";
import { outcomeOf } from "./harness/cache-outcome.js";
import { createMemoryStore } from "./harness/memory-store.js";
import { createStubGithub } from "./harness/stub-github.js";

describe("squadRate", () => {
  it("tells its version", () => {
    expect(squadRate.VERSION).toBe(VERSION);
  });

  it("gives the Octokits of one class and equal options one squad, as App and Probot need it", () => {
    const Mine = Octokit.plugin(squadRate);
    const clock = createVirtualClock();
    const store = createMemoryStore();
    const a = new Mine({ squad: { agent: "a", clock, store, cache: { freshForMs: 5 } } });
    const b = new Mine({ auth: "another", squad: { cache: { freshForMs: 5 }, store, clock, agent: "a" } });
    expect(engineOf(b.squad)).toBe(engineOf(a.squad));
    expect(engineOf(new Mine().squad)).toBe(engineOf(new Mine({ squad: {} }).squad));
  });

  it.each([
    ["another value", { agent: "b" }],
    ["another store", { agent: "a", store: createMemoryStore() }],
    ["another clock", { agent: "a", clock: createVirtualClock() }],
    ["a part switched off", { agent: "a", cache: false }],
  ])("gives options with %s another squad", (_what, squad) => {
    const Mine = Octokit.plugin(squadRate);
    expect(engineOf(new Mine({ squad }).squad)).not.toBe(engineOf(new Mine({ squad: { agent: "a" } }).squad));
  });

  it("gives another class another squad", () => {
    const squad = { agent: "a" };
    const [Mine, Yours] = [Octokit.plugin(squadRate), Octokit.plugin(squadRate)];
    expect(engineOf(new Mine({ squad }).squad)).not.toBe(engineOf(new Yours({ squad }).squad));
  });

  it("puts a new squad in the place of a closed one", async () => {
    const Mine = Octokit.plugin(squadRate);
    const first = new Mine({ squad: { agent: "a" } }).squad;
    await first.close();
    const second = new Mine({ squad: { agent: "a" } }).squad;
    expect([engineOf(second) === engineOf(first), second.status().closed]).toEqual([false, false]);
  });

  it("takes a ready squad, of any class", () => {
    const squad = createSquad({ agent: "a" });
    const first = new (Octokit.plugin(squadRate))({ squad });
    const second = new (Octokit.plugin(squadRate))({ squad: first.squad });
    expect([engineOf(first.squad), engineOf(second.squad)]).toEqual([engineOf(squad), engineOf(squad)]);
  });

  it("keeps one warm cache over all the Octokits that an App makes", async () => {
    const clock = createVirtualClock();
    const github = createStubGithub({ clock });
    github.route("/app", { json: { id: 1 } });
    const Mine = Octokit.plugin(squadRate).defaults({ request: { fetch: github.fetch }, squad: { clock } });
    const options = { auth: "same" };
    const outcomes = [];
    for (let event = 0; event < 3; event++) outcomes.push(outcomeOf(await new Mine(options).request("GET /app")));
    expect(outcomes).toEqual(["miss", "revalidated", "revalidated"]);
  });

  it("throws from the constructor for an option that is wrong, and names it", () => {
    const Mine = Octokit.plugin(squadRate);
    const options = { squad: { agnet: "a" } as object };
    expect(() => new Mine(options)).toThrow(expect.objectContaining({ code: "SQUAD_RATE_OPTIONS" }));
    expect(() => new Mine(options)).toThrow(/squad\.agnet.*agent/);
    expect(() => new Mine({ squad: "file:~/x" as never })).toThrow(/squad/);
  });

  it("refuses a call's misspelt option before anything is sent", async () => {
    const clock = createVirtualClock();
    const github = createStubGithub({ clock });
    const octokit = new (Octokit.plugin(squadRate))({ request: { fetch: github.fetch }, squad: { clock } });
    const call = octokit.request("GET /user", { request: { squad: { agnet: "a" } } });
    await expect(call).rejects.toMatchObject({ code: "SQUAD_RATE_OPTIONS" });
    expect(github.requests).toHaveLength(0);
  });

  it("leaves what core and other plugins give as it is", () => {
    const plain = new Octokit();
    const octokit = new (Octokit.plugin(squadRate))();
    expect(Object.keys(octokit).sort()).toEqual([...Object.keys(plain), "squad"].sort());
  });
});
