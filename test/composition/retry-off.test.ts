import { describe, expect, it } from "vitest";
import { isSquadRateError } from "../../src/index.js";
import { type Asked, type Composed, compose, failureOf, REPO, type Sent } from "./compose.js";
import { EITHER, INSIDE } from "./compositions.js";
import { crossed, LIMITS, type Limit } from "./limits.js";

const DAY = 86_400_000;
const AT_ONCE_MS = 10;

/** plugin-retry takes a 429 for a failure and goes first; and GitHub's bare refusals make ours hold back longer each time. */
const AS_WITHOUT = Object.entries(LIMITS).filter(([name]) => !name.includes("429") && !name.includes("bare"));
const THREE_TRIES = (retryCount: number): boolean => retryCount < 2;

/** What happened since, by the moment at which it did. */
function since(startedMs: number, sent: readonly Sent[], asked: readonly Asked[]) {
  return {
    sent: sent.filter(({ atMs }) => atMs >= startedMs).map(({ atMs, route }) => [atMs - startedMs, route]),
    asked: asked
      .filter(({ atMs }) => atMs >= startedMs)
      .map(({ atMs, octokit: _, ...question }) => ({ ...question, atMs: atMs - startedMs })),
  };
}

describe.each(crossed(EITHER, AS_WITHOUT))("without our retries, the host's plugins %s, %s", (_c, _l, Class, limit) => {
  it("is met by plugin-throttling as if ours were not there: whom it asks, what, when, and how often it tries", async () => {
    const { time, github, octokit, another, sent, asked } = await compose(Class, {
      squad: { retry: false },
      wants: THREE_TRIES,
    });
    const plain = another(Class, { squad: { enabled: false }, wants: THREE_TRIES });
    answersWith(github, limit);
    const ours = await failureOf(time.settle(limit.call(octokit)));
    const withOurs = since(0, sent, asked);
    await time.advance(1_000 - (time.passedMs % 1_000));
    const startedMs = time.passedMs;
    const theirs = await failureOf(time.settle(limit.call(plain)));
    expect(withOurs).toEqual(since(startedMs, sent, asked));
    expect(withOurs.asked).toMatchObject([0, 1, 2].map((retryCount) => ({ limit: limit.kind, retryCount })));
    expect(withOurs.sent).toHaveLength(3);
    expect(asked.map((question) => question.octokit)).toEqual([octokit, octokit, octokit, plain, plain, plain]);
    expect(String(ours)).toBe(String(theirs));
  });
});

describe.each(crossed(EITHER))(
  "without our retries, the host's plugins %s, %s",
  (_composition, _limit, Class, limit) => {
    it("stops the plugins too: nothing is sent before GitHub's time has come", async () => {
      const { time, github, octokit, sent } = await compose(Class, {
        squad: { retry: false, maxWaitMs: DAY },
        wants: THREE_TRIES,
        // In a hurry.
        options: { throttle: { retryAfterBaseValue: 1 }, retry: { retryAfterBaseValue: 1 } },
      });
      answersWith(github, limit);
      await failureOf(time.settle(limit.call(octokit)));
      expect(sent.length).toBeGreaterThanOrEqual(3);
      for (const waitedMs of gaps(sent)) expect(waitedMs).toBeGreaterThanOrEqual(limit.waitS * 1_000 - AT_ONCE_MS);
    });

    it("reaches the caller at once where the plugins are told to leave it", async () => {
      const { time, github, octokit, sent } = await compose(Class, { squad: { retry: false } });
      answersWith(github, limit);
      const error = await failureOf(time.settle(limit.call(octokit, { retries: 0 })));
      expect(time.passedMs).toBeLessThan(AT_ONCE_MS);
      expect(isSquadRateError(error)).toBe(false);
      expect(sent).toHaveLength(1);
    });
  },
);

