import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { SquadRateError } from "../../../src/errors.js";
import { recordEvents } from "../../harness/record-events.js";
import { HOUR_MS, MINUTE_MS, PATIENT, REPO, type Recovery, recovery, sharedRecovery, TOKEN } from "./bench.js";

/** What it takes to see the breaker and nothing else. */
const ALONE = { ...PATIENT, light: false, secondary: false } as const;
/** A sample counts if it is a 120th of the window after the last. */
const SAMPLE_MS = 30_000;
const READ = { squad: { priority: 0 } } as const;

/** Uses units at a steady pace, until the breaker opens or nothing is left. */
async function spendFast(bench: Recovery, unitsPerSample: number): Promise<void> {
  const { github, call, clock, squad } = bench;
  const quota = github.quota(TOKEN);
  for (let sample = 0; sample < 100; sample++) {
    await clock.settle(call(REPO, READ));
    if (breakerOf(bench).breaker !== "closed" || quota.used + unitsPerSample >= quota.limit) return;
    quota.used += unitsPerSample;
    await clock.advance(SAMPLE_MS);
  }
  throw new Error(JSON.stringify(squad.status().principals[0]?.windows.core));
}

function breakerOf({ squad }: Recovery) {
  const core = squad.status().principals.find(({ windows }) => windows.core !== undefined)?.windows.core;
  return { breaker: core?.breaker, forecast: core?.forecast };
}

describe("the breaker without a pool", () => {
  it("opens before the quota is used up, lets P0 pass, and holds the others", async () => {
    const events = recordEvents("squad-rate:breaker");
    const bench = recovery(ALONE);
    await spendFast(bench, 300);
    const quota = bench.github.quota(TOKEN);
    expect(breakerOf(bench).breaker).toBe("open");
    expect(quota.used).toBeLessThan(quota.limit);
    expect(breakerOf(bench).forecast?.exhaustedInMs).toBeLessThanOrEqual(2 * MINUTE_MS);
    expect(events).toMatchObject([{ from: "closed", to: "open", resource: "core", limit: 5_000 }]);
    const before = bench.sent.length;
    const held = [1, 2].map((priority) => bench.call(REPO, { squad: { priority: priority as 1 | 2 } }));
    expect((await bench.call(REPO, READ)).status).toBe(200);
    expect([bench.sent.length - before, bench.squad.status().waiting.length]).toEqual([1, 2]);
    await bench.clock.settle(Promise.all(held));
  });

  it("refuses with its own code whom it would hold for too long", async () => {
    const bench = recovery(ALONE);
    await spendFast(bench, 300);
    const refused = bench.call(REPO, { squad: { maxWaitMs: 1_000 } });
    await expect(refused).rejects.toMatchObject({
      code: "SQUAD_RATE_BREAKER",
      resource: "core",
      retryAfterMs: SAMPLE_MS,
      message: expect.stringMatching(
        /core: at 6\d\d units\/min the remaining \d+ of 5000 last \d.*the reset is in \d+ min.*; breaker open, P1 waits 30 s/,
      ),
    });
  });

  it("half-open sends one probe at a time, and two that are answered close it", async () => {
    const events = recordEvents("squad-rate:breaker");
    const bench = recovery(ALONE);
    const { github, call, clock, sent } = bench;
    await spendFast(bench, 300);
    const calls = Array.from({ length: 6 }, () => call());
    // A pause without samples that look the same: nobody else spends.
    await clock.advance(SAMPLE_MS - 1_000);
    const before = sent.length;
    const release = github.hold();
    await clock.advance(5_000);
    expect(sent.length - before).toBe(1);
    expect(breakerOf(bench).breaker).toBe("half-open");
    release();
    await clock.settle(Promise.all(calls));
    expect(events.map(({ to }) => to).filter((to) => to !== "open")).toContain("half-open");
    expect(github.statuses().every((status) => status === 200)).toBe(true);
  });

  it("closes at the reset whatever happened, and sends everybody", async () => {
    const bench = recovery(ALONE);
    const { github, call, clock, sent } = bench;
    await clock.settle(call());
    const quota = github.quota(TOKEN);
    const { resetAt } = quota;
    await clock.advance(resetAt - clock.now() - 5 * MINUTE_MS);
    await spendFast(bench, 700);
    const waiting = Array.from({ length: 3 }, () => call(REPO, { squad: { priority: 2 } }));
    await clock.advance(resetAt - clock.now() + 2_000);
    expect(breakerOf(bench).breaker).toBe("closed");
    await clock.settle(Promise.all(waiting));
    expect(sent.at(-1)?.at).toBeLessThanOrEqual(HOUR_MS + 2 * MINUTE_MS);
  });

  it.each(["aborted", "broken", "refused"])("is not wedged by a probe that is %s", async (how) => {
    const bench = recovery({ ...ALONE, retry: false });
    const { github, call, clock } = bench;
    await spendFast(bench, 300);
    await clock.advance(SAMPLE_MS);
    const controller = new AbortController();
    const release = github.hold();
    if (how === "broken")
      github.once(() => {
        throw new TypeError("fetch failed");
      });
    if (how === "refused") github.once({ status: 403, json: { message: "You have exceeded a secondary rate limit." } });
    const probe = call(REPO, { signal: controller.signal }).then(
      ({ status }) => status,
      (error: unknown) => error,
    );
    await clock.advance(1_000);
    expect(breakerOf(bench).breaker).toBe("half-open");
    const next = call();
    await clock.advance(2_000);
    if (how === "aborted") controller.abort("enough");
    release();
    await probe;
    expect((await clock.settle(next)).status).toBe(200);
    expect(clock.monotonic()).toBeLessThan(HOUR_MS);
  });

  it("is not wedged by a probe whose answer lay in the cache", async () => {
    const bench = recovery({ ...ALONE, cache: { freshForMs: HOUR_MS } });
    const { call, clock, github } = bench;
    github.route("/repos/mona/other", { json: {} });
    await call("/repos/mona/other");
    const quota = github.quota(TOKEN);
    for (let sample = 0; sample < 40 && breakerOf(bench).breaker === "closed"; sample++) {
      await clock.settle(call(REPO, { squad: { priority: 0, cache: "revalidate" } }));
      quota.used += 300;
      await clock.advance(SAMPLE_MS);
    }
    await clock.advance(SAMPLE_MS);
    await call("/repos/mona/other");
    const response = await clock.settle(call(REPO, { squad: { cache: "revalidate" } }));
    expect(response.status).toBe(200);
    expect(clock.monotonic()).toBeLessThan(HOUR_MS);
  });

  it("that is off keeps nobody", async () => {
    const bench = recovery({ ...ALONE, breaker: false });
    await spendFast(bench, 300);
    expect(breakerOf(bench).breaker).toBe("closed");
    expect((await bench.call(REPO, { squad: { priority: 2, maxWaitMs: 0 } })).status).toBe(200);
  });

  it("opens for no pace that the reset ends in time", async () => {
    const bench = recovery(ALONE);
    const { call, clock, github } = bench;
    await clock.settle(call());
    const quota = github.quota(TOKEN);
    await clock.advance(quota.resetAt - clock.now() - 4 * MINUTE_MS);
    for (let sample = 0; sample < 7; sample++) {
      await clock.settle(call(REPO, READ));
      quota.used += 100;
      await clock.advance(SAMPLE_MS);
    }
    expect(breakerOf(bench).breaker).toBe("closed");
  });
});

