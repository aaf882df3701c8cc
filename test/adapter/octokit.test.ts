import { generateKeyPairSync } from "node:crypto";
import { createAppAuth } from "@octokit/auth-app";
import { Octokit as CoreOctokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { Octokit as FullOctokit } from "octokit";
import { describe, expect, it, vi } from "vitest";
import { squadRate } from "../../src/plugin.js";
import { outcomeOf } from "../harness/cache-outcome.js";
import { SquadOctokit, setUpBench } from "../harness/octokit-in-squad.js";
import { spendDown } from "../harness/spend-down.js";

describe("the options object of a request", () => {
  it.each([
    ["success", 200],
    ["failure", 404],
  ])("is as its owner left it after %s", async (_what, status) => {
    const { octokit, github } = setUpBench();
    github.route("/user", { status, json: {} });
    const alice = octokit("alice");
    const seen: [object, object, object, object][] = [];
    alice.hook.wrap("request", async (request, options) => {
      const given = options.request as object;
      const copy = { ...given };
      try {
        return await request(options);
      } finally {
        seen.push([given, options.request as object, copy, { ...given }]);
      }
    });
    await alice.request("GET /user").catch(() => undefined);
    expect(seen).toHaveLength(1);
    for (const [given, after, copy, still] of seen) {
      expect(after).toBe(given);
      expect(still).toEqual(copy);
    }
  });

  it("that all calls share is not written to", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { json: {} });
    const shared = Object.freeze({ fetch: github.fetch });
    const alice = octokit("alice");
    await alice.request("GET /user", { request: shared });
    expect(outcomeOf(await alice.request("GET /user", { request: shared }))).toBe("revalidated");
  });
});

describe("other hooks", () => {
  it.each(["inside", "outside"])("%s ours see neither a 304 nor an error", async (where) => {
    const { github, clock } = setUpBench();
    github.route("/user", { json: { login: "octocat" } });
    const seen: string[] = [];
    const spy = (octokit: CoreOctokit): Record<string, never> => {
      octokit.hook.before("request", () => void seen.push("before"));
      octokit.hook.after("request", ({ status }) => void seen.push(`after ${status}`));
      octokit.hook.error("request", (error) => {
        seen.push("error");
        throw error;
      });
      octokit.hook.wrap("request", async (request, options) => {
        const response = await request(options);
        seen.push(`wrap ${response.status}`);
        return response;
      });
      return {};
    };
    const plugins = where === "inside" ? [spy, squadRate] : [squadRate, spy];
    const Spied = CoreOctokit.plugin(...plugins);
    const alice = new Spied({ auth: "alice", request: { fetch: github.fetch }, squad: { clock } });
    for (let round = 0; round < 3; round++) {
      expect((await alice.request("GET /user")).data).toEqual({ login: "octocat" });
    }
    expect(github.statuses()).toEqual([200, 304, 304]);
    expect(seen).toEqual(Array.from({ length: 3 }, () => ["before", "after 200", "wrap 200"]).flat());
  });

  it("that retry around ours enter again and find things as they were", async () => {
    const { octokit, github, squad } = setUpBench();
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    alice.hook.wrap("request", async (request, options) => {
      for (;;) {
        try {
          return await request(options);
        } catch {}
      }
    });
    for (let failure = 0; failure < 3; failure++) github.once({ status: 500, json: {} });
    const answer = await alice.request("GET /user");
    expect([answer.status, github.statuses()]).toEqual([200, [500, 500, 500, 200]]);
    expect(squad.status().counters.calls).toBe(4);
    expect(squad.status().principals[0]?.windows.core?.reserved).toBe(0);
  });

  it("may spell Authorization as they like: credentials are told apart", async () => {
    const { github, squad } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/user", ({ headers }) => ({ json: headers.get("authorization") }));
    const withToken = (token: string) => {
      const octokit = new SquadOctokit({ squad, request: { fetch: github.fetch } });
      octokit.hook.before("request", (options) => {
        (options.headers as Record<string, string>).Authorization = `token ${token}`;
      });
      return octokit;
    };
    expect((await withToken("alice").request("GET /user")).data).toBe("token alice");
    expect((await withToken("bob").request("GET /user")).data).toBe("token bob");
  });

  it("may spell a validator as they like: it is the caller's own", async () => {
    const { github, octokit } = setUpBench();
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    const { headers } = await alice.request("GET /user");
    alice.hook.before("request", (options) => {
      (options.headers as Record<string, string | undefined>)["If-None-Match"] = headers.etag;
    });
    await expect(alice.request("GET /user")).rejects.toMatchObject({ status: 304 });
  });

  it("that answer without fetch are observed by their headers", async () => {
    const { clock, squad } = setUpBench();
    const headers = {
      "x-ratelimit-limit": "5000",
      "x-ratelimit-remaining": "100",
      "x-ratelimit-used": "4900",
      "x-ratelimit-reset": String(clock.now() / 1000 + 600),
      "x-ratelimit-resource": "core",
    };
    const Double = CoreOctokit.plugin((inner) => {
      inner.hook.wrap("request", async () => ({ status: 200, url: "", headers, data: {} }));
      return {};
    }, squadRate);
    const alice = new Double({ squad });
    expect((await alice.request("GET /user")).status).toBe(200);
    expect(squad.status().principals).toMatchObject([
      { id: "unseen", windows: { core: { remaining: 100, light: "red" } } },
    ]);
  });

  it("may answer without headers, or with nothing", async () => {
    const { squad } = setUpBench();
    for (const answer of [{ status: 200, headers: {}, data: 1 }, undefined]) {
      const Double = CoreOctokit.plugin((inner) => {
        inner.hook.wrap("request", async () => answer as never);
        return {};
      }, squadRate);
      expect(await new Double({ squad }).request("GET /user")).toBe(answer);
    }
  });
});

