import { describe, expect, it } from "vitest";
import type { SquadOptions } from "../../../src/options.js";
import { createSimulatedGitHub, createVirtualClock, type SimulatedGitHub } from "../../../src/sim/index.js";
import { createSquad, type Squad } from "../../../src/squad.js";
import { openStore } from "../../../src/store/open-store.js";
import {
  MINUTE_MS,
  mostInAMinute,
  PATIENT,
  REPO,
  recovery,
  SECONDARY,
  type Sent,
  secondary,
  sharedRecovery,
} from "./bench.js";

const ISSUES = "/repos/mona/hello/issues";
const content = (index: number) => ({ method: "POST", body: JSON.stringify({ title: `${index}` }) });
const factorOf = (squad: Squad) => squad.status().principals[0]?.secondary?.factor;

/** Whole squads of one token before a GitHub that keeps all its secondary limits. */
async function fleet(
  count: number,
  options: SquadOptions,
  simulated: Omit<Parameters<typeof createSimulatedGitHub>[0] & object, "clock"> = {},
) {
  const clock = createVirtualClock();
  const github: SimulatedGitHub = createSimulatedGitHub({ clock, ...simulated });
  github.world.addToken("ghp_fleet", "mona");
  github.world.addRepository({ owner: "mona", name: "hello" });
  const store = await openStore("memory:", { clock });
  const squads = Array.from({ length: count }, (_, index) =>
    createSquad({
      agent: `agent-${index}`,
      clock,
      fetch: github.fetch,
      cache: false,
      ...(count > 1 ? { store } : {}),
      ...options,
    }),
  );
  const call = (squad: Squad, path = REPO, init: RequestInit = {}) =>
    squad.fetch(`https://api.github.com${path}`, { ...init, headers: { authorization: "token ghp_fleet" } });
  return { clock, github, squads, call };
}

const refusals = (github: SimulatedGitHub) => github.log.filter(({ refusedBy }) => refusedBy !== undefined);
const asSent = (github: SimulatedGitHub, route: string): Sent[] =>
  github.log
    .filter((exchange) => exchange.route === route)
    .map(({ startedAt, method, path }) => ({ at: startedAt, method, path }));

describe("requests at once", () => {
  it("are 100 at most, and the next goes the moment that one ends", async () => {
    const { github, clock, call, sent, squad } = recovery(PATIENT);
    const ends: (() => void)[] = [];
    github.route(REPO, () => new Promise((resolve) => void ends.push(() => resolve({ json: {} }))));
    const calls = Array.from({ length: 130 }, () => call(REPO, { method: "HEAD" }));
    await clock.advance(100);
    expect([sent.length, squad.status().waiting.length]).toEqual([100, 30]);
    expect(squad.status().principals[0]?.secondary).toMatchObject({ underWay: 100, concurrent: 100, processes: 1 });
    const before = clock.monotonic();
    ends[0]?.();
    await clock.advance(0);
    expect([sent.length, clock.monotonic() - before]).toEqual([101, 0]);
    for (let index = 1; index < 130; index++) {
      ends[index]?.();
      await clock.advance(0);
    }
    await clock.settle(Promise.all(calls));
    expect(clock.monotonic() - before).toBe(0);
    expect(squad.status().principals[0]?.secondary?.underWay).toBe(0);
  });

  it("go by priority when a place is free", async () => {
    const { github, clock, call, sent } = recovery({ ...PATIENT, secondary: { concurrent: 1 } });
    const release = github.hold();
    const calls = [2, 1, 0, 2, 1, 0].map((priority, index) =>
      call(`/repos/mona/hello/labels/${index}`, { squad: { priority: priority as 0 | 1 | 2 } }),
    );
    await clock.advance(1_000);
    release();
    await clock.settle(Promise.all(calls));
    expect(sent.map(({ path }) => path.at(-1))).toEqual(["0", "2", "5", "1", "4", "3"]);
  });

  it("that fail or are given up make room, too", async () => {
    const { github, clock, call, squad } = recovery({ ...PATIENT, retry: false, secondary: { concurrent: 2 } });
    const controller = new AbortController();
    const release = github.hold();
    const calls = Array.from({ length: 6 }, (_, index) =>
      call(REPO, index < 2 ? { signal: controller.signal } : {}).catch(() => undefined),
    );
    await clock.advance(1_000);
    controller.abort();
    await clock.advance(0);
    expect(squad.status().waiting).toHaveLength(2);
    release();
    await clock.settle(Promise.all(calls));
    expect(squad.status().principals[0]?.secondary?.underWay).toBe(0);
  });

  it("are divided among the processes of a pool", async () => {
    const { clock, squads, call } = await fleet(4, PATIENT);
    await clock.settle(Promise.all(squads.map((squad) => call(squad))));
    await clock.advance(3 * MINUTE_MS);
    await clock.settle(Promise.all(squads.map((squad) => call(squad))));
    for (const squad of squads) {
      expect(squad.status().principals[0]?.secondary).toMatchObject({ processes: 4, concurrent: 25 });
    }
  });
});

