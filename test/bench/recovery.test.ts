import { describe, expect, it } from "vitest";
import { steadyDemand, waitingCrowd } from "../../bench/recovery/demand.js";
import { figuresOf } from "../../bench/recovery/figures.js";
import type { Observation, ObservedCall, ObservedExchange } from "../../bench/recovery/observation.js";
import { refusalEpisodes } from "../../bench/recovery/refusal-episodes.js";
import { taggingFetch, tagOf } from "../../bench/recovery/tagging-fetch.js";

const RESET_AT = 3_600_000;

/** Requests in order of arrival, each answered after 200 ms unless it says otherwise. */
function sent(...requests: readonly (Partial<ObservedExchange> & { readonly startedAt: number })[]): Observation {
  const exchanges = requests.map(
    (request, index): ObservedExchange => ({
      id: index + 1,
      agent: 0,
      call: index,
      resource: "core",
      endedAt: request.startedAt + 200,
      chargedUnits: 1,
      refusedBy: undefined,
      breaksLimit: true,
      resetAt: RESET_AT,
      ...request,
    }),
  );
  return {
    calls: [],
    exchanges,
    struckAt: [],
    resetsAt: [RESET_AT],
    duplicatedWrites: 0,
    availableUnits: 10,
    availableUntil: RESET_AT,
    evenPerSecond: 2,
  };
}

function call(id: number, fields: Partial<ObservedCall>): ObservedCall {
  return {
    ...{ id, agent: 0, priority: 2, kind: "write", arrivedAt: 0, endedAt: 1_000 },
    ...{ outcome: "answered", failure: undefined },
    ...fields,
  };
}

describe("what was sent while blocked", () => {
  it("begins when the first refusal is told, so that requests in flight do not count", () => {
    const observation = sent(
      { startedAt: 0, refusedBy: "primary" },
      { startedAt: 150, refusedBy: "primary", agent: 1 },
      { startedAt: 201, refusedBy: "primary", agent: 2 },
    );
    expect(figuresOf(observation)).toMatchObject({ refusedByPrimary: 3, sentWhileBlocked: 1, wasted: 1 });
  });

  it("begins anew with each window and resource that is used up", () => {
    const observation = sent(
      { startedAt: 0, refusedBy: "primary" },
      { startedAt: 1_000, refusedBy: "primary", resource: "graphql" },
      { startedAt: RESET_AT + 1_000, refusedBy: "primary", resetAt: 2 * RESET_AT },
      { startedAt: RESET_AT + 2_000, refusedBy: "primary", resetAt: 2 * RESET_AT },
    );
    expect(refusalEpisodes(observation)).toHaveLength(3);
    expect(figuresOf(observation).sentWhileBlocked).toBe(1);
  });

  it("is counted by process for each secondary refusal, not for all of them together", () => {
    const observation = sent(
      { startedAt: 0, refusedBy: "secondary" },
      { startedAt: 300, refusedBy: "secondary", breaksLimit: false, agent: 1 },
      { startedAt: 400, refusedBy: "secondary", breaksLimit: false, agent: 2 },
      { startedAt: 500, refusedBy: "secondary", breaksLimit: false, agent: 2 },
      { startedAt: 90_000, refusedBy: "secondary" },
      { startedAt: 91_000, refusedBy: "secondary", breaksLimit: false, agent: 2 },
    );
    expect(figuresOf(observation)).toMatchObject({ sentWhileBlocked: 4, mostAfterRefusal: 2 });
  });

  it("is told apart by whether the process had been refused itself by then", () => {
    const observation = sent(
      { startedAt: 0, refusedBy: "secondary" },
      { startedAt: 300, refusedBy: "secondary", breaksLimit: false, agent: 1 },
      { startedAt: 400, refusedBy: "secondary", breaksLimit: false, agent: 1 },
      { startedAt: 501, refusedBy: "secondary", breaksLimit: false, agent: 1 },
    );
    expect(figuresOf(observation)).toMatchObject({ sentWhileBlocked: 3, sentThoughTold: 1, mostAfterRefusal: 3 });
  });

  it("knows of limits that strike although nobody has broken them", () => {
    const refusals = sent(
      { startedAt: 1_000, refusedBy: "secondary", breaksLimit: false },
      { startedAt: 61_000, refusedBy: "secondary", breaksLimit: false },
    );
    expect(figuresOf({ ...refusals, struckAt: [900] }).sentWhileBlocked).toBe(1);
    expect(figuresOf({ ...refusals, struckAt: [900, 60_900] }).sentWhileBlocked).toBe(0);
  });

  it("takes a refusal of content for a block of its own", () => {
    const observation = sent(
      { startedAt: 0, refusedBy: "content" },
      { startedAt: 300, refusedBy: "secondary" },
      { startedAt: 400, refusedBy: "content", breaksLimit: false },
    );
    expect(refusalEpisodes(observation).map(({ by, sentAfter }) => [by, sentAfter.length])).toEqual([
      ["content", 1],
      ["secondary", 0],
    ]);
  });
});

describe("the minute after a reset", () => {
  it("has a busiest second, measured from the reset", () => {
    const observation = sent(
      ...[1, 2, 3, 4, 5].map((ms) => ({ startedAt: RESET_AT - ms })),
      ...[900, 950, 1_100, 1_200, 1_900].map((ms) => ({ startedAt: RESET_AT + ms })),
      ...[60_001, 60_002, 60_003, 60_004].map((ms) => ({ startedAt: RESET_AT + ms })),
    );
    expect(figuresOf(observation)).toMatchObject({ peakPerSecond: 3, peakOverEven: 1.5, minuteOverEven: 5 / 120 });
  });

  it("is not there when nothing was sent after a reset", () => {
    expect(figuresOf(sent({ startedAt: 0 })).peakPerSecond).toBeUndefined();
  });
});

