import { Octokit } from "@octokit/core";
import { describe, expect, it } from "vitest";
import { SquadRateError } from "../../src/errors.js";
import { squadRate } from "../../src/plugin.js";
import { outcomeOf } from "../harness/cache-outcome.js";
import { setUpBench } from "../harness/octokit-in-squad.js";
import { recordEvents } from "../harness/record-events.js";
import { spendDown } from "../harness/spend-down.js";

const HOUR = 3_600_000;
/** A wait as long as the window, so that calls wait for the reset. */
const patient = { maxWaitMs: 2 * HOUR };

/** An Octokit whose token has `remaining` of `limit` units left, as its last answer said. */
async function setUpSpent(remaining: number, limit: number, options: Parameters<typeof setUpBench>[0] = patient) {
  const bench = setUpBench(options);
  await spendDown(bench, "alice", remaining, limit);
  bench.github.route("/user", { json: {} });
  const alice = bench.octokit("alice");
  // The Octokit does not know its token; its first call tells whose quota it spends. A HEAD is never joined or kept.
  const call = (squad: object = {}, signal?: AbortSignal) =>
    alice.request("HEAD /user", { request: { squad, ...(signal === undefined ? {} : { signal }) } });
  return { ...bench, alice, call };
}

const core = (status: ReturnType<Awaited<ReturnType<typeof setUpSpent>>["squad"]["status"]>) =>
  status.principals[0]?.windows.core;

