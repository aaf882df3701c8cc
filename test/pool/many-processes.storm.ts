import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaseMs } from "../../src/policy/share/lease.js";
import { type OwnServer, ownRedis } from "../harness/own-server.js";
import type { AgentProcess } from "./storm/agent-process.js";
import { spenderIsOf } from "./storm/document-watch.js";
import { Storm, until } from "./storm/storm.js";
import { agentOf } from "./storm/windows.js";

const WINDOWS = 3;
const WINDOW_MS = 120_000;
const LIMIT = 2_000;
/** Long enough for a busy machine, which gets all the calls that wait for a new window at once. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Half of the machines are half a minute off, either way, in every class. */
const CLOCK_SKEWS_MS = [0, 30_000, 0, -30_000];
/** Less than clocks are off by, and long before units run short. */
const EARLY_MS = 20_000;
/** Past its lease, and past what its last request may take to be charged. */
const STOP_MS = leaseMs(WINDOW_MS) + REQUEST_TIMEOUT_MS + 15_000;
/** After a lease and the request timeout somebody has to see a header and to report; heartbeats come every 4 s. */
const RETURN_SLACK_MS = 8_000;
/** What a busy machine takes to read what lies in a pipe or a socket already. */
const SLACK_MS = 5_000;

const redis = await ownRedis();

