import { describe, expect, it } from "vitest";
import type { StubAnswer } from "../../harness/stub-github.js";
import {
  HOUR_MS,
  MINUTE_MS,
  mostInAMinute,
  PATIENT,
  REPO,
  type Recovery,
  recovery,
  SECONDARY,
  secondary,
  TOKEN,
} from "./bench.js";

/** Of every class's window the first moment, and nothing that GitHub tells of time within a second. */
const FIRST = { ...PATIENT, random: () => 0 };
const SLACK_MS = 1_500;

/** Half a second after a cooldown's end P1's window would follow P0's. */
const P1_STARTS_MS = 5_000;

const EXHAUSTED: StubAnswer = { status: 403, json: { message: "API rate limit exceeded for user ID 1." } };

function exhausted(headers: Readonly<Record<string, string>>): StubAnswer {
  return { ...EXHAUSTED, headers: { "x-ratelimit-remaining": "0", ...headers } };
}

/** Refuses everything, and lets calls of all classes come for two hours; how many were sent in the fullest minute. */
async function storm(bench: Recovery, answer: StubAnswer | (() => StubAnswer), maxWaitMs = 30_000): Promise<number> {
  const { github, clock, call, sent } = bench;
  github.route(REPO, answer);
  const calls: Promise<unknown>[] = [];
  for (let second = 0; second < 2 * 3_600; second += 5) {
    const priority = (second % 3) as 0 | 1 | 2;
    calls.push(call(REPO, { squad: { priority, maxWaitMs } }).catch(() => undefined));
    await clock.advance(5_000);
  }
  await clock.settle(Promise.all(calls));
  return mostInAMinute(sent);
}

describe("after a secondary refusal", () => {
  it.each<[string, () => string | undefined, number]>([
    ["as many seconds as GitHub says", () => "30", 30_000],
    ["until the date that GitHub names", () => "date", 120_000],
    ["a minute where it says nothing", () => undefined, MINUTE_MS],
    ["a minute where it says 0", () => "0", MINUTE_MS],
    ["a minute where it says -5", () => "-5", MINUTE_MS],
    ["a minute where it says 1e99", () => "1e99", MINUTE_MS],
    ["a minute where it says soon", () => "soon", MINUTE_MS],
    ["a minute where it says nothing at all", () => "", MINUTE_MS],
    ["a minute where it says a number without end", () => "9".repeat(400), MINUTE_MS],
    ["a minute where it names 1970", () => "Thu, 01 Jan 1970 00:00:00 GMT", MINUTE_MS],
    ["an hour where it says a day", () => "86400", HOUR_MS],
  ])("nobody of the process sends for %s", async (_what, retryAfter, holdMs) => {
    const { github, clock, call, sent } = recovery(FIRST);
    await call();
    const begun = clock.monotonic();
    const said = retryAfter();
    const value = said === "date" ? new Date(clock.now() + 120_000).toUTCString() : said;
    github.once(value === undefined ? SECONDARY : secondary(value));
    const refused = call();
    await clock.advance(0);
    const others = [call(), call("/repos/mona/other"), call(REPO, { squad: { priority: 2 } })];
    await clock.advance(begun + holdMs - clock.monotonic() - SLACK_MS);
    expect(sent).toHaveLength(2);
    await clock.settle(Promise.all([refused, ...others]));
    const [, , next] = sent;
    expect(next?.at).toBeGreaterThanOrEqual(begun + holdMs);
    expect(next?.at).toBeLessThanOrEqual(begun + holdMs + P1_STARTS_MS + SLACK_MS);
  });

  it("hears the date by GitHub's clock, from the very first answer", async () => {
    const { github, clock, call, sent } = recovery(FIRST);
    const githubNow = clock.now() - 30 * MINUTE_MS;
    github.once({
      ...secondary(new Date(githubNow + 90_000).toUTCString()),
      headers: {
        date: new Date(githubNow).toUTCString(),
        "retry-after": new Date(githubNow + 90_000).toUTCString(),
      },
    });
    const begun = clock.monotonic();
    await clock.settle(call());
    expect(sent[1]?.at).toBeGreaterThanOrEqual(begun + 90_000 - SLACK_MS);
    expect(sent[1]?.at).toBeLessThanOrEqual(begun + 90_000 + P1_STARTS_MS + SLACK_MS);
  });

  it("waits a minute, then two, four, eight and fifteen, while it happens again", async () => {
    const { github, clock, call, sent } = recovery({ ...FIRST, retry: { limit: 10 } });
    let refusals = 0;
    github.route(REPO, () => (refusals++ < 6 ? SECONDARY : { json: {} }));
    await clock.settle(call(REPO, { squad: { priority: 0 } }));
    const minutes = sent.slice(1).map(({ at }, index) => (at - (sent[index]?.at ?? 0)) / MINUTE_MS);
    expect(minutes.map((wait) => Math.floor(wait))).toEqual([1, 2, 4, 8, 15, 15]);
  });

  it("takes the refusals of what was in flight for the same one", async () => {
    const { github, clock, call, squad } = recovery({ ...PATIENT, retry: false });
    const release = github.hold();
    const calls = Array.from({ length: 20 }, () => call());
    github.route(REPO, SECONDARY);
    await clock.advance(1_000);
    release();
    await clock.settle(Promise.all(calls));
    const until = squad.status().principals[0]?.cooldownUntil ?? 0;
    expect(until - clock.now()).toBeLessThanOrEqual(MINUTE_MS + SLACK_MS);
    expect(squad.status().principals[0]?.secondary?.factor).toBe(0.5);
  });

  it("forgets what happened a quarter of an hour ago", async () => {
    const { github, clock, call, squad } = recovery({ ...PATIENT, retry: false });
    for (const pauseMs of [0, 20 * MINUTE_MS]) {
      await clock.advance(pauseMs);
      github.once(SECONDARY);
      await call();
      const until = squad.status().principals[0]?.cooldownUntil ?? 0;
      expect(until - clock.now()).toBeLessThanOrEqual(MINUTE_MS + SLACK_MS);
      await clock.advance(MINUTE_MS + SLACK_MS);
    }
  });

  it("with secondary: false holds nobody else, and the refused call itself for a minute", async () => {
    const { github, clock, call, sent, squad } = recovery({ ...FIRST, secondary: false });
    github.once(SECONDARY);
    const refused = call();
    await clock.advance(0);
    await call();
    expect(sent).toHaveLength(2);
    expect(squad.status().principals[0]).toMatchObject({ cooldownUntil: 0, secondary: undefined });
    await clock.settle(refused);
    expect(sent[2]?.at).toBeGreaterThanOrEqual(MINUTE_MS);
  });

  it("with retry: false gives it to the caller at once, and holds the others all the same", async () => {
    const { github, clock, call, sent } = recovery({ ...FIRST, retry: false });
    github.once(SECONDARY);
    expect((await call()).status).toBe(403);
    const other = call();
    await clock.advance(MINUTE_MS - SLACK_MS);
    expect(sent).toHaveLength(1);
    await clock.settle(other);
    expect(sent[1]?.at).toBeLessThanOrEqual(MINUTE_MS + SLACK_MS);
  });

  it.each<[string, StubAnswer]>([
    ["no hint", SECONDARY],
    ["Retry-After: 0", secondary("0")],
    ["Retry-After: -1", secondary("-1")],
    ["Retry-After: now", secondary("now")],
    ["Retry-After in 1970", secondary("Thu, 01 Jan 1970 00:00:00 GMT")],
    ["a date that is none", { ...SECONDARY, headers: { date: "yesterday" } }],
    ["a date of 1970", { ...SECONDARY, headers: { date: "Thu, 01 Jan 1970 00:00:00 GMT", "retry-after": "0" } }],
  ])("is never met by hammering: %s", async (_what, answer) => {
    expect(await storm(recovery({ retry: { limit: 10 } }), answer)).toBeLessThanOrEqual(2);
  });
});

