import { describe, expect, it } from "vitest";
import { type Plan, type PlanScenario, plan, watchFleet } from "../../../src/sim/index.js";

const watchers = (count: number, more: Partial<PlanScenario> = {}): Plan =>
  plan({ agents: [{ count, work: { kind: "watch" } }], ...more });

const shareOf = ({ limits }: Plan, name: string): number | undefined =>
  limits.find(({ limit }) => limit === name)?.share;

describe("a plan for agents that watch", () => {
  it("counts one list for a repository and three reads for each agent, twice a minute", () => {
    // 5 repositories with 10 agents: 5 × (1 + 3 × 10) reads, and each status once an hour.
    const { cost } = watchers(50);

    expect(cost.requestsPerMinute).toBeCloseTo(2 * 155 + 50 / 60, 9);
    expect(cost.unitsPerHour).toEqual({ core: 0, search: 0, graphql: 50 });
    expect(cost.startUnits).toEqual({ core: 155, search: 0, graphql: 50 });
  });

  it("names response time as what binds a quiet fleet, by the mean of the simulator's times", () => {
    const { binding, carries } = watchers(50);

    const meanMs = 200 * Math.exp(0.35 ** 2 / 2);
    const queryMs = 1_300 * Math.exp(0.35 ** 2 / 2);
    expect(binding.limit).toBe("response-time");
    expect(binding.used).toBeCloseTo(310 * meanMs + (50 / 60) * queryMs, 6);
    expect(binding.allowed).toBe(90_000);
    expect(carries).toBe(60);
  });

  it("lets each agent read the list for itself, or one look at a hundred pull requests, as it is told", () => {
    expect(watchers(50, { polls: "agent" }).cost.requestsPerMinute).toBeCloseTo(2 * 200 + 50 / 60, 9);
    // A list and the comments of each repository, and one look.
    const together = watchers(50, { polls: "together" });
    expect(together.cost.requestsPerMinute).toBeCloseTo(2 * (10 + 1), 9);
    expect(together.cost.unitsPerHour).toEqual({ core: 0, search: 0, graphql: 120 });
    expect(together.carries).toBe(700);
  });

  it("charges a change wherever it shows: in the list, in every pull request of its repository, and in the status", () => {
    // One push an hour to any of 10: the list, 10 pull requests, one head's check runs; one status.
    const pushes = { pushes: 1, comments: 0 };
    const { cost } = watchers(10, { changes: { kind: "rate", perHour: 1 }, assume: { ...pushes, guardMaxAgeMs: 1e9 } });

    expect(cost.unitsPerHour.core).toBeCloseTo(1 + 10 + 1, 6);
    expect(cost.unitsPerHour.graphql).toBeCloseTo(1, 1);
  });

  it("never charges a read more than once in a poll, however much changes", () => {
    const { cost } = watchers(10, { changes: { kind: "rate", perHour: 1e9 } });

    expect(cost.unitsPerHour.core).toBeCloseTo(120 * 31, 6);
    expect(cost.unitsPerHour.graphql).toBeCloseTo(120 * 10, 6);
  });

  it("adds what agents look at after a change of their own", () => {
    const changes = { kind: "rate", perHour: 60 } as const;
    const without = watchers(10, { changes });
    const agents = [{ count: 10, work: { kind: "watch", ownCallsPerChange: 2 } }] as const;
    const own = plan({ agents, changes });

    // `gh pr view` is a query, and the checks are those that a poll finds for nothing then.
    expect(own.cost.unitsPerHour.graphql - without.cost.unitsPerHour.graphql).toBeCloseTo(60, 9);
    expect(own.cost.unitsPerHour.core).toBeCloseTo(without.cost.unitsPerHour.core, 9);
    expect(60 * (own.cost.requestsPerMinute - without.cost.requestsPerMinute)).toBeCloseTo(120, 9);
  });

  it("says when a repository is so large that one poll takes longer than the time until the next", () => {
    const agents = [{ count: 50, work: { kind: "watch", perRepository: 50 } }] as const;
    const { binding, carries, cycle } = plan({ agents, github: { secondary: false } });

    expect(binding.limit).toBe("poll-time");
    expect(cycle).toBeGreaterThan(1);
    expect(carries).toBe(41);
  });

  it("knows that plain clients pay for every read, and remember nothing", () => {
    const { cost, binding, carries } = watchers(20, { client: "plain" });

    expect(cost.unitsPerHour).toEqual({ core: 20 * 480, search: 0, graphql: 20 * 120 });
    expect(cost.startUnits.core).toBe(0);
    expect(binding.limit).toBe("core-units");
    expect(carries).toBe(9);
  });

  it("takes a fleet's scenario as it is", () => {
    expect(plan(watchFleet({ sessions: 50 })).carries).toBe(60);
  });
});