describe("what GitHub counts a minute", () => {
  it("is never exceeded by reads of one endpoint, and nearly used", async () => {
    const { github, clock, squads, call } = await fleet(1, PATIENT, { secondary: { concurrency: 1_000 } });
    const calls = Array.from({ length: 2_000 }, (_, index) => call(squads[0] as Squad, `${REPO}?n=${index}`));
    await clock.settle(Promise.all(calls));
    expect(refusals(github)).toEqual([]);
    expect(mostInAMinute(asSent(github, "GET /repos/{owner}/{repo}"))).toBe(900);
  });

  it("is 5 points for a write and 1 for a read", async () => {
    const { clock, call, sent } = recovery({ ...PATIENT, pacing: false, secondary: { pointsPerMinute: 50 } });
    const calls = Array.from({ length: 30 }, () => call(REPO, { method: "DELETE" }));
    await clock.settle(Promise.all(calls));
    expect(mostInAMinute(sent)).toBe(10);
  });

  it("counts GraphQL for itself", async () => {
    const { clock, graphql, call, github, sent } = recovery({ ...PATIENT, secondary: { graphqlPointsPerMinute: 20 } });
    github.route("/graphql", { json: { data: {} } });
    const calls = Array.from({ length: 50 }, () => graphql("query { viewer { login } }"));
    await call();
    await clock.settle(Promise.all(calls));
    expect(mostInAMinute(sent.filter(({ path }) => path === "/graphql"))).toBe(20);
  });

  it("counts response time, and stops when it is used up", async () => {
    const { clock, github, squads, call } = await fleet(
      1,
      { ...PATIENT, pacing: false },
      { latency: { restMedianMs: 3_000 }, secondary: { concurrency: 1_000 } },
    );
    const squad = squads[0] as Squad;
    const calls: Promise<Response>[] = [];
    for (let index = 0; index < 200; index++) {
      calls.push(call(squad, `${REPO}?n=${index}`));
      await clock.advance(500);
    }
    await clock.settle(Promise.all(calls));
    expect(refusals(github)).toEqual([]);
  });
});