describe.skipIf(redis.missing)(`eight processes and a hidden consumer on one quota, by ${redis.label}`, () => {
  let server: OwnServer;
  let storm: Storm;
  let ends: Awaited<ReturnType<Storm["end"]>>;
  let account: string;

  const sleeper = (): AgentProcess => storm.agent("p2-7");
  const victims = (): readonly AgentProcess[] => [storm.agent("p1-3"), storm.agent("p0-1")];
  const retired = () =>
    storm.agents.flatMap((agent) =>
      agent.events("lease", 0, storm.endedAt).flatMap(({ at, payload }) => {
        const { kind, spender } = payload as { readonly kind: string; readonly spender: string };
        return kind === "retired" ? [{ at, spender }] : [];
      }),
    );

  const live = async (): Promise<void> => {
    await storm.inWindow(0, 0.25 * WINDOW_MS);
    await storm.watch.holding(sleeper().name);
    sleeper().stop();
    await until(Date.now() + STOP_MS);
    sleeper().continue();

    for (const [index, victim] of victims().entries()) {
      await storm.inWindow(1, (0.06 + 0.37 * index) * WINDOW_MS);
      await storm.watch.holding(victim.name);
      await victim.kill();
    }

    await until(await storm.inWindow(WINDOWS - 1, 0));
    ends = await storm.end();
  };

  beforeAll(async () => {
    server = await redis.create();
    storm = await Storm.start({
      storeUrl: server.url,
      limit: LIMIT,
      windowMs: WINDOW_MS,
      seed: 1,
      demand: 1.6,
      hidden: 0.1,
      clockSkewsMs: CLOCK_SKEWS_MS,
      maxWaitMs: 30_000,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      storeTimeoutMs: 1_000,
    });

    try {
      await live();
    } finally {
      account = storm.account(WINDOWS);
      console.log(account);
    }
  }, 600_000);

  afterAll(async () => {
    await storm?.remove();
    await server?.remove();
  });

  it("are refused at most 0.1 % of the limit per window, and use at least 97 % of it", () => {
    const figures = storm.figures(WINDOWS);
    const sum = (of: readonly number[]): number => of.reduce((total, each) => total + each, 0);

    expect(figures.length).toBe(WINDOWS);
    expect(sum(figures.map(({ refused }) => refused)), account).toBeLessThanOrEqual(0.001 * LIMIT * WINDOWS);
    expect(sum(figures.map(({ used }) => used)), account).toBeGreaterThanOrEqual(0.97 * LIMIT * WINDOWS);
  });

  it("do so with half of the machines' clocks half a minute off", () => {
    const offsets = ends.map(({ agent }) => {
      const { status } = storm.agent(agent).linesOf("end")[0] ?? {};
      const { clockOffsetMs } = status as { readonly clockOffsetMs: Readonly<Record<string, number>> };
      return Math.round((clockOffsetMs[storm.github.host] as number) / 10_000) * 10_000 + 0;
    });

    expect(offsets).toEqual(ends.map(({ agent }) => -storm.agent(agent).task.clockSkewMs + 0));
    expect(new Set(offsets)).toEqual(new Set([-30_000, 0, 30_000]));
    // Nor is anybody kept waiting for as long as its clock is off: at first there is enough for all.
    const openedAt = (storm.figures(1)[0]?.resetAt as number) - WINDOW_MS;
    for (const agent of storm.agents) {
      const early = agent.linesOf("exchange").filter(({ sentAt }) => sentAt < openedAt + EARLY_MS);
      expect(early.length, `${agent.name}\n${account}`).toBeGreaterThan(
        0.3 * agent.task.callsPerSecond * (EARLY_MS / 1_000),
      );
    }
  });

  it("get back what two killed agents held after their leases and the request timeout, and use it", () => {
    for (const { name, killedAt = 0 } of victims()) {
      const left = storm.watch.vanishedAfter(name, killedAt);
      const late = storm.github.log.filter(
        (exchange) => agentOf(exchange) === name && exchange.startedAt > killedAt + SLACK_MS,
      );

      expect(late).toEqual([]);
      expect(left?.heldUnits, `${name}\n${account}`).toBeGreaterThan(0);
      const tookMs = (left?.vanishedAt as number) - (left?.leaseExpiry as number);
      expect(tookMs, `${name}\n${account}`).toBeGreaterThanOrEqual(REQUEST_TIMEOUT_MS);
      expect(tookMs, `${name}\n${account}`).toBeLessThan(REQUEST_TIMEOUT_MS + RETURN_SLACK_MS);
    }
    for (const { used } of storm.figures(WINDOWS).slice(1)) expect(used, account).toBeGreaterThanOrEqual(0.97 * LIMIT);
  });

  it("do not spend what they held before they were stopped past their lease", () => {
    const { name, continuedAt = 0, stoppedAt = 0 } = sleeper();
    const granted = sleeper()
      .events("lease", continuedAt)
      .find(({ payload }) => (payload as { kind: string }).kind === "granted");
    const sent = sleeper()
      .linesOf("exchange")
      .filter(({ sentAt }) => sentAt > stoppedAt + SLACK_MS);

    const woke = sleeper()
      .linesOf("woke")
      .find(({ at }) => at > stoppedAt);

    expect(woke?.sleptMs).toBeGreaterThan(STOP_MS - SLACK_MS);
    expect(storm.watch.vanishedAfter(name, stoppedAt)?.heldUnits).toBeGreaterThan(0);
    expect(sent.length, account).toBeGreaterThan(0);
    expect(granted?.at, account).toBeLessThanOrEqual(Math.min(...sent.map(({ sentAt }) => sentAt)) + 50);
    expect(
      storm.github.log.filter((exchange) => agentOf(exchange) === name && exchange.refusedBy !== undefined),
    ).toEqual([]);
  });

  it("take nobody who lives for dead", () => {
    const gone = [sleeper(), ...victims()].map(({ name }) => name);

    expect(
      retired().filter(({ spender }) => !gone.some((name) => spenderIsOf(spender, name))),
      account,
    ).toEqual([]);
    expect(storm.watch.unreadable).toEqual([]);
  });

  it("end by themselves, with nothing uncaught and no call failed", () => {
    expect(ends.map(({ how, stderr }) => ({ how, stderr }))).toEqual(ends.map(() => ({ how: "0", stderr: "" })));
    expect(storm.agents.flatMap((agent) => agent.linesOf("uncaught"))).toEqual([]);
    const awake = storm.agents.filter((agent) => agent !== sleeper());
    expect(
      awake.flatMap((agent) => agent.calls("failed")),
      account,
    ).toEqual([]);
  });
});
