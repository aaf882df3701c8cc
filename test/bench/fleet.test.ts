import { fork } from "node:child_process";
import type { KeyvStoreAdapter } from "keyv";
import { beforeAll, describe, expect, it } from "vitest";
import { readArguments } from "../../bench/fleet/arguments.js";
import {
  commentsOn,
  type ReviewComment,
  readRepositoryComments,
} from "../../bench/fleet/clients/repository-comments.js";
import type { Requester } from "../../bench/fleet/clients/requester.js";
import { StaticPool } from "../../bench/fleet/clients/static-pool/rate-pool.js";
import { retryWaitMs } from "../../bench/fleet/clients/static-pool/retry-window.js";
import { type ClientName, clientFactory } from "../../bench/fleet/clients.js";
import type { Extent } from "../../bench/fleet/extent.js";
import { familyOf } from "../../bench/fleet/families.js";
import { FAMILIES } from "../../bench/fleet/family-names.js";
import type { Job, JobResult } from "../../bench/fleet/job.js";
import { loadAhead } from "../../bench/fleet/load-ahead.js";
import { renderPage } from "../../bench/fleet/page/render-page.js";
import type { FamilyRuns } from "../../bench/fleet/runs.js";
import { tablesOf } from "../../bench/fleet/tables.js";
import { targetsOf } from "../../bench/fleet/targets.js";
import type { FleetAgent } from "../../src/sim/fleet/client.js";
import { STATUS_FRAGMENT, STATUS_QUERY } from "../../src/sim/fleet/pull-status.js";
import type { FleetReport } from "../../src/sim/fleet/report.js";
import { runFleet } from "../../src/sim/fleet/run-fleet.js";
import type { FleetScenario } from "../../src/sim/fleet/scenario.js";
import { reactiveFleet, watchFleet } from "../../src/sim/fleet/scenarios.js";
import { createSimulatedGitHub } from "../../src/sim/github/simulated-github.js";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { createSquad } from "../../src/squad.js";

const MINUTE_MS = 60_000;
/** The official plugins keep to the timers of the process, which are taken over in a process of their own only. */
const CLIENTS = ["a", "c", "d", "e", "e1", "e2"] as const satisfies readonly ClientName[];
const SHORT = { warmUpMs: MINUTE_MS, forMs: 3 * MINUTE_MS } as const;

beforeAll(loadAhead);

async function run(client: ClientName, scenario: FleetScenario): Promise<FleetReport> {
  return runFleet(scenario, await clientFactory(client, {}));
}

describe("five sessions that watch their pull requests, which change now and then", () => {
  const scenario = reactiveFleet({ sessions: 5, sharePerPoll: 0.2, ...SHORT });

  it.each(CLIENTS)("are given what they need, each value true during the poll, by (%s)", async (client) => {
    const { polls, calls, exchanges } = await run(client, scenario);
    expect(polls).toMatchObject({ count: 30, failed: 0, open: 0, unmet: {}, failures: {} });
    expect(polls.cycle.meanMs).toBe(polls.targetMs);
    expect(calls).toMatchObject({ stale: 0, all: { failed: 0, open: 0 } });
    expect(calls.all.made).toBeGreaterThan(0);
    expect(calls.ofPolls.count).toBeGreaterThan(0);
    expect(exchanges.refused).toMatchObject({ primary: 0, secondary: 0 });
  });

  it("are given it by (b) too, on the process's timers", async () => {
    const job: Job = { client: "b", scenario, settings: {}, heapEveryMs: undefined, traced: false };
    const { report } = await inProcess(job);
    expect(report.polls).toMatchObject({ count: 30, failed: 0, unmet: {}, failures: {} });
    expect(report.calls).toMatchObject({ stale: 0, all: { failed: 0 } });
  });

  it.each(["c", "d", "e"] as const)("are served the same way each time by (%s)", async (client) => {
    expect(await run(client, scenario)).toEqual(await run(client, scenario));
  });
});