describe("the breaker with a pool", () => {
  it("only reports while the pool is well", async () => {
    const events = recordEvents("squad-rate:breaker");
    const bench = await sharedRecovery({ ...ALONE, retry: false });
    await spendFast(bench, 300);
    expect(events).toContainEqual(expect.objectContaining({ from: "closed", to: "open" }));
    expect(breakerOf(bench).breaker).not.toBe("closed");
    // Somebody outside the pool spends so fast that it keeps what is left; that is its word, and not the breaker's.
    const refused = bench.call(REPO, { squad: { priority: 2, maxWaitMs: 20_000 } }).catch((error: unknown) => error);
    const { code, explain } = (await bench.clock.settle(refused)) as SquadRateError;
    expect([code, explain.filter((why) => why.includes("breaker"))]).toEqual(["SQUAD_RATE_POOL", []]);
    await bench.squad.close();
  });

  it("gates while the pool's store is lost", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    const bench = await sharedRecovery({ ...ALONE, retry: false });
    const { clock, call, squad } = bench;
    await clock.settle(call(REPO, READ));
    bench.store.updates.update = () => Promise.reject(new Error("connection refused"));
    await clock.advance(10 * MINUTE_MS);
    await spendFast(bench, 250);
    expect(squad.status().store?.state).toBe("lost");
    const refused = call(REPO, { squad: { priority: 2, maxWaitMs: 1_000 } });
    await expect(clock.settle(refused)).rejects.toMatchObject({ code: "SQUAD_RATE_BREAKER" });
    expect((await clock.settle(call(REPO, READ))).status).toBe(200);
  });
});
