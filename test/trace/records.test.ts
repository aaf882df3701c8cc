import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { fingerprint } from "../../src/call/fingerprint.js";
import type { TraceRecord } from "../../src/trace/record.js";
import { SquadOctokit } from "../harness/octokit-in-squad.js";
import { recordEvents } from "../harness/record-events.js";
import { setUpTracedSquad } from "./traced-squad.js";

const WHO = {
  v: 1,
  machine: hostname(),
  pid: process.pid,
  agent: "ralph",
  priority: 1,
  session: "morning",
  host: "api.github.com",
};
const NAME = /^[0-9a-f]{16}$/;
/** Answers take 200 ms. */
const SLOW = { latency: { sigma: 0 } };
const ISSUES = { method: "GET", route: "GET /repos/{owner}/{repo}/issues", resource: "core" };

describe("the records of a read", () => {
  it("tell who asked what, how it was answered and what it cost", async () => {
    const { octokit, clock, github, records } = setUpTracedSquad();
    const at = clock.now();
    await clock.settle(octokit.request("GET /repos/{owner}/{repo}/issues", { owner: "mona", repo: "hello" }));
    const [seen] = github.log;
    const tookMs = (seen?.endedAt ?? Number.NaN) - at;
    expect(records).toEqual([
      {
        ...WHO,
        ...ISSUES,
        kind: "attempt",
        at,
        call: expect.stringMatching(/^[\w-]{8}-1$/),
        target: expect.stringMatching(NAME),
        scope: expect.stringMatching(NAME),
        attempt: 1,
        principal: fingerprint("ghp_mona"),
        credential: fingerprint("token ghp_mona"),
        status: 200,
        outcome: "ok",
        waitMs: 0,
        durationMs: tookMs,
        bytes: expect.any(Number),
        reservedUnits: 1,
        chargedUnits: 1,
        points: 1,
        etag: expect.stringMatching(NAME),
        rate: { limit: 5_000, used: 1, remaining: 4_999, resetAt: seen?.resetAt },
        requestId: seen?.requestId,
      },
      {
        ...WHO,
        ...ISSUES,
        kind: "call",
        at,
        call: records[0] && "call" in records[0] ? records[0].call : undefined,
        target: records[0] && "target" in records[0] ? records[0].target : undefined,
        ok: true,
        status: 200,
        cache: "miss",
        attempts: 1,
        waitMs: 0,
        durationMs: tookMs,
        units: 1,
      },
    ]);
  });

  it("tell of a validator that was sent, and that GitHub charged nothing for its 304", async () => {
    const { octokit, clock, attempts, calls } = setUpTracedSquad();
    for (let time = 0; time < 2; time++) await clock.settle(octokit.request("GET /repos/mona/hello/issues"));
    const [first, second] = attempts();
    expect(second).toMatchObject({ status: 304, outcome: "not-modified", chargedUnits: 0, reservedUnits: 1 });
    expect(second?.validator).toBe(first?.etag);
    expect(first).not.toHaveProperty("validator");
    expect(second?.target).toBe(first?.target);
    expect(calls()[1]).toMatchObject({ cache: "revalidated", status: 304, units: 0, ok: true });
  });

  it("tell of a validator that the caller sent by itself", async () => {
    const { octokit, clock, attempts, calls } = setUpTracedSquad();
    const { headers } = await clock.settle(octokit.request("GET /user"));
    const again = octokit.request("GET /user", { headers: { "if-none-match": headers.etag } });
    await expect(clock.settle(again)).rejects.toMatchObject({ status: 304 });
    expect(attempts()[1]).toMatchObject({ validator: attempts()[0]?.etag, status: 304 });
    expect(calls()[1]).toMatchObject({ ok: false, status: 304, error: "HTTP_304" });
  });

  it("name a target by what is asked for, not by how it is written or with which credential", async () => {
    const { octokit, clock, github, squad, calls } = setUpTracedSquad();
    github.world.addToken("ghp_other", "mona");
    const template = "GET /repos/{owner}/{repo}/issues{?state,page}";
    await clock.settle(octokit.request(template, { owner: "mona", repo: "hello", state: "all", page: 1 }));
    await clock.settle(octokit.request("GET /repos/mona/hello/issues?page=1&state=all"));
    const headers = { accept: "application/vnd.github.v3+json", authorization: "token ghp_other" };
    await clock.settle(squad.fetch("https://api.github.com/repos/mona/hello/issues?state=all&page=1", { headers }));
    await clock.settle(octokit.request("GET /repos/mona/hello/issues?page=2&state=all"));
    await clock.settle(
      octokit.request("GET /repos/mona/hello/issues?page=1&state=all", { mediaType: { format: "raw" } }),
    );
    const [first, ...others] = calls().map(({ target }) => target);
    expect(others.map((target) => target === first)).toEqual([true, true, false, false]);
  });

  it("say which page an unchanged entity tag does not prove", async () => {
    const { octokit, clock, attempts } = setUpTracedSquad();
    await clock.settle(octokit.request("GET /repos/mona/hello/issues", { per_page: 3 }));
    await clock.settle(octokit.request("GET /repos/mona/hello/issues", { per_page: 50 }));
    expect(attempts().map(({ mayHaveGrown }) => mayHaveGrown)).toEqual([true, undefined]);
  });

  it("name the one repository that it is about, for reads and writes alike, and none where it is more", async () => {
    const { octokit, clock, attempts } = setUpTracedSquad();
    await clock.settle(octokit.request("GET /repos/mona/hello/issues"));
    await clock.settle(octokit.request("POST /repos/mona/hello/issues", { title: "new" }));
    await clock.settle(octokit.request("GET /user"));
    await clock.settle(octokit.request("PATCH /repos/mona/hello", { description: "d" }));
    const [read, write, user, change] = attempts();
    expect(write?.scope).toBe(read?.scope);
    expect(user).not.toHaveProperty("scope");
    expect(change).not.toHaveProperty("scope");
  });
});

