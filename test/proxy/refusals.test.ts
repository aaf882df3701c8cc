import { describe, expect, it } from "vitest";
import { SquadRateError, type SquadRateErrorCode } from "../../src/errors.js";
import { replyTo } from "../../src/proxy/refusal.js";
import { createVirtualClock } from "../../src/sim/index.js";
import { aGitHub, aProxy, ask } from "./desk.js";

const NOW = Date.UTC(2030, 0, 1);
const about = { host: "api.github.com", agent: "data", quota: undefined, nowMs: NOW };

describe("a refusal by the squad", () => {
  it("is told as GitHub tells of its primary limit, with what else is known", () => {
    const error = new SquadRateError("SQUAD_RATE_POOL", "The pool has no units.", {
      resource: "core",
      retryAt: NOW + 90_499.25,
      remedy: "Wait.",
      explain: ["20 of 5,000 units are left."],
    });
    expect(replyTo(error, { ...about, quota: { limit: 5_000, used: 4_980 } })).toEqual({
      status: 429,
      headers: {
        "retry-after": "91",
        "x-ratelimit-limit": "5000",
        "x-ratelimit-used": "4980",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(NOW / 1_000 + 91),
        "x-ratelimit-resource": "core",
        "x-squad-rate": "refused",
      },
      body: {
        message: "API rate limit exceeded: The pool has no units.",
        documentation_url: "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api",
        squad_rate: {
          code: "SQUAD_RATE_POOL",
          retryAt: NOW + 90_500,
          resource: "core",
          agent: "data",
          remedy: "Wait.",
          explain: ["20 of 5,000 units are left."],
        },
      },
    });
  });

  it("says when to come back even where nobody knows, and never at once", () => {
    const waits = [{}, { retryAt: NOW - 5_000 }, { retryAfterMs: 1_001 }].map(
      (details) => replyTo(new SquadRateError("SQUAD_RATE_LIGHT", "No.", details), about).headers?.["retry-after"],
    );
    expect(waits).toEqual(["60", "1", "2"]);
  });

  it("is not taken for GitHub's other kind", () => {
    const words = "A secondary rate limit; Secondary rate limits, secondary-rate.";
    const reply = replyTo(new SquadRateError("SQUAD_RATE_SECONDARY", words, { explain: [words] }), about);
    expect(JSON.stringify(reply.body)).not.toMatch(/secondary.rate/i);
  });

  it.each<[SquadRateErrorCode, number, object | undefined]>([
    ["SQUAD_RATE_CLOSED", 503, { "retry-after": "1" }],
    ["SQUAD_RATE_STORE", 503, undefined],
    ["SQUAD_RATE_OPTIONS", 400, undefined],
  ])("that is not about a limit is none: %s is %i", (code, status, headers) => {
    expect(replyTo(new SquadRateError(code, "What is wrong."), about)).toEqual({
      status,
      headers,
      body: { message: "What is wrong." },
    });
  });
});

describe("a failure on the way", () => {
  it.each([
    [
      Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }),
      502,
      "failed before an answer came (ECONNRESET).",
    ],
    [new Error("with ghp_secret in it"), 502, "failed before an answer came."],
    [new DOMException("up", "TimeoutError"), 504, "did not answer in time."],
    [Object.assign(new Error("slow"), { code: "ETIMEDOUT" }), 504, "did not answer in time."],
    ["nonsense", 502, "failed before an answer came."],
  ])("is told by its kind alone: %s", (error, status, words) => {
    const reply = replyTo(error, about);
    expect([reply.status, reply.body.message]).toEqual([status, expect.stringContaining(words)]);
    expect(JSON.stringify(reply)).not.toContain("ghp_");
  });
});