describe("a plan for a workload", () => {
  const work = { kind: "workload", readsPerHour: 60, unchanged: 0.5, writesPerHour: 6, queriesPerHour: 12 } as const;

  it("adds up units, writes and queries, and leaves out what is unchanged", () => {
    const { cost, limits } = plan({ agents: [{ count: 10, work: { ...work, unitsPerQuery: 3 } }] });

    expect(cost.unitsPerHour).toEqual({ core: 300 + 60, search: 0, graphql: 360 });
    expect(cost.contentWritesPerHour).toBe(60);
    expect(limits.find(({ limit }) => limit === "content-per-hour")?.share).toBe(60 / 500);
  });

  it("charges plain clients for what is unchanged", () => {
    expect(plan({ client: "plain", agents: [{ count: 10, work }] }).cost.unitsPerHour.core).toBe(660);
  });

  it("counts writes that create nothing for their points and pauses, and not as content", () => {
    const writes = { kind: "workload", writesPerHour: 60, contentWritesPerHour: 0 } as const;
    const p = plan({ agents: [{ count: 30, work: writes }], assume: { busiestEndpoint: 1 } });

    expect(shareOf(p, "content-per-hour")).toBe(0);
    expect(shareOf(p, "endpoint-points")).toBeCloseTo((30 * 5) / 900, 9);
    expect(shareOf(p, "write-pace")).toBeCloseTo(30 / 60, 9);
  });

  it("names the search limit of a minute", () => {
    const { binding, carries } = plan({ agents: [{ count: 1, work: { kind: "workload", searchesPerHour: 60 } }] });

    expect(binding.limit).toBe("search-units");
    expect(carries).toBe(27);
  });

  it("takes a fleet's calls for the workload that they are", () => {
    const calls = { kind: "calls", perHour: 100, unchanged: 0.4, writes: 0.1, graphql: 0.2 } as const;
    const { cost } = plan({ agents: [{ count: 10, work: calls }] });

    expect(cost.unitsPerHour.core).toBeCloseTo(1_000 * (0.3 + 0.1), 9);
    expect(cost.unitsPerHour.graphql).toBeCloseTo(200, 9);
  });
});

describe("what a token allows", () => {
  const reads = (credential: PlanScenario["credential"]): number | undefined => {
    const agents = [{ count: 1, work: { kind: "workload", readsPerHour: 100 } }] as const;
    return plan({ agents, ...(credential === undefined ? {} : { credential }) }).limits.find(
      ({ limit }) => limit === "core-units",
    )?.allowed;
  };

  it.each([
    ["user", 5_000],
    ["enterprise-app", 15_000],
    ["actions", 1_000],
    ["anonymous", 60],
  ] as const)("knows %s: %i units an hour", (credential, units) => {
    expect(reads(credential)).toBe(units);
  });

  it("scales with an installation's repositories and users, up to 12,500", () => {
    expect(reads({ kind: "installation", repositories: 20 })).toBe(5_000);
    expect(reads({ kind: "installation", repositories: 30, users: 25 })).toBe(5_000 + 50 * 15);
    expect(reads({ kind: "installation", repositories: 500 })).toBe(12_500);
  });

  it("has no GraphQL without a token", () => {
    const agents = [{ count: 1, work: { kind: "workload", queriesPerHour: 1 } }] as const;
    const { binding, carries, explain } = plan({ agents, credential: "anonymous" });

    expect(binding).toMatchObject({ limit: "graphql-units", share: Number.POSITIVE_INFINITY });
    expect(carries).toBe(0);
    expect(explain.join("\n")).not.toMatch(/NaN|Infinity|undefined/);
  });

  it("leaves out what others spend", () => {
    const agents = [{ count: 10, work: { kind: "workload", readsPerHour: 100 } }] as const;
    const alone = plan({ agents });
    const shared = plan({ agents, hidden: [{ resource: "core", unitsPerHour: 2_000 }] });

    expect([alone.carries, shared.carries]).toEqual([45, 25]);
    expect(shared.binding.explain).toContain("2,000 of them spent by others");
    expect(shared.cost.unitsPerHour.core).toBe(1_000);
  });

  it("carries nobody where others spend all, and says that going slower does not help", () => {
    const agents = [{ count: 1, work: { kind: "workload", readsPerHour: 1 } }] as const;
    const { carries, cycle, explain } = plan({ agents, hidden: [{ resource: "core", unitsPerHour: 6_000 }] });

    expect([carries, cycle]).toEqual([0, Number.POSITIVE_INFINITY]);
    expect(explain.join("\n")).toContain("going slower does not help");
  });

  it("takes limits and times as they are given", () => {
    const agents = [{ count: 1, work: { kind: "workload", readsPerHour: 60 } }] as const;
    const github = { limits: { core: { limit: 100, windowMs: 60_000 } }, latency: false, secondary: false } as const;

    const { limits, carries } = plan({ agents, github });
    expect(limits.map(({ limit }) => limit)).not.toContain("response-time");
    expect(carries).toBe(90);
  });
});