describe("the record of a call without a request", () => {
  it("stands alone: fresh, shared", async () => {
    const { octokit, clock, attempts, calls } = setUpTracedSquad({ cache: { freshForMs: 60_000 } });
    const read = (): Promise<unknown> => octokit.request("GET /user");
    await clock.settle(Promise.all([read(), read()]));
    await clock.settle(read());
    expect(attempts()).toHaveLength(1);
    expect(calls().map(({ cache, attempts, units }) => [cache, attempts, units])).toEqual([
      ["miss", 1, 1],
      ["shared", 0, 0],
      ["fresh", 0, 0],
    ]);
    expect(calls()[2]).not.toHaveProperty("status");
    expect(new Set(calls().map(({ target }) => target)).size).toBe(1);
  });

  it("stands beside the failed request that an older answer stood in for", async () => {
    const { octokit, clock, github, attempts, calls } = setUpTracedSquad({ cache: { maxStaleMs: 600_000 } });
    await clock.settle(octokit.request("GET /user"));
    github.fault({ kind: "status", status: 502, times: 9 });
    await clock.settle(octokit.request("GET /user"));
    expect(attempts().map(({ status }) => status)).toEqual([200, 502]);
    expect(calls()[1]).toMatchObject({ cache: "stale", ok: true, attempts: 1, status: 502 });
  });

  it("says why the squad refused it", async () => {
    const { octokit, clock, github, attempts, calls } = setUpTracedSquad({ maxWaitMs: 1_000 });
    await clock.settle(octokit.request("GET /user"));
    github.consume("ghp_mona", "core", 4_900);
    await clock.settle(octokit.request("GET /repos/mona/hello"));
    const refused = octokit.request("GET /repos/mona/hello/issues", { request: { squad: { operation: "list" } } });
    await expect(clock.settle(refused)).rejects.toMatchObject({ code: "SQUAD_RATE_LIGHT" });
    expect(attempts()).toHaveLength(2);
    expect(calls()[2]).toMatchObject({
      ok: false,
      attempts: 0,
      units: 0,
      operation: "list",
      error: "SQUAD_RATE_LIGHT",
      decision: { kind: "refuse", why: expect.stringContaining("core: 98 of 5000 left") },
    });
    expect(calls()[2]).not.toHaveProperty("status");
  });
});

