import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaseMs } from "../../src/policy/share/lease.js";
import { type OwnServer, ownPostgres, ownRedis } from "../harness/own-server.js";
import type { AgentProcess } from "./storm/agent-process.js";
import { Storm, until } from "./storm/storm.js";

const WINDOW_MS = 80_000;
const LIMIT = 1_000;
const STORE_TIMEOUT_MS = 250;
/** Longer than a lease, so that everybody's has ended when the store comes back. */
const HANG_MS = leaseMs(WINDOW_MS) + 6_000;
const GONE_MS = 6_000;
/** A store that failed is tried again after 1 s, 2 s, 4 s, 8 s and then every 15 s. */
const HEAL_MS = 15_000;
/** Without the store every agent spends its part evenly: a call of the least urgent goes every 1.3 s or so. */
const PACE_MS = 5_000;
/** What a busy machine takes. */
const SLACK_MS = 2_500;

interface Outage {
  readonly from: number;
  readonly to: number;
}

describe.each([await ownRedis(), await ownPostgres()])("$label", ({ missing, create }) => {
  let server: OwnServer;
  let storm: Storm;
  let ends: Awaited<ReturnType<Storm["end"]>>;
  let account: string;
  let hang: Outage;
  let gone: Outage;

  const live = async (): Promise<void> => {
    await storm.inWindow(0, 10_000);
    hang = await outage(
      () => server.pause(),
      HANG_MS,
      () => server.resume(),
    );
    await until(hang.to + HEAL_MS + SLACK_MS);
    gone = await outage(
      () => server.kill(),
      GONE_MS,
      () => server.start(),
    );
    await until(gone.to + HEAL_MS + SLACK_MS);
    await storm.inWindow(1, 5_000);
    ends = await storm.end();
  };

  beforeAll(async () => {
    if (missing) return;
    server = await create();
    storm = await Storm.start({
      storeUrl: server.url,
      limit: LIMIT,
      windowMs: WINDOW_MS,
      seed: 2,
      // No shortage, so that whoever does not go on does not for the store's sake.
      demand: 1,
      hidden: 0.1,
      clockSkewsMs: [0],
      maxWaitMs: 30_000,
      requestTimeoutMs: 10_000,
      storeTimeoutMs: STORE_TIMEOUT_MS,
    });

    try {
      await live();
    } finally {
      account = storm.account(2);
      console.log(account);
    }
  }, 300_000);

  afterAll(async () => {
    await storm?.remove();
    await server?.remove();
  });

  it.skipIf(missing)("lets calls go on within the store's timeout while the server hangs, and while it is gone", () => {
    for (const { from, to } of [hang, gone]) {
      for (const agent of storm.agents) {
        const first = agent.linesOf("exchange").find(({ sentAt }) => sentAt > from + STORE_TIMEOUT_MS);
        expect((first?.sentAt as number) - from, `${agent.name}\n${account}`).toBeLessThan(STORE_TIMEOUT_MS + PACE_MS);
      }
      const urgent = storm.agents
        .filter(({ task }) => task.priority === 0)
        .flatMap((agent) => agent.linesOf("call"))
        .filter(({ startedAt }) => startedAt > from && startedAt < to);
      const tookMs = urgent.map(({ startedAt, endedAt }) => endedAt - startedAt).sort((a, b) => a - b);
      expect(urgent.map(({ outcome }) => outcome)).toEqual(urgent.map(() => "answered"));
      expect(tookMs[Math.floor(tookMs.length / 2)], account).toBeLessThan(STORE_TIMEOUT_MS + SLACK_MS);
    }
  });

  it.skipIf(missing)("heals by itself, without what the killed server had not kept", () => {
    for (const { to } of [hang, gone])
      for (const agent of storm.agents) {
        const [update] = agent.events("lease", to);
        expect((update?.at as number) - to, `${agent.name}\n${account}`).toBeLessThan(HEAL_MS + SLACK_MS);
      }
    expect(storm.watch.unreadable).toEqual([]);
  });

  it.skipIf(missing)("keeps to the bounds meanwhile", () => {
    const [window] = storm.figures(1);

    expect(window?.refused, account).toBeLessThanOrEqual(0.001 * LIMIT);
    expect(window?.used, account).toBeGreaterThanOrEqual(0.97 * LIMIT);
  });

  it.skipIf(missing)("retires nobody, though every lease had ended when the first came back", () => {
    const kinds = storm.agents.flatMap((agent) =>
      agent.events("lease", 0, storm.endedAt).map(({ payload }) => (payload as { readonly kind: string }).kind),
    );

    expect(
      kinds.filter((kind) => kind === "retired"),
      account,
    ).toEqual([]);
    expect(kinds, account).toContain("leases-extended");
  });

  it.skipIf(missing)("crashes nobody, fails no call, and leaves nothing uncaught", () => {
    expect(ends.map(({ how, stderr }) => ({ how, stderr }))).toEqual(ends.map(() => ({ how: "0", stderr: "" })));
    expect(storm.agents.flatMap((agent: AgentProcess) => agent.linesOf("uncaught"))).toEqual([]);
    expect(
      storm.agents.flatMap((agent) => agent.calls("failed")),
      account,
    ).toEqual([]);
  });
});

async function outage(
  begin: () => void | Promise<void>,
  forMs: number,
  end: () => void | Promise<void>,
): Promise<Outage> {
  const from = Date.now();
  await begin();
  await until(from + forMs);
  await end();
  return { from, to: Date.now() };
}