describe("too many agents", () => {
  const calls = (count: number, priority: 0 | 1 | 2) =>
    ({ count, priority, work: { kind: "workload", readsPerHour: 100 } }) as const;

  it("go as much slower as the binding limit is passed", () => {
    expect(plan({ agents: [calls(100, 1)] }).cycle).toBeCloseTo(2, 6);
    expect(plan({ agents: [calls(40, 1)] }).cycle).toBe(1);
  });

  it("rest until the reset where units run out, which spares them what changes meanwhile", () => {
    const changes = { kind: "share", sharePerPoll: 0.05 } as const;
    const { binding, cycle } = watchers(500, { polls: "together", changes });

    expect(binding.limit).toBe("core-units");
    expect(cycle).toBeCloseTo(binding.share, 9);
  });

  it("are served by class: each its part, and what is left of a part goes to the next", () => {
    const { classes } = plan({ agents: [calls(5, 0), calls(50, 1), calls(50, 2)] });

    // P0 asks for 500 of its 2,000; P1 has its 1,750 and what P0 leaves; P2 its 1,250.
    expect(classes.map(({ priority, gets }) => [priority, gets])).toEqual([
      [0, 1],
      [1, (1_750 + 1_500) / 5_000],
      [2, 1_250 / 5_000],
    ]);
  });

  it("are served in order where the limit is not divided", () => {
    const agents = [calls(50, 2), calls(30, 0)];
    const { binding, classes } = plan({ agents, github: { secondary: { cpuMsPerMinute: 15_000 } } });

    expect(binding.limit).toBe("response-time");
    expect(classes[0]).toMatchObject({ priority: 0, gets: 1 });
    expect(classes[1]?.gets).toBeLessThan(1);
  });

  it("are all refused alike if their clients know no priorities", () => {
    const { classes } = plan({ client: "plain", agents: [calls(60, 0), calls(40, 2)] });

    expect(classes.map(({ gets }) => gets)).toEqual([0.5, 0.5]);
  });
});

describe("nobody at all", () => {
  it("asks for nothing, and the plan still says what a token carries and what would bind", () => {
    const { cost, carries, binding, cycle } = watchers(0);

    expect([cost.requestsPerMinute, cycle]).toEqual([0, 1]);
    expect([carries, binding.limit, binding.share]).toEqual([60, "response-time", 0]);
  });

  it("is carried without end", () => {
    expect(plan({ agents: [] }).carries).toBe(Number.POSITIVE_INFINITY);
    expect(plan({ agents: [{ count: 3, work: { kind: "workload" } }] }).carries).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("the words", () => {
  it("say what is asked, what binds and by how much, and how many are carried", () => {
    expect(watchers(50).explain.slice(0, 2)).toEqual([
      "50 agents that watch a pull request every 30 s send 311 requests a minute through squadRate: 310 REST requests a minute at 0.21 s each and 0.83 GraphQL queries a minute at 1.38 s each are 67 s of the 90 s of answers a minute that GitHub allows (75 %): the binding limit.",
      "This token carries 60 such agents, within 90 % of every limit; one more would pass that of response-time.",
    ]);
  });

  it("say how much slower it goes, and what each class gets", () => {
    const agents = [0, 1, 2].map(
      (priority) =>
        ({ count: 40, priority: priority as 0 | 1 | 2, work: { kind: "workload", readsPerHour: 100 } }) as const,
    );
    expect(plan({ agents }).explain).toContain(
      "The pool divides it 40 : 35 : 25 among P0, P1 and P2, and lends what a class leaves: P0 50 % of it, P1 44 % of it and P2 31 % of it.",
    );
    expect(plan({ agents }).explain).toContain(
      "That is 240 % of core-units: polls and calls go 2.4 times slower than asked in the mean: at full pace until none are left, and then not until the reset.",
    );
  });
});

describe("several processes", () => {
  it("leave more of each limit free, and keep a tenth of their parts when there is too much to do", () => {
    const one = watchers(78);
    const six = watchers(78, { processes: 6 });

    expect([one.carries, six.carries]).toEqual([60, 53]);
    expect(one.cycle).toBeGreaterThan(1.16);
    expect(one.cycle).toBeLessThan(1.17);
    // Not all of it: a status is asked for once an hour, however slow polls are.
    expect(six.cycle / one.cycle).toBeCloseTo(1 / 0.9, 1);
  });

  it("have a pause after writes each", () => {
    const agents = [{ count: 30, work: { kind: "workload", writesPerHour: 60, contentWritesPerHour: 0 } }] as const;

    expect(shareOf(plan({ agents, processes: 3 }), "write-pace")).toBeCloseTo(30 / 180, 9);
  });
});