describe("the records of a call that is made again", () => {
  it("number the requests, tell each wait with the request that it was for, and add up their cost", async () => {
    const { octokit, clock, github, attempts, calls } = setUpTracedSquad();
    github.fault({ kind: "status", status: 502, times: 2 });
    await clock.settle(octokit.request("GET /user"));
    const own = attempts();
    expect(own.map(({ attempt, status, outcome }) => [attempt, status, outcome])).toEqual([
      [1, 502, "server-error"],
      [2, 502, "server-error"],
      [3, 200, "ok"],
    ]);
    expect(own[0]?.waitMs).toBe(0);
    // Each begins when the one before was over and the wait was.
    for (const [index, { at, waitMs }] of own.entries()) {
      const before = own[index - 1];
      if (before === undefined) continue;
      expect(waitMs).toBeGreaterThan(0);
      expect(at).toBeCloseTo(before.at + before.durationMs + waitMs, 0);
    }
    const [call] = calls();
    expect(call).toMatchObject({ attempts: 3, ok: true, status: 200, units: 1 });
    expect(call?.decision).toEqual({ kind: "retry", why: expect.stringMatching(/502|server|unwell/i) });
    expect(call?.waitMs).toBeCloseTo(
      own.reduce((sum, { waitMs }) => sum + waitMs, 0),
      3,
    );
  });

  it("tell of a request without an answer", async () => {
    const { octokit, clock, github, attempts, calls } = setUpTracedSquad({ retry: false });
    github.fault({ kind: "reset" });
    await expect(clock.settle(octokit.request("GET /user"))).rejects.toThrow();
    expect(attempts()[0]).toMatchObject({ chargedUnits: 0, attempt: 1 });
    expect(attempts()[0]).not.toHaveProperty("status");
    expect(attempts()[0]).not.toHaveProperty("outcome");
    expect(calls()[0]).toMatchObject({ ok: false, error: "NETWORK", attempts: 1 });
  });

  it("tell of an abort, and of the request that went on for others", async () => {
    const { octokit, clock, records } = setUpTracedSquad({}, SLOW);
    const leaving = new AbortController();
    const read = (signal?: AbortSignal): Promise<unknown> =>
      octokit.request("GET /user", signal === undefined ? {} : { request: { signal } });
    const left = read(leaving.signal).catch(() => "left");
    const stays = read();
    await clock.advance(1);
    leaving.abort();
    expect(await left).toBe("left");
    await clock.settle(stays);
    const told = records.map((record) => (record.kind === "call" ? (record.error ?? record.cache) : record.kind));
    // The record of the call that began the request comes when the request is over, so that its cost is in it.
    expect(told).toEqual(["attempt", "ABORTED", "shared"]);
    expect(records[1]).toMatchObject({ attempts: 1, units: 1, durationMs: 1 });
  });

  it("give an error by its code", async () => {
    const { octokit, clock, calls, squad } = setUpTracedSquad();
    await expect(clock.settle(octokit.request("GET /repos/mona/nothing"))).rejects.toMatchObject({ status: 404 });
    await clock.settle(squad.fetch("https://api.github.com/repos/mona/nothing"));
    expect(calls()[0]).toMatchObject({ ok: false, error: "HTTP_404", status: 404 });
    // A bare fetch resolves.
    expect(calls()[1]).toMatchObject({ ok: true, status: 404 });
    expect(calls()[1]).not.toHaveProperty("error");
  });

  it("charge a redirect that was followed to the request that it answered", async () => {
    const { octokit, clock, github, attempts } = setUpTracedSquad();
    github.world.renameRepository("mona", "hello", "world");
    await clock.settle(octokit.request("GET /repos/mona/hello"));
    expect(attempts()).toHaveLength(1);
    expect(attempts()[0]).toMatchObject({ redirected: true, chargedUnits: 2, status: 200 });
    expect(attempts()[0]).not.toHaveProperty("scope");
    expect(github.log).toHaveLength(2);
  });
});

describe("the records of GraphQL", () => {
  const QUERY =
    'query Titles($n: Int!) { repository(owner: "mona", name: "hello") { issues(first: $n) { nodes { title } } } }';

  it("tell the operation, its cost and its nodes, and name the answer by what it says", async () => {
    const { octokit, clock, github, attempts, calls } = setUpTracedSquad();
    const ask = (n: number): Promise<unknown> => clock.settle(octokit.graphql(QUERY, { n }));
    await ask(10);
    await ask(10);
    await ask(20);
    github.world.updateIssue({ owner: "mona", repo: "hello", number: 1 }, { title: "changed" });
    await ask(10);
    const told = attempts().map(({ graphql }) => graphql);
    expect(told[0]).toEqual({
      operation: "Titles",
      kind: "query",
      cost: 1,
      nodes: 10,
      answer: expect.stringMatching(NAME),
    });
    expect(attempts()[0]).toMatchObject({ operation: "Titles", route: "POST /graphql", resource: "graphql" });
    expect(told.map((one) => one?.answer === told[0]?.answer)).toEqual([true, true, true, false]);
    const targets = calls().map(({ target }) => target);
    expect(targets.map((target) => target === targets[0])).toEqual([true, true, false, true]);
  });

  it("name the answer as its caller sees it, with or without the search for the cost", async () => {
    const answers = await Promise.all(
      [true, false].map(async (capture) => {
        const { octokit, clock, attempts } = setUpTracedSquad({ graphql: { capture } });
        await clock.settle(octokit.graphql(QUERY, { n: 10 }));
        return attempts()[0]?.graphql;
      }),
    );
    expect(answers[0]?.answer).toBe(answers[1]?.answer);
    expect(answers[1]).not.toHaveProperty("cost");
  });

  it("do not tell what a mutation carries", async () => {
    const { octokit, clock, calls } = setUpTracedSquad();
    const mutation =
      "mutation Add($id: ID!, $body: String!) { addComment(input: { subjectId: $id, body: $body }) { clientMutationId } }";
    for (const body of ["one", "other"]) {
      await clock.settle(octokit.graphql(mutation, { id: "x", body }).catch(() => undefined));
    }
    expect(calls()[0]?.target).toBe(calls()[1]?.target);
    expect(calls()[0]).toMatchObject({ operation: "Add", method: "POST" });
  });
});

