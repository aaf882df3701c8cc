import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSquadRateError, type SquadRateError } from "../../../src/errors.js";
import type { SquadOptions } from "../../../src/options.js";
import {
  HOUR_MS,
  MINUTE_MS,
  PATIENT,
  REPO,
  type Recovery,
  recovery,
  SECONDARY,
  secondary,
  sharedRecovery,
  TOKEN,
} from "./bench.js";

/** A window counts as over a second after its reset, and GitHub tells the time by the second. */
const SLACK_MS = 2_000;

type Priority = 0 | 1 | 2;

/** Chance that is spread evenly, and the same in every run. */
function evenly(): () => number {
  let drawn = 0;
  return () => (drawn++ * 0.618_033_988_749) % 1;
}

/** Calls of these priorities, each to a path of its own that tells it. */
function wave({ call, github }: Recovery, counts: readonly [number, number, number], tag = "w"): Promise<Response>[] {
  return counts.flatMap((count, priority) =>
    Array.from({ length: count }, (_, index) => {
      const path = `/repos/mona/hello/labels/p${priority}-${tag}-${index}`;
      github.route(path, { json: {} });
      return call(path, { squad: { priority: priority as Priority } });
    }),
  );
}

/** When calls of each class were sent, after `from` (milliseconds on the bench's clock). */
function startsAfter({ sent }: Recovery, from: number, tag = "w"): readonly number[][] {
  return [0, 1, 2].map((priority) =>
    sent.filter(({ path }) => path.includes(`/p${priority}-${tag}-`)).map(({ at }) => at - from),
  );
}

const least = (values: readonly number[] | undefined): number => Math.min(...(values ?? []));
const most = (values: readonly number[] | undefined): number => Math.max(...(values ?? []));

/** A bench whose quota is used up, as the last answer said; when it resets, on the bench's clock. */
async function usedUp(bench: Recovery): Promise<number> {
  const quota = bench.github.quota(TOKEN);
  quota.used = quota.limit - 1;
  await bench.call(REPO, { squad: { priority: 0, emergency: true } });
  return bench.clock.monotonic() + quota.resetAt - bench.clock.now();
}