describe("sessions whose pull requests do not change", () => {
  it("cost squadRate one unit for each look, however many they are", async () => {
    for (const sessions of [5, 30]) {
      const { exchanges } = await run("e", watchFleet({ sessions, ...SHORT }));
      expect(exchanges.unitsPerHour).toEqual({ core: 0, graphql: 120 });
      expect(exchanges.conditional).toMatchObject({ hitShare: 1, misses: 0 });
    }
  });

  it("cost squadRate's guards nothing", async () => {
    const { exchanges } = await run("e2", watchFleet({ sessions: 10, ...SHORT }));
    expect(exchanges.unitsPerHour.graphql ?? 0).toBe(0);
    expect(exchanges.conditional.hitShare).toBe(1);
  });

  it("cost guards written by hand the more the more they are", async () => {
    const [few, many] = await Promise.all(
      [5, 20].map(async (sessions) => (await run("c", watchFleet({ sessions, ...SHORT }))).exchanges.unitsPerHour),
    );
    expect(many?.graphql).toBeGreaterThan(3 * (few?.graphql ?? 0));
  });
});

describe("the static pool", () => {
  /** Pools of two processes on one file, with an agent each; `file` is what lies in it. */
  async function pools() {
    const clock = createVirtualClock();
    const entries = new Map<string, unknown>();
    const store = {
      get: async (key: string) => entries.get(key),
      set: async (key: string, value: unknown) => entries.set(key, value),
    } as unknown as KeyvStoreAdapter;
    const urgent: FleetAgent = { name: "picard-0", priority: 0, session: undefined };
    const other: FleetAgent = { name: "ralph-0", priority: 2, session: undefined };
    const [first, second] = [urgent, other].map((agent) => new StaticPool(store, clock, [agent])) as [
      StaticPool,
      StaticPool,
    ];
    first.enterAfter(0);
    second.enterAfter(1_000);
    await clock.advance(2_000);
    const file = () => JSON.parse(String(entries.get("rate-pool.json"))).allocations;
    return { clock, first, second, urgent, other, file };
  }

  it("holds agents to their parts, and knows nothing of others", async () => {
    const { second, other, file } = await pools();
    expect(file()).toMatchObject({ "picard-0": { allocated: 3_076 }, "ralph-0": { allocated: 1_923 } });
    for (let call = 0; call < 1_922; call++) await second.book(other, 0);
    expect(await second.mayCall(other)).toBe(true);
    await second.book(other, 0);
    expect(await second.mayCall(other)).toBe(false);
    expect(await second.mayCall({ ...other, name: "stranger" })).toBe(true);
  });

  it("forgets one of two that write at once, and hands nothing on", async () => {
    const { clock, first, second, urgent, other, file } = await pools();
    await Promise.all([first.book(urgent, 0), second.book(other, 0)]);
    expect(file()["picard-0"].used + file()["ralph-0"].used).toBe(1);
    second.close();
    await clock.advance(10 * MINUTE_MS);
    expect(file()).toMatchObject({ "picard-0": { allocated: 3_076 }, "ralph-0": { allocated: 0 } });
    first.close();
  });

  it("waits beyond the end of its windows, as its published retries do", () => {
    const longest = ([0, 1, 2] as const).map((priority) => retryWaitMs(priority, 20, () => 1));
    expect(longest).toEqual([7_500, 45_000, 90_000]);
    expect(([0, 1, 2] as const).map((priority) => retryWaitMs(priority, 0, () => 0))).toEqual([500, 2_000, 5_000]);
  });
});

