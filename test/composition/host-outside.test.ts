import type { Octokit as Core } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { describe, expect, it } from "vitest";
import { isSquadRateError, squadRate } from "../../src/index.js";
import { compose, failureOf, REPO } from "./compose.js";
import { type HostClass, hostOf, OUTSIDE } from "./compositions.js";
import { crossed, LIMITS } from "./limits.js";

const HOUR = 3_600_000;
const AT_ONCE_MS = 10;

/** What left ours, before the host's plugins saw it. */
function listening(left: unknown[]) {
  return (octokit: Core): Record<string, never> => {
    octokit.hook.error("request", (error) => {
      left.push(error);
      throw error;
    });
    return {};
  };
}

describe.each([
  ["outside ours", [retry, throttling]],
  ["outside ours, throttling next to it", [throttling, retry]],
] as const)("with the host's plugins %s, a refusal of ours", (_composition, plugins) => {
  /** Each brings a squad into a state in which it refuses the next read. */
  const refusals: Readonly<Record<string, (composed: Awaited<ReturnType<typeof compose>>) => Promise<unknown>>> = {
    SQUAD_RATE_LIGHT: ({ time, github, octokit }) => {
      github.once({ json: {}, headers: { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "500" } });
      return time.settle(octokit.request("GET /meta"));
    },
    SQUAD_RATE_PRIMARY: ({ time, github, octokit }) => {
      github.once(LIMITS["a primary limit, 403"]?.answer() ?? {});
      return time.settle(octokit.request("GET /meta")).catch(() => undefined);
    },
    SQUAD_RATE_COOLDOWN: ({ time, github, octokit }) => {
      github.once(LIMITS["a secondary limit, 429"]?.answer() ?? {});
      return time.settle(octokit.request("GET /meta", { request: { retries: 0 } })).catch(() => undefined);
    },
    SQUAD_RATE_CLOSED: ({ time, octokit }) => time.settle(octokit.squad.close()),
  };

  it.each(Object.entries(refusals))("passes at once and unchanged: %s", async (code, prepare) => {
    const left: unknown[] = [];
    const Class = hostOf(squadRate, listening(left), ...plugins);
    // The words that plugin-throttling looks for.
    const agent = "secondary rate";
    let wants = false;
    const composed = await compose(Class, { squad: { agent, maxWaitMs: 0, retry: false }, wants: () => wants });
    composed.github.route("/repos/mona/hello", { json: {} });
    await prepare(composed);
    const { time, octokit, sent, asked, logged } = composed;
    const before = { atMs: time.passedMs, sent: sent.length, asked: asked.length, logged: logged.length };
    left.length = 0;
    wants = true;
    const error = await failureOf(time.settle(octokit.rest.repos.get(REPO)));
    expect(isSquadRateError(error)).toBe(true);
    expect(error).toMatchObject({ name: "SquadRateError", code });
    expect(error).not.toHaveProperty("request");
    expect(error).not.toHaveProperty("response");
    expect(left).toEqual([error]);
    expect(error).toBe(left[0]);
    expect(time.passedMs - before.atMs).toBeLessThan(AT_ONCE_MS);
    expect({ sent: sent.length, asked: asked.length, logged: logged.length }).toEqual({
      sent: before.sent,
      asked: before.asked,
      logged: before.logged,
    });
  });
});

describe.each(Object.entries(OUTSIDE))("with the host's plugins %s, a failure", (_composition, Class: HostClass) => {
  it("of the server is tried again by plugin-retry alone, at its own times", async () => {
    const { time, github, octokit, sent } = await compose(Class);
    github.route("/repos/mona/hello", { status: 502, json: {} });
    const error = await failureOf(time.settle(octokit.rest.repos.get(REPO)));
    expect(error).toMatchObject({ status: 502, request: { request: { retryCount: 3, retries: 3 } } });
    expect(secondsBetween(sent)).toEqual([1, 4, 9]);
    expect(octokit.squad.status().counters).toMatchObject({ calls: 4, retried: 0 });
  });

  it("of a write is tried again by plugin-retry, as its user has it", async () => {
    const { time, github, octokit, sent } = await compose(Class);
    github.route("/repos/mona/hello/issues", { status: 502, json: {} });
    const call = octokit.rest.issues.create({ ...REPO, title: "Hello" });
    expect(await failureOf(time.settle(call))).toMatchObject({ status: 502 });
    expect(sent).toHaveLength(4);
  });

  it("of GraphQL, with status 200, is plugin-retry's too", async () => {
    const { time, github, octokit, sent } = await compose(Class);
    const message = "Something went wrong while executing your query.";
    github.route("/graphql", { json: { data: null, errors: [{ message }] }, etag: "none" });
    const error = await failureOf(time.settle(octokit.graphql("{ viewer { login } }")));
    expect(error).toMatchObject({ status: 500, message });
    expect(secondsBetween(sent)).toEqual([1, 4, 9]);
  });
});

describe.each(crossed(OUTSIDE))("with the host's plugins %s, %s", (_composition, name, Class, limit) => {
  it("is waited out by ours first, and they hear nothing of it", async () => {
    const { time, github, octokit, sent, asked } = await compose(Class, { squad: { maxWaitMs: HOUR } });
    github.route("/repos/mona/hello", { json: { name: "hello" } });
    github.route("/graphql", { json: { data: { viewer: { login: "mona" } } }, etag: "none" });
    github.once(limit.answer());
    await time.settle(limit.call(octokit));
    expect(sent).toHaveLength(2);
    expect(asked).toEqual([]);
    expect(octokit.squad.status().counters).toMatchObject({ calls: 1, retried: 1 });
  });

  it("is theirs when ours has given up", async () => {
    const { time, github, octokit, sent, asked } = await compose(Class, {
      squad: { retry: { limit: 1 }, maxWaitMs: HOUR },
    });
    github.route("/repos/mona/hello", limit.answer);
    github.route("/graphql", limit.answer);
    const error = await failureOf(time.settle(limit.call(octokit)));
    const tries = limit.answer().status === 429 ? 4 : 1;
    // plugin-retry tries a 429 again, and each time ours comes first.
    expect(sent).toHaveLength(2 * tries);
    expect(asked.map(({ limit: kind }) => kind)).toEqual(Array(asked.length).fill(limit.kind));
    expect(asked.length).toBeGreaterThanOrEqual(1);
    expect(asked[0]).toMatchObject({ retryAfter: expect.any(Number), retryCount: 0 });
    expect(asked[0]?.octokit).toBe(octokit);
    if (name === "GraphQL's primary limit, 200") {
      // plugin-throttling makes an error of its own of it.
      expect(error).toMatchObject({ message: "GraphQL Rate Limit Exceeded" });
    } else {
      expect(error).toMatchObject({ name: "HttpError", status: limit.answer().status });
    }
  });
});

function secondsBetween(sent: readonly { readonly atMs: number }[]): number[] {
  return sent.slice(1).map(({ atMs }, index) => Math.round((atMs - (sent[index]?.atMs ?? 0)) / 1_000));
}