describe("after a primary refusal", () => {
  const shutters = [
    ["as it comes", {}],
    ["with light: false, breaker: false", { light: false, breaker: false }],
    ["with retry: false", { retry: false }],
    ["with everything off", { light: false, breaker: false, retry: false, secondary: false, pacing: false }],
  ] as const;

  it.each(shutters)("nothing more is sent until the reset, %s", async (_what, options) => {
    const { github, clock, call, sent } = recovery({ ...FIRST, ...options });
    const quota = github.quota(TOKEN);
    quota.used = 5_000;
    const { resetAt } = quota;
    const first = call().catch(() => undefined);
    await clock.advance(0);
    const others = Array.from({ length: 5 }, () => call(REPO, { squad: { priority: 0, emergency: true } }));
    await clock.advance(resetAt - clock.now());
    expect(sent).toHaveLength(1);
    await clock.settle(Promise.all([first, ...others]));
    expect(sent.length).toBeGreaterThanOrEqual(6);
    expect(github.statuses().filter((status) => status === 403)).toHaveLength(1);
  });

  it.each(shutters)("nor of GraphQL, whose headers promise units that are not there, %s", async (_what, options) => {
    const { github, clock, graphql, call, sent } = recovery({ ...FIRST, ...options });
    const { resetAt } = github.quota(TOKEN, "graphql");
    const errors = [{ type: "RATE_LIMIT", code: "graphql_rate_limit", message: "API rate limit already exceeded." }];
    github.route("/graphql", { json: { data: {} } });
    github.once({ json: { errors } });
    const query = () => graphql("query { viewer { login } }", { squad: { priority: 0, emergency: true } });
    const first = query();
    await clock.advance(0);
    const others = [query(), query()];
    // Another quota is another matter.
    await call();
    await clock.advance(resetAt - clock.now());
    expect(sent.map(({ path }) => path)).toEqual(["/graphql", REPO]);
    await clock.settle(Promise.all([first, ...others]));
    expect(sent.length).toBeGreaterThanOrEqual(4);
  });

  it("of a bucket that GitHub names, the expected one stays open", async () => {
    const { github, clock, call, sent } = recovery(FIRST);
    const bucket = { "x-ratelimit-resource": "dependency_sbom", "x-ratelimit-used": "100", "x-ratelimit-limit": "100" };
    const odd = "/repos/mona/hello/odd";
    const reset = String(Math.ceil((clock.now() + MINUTE_MS) / 1_000));
    github.route(odd, { json: {} });
    github.once(exhausted({ ...bucket, "x-ratelimit-reset": reset }));
    const refused = call(odd);
    await clock.advance(0);
    await call();
    const later = call(odd);
    await clock.advance(MINUTE_MS - SLACK_MS);
    expect(sent.map(({ path }) => path)).toEqual([odd, REPO]);
    await clock.settle(Promise.all([refused, later]));
    expect(sent).toHaveLength(4);
  });

  it.each<[string, string, number]>([
    ["0", "0", MINUTE_MS],
    ["NaN", "NaN", MINUTE_MS],
    ["milliseconds", String(Date.UTC(2030, 0, 1, 1)), MINUTE_MS],
    ["years ahead", String(Date.UTC(2040, 0, 1) / 1_000), MINUTE_MS],
    ["five hours ahead", String(Date.UTC(2030, 0, 1, 5) / 1_000), MINUTE_MS],
    ["ten seconds ago", String(Date.UTC(2029, 11, 31, 23, 59, 50) / 1_000), MINUTE_MS],
    ["nothing", "", MINUTE_MS],
  ])("waits a minute where the reset is nonsense: %s", async (_what, reset, holdMs) => {
    const { github, clock, call, sent } = recovery(FIRST);
    github.once(exhausted({ "x-ratelimit-reset": reset }));
    const refused = call();
    await clock.advance(0);
    const other = call(REPO, { squad: { priority: 0 } });
    await clock.advance(holdMs - SLACK_MS);
    expect(sent).toHaveLength(1);
    await clock.settle(Promise.all([refused, other]));
    expect(sent[1]?.at).toBeLessThanOrEqual(holdMs + P1_STARTS_MS + SLACK_MS);
  });

  it("goes on at once after a reset that came while the refused request was out", async () => {
    const { github, clock, call, sent } = recovery(FIRST);
    const quota = github.quota(TOKEN);
    quota.used = 4_000;
    await call();
    const { resetAt } = quota;
    await clock.advance(resetAt - clock.now() - 1_000);
    const release = github.hold();
    const refused = call(REPO, { squad: { priority: 0 } });
    const reset = String(resetAt / 1_000);
    github.once(exhausted({ "x-ratelimit-reset": reset, "x-ratelimit-used": "5000" }));
    await clock.advance(4_000);
    release();
    await clock.settle(refused);
    expect(sent).toHaveLength(3);
    expect((sent[2]?.at ?? 0) - (sent[1]?.at ?? 0)).toBeLessThanOrEqual(4_000 + 5_000);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ["a reset of 0", { "x-ratelimit-reset": "0" }],
    ["a reset that is no number", { "x-ratelimit-reset": "NaN" }],
    ["a reset in milliseconds", { "x-ratelimit-reset": String(Date.UTC(2030, 0, 1, 1)) }],
    ["a reset in years", { "x-ratelimit-reset": String(Date.UTC(2040, 0, 1) / 1_000) }],
    ["no date, and a reset of 0", { "x-ratelimit-reset": "0", date: "" }],
    ["a date in 1970", { date: "Thu, 01 Jan 1970 00:00:00 GMT" }],
    ["Retry-After: 0", { "x-ratelimit-reset": "0", "retry-after": "0" }],
  ])("is never met by hammering, nor by silence beyond an hour: %s", async (_what, headers) => {
    const bench = recovery({ retry: { limit: 10 } });
    expect(await storm(bench, exhausted(headers))).toBeLessThanOrEqual(3);
    expect(bench.sent.length).toBeGreaterThanOrEqual(2);
  });

  it("nor by a reset that has always just passed", async () => {
    const bench = recovery();
    const just = () => exhausted({ "x-ratelimit-reset": String(Math.floor(bench.clock.now() / 1_000) - 5) });
    expect(await storm(bench, just)).toBeLessThanOrEqual(3);
  });
});

describe("answers that promise nothing sensible", () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ["a reset five hours ahead", { "x-ratelimit-reset": String(Date.UTC(2030, 0, 1, 5) / 1_000) }],
    ["a reset 23 hours ahead", { "x-ratelimit-reset": String(Date.UTC(2030, 0, 1, 23) / 1_000) }],
    ["a reset years ahead", { "x-ratelimit-reset": String(Date.UTC(2040, 0, 1) / 1_000) }],
  ])("hold nobody for longer than an hour: %s and nothing remaining", async (_what, headers) => {
    const { github, clock, call, squad, sent } = recovery(PATIENT);
    github.once({ json: {}, headers: { ...headers, "x-ratelimit-remaining": "0", "x-ratelimit-used": "5000" } });
    await call();
    await clock.settle(call());
    expect(sent[1]?.at).toBeLessThanOrEqual(HOUR_MS + 2 * MINUTE_MS);
    expect(squad.status().waiting).toEqual([]);
  });
});