describe("a retry plugin inside ours", () => {
  const composed = [
    ["plugin-retry", CoreOctokit.plugin(retry, squadRate)],
    ["the octokit package", FullOctokit.plugin(squadRate)],
  ] as const;

  it.each(composed)("does not sit on the signal that a call needs a permit: %s", async (_name, Composed) => {
    const bench = setUpBench({ maxWaitMs: 7_200_000 });
    const { github, clock, squad } = bench;
    await spendDown(bench, "alice", 100, 5_000);
    github.route("/user", { json: {} });
    let attempts = 0;
    const counting = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      attempts++;
      return github.fetch(url, init);
    };
    // Bottleneck, in both plugins, schedules by real timers; a retry would come after an hour and fail the test.
    const alice = new Composed({
      auth: "alice",
      squad,
      request: { fetch: counting as typeof fetch },
      retry: { retryAfterBaseValue: 3_600_000 },
    });
    const waiting = alice.request("GET /user");
    await vi.waitFor(() => expect(squad.status().waiting).toHaveLength(1));
    await clock.advance(7_200_000);
    expect((await waiting).status).toBe(200);
    expect(attempts).toBe(1);
  });

  it.each(composed)("lets a refusal through at once, as it is: %s", async (_name, Composed) => {
    const bench = setUpBench({ maxWaitMs: 0 });
    const { github, squad } = bench;
    await spendDown(bench, "alice", 100, 5_000);
    const alice = new Composed({ auth: "alice", squad, request: { fetch: github.fetch } });
    for (let round = 0; round < 2; round++) {
      await expect(alice.request("GET /user")).rejects.toMatchObject({ name: "SquadRateError", status: 429 });
    }
    expect(github.requests).toHaveLength(0);
  });

  it("still retries what is its own to retry", async () => {
    const { github, squad } = setUpBench();
    github.route("/user", { json: {} });
    github.once({ status: 500, json: {} });
    const Composed = CoreOctokit.plugin(retry, squadRate);
    const alice = new Composed({
      auth: "alice",
      squad,
      request: { fetch: github.fetch },
      retry: { retryAfterBaseValue: 0 },
    });
    expect((await alice.request("GET /user")).status).toBe(200);
    expect(github.statuses()).toEqual([500, 200]);
  });
});

describe("an app's installation", () => {
  const privateKey = generateKeyPairSync("rsa", { modulusLength: 2048 })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();
  const auth = { appId: 7, privateKey, installationId: 1 };

  function setUpApp() {
    const bench = setUpBench({ maxWaitMs: 7_200_000 });
    const { github, clock, squad } = bench;
    let minted = 0;
    github.route("/app/installations/1/access_tokens", () => ({
      status: 201,
      json: { token: `ghs_${++minted}`, expires_at: new Date(clock.now() + 3_600_000).toISOString(), permissions: {} },
      unlimited: true,
    }));
    const installation = () =>
      new (CoreOctokit.plugin(squadRate))({
        authStrategy: createAppAuth,
        auth,
        squad,
        request: { fetch: github.fetch },
      });
    return { ...bench, installation, minted: () => minted };
  }

  it("mints its token inside the call, with the quota spent down to one unit", async () => {
    const { github, clock, installation } = setUpApp();
    github.route("/repos/o/r", { json: {} });
    Object.assign(github.quota("token ghs_1"), { limit: 10, used: 7 });
    const octokit = installation();
    await octokit.request("GET /repos/o/r");
    // 2 of 10 left is amber: P1 waits for the reset, and so does not mint either.
    const waiting = octokit.request("GET /repos/o/r/issues").catch(() => undefined);
    await clock.advance(1_000);
    expect(github.requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
    await clock.settle(waiting);
    expect(github.requests).toHaveLength(3);
  });

  it("is one principal whatever token it has, known before auth by its ids", async () => {
    const { github, installation, squad } = setUpApp();
    github.route("/repos/o/r", { json: {} });
    await installation().request("GET /repos/o/r");
    await installation().request("GET /repos/o/r");
    const ids = squad.status().principals.map(({ id }) => id);
    expect(ids.sort()).toEqual(["app", "app 7 installation 1"]);
  });
});

describe("a GraphQL request", () => {
  it("is a read or a mutation by its document, and passes with its answer as it is", async () => {
    const { octokit, github, squad } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/graphql", { json: { data: { viewer: { login: "octocat" } } }, etag: "none" });
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    await alice.request("GET /user");
    expect(await alice.graphql("query { viewer { login } }")).toEqual({ viewer: { login: "octocat" } });
    expect(outcomeOf(await alice.request("GET /user"))).toBe("fresh");
    await alice.graphql("mutation { x }");
    expect(outcomeOf(await alice.request("GET /user"))).toBe("revalidated");
    expect(squad.status().counters.exchanges).toBe(4);
  });
});