describe("a repository's review comments", () => {
  const session = { index: 0, owner: "acme", repo: "app", number: 7 };
  const comment = (id: number, updatedAt = id): ReviewComment => ({
    id,
    body: `Comment ${id}`,
    updated_at: new Date(updatedAt * 1_000).toISOString(),
    pull_request_url: `https://api.github.com/repos/acme/app/pulls/${id % 2 === 0 ? 7 : 17}`,
  });

  /** A GitHub that has these comments; `asked` collects the pages that were read. */
  function having(comments: readonly ReviewComment[], asked: unknown[] = []): Requester {
    const latest = [...comments].sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1));
    const request = async (
      _route: string,
      { page, per_page }: { readonly page: number; readonly per_page: number },
    ) => {
      asked.push(page);
      return { data: JSON.stringify(latest.slice((page - 1) * per_page, page * per_page)), headers: {} };
    };
    return { request } as unknown as Requester;
  }

  it("are read page by page at first, and then only as far as something is new", async () => {
    const all = Array.from({ length: 250 }, (_, index) => comment(index + 1));
    const asked: unknown[] = [];
    const first = await readRepositoryComments(having(all, asked), session, new Map());
    expect(first.size).toBe(250);
    expect(asked.splice(0)).toEqual([1, 2, 3]);
    const edited = { ...comment(3, 1_000), body: "Edited" };
    const later = [...all.filter(({ id }) => id !== 3 && id !== 249), edited, comment(251)];
    const second = await readRepositoryComments(having(later, asked), session, first);
    expect(asked).toEqual([1]);
    expect([second.size, second.get(3)?.body, second.has(249)]).toEqual([250, "Edited", false]);
  });

  it("are told apart by pull request, oldest first", async () => {
    const comments = await readRepositoryComments(having([comment(4), comment(1), comment(2)]), session, new Map());
    expect(commentsOn(7, comments).map(({ id }) => id)).toEqual([2, 4]);
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

describe("the command line", () => {
  it("says what to run", () => {
    expect(readArguments([])).toMatchObject({ kind: "run", extent: { short: false, seed: 1, families: FAMILIES } });
    const words = ["--short", "--only", "reactive,quiet", "--sizes", "5,500", "--clients", "e,c", "--seed", "7"];
    expect(readArguments(words)).toEqual({
      kind: "run",
      extent: {
        short: true,
        families: ["quiet", "reactive"],
        sizes: [5, 500],
        clients: ["c", "e"],
        seed: 7,
        atOnce: 2,
      },
    });
    expect(readArguments(["--help"])).toEqual({ kind: "help" });
  });

  it.each([
    [["--onyl", "quiet"], 'There is no option "--onyl".'],
    [["--only"], "--only needs a value."],
    [["--only", "--short"], "--only needs a value."],
    [["--only", "loud"], '--only: there is no scenario "loud"; there are quiet'],
    [["--clients", "c,f"], '--clients: there is no client "f"'],
    [["--sizes", "5,many"], '--sizes takes whole numbers from 1 to 1,000, not "many".'],
    [["--sizes", "0"], '--sizes takes whole numbers from 1 to 1,000, not "0".'],
    [["--seed", "-1"], '--seed takes whole numbers from 0 to 2,147,483,647, not "-1".'],
  ])("says what is wrong with %j", (words, why) => {
    expect(readArguments(words)).toEqual({ kind: "wrong", why: expect.stringContaining(why) });
  });
});

describe("what the benchmark tells", () => {
  const extent: Extent = { short: true, families: ["quiet"], sizes: [50], clients: ["a", "e"], seed: 1, atOnce: 1 };

  async function quiet(change: (report: FleetReport) => FleetReport): Promise<FamilyRuns> {
    const family = familyOf("quiet", extent);
    const row = { label: "50", scenario: watchFleet({ sessions: 2, ...SHORT }), clients: family.clients };
    const result = async (client: ClientName): Promise<JobResult> => {
      const report = change(await run(client, row.scenario));
      return { report, seconds: 1, cpuSeconds: 1, heap: [], tracedUnits: undefined };
    };
    const runs = family.clients.map(async (client) => ({ row, client, result: await result(client) }));
    return { family: { ...family, rows: [row] }, runs: await Promise.all(runs) };
  }

  it("passes what was shown and misses what was not", async () => {
    const kept = await quiet((report) => report);
    expect(targetsOf([kept]).map(({ passed }) => passed)).toEqual([true, true, true, true]);
    const missed = await quiet((report) => ({
      ...report,
      exchanges: {
        ...report.exchanges,
        unitsPerHour: { graphql: 401 },
        conditional: { ...report.exchanges.conditional, misses: 1 },
      },
      polls: { ...report.polls, unmet: { list: 1 }, cycle: { ...report.polls.cycle, meanMs: 32_000 } },
    }));
    const told = targetsOf([missed]);
    expect(told.map(({ passed }) => passed)).toEqual([false, false, false, false]);
    expect(told[0]).toMatchObject({ found: "401" });
    expect(told[2]?.found).toContain("1.07×");
  });

  it("is in tables and on a page, of every client", async () => {
    const runs = await quiet((report) => report);
    expect(tablesOf(runs).map(({ title }) => title)).toEqual(
      expect.arrayContaining(["(a) plain Octokit", "(e) squadRate"]),
    );
    const page = renderPage([runs], targetsOf([runs]), extent);
    expect(page.match(/<svg /g)?.length).toBe(5);
    expect(page).toContain("(e) squadRate, 50: 120");
    expect(page).not.toMatch(/undefined|NaN/);
  });
});

/** Does a job as the benchmark does, without compiling first. */
function inProcess(job: Job): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    const child = fork("bench/fleet.ts", ["--job", JSON.stringify(job)], { execArgv: ["--import", "tsx"] });
    child.once("message", (result) => resolve(result as JobResult));
    child.once("exit", (code) => reject(new Error(`The run ended with ${code}.`)));
  });
}