describe.each(Object.entries(EITHER))("without our retries, the host's plugins %s", (_composition, Class) => {
  it.each([
    ["a read", "GET /repos/{owner}/{repo}"],
    ["a write", "PUT /repos/{owner}/{repo}/subscription"],
    ["a write that notifies people", "POST /repos/{owner}/{repo}/issues"],
    ["a search", "GET /search/issues"],
  ])("%s that fails is tried again three times by plugin-retry, and then no more", async (_, route) => {
    const { time, github, octokit, sent } = await compose(Class, { squad: { retry: false } });
    const failing = { status: 502, json: { message: "Server Error" } };
    for (const path of ["/repos/mona/hello", "/repos/mona/hello/subscription", "/repos/mona/hello/issues"]) {
      github.route(path, failing);
    }
    github.route("/search/issues", failing);
    const error = await failureOf(time.settle(octokit.request(route, { ...REPO, q: "x" })));
    expect(error).toMatchObject({ status: 502, request: { request: { retryCount: 3, retries: 3 } } });
    expect(gaps(sent).map((ms) => Math.round(ms / 1_000))).toEqual([
      route.startsWith("POST") ? 3 : route.includes("search") ? 2 : 1,
      4,
      9,
    ]);
    expect(octokit.squad.status().principals[0]?.windows.core?.reserved ?? 0).toBe(0);
  });

  it("the third argument is the Octokit, and the options are the request's with its count", async () => {
    const seen: unknown[] = [];
    const onSecondaryRateLimit = (...question: unknown[]): boolean => {
      const [retryAfter, options, octokit, retryCount] = question as [number, Record<string, unknown>, unknown, number];
      const { method, url, owner, request } = options;
      seen.push({
        retryAfter,
        method,
        url,
        owner,
        octokit,
        retryCount,
        noted: (request as Record<string, unknown>).retryCount,
      });
      return retryCount < 1;
    };
    const { time, github, octokit } = await compose(Class, {
      squad: { retry: false },
      options: { throttle: { onSecondaryRateLimit, onRateLimit: () => false, fallbackSecondaryRateRetryAfter: 7 } },
    });
    answersWith(github, LIMITS["a secondary limit, bare"] as Limit);
    await failureOf(time.settle(octokit.rest.repos.get(REPO)));
    const asked = { retryAfter: 7, method: "GET", url: "/repos/{owner}/{repo}", owner: "mona", octokit };
    expect(seen).toEqual([0, 1].map((retryCount) => ({ ...asked, retryCount, noted: retryCount })));
  });
});

describe.each(Object.entries(INSIDE))("without our retries, plugin-retry %s", (_composition, Class) => {
  it("does not sit on a refusal of ours that comes between its tries", async () => {
    const { time, github, octokit, sent } = await compose(Class, { squad: { retry: false, maxWaitMs: 10_000 } });
    github.once({ status: 502, json: {}, headers: { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "500" } });
    const error = await failureOf(time.settle(octokit.rest.repos.get(REPO)));
    expect(error).toMatchObject({ name: "SquadRateError", code: "SQUAD_RATE_LIGHT" });
    expect(error).not.toHaveProperty("request");
    expect(sent).toHaveLength(1);
    // Its first try again, a second later.
    expect(time.passedMs).toBeLessThan(1_000 + 2 * AT_ONCE_MS);
  });

  it("sends what it tries again when our gates let it", async () => {
    const { time, github, octokit, sent } = await compose(Class, { squad: { retry: false, maxWaitMs: DAY } });
    github.quota("token ghp_mona").resetAt = Date.now() + 600_000;
    github.once({ status: 502, json: {}, headers: { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "500" } });
    github.route("/repos/mona/hello", { json: { name: "hello" } });
    const answer = await time.settle(octokit.rest.repos.get(REPO));
    expect(answer.data).toMatchObject({ name: "hello" });
    expect(sent).toHaveLength(2);
    expect(gaps(sent)[0]).toBeGreaterThanOrEqual(600_000 - AT_ONCE_MS);
  });

  it("is aborted while it waits for us", async () => {
    const { time, github, octokit, sent } = await compose(Class, { squad: { retry: false, maxWaitMs: DAY } });
    github.once({ status: 502, json: {}, headers: { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "500" } });
    const controller = new AbortController();
    const call = failureOf(octokit.rest.repos.get({ ...REPO, request: { signal: controller.signal } }));
    await time.advance(60_000);
    controller.abort();
    expect(await time.settle(call)).toMatchObject({ name: "AbortError" });
    expect(time.passedMs).toBeLessThan(60_000 + AT_ONCE_MS);
    expect(octokit.squad.status().waiting).toEqual([]);
    expect(sent).toHaveLength(1);
  });
});

function answersWith(github: Awaited<ReturnType<typeof compose>>["github"], { answer }: Limit): void {
  github.route("/repos/mona/hello", answer);
  github.route("/graphql", answer);
}

function gaps(sent: Composed["sent"]): number[] {
  return sent.slice(1).map(({ atMs }, index) => atMs - (sent[index]?.atMs ?? 0));
}
