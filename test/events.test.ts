import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { describe, expect, it } from "vitest";
import { publish } from "../src/events.js";
import { setUpBench } from "./harness/octokit-in-squad.js";
import { recordEvents } from "./harness/record-events.js";
import { spendDown } from "./harness/spend-down.js";

const facts = {
  agent: "ralph",
  priority: 1,
  session: undefined,
  operation: undefined,
  host: "api.github.com",
  resource: "core",
};

describe("events", () => {
  it("tell of each call and each exchange: who, what, how, at what cost", async () => {
    const calls = recordEvents("squad-rate:call");
    const exchanges = recordEvents("squad-rate:exchange");
    const { octokit, github, clock } = setUpBench();
    github.route("/repos/o/r", async ({ method }) => {
      await new Promise<void>((resolve) => void clock.timer(200, resolve));
      return method === "GET" ? { json: {} } : { status: 403, json: {} };
    });
    const alice = octokit("alice");
    await clock.settle(alice.request("GET /repos/o/r"));
    await clock.settle(alice.request("GET /repos/o/r"));
    await expect(clock.settle(alice.request("PATCH /repos/o/r"))).rejects.toMatchObject({ status: 403 });
    const read = { ...facts, method: "GET", route: "GET /repos/{owner}/{repo}" };
    const write = { ...facts, method: "PATCH", route: "PATCH /repos/{owner}/{repo}" };
    const untold = { costTold: false, nodes: undefined };
    const time = { exchanges: 1, waitMs: 0, durationMs: 200 };
    expect(calls).toEqual([
      { ...read, ok: true, outcome: "miss", ...time },
      { ...read, ok: true, outcome: "revalidated", ...time },
      { ...write, ok: false, outcome: undefined, ...time },
    ]);
    expect(exchanges).toEqual([
      {
        ...read,
        status: 200,
        validator: false,
        reservedUnits: 1,
        chargedUnits: 1,
        ...untold,
        points: 1,
        outcome: "ok",
        durationMs: 200,
      },
      {
        ...read,
        status: 304,
        validator: true,
        reservedUnits: 1,
        chargedUnits: 0,
        ...untold,
        points: 1,
        outcome: "not-modified",
        durationMs: 200,
      },
      {
        ...write,
        status: 403,
        validator: false,
        reservedUnits: 1,
        chargedUnits: 1,
        ...untold,
        points: 5,
        outcome: "client-error",
        durationMs: 200,
      },
    ]);
  });

  it("tell of an exchange without an answer", async () => {
    const exchanges = recordEvents("squad-rate:exchange");
    const { octokit, github, squad } = setUpBench();
    github.once(() => Promise.reject(new TypeError("fetch failed")));
    await expect(octokit("alice").request("GET /user")).rejects.toThrow();
    expect(exchanges).toMatchObject([{ status: undefined, chargedUnits: 0 }]);
    expect(squad.status().counters).toMatchObject({ exchanges: 1, failed: 1, chargedUnits: 0 });
  });

  it("tell of a decision to wait and of one to refuse, with the reason and the moment", async () => {
    const decisions = recordEvents("squad-rate:decision");
    const bench = setUpBench();
    const { octokit, github } = bench;
    await spendDown(bench, "alice", 100, 5_000);
    await expect(octokit("alice").request("GET /user")).rejects.toMatchObject({ code: "SQUAD_RATE_LIGHT" });
    const why = expect.stringContaining("core: 100 of 5000 left");
    const untilAt = github.quota("token alice").resetAt + 1_000;
    const told = { ...facts, method: "GET", route: "GET /user", why, untilAt: expect.closeTo(untilAt, -4) };
    expect(decisions).toEqual([{ ...told, decision: "refuse" }]);
    github.route("/user", { json: {} });
    const patient = octokit("alice").request("GET /user", { request: { squad: { maxWaitMs: 7_200_000 } } });
    await bench.clock.settle(patient);
    expect(decisions.slice(1)).toEqual([{ ...told, decision: "wait" }]);
  });

  it("tell of a light that changes, once, and of whose it is without a token", async () => {
    const lights = recordEvents("squad-rate:light");
    const bench = setUpBench();
    for (const remaining of [4_000, 900, 800, 200]) await spendDown(bench, "alice", remaining, 5_000);
    expect(lights).toEqual([
      {
        principal: expect.stringMatching(/^[0-9a-f]{32}$/),
        resource: "core",
        from: "green",
        to: "amber",
        remaining: 900,
        limit: 5_000,
      },
      {
        principal: expect.stringMatching(/^[0-9a-f]{32}$/),
        resource: "core",
        from: "amber",
        to: "red",
        remaining: 200,
        limit: 5_000,
      },
    ]);
  });

  it("tell of headers that make no sense", async () => {
    const faults = recordEvents("squad-rate:fault");
    const { octokit, github } = setUpBench();
    github.route("/user", { json: {}, headers: { "x-ratelimit-remaining": "token ghp_0123456789abcdef" } });
    await octokit("alice").request("GET /user");
    expect(faults).toEqual([{ what: expect.stringContaining("x-ratelimit-remaining"), cause: undefined }]);
    expect(JSON.stringify(faults)).not.toContain("ghp_");
  });

  it("are not even made when nobody listens", () => {
    let made = 0;
    const payload = () => {
      made++;
      return { what: "x", cause: undefined };
    };
    publish("squad-rate:fault", payload);
    expect(made).toBe(0);
    recordEvents("squad-rate:fault");
    publish("squad-rate:fault", payload);
    expect(made).toBe(1);
  });

  it("that a listener fails on do not fail the call", async () => {
    // Node reports such an error as an uncaught exception of its own; the test runner must not take it for its own.
    const others = process.listeners("uncaughtException");
    const uncaught: unknown[] = [];
    process.removeAllListeners("uncaughtException");
    process.on("uncaughtException", (error) => void uncaught.push(error));
    const broken = (): void => {
      throw new Error("listener");
    };
    subscribe("squad-rate:exchange", broken);
    subscribe("squad-rate:call", broken);
    try {
      const { octokit, github } = setUpBench();
      github.route("/user", { json: {} });
      expect((await octokit("alice").request("GET /user")).status).toBe(200);
      await new Promise((resolve) => setImmediate(resolve));
      expect(uncaught).toHaveLength(2);
    } finally {
      unsubscribe("squad-rate:exchange", broken);
      unsubscribe("squad-rate:call", broken);
      process.removeAllListeners("uncaughtException");
      for (const listener of others) process.on("uncaughtException", listener);
    }
  });
});
