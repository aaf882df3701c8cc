import { describe, expect, it, vi } from "vitest";
import { SquadOctokit } from "../harness/octokit-in-squad.js";
import { recordEvents } from "../harness/record-events.js";
import type { StubAnswer } from "../harness/stub-github.js";
import { type Guarding, guardBench, guardingWith, PULLS, PULLS_PATH, REPOSITORY } from "./guard-bench.js";

const FAILURES: readonly { readonly what: string; readonly answer: StubAnswer | Error; readonly cause: object }[] = [
  { what: "is refused by a secondary limit", answer: secondary(), cause: { status: 403 } },
  { what: "is refused with 429", answer: { status: 429, json: { message: "too many" } }, cause: { status: 429 } },
  { what: "fails with 500", answer: { status: 500 }, cause: { status: 500 } },
  { what: "finds nothing", answer: { status: 404 }, cause: { status: 404 } },
  { what: "gets no answer", answer: new TypeError("fetch failed"), cause: { status: 500, message: "fetch failed" } },
];

function secondary(): StubAnswer {
  return {
    status: 403,
    json: { message: "You have exceeded a secondary rate limit." },
    headers: { "retry-after": "60" },
  };
}

function set() {
  const bench = guardBench();
  bench.setPulls("one");
  const fail = (answer: StubAnswer | Error) =>
    bench.github.route(PULLS_PATH, () => {
      if (answer instanceof Error) throw answer;
      return answer;
    });
  return { ...bench, fail, guarding: bench.guarding() as Guarding, newGuarding: bench.guarding };
}

describe.each(FAILURES)("a guard whose read $what", ({ answer, cause }) => {
  it("gives the last value as stale, says why, and produces nothing", async () => {
    const { clock, fail, guarding } = set();
    const produce = vi.fn(() => "value");
    await clock.settle(guarding.pulls(produce));
    fail(answer);
    await clock.advance(10_000);
    const outcome = await clock.settle(guarding.pulls(produce));
    expect(outcome).toMatchObject({ value: "value", how: "stale", cause });
    expect(Math.abs(outcome.ageMs - 10_000)).toBeLessThan(1_000);
    expect(produce).toHaveBeenCalledTimes(1);
  });

  it("rejects with that where there is no value, or only one that is too old, and produces nothing", async () => {
    const { clock, fail, guarding, newGuarding } = set();
    const produce = vi.fn(() => "value");
    await clock.settle(guarding.pulls(produce));
    fail(answer);
    await expect(clock.settle(newGuarding().pulls(produce))).rejects.toMatchObject(cause);
    await clock.advance(5_000);
    await expect(clock.settle(guarding.pulls(produce, { maxAgeMs: 4_000 }))).rejects.toMatchObject(cause);
    expect(produce).toHaveBeenCalledTimes(1);
  });
});

describe("a guard that the squad itself does not let go", () => {
  it("gives the last value as stale, with the refusal's code", async () => {
    const { clock, github, guarding } = set();
    const produce = vi.fn(() => "value");
    await clock.settle(guarding.pulls(produce));
    Object.assign(github.quota("token ghp_shared"), { used: 4_990 });
    await clock.settle(guarding.octokit.request("GET /repos/o/r/pulls?page=2").catch(() => undefined));
    const outcome = await clock.settle(guarding.pulls(produce));
    expect(outcome).toMatchObject({ value: "value", how: "stale", cause: { code: "SQUAD_RATE_LIGHT" } });
    expect(produce).toHaveBeenCalledTimes(1);
  });
});

describe("a guard of several reads", () => {
  it("is stale when one of them fails, whatever the others say", async () => {
    const { clock, github, guarding } = set();
    github.route("/b", { json: 1 });
    const produce = vi.fn(() => "value");
    const ask = () => clock.settle(guarding.guards([[PULLS, REPOSITORY], ["GET /b"]], produce));
    await ask();
    github.route(PULLS_PATH, { json: [{ title: "two" }] });
    github.route("/b", { status: 503 });
    expect(await ask()).toMatchObject({ value: "value", how: "stale", cause: { status: 503 } });
    expect(produce).toHaveBeenCalledTimes(1);
  });
});

