import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../../src/cli/run.js";
import { type Plan, type PlanScenario, plan } from "../../../src/sim/index.js";
import { fakeContext } from "../fake-context.js";
import { temporaryFolder } from "../temporary-folder.js";

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function planned(words: readonly string[], look: { cwd?: string; columns?: number } = {}): Promise<Ran> {
  const context = fakeContext(look);
  const code = await run(context, ["plan", ...words]);
  return { code, out: context.written.out(), err: context.written.err() };
}

/** The plan that flags make, as JSON. */
async function jsonOf(words: readonly string[]): Promise<unknown> {
  return JSON.parse((await planned([...words, "--json"])).out);
}

function asJson(scenario: PlanScenario): unknown {
  const result: Plan = plan(scenario);
  return JSON.parse(JSON.stringify({ fits: result.agents <= result.carries, ...result }));
}

describe("squad-rate plan", () => {
  it("answers first whether they fit, then how many would, and ends with 0", async () => {
    const { code, out, err } = await planned(["--agents", "50"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.split("\n").slice(0, 5)).toEqual([
      "50 agents fit: they use 75 % of response-time, the fullest limit.",
      "At most 60 such agents fit; one more would fill response-time too far.",
      "",
      "limit                   used",
      "response-time           75 %  binds",
    ]);
    expect(out).toContain("Taken for granted:");
  });

  it("ends with 1 where they do not fit, by one agent", async () => {
    expect((await planned(["--agents", "60"])).code).toBe(0);
    const { code, out, err } = await planned(["--agents", "61"]);
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out).toMatch(/^61 agents do not fit: /);
  });

  it("speaks of one agent as of one", async () => {
    expect((await planned(["--agents", "1"])).out).toMatch(/^1 agent fits: it uses /);
    expect((await planned(["--agents", "1", "--calls-per-hour", "90000"])).out).toMatch(/^1 agent does not fit: /);
  });

  it.each<[string[], PlanScenario]>([
    [[], { agents: [{ count: 10, work: { kind: "watch" } }] }],
    [
      ["--agents", "20", "--every", "60", "--per-repository", "5"],
      { agents: [{ count: 20, work: { kind: "watch", everyMs: 60_000, perRepository: 5 } }] },
    ],
    [
      ["--agents", "40", "--calls-per-hour", "200", "--unchanged", ".5", "--writes", "0.05", "--queries", "0.2"],
      { agents: [{ count: 40, work: { kind: "calls", perHour: 200, unchanged: 0.5, writes: 0.05, graphql: 0.2 } }] },
    ],
    [
      ["--polls", "together", "--changes", "0.02", "--processes", "3"],
      {
        agents: [{ count: 10, work: { kind: "watch" } }],
        polls: "together",
        changes: { kind: "share", sharePerPoll: 0.02 },
        processes: 3,
      },
    ],
    [
      ["--changes-per-hour", "30", "--client", "plain", "--others", "core=300", "--others", "graphql=10.5"],
      {
        agents: [{ count: 10, work: { kind: "watch" } }],
        client: "plain",
        changes: { kind: "rate", perHour: 30 },
        hidden: [
          { resource: "core", unitsPerHour: 300 },
          { resource: "graphql", unitsPerHour: 10.5 },
        ],
      },
    ],
    [
      ["--credential", "installation", "--repositories", "80"],
      {
        agents: [{ count: 10, work: { kind: "watch" } }],
        credential: { kind: "installation", repositories: 80, users: 0 },
      },
    ],
    [["--credential", "actions"], { agents: [{ count: 10, work: { kind: "watch" } }], credential: "actions" }],
  ])("plans what the flags %j say", async (words, scenario) => {
    expect(await jsonOf(words)).toEqual(asJson({ hidden: [], ...scenario }));
  });

  it("reads a scenario from a file", async () => {
    const cwd = temporaryFolder();
    const scenario: PlanScenario = { agents: [{ count: 5, priority: 0, work: { kind: "watch" } }], polls: "agent" };
    writeFileSync(join(cwd, "team.json"), JSON.stringify(scenario));
    expect(JSON.parse((await planned(["--scenario", "team.json", "--json"], { cwd })).out)).toEqual(asJson(scenario));
  });

  it("has null where there is no end", async () => {
    expect(await jsonOf(["--agents", "0"])).toMatchObject({ fits: true, agents: 0 });
    expect(await jsonOf(["--agents", "5", "--calls-per-hour", "0"])).toMatchObject({ fits: true, carries: null });
    expect((await planned(["--agents", "5", "--calls-per-hour", "0"])).out).toContain("Any number of such agents fits");
  });

  it.each([
    [["--unchanged", "0.5"], "--unchanged says something only with --calls-per-hour"],
    [["--calls-per-hour", "5", "--every", "3"], "with --calls-per-hour agents do not watch"],
    [
      ["--calls-per-hour", "5", "--unchanged", "0.8", "--writes", "0.3"],
      "--unchanged, --writes and --queries are more than 1 together",
    ],
    [["--changes", "0.1", "--changes-per-hour", "3"], "--changes and --changes-per-hour say the same in two ways"],
    [["--repositories", "5"], "--repositories says something only with --credential installation"],
    [["--others", "core"], "--others takes a resource and units an hour"],
    [["--others", "cor=5"], '--others must be one of "core", "search"'],
    [["--scenario", "nowhere.json"], "nowhere.json cannot be read: there is no such file"],
  ])("says what is wrong with %j", async (words, message) => {
    const { code, out, err } = await planned(words, { cwd: temporaryFolder() });
    expect({ code, out }).toEqual({ code: 64, out: "" });
    expect(err).toContain(`squad-rate: ${message}`);
  });

  it("says what is wrong in a scenario, by its place", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "broken.json"), '{\n  "agents": [}');
    expect((await planned(["--scenario", "broken.json"], { cwd })).err).toBe(
      "squad-rate: broken.json:2:14: this is not JSON; expected a value here\n",
    );
    writeFileSync(join(cwd, "wrong.json"), '{ "agents": [{ "count": -1, "work": { "kind": "watch" } }] }');
    expect((await planned(["--scenario", "wrong.json"], { cwd })).err).toContain(
      "plan.agents[0].count must be a whole number of agents from 0 to 100000; got -1",
    );
  });

  it("keeps to the width of the terminal", async () => {
    for (const columns of [60, 120]) {
      const { out } = await planned(["--agents", "200"], { columns });
      const widest = Math.max(
        ...out
          .split("\n")
          .slice(3)
          .map((line) => line.length),
      );
      expect(widest).toBeLessThanOrEqual(columns);
      expect(widest).toBeGreaterThan(columns - 15);
    }
  });
});