describe("a reading", () => {
  it("tells what GET /rate_limit said, which its caller gets as it came", async () => {
    const { octokit, clock, github, readings, attempts } = setUpTracedSquad();
    await clock.settle(octokit.request("GET /user"));
    const { data, headers } = await clock.settle(octokit.request("GET /rate_limit"));
    const usage = github.usage("ghp_mona", "core");
    const { resources } = data as { resources: { core: { used: number } } };
    expect(resources.core.used).toBe(1);
    expect(headers["content-type"]).toContain("application/json");
    expect(readings()).toEqual([
      {
        v: 1,
        kind: "reading",
        at: expect.any(Number),
        machine: hostname(),
        pid: process.pid,
        host: "api.github.com",
        principal: fingerprint("ghp_mona"),
        resources: expect.objectContaining({
          core: { limit: 5_000, used: 1, remaining: 4_999, resetAt: usage.resetAt },
          graphql: expect.objectContaining({ used: 0 }),
        }),
      },
    ]);
    expect(attempts()[1]).toMatchObject({ route: "GET /rate_limit", chargedUnits: 0, status: 200 });
  });

  it("keeps nobody waiting for the head of an answer whose body is late", async () => {
    let send = (): void => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await sent;
        const core = { limit: 60, used: 1, remaining: 59, reset: 1_900_000_000 };
        controller.enqueue(new TextEncoder().encode(JSON.stringify({ resources: { core } })));
        controller.close();
      },
    });
    const { squad, clock, readings } = setUpTracedSquad({ fetch: async () => new Response(body) });
    const response = await clock.settle(squad.fetch("https://api.github.com/rate_limit"));
    expect(readings()).toEqual([]);
    send();
    expect(await response.json()).toMatchObject({ resources: { core: { used: 1 } } });
    expect(readings()).toMatchObject([{ resources: { core: { used: 1 } } }]);
  });

  it("is not made of an answer that tells nothing", async () => {
    const { octokit, clock, readings } = setUpTracedSquad({}, { ghes: true });
    await clock.settle(octokit.request("GET /rate_limit").catch(() => undefined));
    expect(readings()).toEqual([]);
  });
});

describe("the records of a call that goes round the cache only when it is made again", () => {
  it("are all written", async () => {
    const { squad, clock, github, records } = setUpTracedSquad();
    let tries = 0;
    const authStrategy = () =>
      Object.assign(async () => ({}), {
        hook: (request: (options: object) => unknown, options: { headers: object; request?: object }) =>
          request({
            ...options,
            headers: { ...options.headers, authorization: "token ghp_mona" },
            request: { ...options.request, redirect: ++tries > 1 ? "manual" : "follow" },
          }),
      });
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const octokit = new SquadOctokit({ authStrategy, auth: {}, squad, log, request: { fetch: github.fetch } });
    github.fault({ kind: "reset" });
    await clock.settle(octokit.request("GET /repos/mona/hello"));
    expect(records.map((record) => [record.kind, "status" in record ? record.status : undefined])).toEqual([
      ["attempt", undefined],
      ["attempt", 200],
      ["call", 200],
    ]);
  });
});

describe("squad-rate:trace", () => {
  it("tells the same records, and those of calls that no sink takes", async () => {
    const heard = recordEvents("squad-rate:trace");
    const { octokit, clock, records, squad } = setUpTracedSquad();
    await clock.settle(octokit.request("GET /user"));
    expect(heard).toEqual(records);
    expect(squad.status().trace).toEqual({ where: "function", records: 2, dropped: 0 });

    const silent = setUpTracedSquad({ trace: false });
    await silent.clock.settle(silent.octokit.request("GET /user"));
    expect(silent.records).toEqual([]);
    expect(heard).toHaveLength(4);
    expect(silent.squad.status().trace).toBeUndefined();
  });

  it("leaves out a call that began before anybody listened", async () => {
    const { octokit, clock } = setUpTracedSquad({ trace: false }, SLOW);
    const call = octokit.request("GET /user");
    await clock.advance(1);
    const heard: readonly TraceRecord[] = recordEvents("squad-rate:trace");
    await clock.settle(call);
    expect(heard).toEqual([]);
  });
});
