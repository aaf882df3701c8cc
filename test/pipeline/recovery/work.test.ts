import { describe, expect, it } from "vitest";
import type { Squad } from "../../../src/squad.js";
import { recordEvents } from "../../harness/record-events.js";
import {
  HOUR_MS,
  MINUTE_MS,
  PATIENT,
  REPO,
  recovery,
  SECONDARY,
  type SharedRecovery,
  secondary,
  sharedRecovery,
  TOKEN,
} from "./bench.js";

const EXHAUSTED = { status: 403, json: { message: "API rate limit exceeded for user ID 1." } };

/** A squad whose agent depends on `data`'s, both known to each other. */
async function team(options: { readonly retry?: false } = { retry: false }): Promise<{
  readonly bench: SharedRecovery;
  readonly data: Squad;
  readonly ralph: Squad;
}> {
  const bench = await sharedRecovery({ ...PATIENT, ...options, agent: "data" });
  const ralph = bench.join({ agent: "ralph", dependsOn: ["data"] });
  const { clock, call } = bench;
  await clock.settle(Promise.all([call(), call(REPO, {}, ralph)]));
  await clock.advance(10_000);
  return { bench, data: bench.squad, ralph };
}

/** The verdict once newer word has come, which asking asks for. */
async function verdictOf({ clock }: SharedRecovery, squad: Squad) {
  squad.canStartWork();
  await clock.advance(1_000);
  return squad.canStartWork();
}

async function end({ bench, ralph }: { readonly bench: SharedRecovery; readonly ralph: Squad }): Promise<void> {
  await bench.clock.settle(Promise.all([bench.squad.close(), ralph.close()]));
  expect(bench.clock.pendingTimers).toBe(0);
}