describe("the order of writes", () => {
  const waited = { priority: 0, kind: "write", arrivedAt: 1_000 } as const;

  it("is broken when a less urgent one is sent while an urgent one waits", () => {
    const observation = sent({ startedAt: 5_000, call: 1 }, { startedAt: 6_000, call: 0 });
    const calls = [call(0, waited), call(1, { arrivedAt: 500 })];
    expect(figuresOf({ ...observation, calls })).toMatchObject({ urgentWrites: 1, overtakenWrites: 1 });
  });

  it("is kept when the less urgent one was sent before the urgent one came, or after it", () => {
    const observation = sent({ startedAt: 900, call: 1 }, { startedAt: 6_000, call: 0 }, { startedAt: 6_001, call: 2 });
    const calls = [call(0, waited), call(1, {}), call(2, {})];
    expect(figuresOf({ ...observation, calls })).toMatchObject({ urgentWrites: 1, overtakenWrites: 0 });
  });

  it("does not count attempts that were refused", () => {
    const observation = sent(
      { startedAt: 5_000, call: 1, refusedBy: "primary" },
      { startedAt: 6_000, call: 0 },
      { startedAt: 7_000, call: 1 },
    );
    expect(figuresOf({ ...observation, calls: [call(0, waited), call(1, {})] }).overtakenWrites).toBe(0);
  });
});

describe("calls and units", () => {
  it("counts units of core answers that were no refusals, until the last window's end", () => {
    const observation = sent(
      { startedAt: 0 },
      { startedAt: 1, refusedBy: "primary" },
      { startedAt: 2, resource: "graphql" },
      { startedAt: RESET_AT },
    );
    expect(figuresOf(observation).used).toBe(0.1);
  });

  it("measures the waits of answered calls by class, and says what the others failed with", () => {
    const calls = [
      call(0, { priority: 0, arrivedAt: 100, endedAt: 350 }),
      call(1, { priority: 2, arrivedAt: 0, endedAt: 9_000 }),
      call(2, { priority: 2, endedAt: 99_000, outcome: "failed", failure: "403" }),
      call(3, { priority: 1, endedAt: 99_000, outcome: "open" }),
    ];
    expect(figuresOf({ ...sent(), calls })).toMatchObject({
      ...{ answered: 2, failed: 1, open: 1, failedOf: [0, 0, 1], failures: { 403: 1 } },
      ...{ p99WaitMs: 9_000, p99WaitMsOf: [250, undefined, 9_000] },
    });
  });
});

describe("the demand", () => {
  const load = { agents: 16, forMs: 3_600_000, corePerHour: 2_000, writes: 0.03, graphqlPerHour: 200 };

  it("follows from its seed", () => {
    expect(steadyDemand(load, 1)).toEqual(steadyDemand(load, 1));
    expect(steadyDemand(load, 2)).not.toEqual(steadyDemand(load, 1));
    expect(waitingCrowd(500, 60_000, 1)).toEqual(waitingCrowd(500, 60_000, 1));
  });

  it("is as large and as mixed as asked for", () => {
    const { agents, arrivals } = steadyDemand(load, 1);
    expect([0, 1, 2].map((priority) => agents.filter((agent) => agent.priority === priority).length)).toEqual([
      2, 6, 8,
    ]);
    const graphql = arrivals.filter(({ kind }) => kind === "graphql").length;
    expect(Math.abs(graphql - 200)).toBeLessThan(50);
    expect(Math.abs(arrivals.length - graphql - 2_000)).toBeLessThan(150);
    expect(arrivals.every(({ id, atMs }, index) => id === index && atMs >= (arrivals[index - 1]?.atMs ?? 0))).toBe(
      true,
    );
  });

  it("of a crowd is one read each, and a write for every tenth of each class", () => {
    const { agents, arrivals } = waitingCrowd(500, 60_000, 1);
    const priorityOf = (agent: number) => agents[agent]?.priority;
    const count = (kind: string, priority: number) =>
      arrivals.filter((arrival) => arrival.kind === kind && priorityOf(arrival.agent) === priority).length;
    expect([0, 1, 2].map((priority) => count("read", priority))).toEqual([25, 175, 300]);
    expect([0, 1, 2].map((priority) => count("write", priority))).toEqual([3, 18, 30]);
  });
});

describe("the way to GitHub", () => {
  it("writes into the address whose request it is, and keeps which refusals were of content alone", async () => {
    const contentRefusals = new Set<string>();
    const asked: string[] = [];
    const github: typeof fetch = async (input) => {
      asked.push(String(input));
      const words = "You have been temporarily blocked from content creation.";
      return new Response(words, { status: 403, headers: { "x-github-request-id": `id-${asked.length}` } });
    };
    const send = taggingFetch(github, 7, contentRefusals);
    const headers = { "x-bench-call": "12" };
    await send("https://api.github.com/repos/o/r?page=2", { headers });
    const refused = await send("https://api.github.com/repos/o/r/issues", { method: "POST", headers });
    expect(tagOf(new URL(asked[0] as string).search)).toEqual({ agent: 7, call: 12 });
    expect([...contentRefusals]).toEqual(["id-2"]);
    expect(await refused.text()).toContain("content creation");
    expect(tagOf("/repos/o/r?page=2")).toBeUndefined();
  });
});