describe("after a reset", () => {
  it("classes start back to back, in windows that do not overlap", async () => {
    const bench = recovery({ ...PATIENT, random: evenly() });
    const resetAt = await usedUp(bench);
    const calls = wave(bench, [10, 20, 20]);
    await bench.clock.settle(Promise.all(calls));
    const [p0, p1, p2] = startsAfter(bench, resetAt);
    expect([p0?.length, p1?.length, p2?.length]).toEqual([10, 20, 20]);
    expect(least(p0)).toBeGreaterThanOrEqual(500);
    expect(most(p0)).toBeLessThanOrEqual(least(p1));
    expect(most(p1)).toBeLessThanOrEqual(least(p2));
    expect(most(p0)).toBeLessThanOrEqual(5_000 + SLACK_MS);
    expect(most(p1)).toBeLessThanOrEqual(30_000 + SLACK_MS);
    expect(most(p2)).toBeLessThanOrEqual(60_000 + SLACK_MS);
    // Spread over the window, and not all of them at its start.
    expect(most(p2) - least(p2)).toBeGreaterThan(20_000);
  });

  it("windows are lengthened when more wait than they carry, and later ones begin later", async () => {
    const bench = recovery({ ...PATIENT, random: evenly() });
    bench.github.quota(TOKEN).limit = 200;
    const resetAt = await usedUp(bench);
    // 200 an hour at twice the even pace is one in nine seconds.
    await bench.clock.settle(Promise.all(wave(bench, [4, 8, 4])));
    const [p0, p1, p2] = startsAfter(bench, resetAt);
    expect(most(p0)).toBeGreaterThan(10_000);
    expect(most(p0)).toBeLessThanOrEqual(500 + 4 * 9_000 + SLACK_MS);
    expect(least(p1)).toBeGreaterThanOrEqual(500 + 4 * 9_000 - SLACK_MS);
    expect(least(p2)).toBeGreaterThanOrEqual(500 + 12 * 9_000 - SLACK_MS);
    expect(most(p2)).toBeLessThanOrEqual(500 + 16 * 9_000 + SLACK_MS);
  });

  it("newcomers wait for their class to begin, and for nothing more", async () => {
    const bench = recovery({ ...PATIENT, random: evenly() });
    const resetAt = await usedUp(bench);
    const calls = wave(bench, [2, 2, 2]);
    const begin = resetAt + SLACK_MS;
    await bench.clock.advance(begin - bench.clock.monotonic());
    const early = wave(bench, [1, 1, 1], "early");
    await bench.clock.advance(10_000);
    const later = wave(bench, [1, 1, 1], "later");
    await bench.clock.advance(30_000);
    const last = wave(bench, [1, 1, 1], "last");
    await bench.clock.settle(Promise.all([...calls, ...early, ...later, ...last]));
    const [e0, e1, e2] = startsAfter(bench, resetAt, "early");
    expect([e0, (e1?.[0] ?? 0) >= 5_000 - SLACK_MS, (e2?.[0] ?? 0) >= 30_000 - SLACK_MS]).toEqual([
      [SLACK_MS],
      true,
      true,
    ]);
    const [l0, l1, l2] = startsAfter(bench, resetAt, "later");
    expect([l0, l1, (l2?.[0] ?? 0) >= 30_000 - SLACK_MS]).toEqual([[12_000], [12_000], true]);
    expect(startsAfter(bench, resetAt, "last")).toEqual([[42_000], [42_000], [42_000]]);
  });

  it("nobody waits when nobody was held", async () => {
    const bench = recovery(PATIENT);
    const resetAt = await usedUp(bench);
    await bench.clock.advance(resetAt - bench.clock.monotonic() + SLACK_MS);
    const begun = bench.clock.monotonic();
    await Promise.all(wave(bench, [2, 2, 2]));
    expect(startsAfter(bench, begun)).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it("nor for those who were held and gave up", async () => {
    const bench = recovery(PATIENT);
    const resetAt = await usedUp(bench);
    const controller = new AbortController();
    const gone = bench.call(REPO, { signal: controller.signal }).catch(() => undefined);
    await bench.clock.advance(1_000);
    controller.abort();
    await gone;
    await bench.clock.advance(resetAt - bench.clock.monotonic() + SLACK_MS);
    const begun = bench.clock.monotonic();
    await Promise.all(wave(bench, [0, 0, 2]));
    expect(startsAfter(bench, begun)[2]).toEqual([0, 0]);
  });

  it("of a window of a minute the windows are a tenth as long", async () => {
    const bench = recovery({ ...PATIENT, random: evenly(), pacing: false, secondary: false });
    const quota = bench.github.quota(TOKEN, "search");
    Object.assign(quota, { limit: 1_000, used: 999 });
    bench.github.route("/search/issues", { json: {} });
    const search = (priority: Priority, index: number) =>
      bench.call(`/search/issues?q=p${priority}-w-${index}/p${priority}-w-`, { squad: { priority, emergency: true } });
    await search(0, 99);
    const resetAt = bench.clock.monotonic() + quota.resetAt - bench.clock.now();
    const before = bench.sent.length;
    const calls = ([0, 1, 2] as const).flatMap((priority) => [1, 2, 3, 4].map((index) => search(priority, index)));
    await bench.clock.settle(Promise.all(calls));
    const starts = [0, 1, 2].map((priority) =>
      bench.sent
        .slice(before)
        .filter(({ path }) => path.includes(`p${priority}`))
        .map(({ at }) => at - resetAt),
    );
    expect(most(starts[0])).toBeLessThanOrEqual(500 + SLACK_MS);
    expect(most(starts[1])).toBeLessThanOrEqual(3_000 + SLACK_MS);
    expect(most(starts[2])).toBeLessThanOrEqual(6_000 + SLACK_MS);
    expect(most(starts[0])).toBeLessThanOrEqual(least(starts[1]));
    expect(most(starts[1])).toBeLessThanOrEqual(least(starts[2]));
  });
});

describe("the wait that is told beforehand", () => {
  it("includes the place, in an error and in status", async () => {
    const bench = recovery({ ...PATIENT, random: () => 0.5 });
    const resetAt = await usedUp(bench);
    const resetNow = bench.clock.now() + resetAt - bench.clock.monotonic();
    const middles = [2_750, 17_500, 45_000];
    for (const priority of [0, 1, 2] as const) {
      const error = await bench
        .call(REPO, { squad: { priority, maxWaitMs: 1_000 } })
        .catch((thrown: unknown) => thrown);
      expect(isSquadRateError(error)).toBe(true);
      const { retryAt = 0, retryAfterMs = 0 } = error as SquadRateError;
      expect(Math.abs(retryAt - resetNow - (middles[priority] ?? 0))).toBeLessThanOrEqual(SLACK_MS);
      expect(retryAfterMs).toBe(retryAt - bench.clock.now());
    }
    const waiting = wave(bench, [0, 0, 1]);
    await bench.clock.advance(0);
    const untilAt = bench.squad.status().waiting[0]?.untilAt ?? 0;
    expect(Math.abs(untilAt - resetNow - 45_000)).toBeLessThanOrEqual(SLACK_MS);
    await bench.clock.settle(Promise.all(waiting));
    expect(Math.abs((startsAfter(bench, resetAt)[2]?.[0] ?? 0) - 45_000)).toBeLessThanOrEqual(SLACK_MS);
  });

  it("refuses at once whom the reset would let go in time, but not its place", async () => {
    const bench = recovery({ random: () => 0.5 });
    const resetAt = await usedUp(bench);
    const maxWaitMs = resetAt - bench.clock.monotonic() + 10_000;
    const refused = bench.call(REPO, { squad: { priority: 2, maxWaitMs } });
    await expect(refused).rejects.toMatchObject({ code: "SQUAD_RATE_LIGHT" });
    const sent = bench.call(REPO, { squad: { priority: 0, maxWaitMs } });
    expect((await bench.clock.settle(sent)).status).toBe(200);
  });

  it("includes the place where a pool divides the quota, too", async () => {
    const bench = await sharedRecovery({ random: () => 0.5 });
    const quota = bench.github.quota(TOKEN);
    quota.used = 4_999;
    await bench.clock.settle(bench.call());
    await bench.clock.advance(1_000);
    const resetNow = quota.resetAt;
    const middles = [2_750, 17_500, 45_000];
    for (const priority of [0, 1, 2] as const) {
      const refused = bench.call(REPO, { squad: { priority, maxWaitMs: 1_000 } }).catch((thrown: unknown) => thrown);
      const { retryAt = 0 } = (await bench.clock.settle(refused)) as SquadRateError;
      expect(retryAt - resetNow).toBeGreaterThanOrEqual((middles[priority] ?? 0) - SLACK_MS);
      expect(retryAt - resetNow).toBeLessThanOrEqual((middles[priority] ?? 0) + 2 * SLACK_MS);
    }
    await bench.squad.close();
  });
});

describe("after a cooldown", () => {
  it("classes start in order, too", async () => {
    const bench = recovery({ ...PATIENT, random: evenly() });
    await bench.call();
    bench.github.once(secondary("60"));
    const refused = bench.call(REPO, { squad: { priority: 0 } });
    await bench.clock.advance(0);
    await bench.clock.settle(Promise.all([refused, ...wave(bench, [10, 10, 10])]));
    const [p0, p1, p2] = startsAfter(bench, MINUTE_MS);
    expect(least(p0)).toBeGreaterThanOrEqual(500 - SLACK_MS);
    expect(most(p0)).toBeLessThanOrEqual(least(p1));
    expect(most(p1)).toBeLessThanOrEqual(least(p2));
    expect(most(p2)).toBeLessThanOrEqual(60_000 + SLACK_MS);
  });

  it("of a pool classes start in order in all its processes", async () => {
    const bench = await sharedRecovery({ ...PATIENT, random: evenly() });
    const { clock, github, call, squad } = bench;
    const squads = [squad, bench.join({ agent: "picard" }), bench.join({ agent: "data" })];
    await clock.settle(Promise.all(squads.map((one) => call(REPO, {}, one))));
    github.once(secondary("60"));
    await clock.settle(call(REPO, { squad: { retries: 0 } }));
    const endAt = clock.monotonic() + MINUTE_MS;
    // Each of them looks before it writes.
    const write = { method: "PATCH", body: "{}" };
    await clock.advance(5_000);
    const looks = squads.map((one) => call(REPO, write, one));
    await clock.advance(2_000);
    const looked = bench.sent.length;
    const calls = squads.flatMap((one) => wave({ ...bench, call: (path, init) => call(path, init, one) }, [5, 5, 5]));
    await clock.settle(Promise.all([...looks, ...calls]));
    const [p0, p1, p2] = startsAfter({ ...bench, sent: bench.sent.slice(looked) }, endAt);
    expect([p0?.length, p1?.length, p2?.length]).toEqual([15, 15, 15]);
    expect(least(p0)).toBeGreaterThanOrEqual(0);
    expect(most(p0)).toBeLessThanOrEqual(least(p1));
    expect(most(p1)).toBeLessThanOrEqual(least(p2));
    await clock.settle(Promise.all(squads.map((one) => one.close())));
  });

  it("and the reset's own order follows when a quota was used up as well", async () => {
    const bench = recovery({ ...PATIENT, random: evenly() });
    const resetAt = await usedUp(bench);
    await bench.clock.advance(resetAt - bench.clock.monotonic() - 10_000);
    bench.github.once(secondary("30"));
    // A call that costs nothing is refused as well.
    bench.github.route("/repos/mona/hello/labels/p0-w-99", SECONDARY);
    const calls = wave(bench, [4, 4, 4]);
    await bench.clock.settle(Promise.all(calls));
    const [p0, p1, p2] = startsAfter(bench, resetAt);
    expect(least(p0)).toBeGreaterThanOrEqual(0);
    expect(most(p0)).toBeLessThanOrEqual(least(p1));
    expect(most(p1)).toBeLessThanOrEqual(least(p2));
  });

  it("a refusal of the first that go shuts it for all the others again", async () => {
    const bench = recovery({ ...PATIENT, random: evenly() });
    let refusals = 0;
    const answer = () => (refusals++ < 3 ? SECONDARY : { json: {} });
    const calls = Array.from({ length: 30 }, (_, index) => {
      bench.github.route(`/repos/mona/hello/labels/${index}`, answer);
      return bench.call(`/repos/mona/hello/labels/${index}`, { squad: { priority: (index % 3) as Priority } });
    });
    // All thirty are on their way when the first is refused.
    await bench.clock.settle(Promise.all(calls));
    expect(bench.github.statuses().filter((status) => status === 403)).toHaveLength(3);
  });
});

describe("a P0 write", () => {
  const arrival = fc.record({
    priority: fc.constantFrom<Priority>(0, 1, 2),
    afterMs: fc.integer({ min: 0, max: 4_000 }),
    refused: fc.constantFrom<"no" | "60" | "said" | "primary">("no", "no", "no", "no", "60", "said", "primary"),
  });

  it.each<[string, number, (options: SquadOptions) => Recovery | Promise<Recovery>]>([
    ["alone", 60, recovery],
    ["in a pool", 20, sharedRecovery],
  ])(
    "never goes after a P1 or P2 write that waits, nor a P1 after a P2, whatever comes and is refused: %s",
    async (_where, numRuns, make) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(arrival, { minLength: 2, maxLength: 25 }),
          fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 3, maxLength: 10 }),
          async (arrivals, chances) => {
            let drawn = 0;
            const random = () => chances[drawn++ % chances.length] ?? 0;
            const bench = await make({ maxWaitMs: 24 * HOUR_MS, random, retry: { limit: 10 } });
            const { clock, github, call, sent, squad } = bench;
            await clock.settle(call());
            const came: { readonly path: string; readonly priority: Priority; readonly at: number }[] = [];
            const calls: Promise<unknown>[] = [];
            for (const [index, { priority, afterMs, refused }] of arrivals.entries()) {
              await clock.advance(afterMs);
              const path = `/repos/mona/hello/labels/${index}`;
              let attempts = 0;
              github.route(path, () => {
                if (refused === "no" || attempts++ > 0 || (refused === "primary" && index % 2 > 0)) return { json: {} };
                if (refused === "primary")
                  return { status: 403, json: { message: "API rate limit exceeded for user ID 1." } };
                return refused === "60" ? SECONDARY : secondary("7");
              });
              came.push({ path, priority, at: clock.monotonic() });
              calls.push(call(path, { method: "PATCH", body: "{}", squad: { priority } }));
            }
            await clock.settle(Promise.all(calls));
            const pathOf = (path: string) => came.find((one) => one.path === path);
            for (const [index, { path, at }] of sent.entries()) {
              const self = pathOf(path);
              if (self === undefined) continue;
              // Whoever waited when this one went: had come before, and has not gone yet, though it will.
              const before = sent.slice(0, index).map((one) => one.path);
              for (const other of came) {
                const hasCome = other.at < at || (other.at === at && other.path !== path);
                if (!hasCome || other.at >= at || before.includes(other.path) || other.path === path) continue;
                expect(
                  { sent: self, while: other },
                  `P${self.priority} went while P${other.priority} waited`,
                ).toSatisfy(() => self.priority <= other.priority);
              }
            }
            await clock.settle(squad.close());
          },
        ),
        { numRuns },
      );
    },
    120_000,
  );
});
