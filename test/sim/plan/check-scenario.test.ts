import { describe, expect, it } from "vitest";
import { isSquadRateError } from "../../../src/index.js";
import { type PlanScenario, plan } from "../../../src/sim/index.js";

const watch = { kind: "watch" } as const;
const agents = [{ count: 1, work: watch }];

function wordsOf(scenario: unknown): string {
  try {
    plan(scenario as PlanScenario);
  } catch (error) {
    if (isSquadRateError(error) && error.code === "SQUAD_RATE_OPTIONS") return error.message;
    throw error;
  }
  return "was taken";
}

describe("a scenario that is none", () => {
  it.each<[unknown, string]>([
    [undefined, "plan must be a plain object; got undefined."],
    [{}, "plan.agents must be an array of agents; got undefined."],
    [{ agents, poll: "agent" }, "plan.poll: unknown option; did you mean `polls`?"],
    [
      { agents: [{ count: -1, work: watch }] },
      "plan.agents[0].count must be a whole number of agents from 0 to 100000; got -1.",
    ],
    [
      { agents: [{ count: 1.5, work: watch }] },
      "plan.agents[0].count must be a whole number of agents from 0 to 100000; got 1.5.",
    ],
    [
      { agents: [{ count: Number.NaN, work: watch }] },
      "plan.agents[0].count must be a whole number of agents from 0 to 100000; got NaN.",
    ],
    [
      { agents: [{ work: watch }] },
      "plan.agents[0].count must be a whole number of agents from 0 to 100000; got undefined.",
    ],
    [
      { agents: [{ count: 1, priority: 3, work: watch }] },
      "plan.agents[0].priority must be 0, 1 or 2 (or P0, P1, P2); got 3.",
    ],
    [
      { agents: [{ count: 1, work: { kind: "wacth" } }] },
      'plan.agents[0].work.kind must be one of "watch", "calls", "workload"; got "wacth".',
    ],
    [
      { agents: [{ count: 1 }] },
      'plan.agents[0].work.kind must be one of "watch", "calls", "workload"; got undefined.',
    ],
    [
      { agents: [{ count: 1, work: { ...watch, every: 5 } }] },
      "plan.agents[0].work.every: unknown option; did you mean `everyMs`?",
    ],
    [
      { agents: [{ count: 1, work: { ...watch, everyMs: 0 } }] },
      "plan.agents[0].work.everyMs must be a number of milliseconds from 1 to 1000000000; got 0.",
    ],
    [
      { agents: [{ count: 1, work: { ...watch, perRepository: 0 } }] },
      "plan.agents[0].work.perRepository must be a whole number of agents from 1 to 100000; got 0.",
    ],
    [
      { agents: [{ count: 1, work: { kind: "calls" } }] },
      "plan.agents[0].work.perHour must be a number of calls from 0 to 1000000000; got undefined.",
    ],
    [
      { agents: [{ count: 1, work: { kind: "calls", perHour: 1, unchanged: 1.2 } }] },
      "plan.agents[0].work.unchanged must be a share from 0 to 1; got 1.2.",
    ],
    [
      { agents: [{ count: 1, work: { kind: "calls", perHour: 1, unchanged: 0.75, writes: 0.5 } }] },
      "plan.agents[0].work: unchanged + writes + graphql must be at most 1; got 1.25.",
    ],
    [
      { agents: [{ count: 1, work: { kind: "workload", writesPerHour: 2, contentWritesPerHour: 3 } }] },
      "plan.agents[0].work.contentWritesPerHour must be a number of writes (there are 2) from 0 to 2; got 3.",
    ],
    [{ agents, client: "octokit" }, 'plan.client must be "squadRate" or "plain"; got "octokit".'],
    [{ agents, polls: "apart" }, 'plan.polls must be one of "agent", "repository", "together"; got "apart".'],
    [{ agents, processes: 0 }, "plan.processes must be a whole number of processes from 1 to 10000; got 0."],
    [
      { agents, credential: "app" },
      'plan.credential must be one of "user", "enterprise-app", "actions", "anonymous"; got "app".',
    ],
    [
      { agents, credential: { kind: "installation" } },
      "plan.credential.repositories must be a whole number of repositories from 0 to 1000000000; got undefined.",
    ],
    [{ agents, hidden: [{ resource: "cores", unitsPerHour: 1 }] }, "plan.hidden[0].resource must be one of"],
    [
      { agents, hidden: [{ resource: "core", unitsPerHour: -1 }] },
      "plan.hidden[0].unitsPerHour must be a number of units from 0 to 1000000000; got -1.",
    ],
    [
      { agents, changes: { kind: "share", sharePerPoll: 2 } },
      "plan.changes.sharePerPoll must be a number of changes a session and poll from 0 to 1; got 2.",
    ],
    [
      { agents, changes: { kind: "rate" } },
      "plan.changes.perHour must be a number of changes from 0 to 1000000000; got undefined.",
    ],
    [{ agents, assume: { safeShare: 0 } }, "plan.assume.safeShare must be a share above 0, up to 1; got 0."],
    [
      { agents, assume: { pushes: 0.75, comments: 0.5 } },
      "plan.assume: pushes + comments must be at most 1; got 1.25.",
    ],
    [{ agents, assume: { restAnswer: 100 } }, "plan.assume.restAnswer: unknown option; did you mean `restAnswerMs`?"],
    [
      { agents, github: { secondary: { cpuMsPerMinute: "a lot" } } },
      "plan.github.secondary.cpuMsPerMinute must be a number",
    ],
    [
      { agents, github: { limits: { core: { limits: 1 } } } },
      "plan.github.limits.core.limits: unknown option; did you mean `limit`?",
    ],
    [
      { agents, github: { latency: { sigma: Number.POSITIVE_INFINITY } } },
      "plan.github.latency.sigma must be a number",
    ],
  ])("%j is told: %s", (scenario, words) => {
    expect(wordsOf(scenario)).toContain(words);
  });

  it("is told what to do about it", () => {
    expect(() => plan({} as PlanScenario)).toThrow(
      expect.objectContaining({ remedy: 'Say who the agents are: agents: [{ count: 10, work: { kind: "watch" } }].' }),
    );
  });
});