describe("content", () => {
  it("of one process is 80 a minute and 500 an hour at most", async () => {
    const { github, clock, squads, call } = await fleet(1, { ...PATIENT, pacing: false });
    const calls = Array.from({ length: 700 }, (_, index) => call(squads[0] as Squad, ISSUES, content(index)));
    await clock.settle(Promise.all(calls));
    expect(refusals(github)).toEqual([]);
    const sent = asSent(github, "POST /repos/{owner}/{repo}/issues");
    expect([sent.length, mostInAMinute(sent)]).toEqual([700, 80]);
    const first = sent[0]?.at ?? 0;
    expect(sent.filter(({ at }) => at < first + 60 * MINUTE_MS).length).toBeLessThanOrEqual(500);
  });

  it("of four processes together is no more", async () => {
    const { github, clock, squads, call } = await fleet(4, { ...PATIENT, pacing: false });
    const calls = Array.from({ length: 300 }, (_, index) => call(squads[index % 4] as Squad, ISSUES, content(index)));
    await clock.settle(Promise.all(calls));
    expect(refusals(github)).toEqual([]);
    const sent = asSent(github, "POST /repos/{owner}/{repo}/issues");
    expect(sent).toHaveLength(300);
    expect(mostInAMinute(sent)).toBeLessThanOrEqual(80);
    expect(mostInAMinute(sent)).toBeGreaterThanOrEqual(60);
    await clock.settle(Promise.all(squads.map((squad) => squad.close())));
  });

  it("leaves other writes alone", async () => {
    const { clock, call, sent } = recovery({ ...PATIENT, pacing: false, secondary: { contentPerMinute: 1 } });
    const posts = [call(ISSUES, content(0)), call(ISSUES, content(1))];
    await clock.advance(0);
    await call(`${ISSUES}/1/lock`, { method: "DELETE" });
    expect(sent.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
    await clock.settle(Promise.all(posts));
  });
});

describe("a refusal that nothing known explains", () => {
  it("halves what is used, and a sixteenth comes back each minute", async () => {
    const { github, clock, call, squad } = recovery({ ...PATIENT, retry: false });
    expect(factorOf(squad)).toBeUndefined();
    github.once(SECONDARY);
    await call();
    expect(factorOf(squad)).toBe(0.5);
    await clock.advance(MINUTE_MS);
    expect(factorOf(squad)).toBeCloseTo(0.5625, 5);
    await clock.advance(7 * MINUTE_MS);
    expect(factorOf(squad)).toBe(1);
    github.once(SECONDARY);
    await call();
    await clock.advance(2 * MINUTE_MS);
    github.once(SECONDARY);
    await call();
    expect(factorOf(squad)).toBeCloseTo((0.5 + 2 / 16) / 2, 5);
  });

  it("is none near a limit that is known", async () => {
    const { github, call, squad } = recovery({ ...PATIENT, retry: false, secondary: { pointsPerMinute: 10 } });
    for (let read = 0; read < 8; read++) await call();
    github.once(SECONDARY);
    await call();
    expect(factorOf(squad)).toBe(1);
    expect(squad.status().principals[0]?.cooldownUntil).toBeGreaterThan(0);
  });

  it("is heard by the other processes of a pool, which take half as well", async () => {
    const bench = await sharedRecovery({ ...PATIENT, retry: false });
    const other = bench.join({ agent: "picard" });
    const { clock, github, call, squad } = bench;
    await clock.settle(Promise.all([call(), call(REPO, {}, other)]));
    github.once(SECONDARY);
    await clock.settle(call());
    await clock.advance(5_000);
    const late = call(REPO, { method: "PATCH", body: "{}" }, other);
    await clock.advance(1_000);
    expect([factorOf(squad), factorOf(other)].map((factor) => Math.round((factor ?? 0) * 10) / 10)).toEqual([0.5, 0.5]);
    await clock.settle(late);
    await clock.settle(Promise.all([squad.close(), other.close()]));
  });
});

describe("a secondary refusal in a pool", () => {
  it.each([
    ["which sends more than one call a second within five seconds", REPO, "GET", 400, 5_500],
    ["which writes now and then before its next write but one", REPO, "PATCH", 8_000, 9_000],
    ["which searches now and then before its next search but one", "/search/issues?q=a", "GET", 8_000, 9_000],
  ] as const)("holds another process %s", async (_what, path, method, everyMs, withinMs) => {
    const bench = await sharedRecovery({ ...PATIENT, retry: false });
    const other = bench.join({ agent: "picard" });
    const { clock, github, call, sent } = bench;
    github.route("/search/issues", { json: {} });
    const body = method === "PATCH" ? { body: "{}" } : {};
    const calls: Promise<unknown>[] = [];
    const beat = async (times: number) => {
      for (let index = 0; index < times; index++) {
        calls.push(call(path, { method, ...body }, other));
        await clock.advance(everyMs);
      }
    };
    await beat(10);
    github.once(secondary("300"));
    await clock.settle(call());
    const refusedAt = clock.monotonic();
    await beat(Math.ceil(60_000 / everyMs));
    const late = sent.filter(({ at }) => at > refusedAt + withinMs);
    expect(late).toEqual([]);
    expect(other.status().principals[0]?.cooldownUntil).toBeGreaterThan(clock.now() + 200_000);
    await clock.settle(Promise.all(calls));
    await clock.settle(Promise.all([bench.squad.close(), other.close()]));
  });

  it("is met by one request of each process at most, besides those in flight", async () => {
    const { github, clock, squads, call } = await fleet(6, { ...PATIENT, retry: false });
    const calls: Promise<unknown>[] = [];
    const beat = async (times: number) => {
      for (let index = 0; index < times; index++) {
        for (const squad of squads) calls.push(call(squad).catch(() => undefined));
        await clock.advance(700);
      }
    };
    await beat(10);
    github.block("ghp_fleet", 50_000);
    await beat(70);
    await clock.settle(Promise.all(calls));
    expect(refusals(github).length).toBeGreaterThanOrEqual(1);
    expect(refusals(github).length).toBeLessThanOrEqual(6);
    await clock.settle(Promise.all(squads.map((squad) => squad.close())));
  });
});

describe("quiet sessions in processes of their own", () => {
  it("poll at their pace with nineteen twentieths of the response time, though nothing they are told costs quota", async () => {
    const [sessions, polls, reads] = [10, 24, 4];
    // 80 reads a minute of 213 ms in the mean.
    const [cpuMsPerMinute, warmUpPolls] = [18_000, 12];
    const { clock, github, squads, call } = await fleet(
      sessions,
      { ...PATIENT, cache: {}, secondary: { responseMsPerMinute: cpuMsPerMinute } },
      { latency: {}, seed: 3, secondary: { cpuMsPerMinute } },
    );
    const startedAt: number[][] = squads.map(() => []);
    const polling = squads.map(async (squad, index) => {
      let at = clock.now() + (index * MINUTE_MS) / 2 / sessions;
      for (let poll = 0; poll < polls; poll++) {
        await new Promise<void>((resolve) => clock.timer(Math.max(0, at - clock.now()), resolve));
        startedAt[index]?.push(clock.now());
        for (let read = 0; read < reads; read++) await call(squad, `${REPO}?read=${read}`);
        at = Math.max(at + MINUTE_MS / 2, clock.now());
      }
    });
    await clock.settle(Promise.all(polling));
    const last = github.log.slice(-sessions * reads * 4);
    expect(last.every(({ status }) => status === 304)).toBe(true);
    expect(refusals(github)).toEqual([]);
    for (const times of startedAt) {
      const [from = 0, to = 0] = [times[warmUpPolls], times[polls - 1]];
      expect((to - from) / (polls - 1 - warmUpPolls)).toBeLessThanOrEqual((1.05 * MINUTE_MS) / 2);
    }
    const parts = squads.map((squad) => squad.status().principals[0]?.secondary?.parts.responseMs ?? 1);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeLessThan(1);
    expect(squads[0]?.status().principals[0]?.secondary?.responseTime).toMatchObject({ fleetMs: cpuMsPerMinute });
    await clock.settle(Promise.all(squads.map((squad) => squad.close())));
  });
});