describe("an older answer that the cache would give in place of a failure", () => {
  it("does not count as word that nothing has changed", async () => {
    const bench = guardBench();
    bench.setPulls("one");
    const { clock, github } = bench;
    const { pulls, guard } = bench.guarding({ cache: { maxStaleMs: 3_600_000 } });
    const produce = vi.fn(() => "value");
    await clock.settle(pulls(produce));
    github.route(PULLS_PATH, { status: 500 });
    expect(await clock.settle(pulls(produce))).toMatchObject({ how: "stale", cause: { status: 500 } });
    const own = { ...REPOSITORY, request: { squad: { cache: { maxStaleMs: 3_600_000 } } } };
    expect(await clock.settle(guard(PULLS, own, produce))).toMatchObject({ how: "stale", cause: { status: 500 } });
  });

  it("that is fresh by the caller's own choice does", async () => {
    const { clock, github, guarding } = set();
    const own = { ...REPOSITORY, request: { squad: { cache: { freshForMs: 60_000 } } } };
    const produce = vi.fn(() => "value");
    await clock.settle(guarding.guard(PULLS, own, produce));
    expect(await clock.settle(guarding.guard(PULLS, own, produce))).toMatchObject({ how: "unchanged" });
    expect(github.requests).toHaveLength(1);
  });
});

describe("a guard whose Octokit cannot show its credential", () => {
  /** An Octokit whose auth says who it is, or fails. */
  const changing = () => {
    const bench = set();
    let token: string | undefined = "ghp_one";
    const authStrategy = () =>
      Object.assign(async () => ({}), {
        hook: (request: (options: object) => unknown, options: { headers: Record<string, string> }) => {
          if (token === undefined) throw new Error("no token to be had");
          options.headers.authorization = `token ${token}`;
          return request(options);
        },
      });
    const { squad } = bench.guarding;
    const octokit = new SquadOctokit({ authStrategy, squad, request: { fetch: bench.github.fetch } });
    const become = (next: string | undefined): void => {
      token = next;
    };
    return { ...bench, ...guardingWith(octokit, squad), become };
  };

  it("has the values of the one it has always been", async () => {
    const { clock, become, pulls } = changing();
    const produce = vi.fn(() => "value");
    await clock.settle(pulls(produce));
    become(undefined);
    expect(await clock.settle(pulls(produce))).toMatchObject({
      value: "value",
      how: "stale",
      cause: { message: "no token to be had" },
    });
  });

  it("has nobody's values when it has been several, or nobody yet", async () => {
    const { clock, become, pulls } = changing();
    const produce = vi.fn(() => "value");
    become(undefined);
    await expect(clock.settle(pulls(produce))).rejects.toThrow("no token to be had");
    for (const token of ["ghp_one", "ghp_two"]) {
      become(token);
      await clock.settle(pulls(produce));
    }
    become(undefined);
    await expect(clock.settle(pulls(produce))).rejects.toThrow("no token to be had");
    expect(produce).toHaveBeenCalledTimes(2);
  });
});

describe("a program's own mistakes", () => {
  it("in the options of a read reject, though there is a last value", async () => {
    const { clock, guarding } = set();
    const produce = vi.fn(() => "value");
    await clock.settle(guarding.pulls(produce));
    const wrong = { ...REPOSITORY, request: { squad: { priorty: 0 } } };
    await expect(clock.settle(guarding.guard(PULLS, wrong, produce))).rejects.toMatchObject({
      code: "SQUAD_RATE_OPTIONS",
      message: expect.stringContaining("did you mean `priority`?"),
    });
  });

  it("such as a call after close() reject, though there is a last value", async () => {
    const { clock, guarding } = set();
    const heard = recordEvents("squad-rate:guard");
    const produce = vi.fn(() => "value");
    await clock.settle(guarding.pulls(produce));
    await guarding.squad.close();
    await expect(clock.settle(guarding.pulls(produce))).rejects.toMatchObject({ code: "SQUAD_RATE_CLOSED" });
    expect(heard.at(-1)).toMatchObject({ how: "failed" });
  });
});