describe("the light", () => {
  it("lets a burst of 50 spend what is above amber and not a unit more, then the rest after the reset", async () => {
    const { github, clock, call, squad } = await setUpSpent(15, 60);
    const calls = Array.from({ length: 50 }, () => call());
    await clock.advance(1_000);
    expect(github.requests).toHaveLength(3);
    expect(core(squad.status())).toMatchObject({ remaining: 12, reserved: 0, light: "amber" });
    expect(squad.status().waiting).toHaveLength(47);
    await clock.settle(Promise.all(calls));
    expect(github.statuses().every((status) => status === 200)).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  it("counts what is in flight as spent while no answer has come", async () => {
    const { github, clock, call, squad } = await setUpSpent(15, 60);
    await call();
    const release = github.hold();
    const calls = Array.from({ length: 50 }, () => call());
    await clock.advance(10_000);
    expect(github.requests).toHaveLength(1 + 2);
    expect(core(squad.status())).toMatchObject({ reserved: 2 });
    release();
    await clock.settle(Promise.all(calls));
    expect(core(squad.status())).toMatchObject({ reserved: 0 });
  });

  it("keeps nobody from a window that is green", async () => {
    const { github, call, clock } = await setUpSpent(4_000, 5_000);
    await Promise.all(Array.from({ length: 50 }, () => call()));
    expect([github.requests.length, clock.pendingTimers]).toEqual([50, 0]);
  });

  it.each([
    ["amber", 600, { priority: 0 }, true],
    ["amber", 600, { priority: 1 }, false],
    ["amber", 600, { priority: 2 }, false],
    ["red", 200, { priority: 0 }, false],
    ["red", 200, { priority: 0, emergency: true }, true],
    ["red", 200, { priority: 1, emergency: true }, false],
    ["red, down to the reserve", 11, { priority: 0, emergency: true }, true],
    ["red, at the reserve", 10, { priority: 0, emergency: true }, false],
  ])("%s with %i of 5000 left: %o passes: %s", async (_light, remaining, squad, passes) => {
    const { call, github } = await setUpSpent(remaining, 5_000);
    const sent = call({ ...squad, maxWaitMs: 0 });
    if (passes) await sent;
    else await expect(sent).rejects.toMatchObject({ code: "SQUAD_RATE_LIGHT" });
    expect(github.requests).toHaveLength(passes ? 1 : 0);
  });

  it("that glides opens before the reset", async () => {
    const { call, github, clock } = await setUpSpent(600, 5_000, { ...patient, light: { mode: "glide" } });
    const begun = clock.now();
    const waiting = call();
    await clock.advance(0);
    expect(github.requests).toHaveLength(0);
    await clock.settle(waiting);
    // 600 of 5000 is a fifth of the limit, scaled by the time left, when 60 % of the hour are left.
    expect(clock.now() - begun).toBeGreaterThan(0.39 * HOUR);
    expect(clock.now() - begun).toBeLessThan(0.41 * HOUR);
  });

  it("that is off keeps nobody", async () => {
    const { call, github } = await setUpSpent(0, 5_000, { light: false });
    github.once({ status: 200, json: {} });
    await call();
    expect(github.requests).toHaveLength(1);
  });

  it("is asked of the resource that the call counts against", async () => {
    const { alice, github, clock } = await setUpSpent(100, 5_000, { maxWaitMs: 0 });
    await expect(alice.request("HEAD /user")).rejects.toMatchObject({ resource: "core" });
    github.route("/search/issues", { json: { total_count: 0 } });
    await alice.request("GET /search/issues", { q: "a" });
    expect(clock.pendingTimers).toBe(0);
  });

  it("does not stop a call that costs nothing", async () => {
    const { alice, github } = await setUpSpent(0, 5_000, { maxWaitMs: 0 });
    github.once({ json: { resources: {} }, status: 200, unlimited: true });
    expect((await alice.request("GET /rate_limit")).status).toBe(200);
  });
});

describe("a call that has to wait", () => {
  it("is sent when the window opens again, on the squad's clock", async () => {
    const { call, github, clock } = await setUpSpent(100, 5_000);
    const resetAt = github.quota("token alice").resetAt;
    const waiting = call();
    await clock.advance(resetAt - clock.now() - 1);
    expect(github.requests).toHaveLength(0);
    await clock.settle(waiting);
    expect(clock.now() - resetAt).toBeLessThanOrEqual(2_000);
    expect(github.statuses()).toEqual([200]);
  });

  it("is sent by GitHub's clock, although this machine's is ten minutes ahead", async () => {
    const bench = setUpBench(patient);
    const { github, clock, octokit } = bench;
    clock.step(600_000);
    const date = () => ({ date: new Date(clock.now() - 600_000).toUTCString() });
    const reset = () => String(Math.ceil((github.quota("token alice").resetAt - 600_000) / 1_000));
    const headers = () => ({
      ...date(),
      "x-ratelimit-reset": reset(),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-used": "5000",
    });
    github.route("/user", () => ({ json: {}, headers: headers() }));
    const alice = octokit("alice");
    await alice.request("HEAD /user");
    const resetAt = github.quota("token alice").resetAt;
    const waiting = alice.request("HEAD /user");
    await clock.settle(waiting);
    expect(Math.abs(clock.now() - resetAt)).toBeLessThanOrEqual(2_500);
  });

  it("goes in order of priority, then of arrival", async () => {
    const { alice, call, github, clock } = await setUpSpent(100, 5_000);
    await call({ priority: 0, emergency: true });
    github.requests.length = 0;
    const order = [2, 1, 0, 2, 1, 0];
    const calls = order.map((priority, index) => {
      github.route(`/users/${index}`, { json: {} });
      return alice.request(`HEAD /users/${index}`, { request: { squad: { priority } } });
    });
    await clock.settle(Promise.all(calls));
    expect(github.requests.map(({ url }) => url.pathname)).toEqual(
      [2, 5, 1, 4, 0, 3].map((index) => `/users/${index}`),
    );
  });

  it.each([0, 1_000, 60_000])("longer than maxWaitMs %i fails at once, unsent", async (maxWaitMs) => {
    const { call, github, clock } = await setUpSpent(100, 5_000);
    await expect(call({ maxWaitMs })).rejects.toBeInstanceOf(SquadRateError);
    expect([github.requests.length, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("fails with everything a program and a person need", async () => {
    const { call, github, clock } = await setUpSpent(100, 5_000);
    const error = await call({ maxWaitMs: 1_000 }).catch((reason: unknown) => reason as SquadRateError);
    const { resetAt } = github.quota("token alice");
    expect(error).toMatchObject({
      name: "SquadRateError",
      code: "SQUAD_RATE_LIGHT",
      status: 429,
      resource: "core",
      explain: [expect.stringMatching(/core: 100 of 5000 left .*RED.*P1 waits/)],
      remedy: expect.stringContaining("maxWaitMs"),
    });
    const { retryAt = 0, retryAfterMs = 0, message } = error as SquadRateError;
    expect(Math.abs(retryAt - resetAt)).toBeLessThanOrEqual(2_000);
    expect(retryAfterMs).toBe(retryAt - clock.now());
    expect(message).toContain("HEAD /user was not sent");
    expect(`${message} ${JSON.stringify(error)}`).not.toMatch(/secondary rate|alice/i);
    expect(error).not.toHaveProperty("request");
    expect(error).not.toHaveProperty("response");
  });

  it.each([
    ["P1", { priority: 1 }, 100, "give the call priority 0"],
    ["P0", { priority: 0 }, 40, "set emergency: true"],
    ["an emergency", { priority: 0, emergency: true }, 10, "or raise maxWaitMs"],
  ])("and fails is told what %s can do", async (_who, request, left, remedy) => {
    const bench = setUpBench({ maxWaitMs: 0 });
    await spendDown(bench, "alice", left, 1_000);
    const call = bench.octokit("alice").request("GET /user", { request: { squad: request } });
    await expect(call).rejects.toMatchObject({ remedy: expect.stringContaining(remedy) });
  });

  it("and is aborted rejects at once with its reason, and leaves no timer, no place and no unit behind", async () => {
    const { call, clock, squad, github } = await setUpSpent(100, 5_000);
    const before = clock.pendingTimers;
    const controller = new AbortController();
    const waiting = expect(call({}, controller.signal)).rejects.toBe("enough");
    await clock.advance(0);
    expect(squad.status().waiting).toHaveLength(1);
    controller.abort("enough");
    await waiting;
    expect([clock.pendingTimers, squad.status().waiting.length, github.requests.length]).toEqual([before, 0, 0]);
    expect(core(squad.status())?.reserved).toBe(0);
  });

  it("is mentioned once in the log after five seconds: who, for what, until when", async () => {
    const { call, clock, logged } = await setUpSpent(100, 5_000);
    const waiting = call({ agent: "reviewer" });
    await clock.advance(4_999);
    expect(logged).toEqual([]);
    await clock.advance(1);
    expect(logged).toEqual([
      expect.stringMatching(
        /^info: squad-rate: reviewer has waited 5 s of at most 2 h to send HEAD \/user: core: 100 of 5000/,
      ),
    ]);
    await clock.settle(waiting);
    expect(logged).toHaveLength(1);
  });

  it("is listed in status, and told of once", async () => {
    const decisions = recordEvents("squad-rate:decision");
    const { call, clock, squad } = await setUpSpent(100, 5_000);
    const waiting = call({ agent: "reviewer", priority: 2 });
    await clock.advance(60_000);
    expect(squad.status().waiting).toMatchObject([{ agent: "reviewer", priority: 2, resource: "core" }]);
    expect(squad.status().counters).toMatchObject({ waited: 0, refused: 0 });
    await clock.settle(waiting);
    expect(decisions).toMatchObject([{ decision: "wait", agent: "reviewer", route: "HEAD /user" }]);
    expect(squad.status().counters).toMatchObject({ waited: 1, refused: 0 });
  });

  it("is served by a kept answer or one on its way instead, where that is allowed", async () => {
    const { alice, github, clock } = await setUpSpent(4_000, 5_000);
    await alice.request("GET /user");
    const release = github.hold();
    const leader = alice.request("GET /user");
    await clock.advance(0);
    github.quota("token alice").used = 4_990;
    release();
    const joiner = alice.request("GET /user");
    expect([outcomeOf(await leader), outcomeOf(await joiner)]).toEqual(["revalidated", "shared"]);
    const squad = { cache: { freshForMs: 60_000 } };
    expect(outcomeOf(await alice.request("GET /user", { request: { squad } }))).toBe("fresh");
  });
});

describe("a call whose token is not known before auth", () => {
  it("is stopped inside, waits outside, and is sent once", async () => {
    const { octokit, github, clock } = await setUpSpent(100, 5_000);
    const newcomer = octokit("alice");
    const waiting = newcomer.request("HEAD /user");
    await clock.advance(60_000);
    expect(github.requests).toHaveLength(0);
    await clock.settle(waiting);
    expect(github.statuses()).toEqual([200]);
  });

  it("is refused inside with the same error", async () => {
    const { octokit, github } = await setUpSpent(100, 5_000);
    const refused = octokit("alice").request("HEAD /user", { request: { squad: { maxWaitMs: 0 } } });
    await expect(refused).rejects.toMatchObject({ code: "SQUAD_RATE_LIGHT", status: 429 });
    expect(github.requests).toHaveLength(0);
  });
});

describe("an Octokit whose token changes between calls", () => {
  /** `tokens[0]` is the token that auth finds. */
  function setUpRotating(options: Parameters<typeof setUpBench>[0], tokens: string[]) {
    const bench = setUpBench(options);
    const { github, squad } = bench;
    github.route("/user", { json: {} });
    const rotating = (inner: Octokit): Record<string, never> => {
      inner.hook.before("request", ({ headers }) => {
        headers.authorization = `token ${tokens[0]}`;
      });
      return {};
    };
    const octokit = new (Octokit.plugin(rotating, squadRate))({ squad, request: { fetch: github.fetch } });
    return { bench, clock: bench.clock, octokit };
  }

  it("cannot spend one token's quota on another's permit", async () => {
    const tokens = ["fine"];
    const { bench, octokit } = setUpRotating({ maxWaitMs: 0 }, tokens);
    await spendDown(bench, "spent", 100, 5_000);
    await octokit.request("HEAD /user");
    tokens[0] = "spent";
    await expect(octokit.request("HEAD /user")).rejects.toMatchObject({ code: "SQUAD_RATE_LIGHT" });
    expect(bench.github.requests).toHaveLength(1);
    for (const { windows } of bench.squad.status().principals) expect(windows.core?.reserved).toBe(0);
  });

  it("has one maxWaitMs for the waits of one call together", async () => {
    const tokens = ["first"];
    const { bench, clock, octokit } = setUpRotating({ maxWaitMs: 0.75 * HOUR }, tokens);
    await spendDown(bench, "first", 100, 5_000);
    await octokit.request("HEAD /user", { request: { squad: { priority: 0, emergency: true } } });
    await clock.advance(HOUR / 2);
    await spendDown(bench, "second", 100, 5_000);
    const begun = clock.now();
    const refused = octokit.request("HEAD /user").catch((error: SquadRateError) => error.code);
    await clock.advance(1_000);
    tokens[0] = "second";
    expect(await clock.settle(refused)).toBe("SQUAD_RATE_LIGHT");
    // Half an hour for the first token's window; the second's would be half an hour more.
    expect((clock.now() - begun) / HOUR).toBeCloseTo(0.5, 2);
  });
});

describe("a server", () => {
  it("without limits lets everything pass", async () => {
    const { octokit, github, clock, squad } = setUpBench({}, { limits: false });
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    for (let round = 0; round < 3; round++)
      await Promise.all([alice.request("HEAD /user"), alice.request("GET /user")]);
    expect(clock.pendingTimers).toBe(0);
    expect(squad.status().counters.chargedUnits).toBe(0);
    expect(squad.status().principals[0]?.windows.core?.limit).toBeUndefined();
  });

  it.each([
    ["a limit of 0", { "x-ratelimit-limit": "0", "x-ratelimit-remaining": "0" }],
    ["a negative remaining", { "x-ratelimit-remaining": "-1" }],
    ["words", { "x-ratelimit-remaining": "none" }],
    ["a reset in milliseconds", { "x-ratelimit-reset": "1893456000000000", "x-ratelimit-remaining": "0" }],
    [
      "a reset in a year",
      {
        "x-ratelimit-reset": String(Date.UTC(2031, 0, 1) / 1000),
        "x-ratelimit-remaining": "0",
        "x-ratelimit-used": "5000",
      },
    ],
    ["a date that is none", { date: "yesterday" }],
    ["a date years ago", { date: "Mon, 01 Jan 2001 00:00:00 GMT" }],
  ])("that sends %s stops nobody", async (_what, headers) => {
    const { octokit, github, clock } = setUpBench({ maxWaitMs: 0 });
    github.route("/user", { json: {}, headers });
    const alice = octokit("alice");
    await alice.request("HEAD /user");
    await alice.request("HEAD /user");
    expect([github.requests.length, clock.pendingTimers]).toEqual([2, 0]);
  });
});

describe("close()", () => {
  it("refuses calls that wait and calls that come, and lets those on their way arrive", async () => {
    const { call, octokit, github, clock, squad } = await setUpSpent(100, 5_000);
    const release = github.hold();
    const onItsWay = octokit("bob").request("GET /user");
    const waiting = expect(call()).rejects.toMatchObject({ code: "SQUAD_RATE_CLOSED", status: undefined });
    await clock.advance(0);
    await squad.close();
    await waiting;
    await expect(call()).rejects.toMatchObject({ code: "SQUAD_RATE_CLOSED" });
    await expect(squad.fetch("https://api.github.com/user")).rejects.toMatchObject({ code: "SQUAD_RATE_CLOSED" });
    release();
    expect((await onItsWay).status).toBe(200);
    expect([clock.pendingTimers, squad.status().closed]).toEqual([0, true]);
  });

  it("may be called again", async () => {
    const { squad } = setUpBench();
    await squad.close();
    await squad[Symbol.asyncDispose]();
  });
});