describe("a client that the squad holds back", () => {
  it("gets a 429 that is true, and its answer when it comes back", async () => {
    const clock = createVirtualClock();
    const { github, upstream } = await aGitHub({ clock });
    const proxy = await aProxy({ upstream, squad: { clock, maxWaitMs: 0 } });
    const client = await proxy.admit({ agent: "data", token: "ghp_mona" });
    expect((await ask(`${client.apiUrl}/user`)).status).toBe(200);
    const { remaining, resetAt, limit } = github.usage("ghp_mona");
    github.consume("ghp_mona", "core", remaining - 100);
    // The next answer shows how little is left; below the light only P0 goes on.
    expect((await ask(`${client.apiUrl}/repos/mona/hello`)).status).toBe(200);
    const refused = await ask(`${client.apiUrl}/users/mona`);
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-resource": "core",
      "x-squad-rate": "refused",
    });
    const body = JSON.parse(refused.text);
    expect(body).toMatchObject({
      message: expect.stringMatching(/^API rate limit exceeded: /),
      squad_rate: { agent: "data", resource: "core", code: expect.stringMatching(/^SQUAD_RATE_/) },
    });
    const seconds = Number(refused.headers["retry-after"]);
    expect(Number(refused.headers["x-ratelimit-reset"])).toBe(clock.now() / 1_000 + seconds);
    expect(clock.now() + seconds * 1_000).toBeGreaterThanOrEqual(resetAt);
    const sent = github.log.length;
    await clock.advance(seconds * 1_000 + 60_000);
    expect((await ask(`${client.apiUrl}/users/mona`)).status).toBe(200);
    expect(github.log.length).toBe(sent + 1);
  });

  it("may ask GraphQL, and is told the same", async () => {
    const clock = createVirtualClock();
    const { github, upstream } = await aGitHub({ clock });
    const proxy = await aProxy({ upstream, squad: { clock, maxWaitMs: 0 } });
    const client = await proxy.admit({ agent: "data", token: "ghp_mona" });
    const body = JSON.stringify({ query: "{ viewer { login } }" });
    const query = () => ask(client.graphqlUrl, { method: "POST", body });
    await query();
    github.consume("ghp_mona", "graphql", github.usage("ghp_mona", "graphql").remaining - 10);
    await query();
    const refused = await query();
    expect([refused.status, refused.headers["x-ratelimit-resource"]]).toEqual([429, "graphql"]);
  });
});

describe("a refusal by GitHub", () => {
  it("goes through as it came where nothing can be made of it", async () => {
    const clock = createVirtualClock();
    const { github, upstream } = await aGitHub({ clock });
    const proxy = await aProxy({ upstream, squad: { clock, maxWaitMs: 0, light: false } });
    const client = await proxy.admit({ token: "ghp_mona" });
    github.consume("ghp_mona", "core", github.usage("ghp_mona").remaining);
    const refused = await ask(`${client.apiUrl}/user`);
    expect([refused.status, refused.headers["x-squad-rate"]]).toEqual([403, undefined]);
    expect(refused.headers["x-ratelimit-remaining"]).toBe("0");
    expect(JSON.parse(refused.text).message).toMatch(/rate limit/);
  });

  it("of a write is waited for, and the write is made once", async () => {
    const clock = createVirtualClock();
    const { github, upstream } = await aGitHub({ clock });
    const proxy = await aProxy({ upstream, squad: { clock, maxWaitMs: 600_000 } });
    const client = await proxy.admit({ token: "ghp_mona" });
    github.fault({ kind: "secondary-limit" });
    const made = ask(`${client.apiUrl}/repos/mona/hello/issues`, {
      method: "POST",
      body: JSON.stringify({ title: "Broken" }),
    });
    const answer = await clock.settle(made);
    expect([answer.status, JSON.parse(answer.text).title]).toEqual([201, "Broken"]);
    expect(github.log.map(({ method, status }) => [method, status])).toEqual([
      ["POST", 403],
      ["POST", 201],
    ]);
  });

  it("of a body that streamed is the client's to see, because what streamed is gone", async () => {
    const clock = createVirtualClock();
    const { github, upstream } = await aGitHub({ clock });
    const proxy = await aProxy({ upstream, squad: { clock, maxWaitMs: 600_000 } });
    const client = await proxy.admit({ token: "ghp_mona" });
    github.fault({ kind: "secondary-limit" });
    const refused = ask(`${client.apiUrl}/repos/mona/hello/issues`, {
      method: "POST",
      headers: { "transfer-encoding": "chunked" },
      body: JSON.stringify({ title: "Broken" }),
    });
    expect((await clock.settle(refused)).status).toBe(403);
    expect(github.log).toHaveLength(1);
  });
});
