import { describe, expect, it } from "vitest";
import { STATUS_QUERY } from "../../bench/guards/ask-status.js";
import { countExchanges, type Figures } from "../../bench/guards/figures.js";
import type { PullFacts } from "../../bench/guards/fleet.js";
import type { ClientName } from "../../bench/guards/make-client.js";
import { type Needs, violations } from "../../bench/guards/needs.js";
import { play } from "../../bench/guards/play.js";
import { STATUS_FRAGMENT } from "../../bench/guards/pull-status.js";
import { POLL_MS, type Scenario } from "../../bench/guards/scenario.js";
import { createSimulatedGitHub } from "../../src/sim/github/simulated-github.js";
import { createSquad } from "../../src/squad.js";

const MINUTE_MS = 60_000;
const SQUADS = ["by-session", "by-repository", "pull-by-pull"] as const satisfies readonly ClientName[];

function run(client: ClientName, scenario: Partial<Scenario>): Promise<Figures> {
  const base = { sessions: 5, warmUpMs: POLL_MS, forMs: 3 * POLL_MS, changesPerPoll: 0, start: "together" } as const;
  return play(client, { ...base, ...scenario }, 1);
}

describe("sessions that poll GitHub and find nothing changed", () => {
  it.each(SQUADS)("pay nothing, however many they are: %s", async (client) => {
    for (const sessions of [5, 20]) {
      const figures = await run(client, { sessions });
      expect(figures).toMatchObject({ notModified: 1, restUnitsPerHour: 0, graphqlUnitsPerHour: 0 });
      expect(figures).toMatchObject({ produced: 0, refused: 0, failed: 0, violations: {} });
      expect(figures.polls).toBe(sessions * 3);
      expect(figures.firstUnits).toBeGreaterThan(0);
    }
  });

  it("pay for their views with guards written by hand, and the more the more they are", async () => {
    const [few, many] = await Promise.all([5, 20].map((sessions) => run("hand-written", { sessions })));
    expect(few).toMatchObject({ notModified: 1, produced: 0, violations: {} });
    expect(many).toMatchObject({ notModified: 1, produced: 0, violations: {} });
    expect(many?.graphqlUnitsPerHour).toBeGreaterThan(3 * (few?.graphqlUnitsPerHour ?? 0));
  });
});

/** A change falls anywhere between the polls of sessions that do not keep step. */
const CHANGING = { changesPerPoll: 1, start: "spread", warmUpMs: 2 * POLL_MS, forMs: 4 * POLL_MS } as const;

describe("sessions of which one changes with each poll", () => {
  it.each(SQUADS)("pay for the change, not for the sessions, and miss nothing: %s", async (client) => {
    const [few, many] = await Promise.all([10, 20].map((sessions) => run(client, { sessions, ...CHANGING })));
    for (const figures of [few, many]) expect(figures).toMatchObject({ refused: 0, failed: 0, violations: {} });
    expect(few?.graphqlUnitsPerHour).toBeGreaterThan(0);
    const growth = (many?.graphqlUnitsPerHour ?? 0) / (few?.graphqlUnitsPerHour ?? 0);
    expect(Math.abs(growth - 1)).toBeLessThan(0.2);
  });

  it("miss nothing with guards written by hand", async () => {
    expect(await run("hand-written", { sessions: 10, ...CHANGING })).toMatchObject({ failed: 0, violations: {} });
  });
});

describe("what the sessions need", () => {
  const session = { index: 0, repo: "app-1", number: 1 };
  const facts: PullFacts = { headSha: "b", checks: "build: success", comments: ["Shorter?"] };
  const needs: Needs = {
    list: [{ number: 1, head: { sha: "b" } }],
    pull: { number: 1, head: { sha: "b" }, review_comments: 1 },
    checks: { check_runs: [{ name: "build", conclusion: "success" }] },
    comments: [{ body: "Shorter?" }],
    status: { headSha: "b", state: "SUCCESS", checks: "build: success", comments: ["Shorter?"] },
  };
  const broken = (given: Partial<Needs>, truths: readonly PullFacts[] = [facts]) =>
    violations({ ...needs, ...given }, session, [session], () => truths);

  it("is met by what was true at some moment of the poll", () => {
    expect(broken({})).toEqual([]);
    expect(broken({}, [{ ...facts, headSha: "a", comments: [] }, facts])).toEqual([]);
  });

  it("is violated by each thing that was true only before", () => {
    expect(broken({ list: [{ number: 1, head: { sha: "a" } }] })).toEqual(["list"]);
    expect(broken({ pull: { ...needs.pull, review_comments: 0 } })).toEqual(["pull"]);
    expect(broken({ checks: { check_runs: [] } })).toEqual(["checks"]);
    expect(broken({ comments: [] })).toEqual(["comments"]);
    expect(broken({ status: { ...needs.status, headSha: "a" } })).toEqual(["status"]);
    expect(broken({ status: { ...needs.status, comments: [] } })).toEqual(["status"]);
  });
});

describe("the query for a pull request's status", () => {
  it("costs one unit alone and 18 for 25, by the estimate and by GitHub's ledger", async () => {
    const github = createSimulatedGitHub();
    github.world.addToken("ghp_1", "mona");
    const fields = Array.from(
      { length: 25 },
      (_, index) => `p${index}: repository(owner: "o", name: "r") { pullRequest(number: ${index + 1}) { ...Status } }`,
    );
    const batch = `{ ${fields.join(" ")} } ${STATUS_FRAGMENT}`;
    const squad = createSquad();
    const variables = { owner: "o", repo: "r", number: 1 };
    for (const [query, units] of [[STATUS_QUERY, 1] as const, [batch, 18] as const]) {
      expect(await squad.estimate(query, variables)).toMatchObject({ units, rejected: undefined });
      await github.fetch("https://api.github.com/graphql", {
        method: "POST",
        headers: { authorization: "token ghp_1" },
        body: JSON.stringify({ query, variables }),
      });
      expect(github.log.at(-1)?.chargedUnits).toBe(units);
    }
    await squad.close();
  });
});

describe("what is counted", () => {
  it("is what was sent in the measured time, and the units of GraphQL before it", async () => {
    const github = createSimulatedGitHub();
    await github.fetch("https://api.github.com/zen");
    const [exchange] = github.log;
    if (exchange === undefined) throw new Error("There is no exchange.");
    const at = (startedAt: number, resource: "core" | "graphql", status: number, chargedUnits: number) => ({
      ...exchange,
      ...{ startedAt, resource, status, chargedUnits, method: resource === "core" ? "GET" : "POST" },
    });
    const log = [
      at(0, "graphql", 200, 7),
      at(0, "core", 200, 1),
      at(1_000, "core", 304, 0),
      { ...at(1_000, "core", 403, 0), refusedBy: "secondary" as const },
      at(1_000, "core", 200, 1),
      at(2_000, "graphql", 200, 2),
      at(61_000, "graphql", 200, 9),
    ];
    expect(countExchanges(log, 1_000, MINUTE_MS)).toEqual({
      firstUnits: 7,
      graphqlUnitsPerHour: 120,
      restUnitsPerHour: 60,
      callsPerMinute: 4,
      notModified: 0.5,
      queries: 1,
      refused: 1,
    });
  });
});