describe("an agent on its own may begin work", () => {
  it("while nothing is known against it", async () => {
    const { squad, call, clock } = recovery(PATIENT);
    expect(squad.canStartWork()).toEqual({ ok: true });
    await call();
    expect(squad.canStartWork()).toEqual({ ok: true });
    await squad.waitUntilWorkCanStart();
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([
    ["a cooldown", secondary("120"), 120_000, /secondary limit/],
    ["a primary refusal", EXHAUSTED, HOUR_MS, /the quota is used up/],
  ] as const)("not during %s, and says until when and why", async (_what, answer, holdMs, why) => {
    const { squad, call, clock, github } = recovery({ ...PATIENT, retry: false });
    github.once(answer);
    await call();
    const verdict = squad.canStartWork();
    expect(verdict).toMatchObject({
      ok: false,
      why: expect.stringMatching(/^ralph waits: its own calls are held for another/),
    });
    expect(verdict).toMatchObject({ why: expect.stringMatching(why) });
    const until = verdict.ok ? 0 : (verdict.until ?? 0);
    expect(Math.abs(until - clock.now() - holdMs)).toBeLessThanOrEqual(2_000);
    const waiting = squad.waitUntilWorkCanStart();
    await clock.settle(waiting);
    expect(Math.abs(clock.now() - until)).toBeLessThanOrEqual(2_000);
    expect(squad.canStartWork()).toEqual({ ok: true });
  });

  it("not while the light or the breaker holds reads of its priority back, but its urgent ones go", async () => {
    const { squad, call, github } = recovery(PATIENT);
    github.quota(TOKEN).used = 4_500;
    await call();
    expect(squad.canStartWork()).toMatchObject({
      ok: false,
      why: expect.stringMatching(/core: 499 of 5000 left .* AMBER/),
    });
    expect((await call(REPO, { squad: { priority: 0 } })).status).toBe(200);
  });

  it("and is told the same however often it asks", async () => {
    let drawn = 0;
    const events = recordEvents("squad-rate:pressure");
    const { squad, call, github, clock } = recovery({ ...PATIENT, priority: 2, random: () => (drawn++ * 0.37) % 1 });
    github.once(SECONDARY);
    await call(REPO, { squad: { retries: 0 } });
    const verdicts = Array.from({ length: 10 }, () => squad.canStartWork());
    expect(new Set(verdicts.map((verdict) => (verdict.ok ? 0 : verdict.until))).size).toBe(1);
    await clock.advance(30_000);
    squad.canStartWork();
    expect(events).toHaveLength(1);
    await clock.settle(squad.waitUntilWorkCanStart());
    expect(events.map(({ ok }) => ok)).toEqual([false, true]);
  });

  it("stops waiting when its signal aborts, with the very reason, or when the squad is closed", async () => {
    const { squad, call, github, clock } = recovery({ ...PATIENT, retry: false });
    github.once(SECONDARY);
    await call();
    const timers = clock.pendingTimers;
    const controller = new AbortController();
    const gone = squad.waitUntilWorkCanStart(controller.signal).catch((reason: unknown) => reason);
    const closed = squad.waitUntilWorkCanStart().catch((error: { readonly code?: string }) => error.code);
    controller.abort("enough");
    expect(await gone).toBe("enough");
    await squad.close();
    expect(await closed).toBe("SQUAD_RATE_CLOSED");
    expect(clock.pendingTimers).toBe(timers);
    expect(squad.canStartWork()).toMatchObject({ ok: false });
  });
});

describe("an agent that depends on another", () => {
  it("hears within seconds that it is blocked, and until when, and that it is over", async () => {
    const both = await team();
    const { bench, ralph } = both;
    const { clock, github, call } = bench;
    expect(ralph.canStartWork()).toEqual({ ok: true });
    // Only what data alone uses is used up.
    Object.assign(github.quota(TOKEN, "graphql"), { used: 5_000 });
    const errors = [{ type: "RATE_LIMITED", message: "API rate limit exceeded for user ID 1." }];
    github.once({ json: { errors } });
    await clock.settle(bench.graphql("query { viewer { login } }"));
    await clock.advance(11_000);
    const verdict = await verdictOf(bench, ralph);
    expect(verdict).toMatchObject({
      ok: false,
      why: expect.stringMatching(/^ralph waits: data, which it depends on, is blocked for another 59 min/),
    });
    expect((await clock.settle(call(REPO, {}, ralph))).status).toBe(200);
    // Data is alive as long as something of it waits.
    const held = bench.graphql("query { viewer { login } }");
    const begun = clock.monotonic();
    await clock.settle(ralph.waitUntilWorkCanStart());
    expect(clock.monotonic() - begun).toBeGreaterThan(55 * MINUTE_MS);
    expect(clock.monotonic() - begun).toBeLessThan(61 * MINUTE_MS);
    await clock.settle(held);
    await end(both);
  });

  it("is under pressure from the moment that everybody is held, and free when it is over", async () => {
    const both = await team();
    const events = recordEvents("squad-rate:pressure");
    const { bench, ralph } = both;
    bench.github.once(secondary("90"));
    await bench.clock.settle(bench.call());
    await bench.clock.advance(11_000);
    expect((await verdictOf(bench, ralph)).ok).toBe(false);
    await bench.clock.settle(ralph.waitUntilWorkCanStart());
    expect(bench.clock.monotonic()).toBeLessThan(4 * MINUTE_MS);
    expect(events.filter(({ agent }) => agent === "ralph").map(({ ok }) => ok)).toEqual([false, true]);
    await end(both);
  });

  it("waits for nobody who has left", async () => {
    const both = await team();
    const { bench, ralph } = both;
    Object.assign(bench.github.quota(TOKEN, "graphql"), { used: 5_000 });
    const errors = [{ type: "RATE_LIMITED", message: "API rate limit exceeded for user ID 1." }];
    bench.github.once({ json: { errors } });
    await bench.clock.settle(bench.graphql("query { viewer { login } }"));
    await bench.clock.advance(11_000);
    expect((await verdictOf(bench, ralph)).ok).toBe(false);
    await bench.clock.settle(bench.squad.close());
    await bench.clock.settle(ralph.waitUntilWorkCanStart());
    expect(bench.clock.monotonic()).toBeLessThan(2 * MINUTE_MS);
    await end(both);
  });

  it("goes on with calls that it has begun", async () => {
    const both = await team();
    const { bench, ralph } = both;
    Object.assign(bench.github.quota(TOKEN, "graphql"), { used: 5_000 });
    bench.github.once({ json: { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded." }] } });
    await bench.clock.settle(bench.graphql("query { viewer { login } }"));
    await bench.clock.advance(11_000);
    expect((await verdictOf(bench, ralph)).ok).toBe(false);
    for (let read = 0; read < 3; read++)
      expect((await bench.clock.settle(bench.call(REPO, {}, ralph))).status).toBe(200);
    await end(both);
  });
});
