import { describe, expect, it } from "vitest";
import { setUpBench } from "../../harness/octokit-in-squad.js";
import { PATIENT, REPO, type Recovery, recovery } from "./bench.js";

const ISSUES = "/repos/mona/hello/issues";
const LABEL = "/repos/mona/hello/labels/bug";

function gaps({ sent }: Recovery, only: (path: string) => boolean = () => true): number[] {
  const times = sent.filter(({ path }) => only(path)).map(({ at }) => at);
  return times.slice(1).map((at, index) => at - (times[index] ?? 0));
}

describe("the pause", () => {
  it.each([
    ["between writes is a second", LABEL, { method: "PATCH", body: "{}" }, 1_000],
    ["between writes that notify people three", ISSUES, { method: "POST", body: "{}" }, 3_000],
    ["between searches two", "/search/issues?q=a", {}, 2_000],
    ["between mutations a second", "/graphql", { method: "POST", body: '{"query":"mutation { a { b } }"}' }, 1_000],
  ] as const)("%s", async (_what, path, init, pauseMs) => {
    const bench = recovery(PATIENT);
    bench.github.route(path.split("?")[0] ?? path, { json: {} });
    await bench.clock.settle(Promise.all(Array.from({ length: 5 }, () => bench.call(path, init))));
    expect(gaps(bench)).toEqual([pauseMs, pauseMs, pauseMs, pauseMs]);
  });

  it("is none between reads and queries", async () => {
    const bench = recovery(PATIENT);
    bench.github.route("/graphql", { json: { data: {} } });
    await Promise.all([bench.call(), bench.call(), bench.graphql("{ viewer { login } }"), bench.graphql("{ a }")]);
    expect([bench.sent.length, bench.clock.monotonic(), bench.clock.pendingTimers]).toEqual([4, 0, 0]);
  });

  it("is what the options say, and none with pacing: false", async () => {
    const write = { method: "PATCH", body: "{}" };
    const own = recovery({ ...PATIENT, pacing: { writeMs: 250 } });
    await own.clock.settle(Promise.all([own.call(LABEL, write), own.call(LABEL, write)]));
    expect(gaps(own)).toEqual([250]);
    const none = recovery({ ...PATIENT, pacing: false });
    await Promise.all([none.call(LABEL, write), none.call(LABEL, write)]);
    expect(gaps(none)).toEqual([0]);
  });

  it("is each principal's own", async () => {
    const bench = recovery(PATIENT);
    const calls = ["a", "b", "a", "b"].map((token) =>
      bench.call(LABEL, { method: "PATCH", body: "{}", headers: { authorization: `token ghp_${token}` } }),
    );
    await bench.clock.settle(Promise.all(calls));
    expect(bench.sent.map(({ at }) => at)).toEqual([0, 0, 1_000, 1_000]);
  });

  it("is kept by retries, too", async () => {
    const bench = recovery({ ...PATIENT, random: () => 0 });
    bench.github.once({ status: 502, json: {} });
    bench.github.once({ status: 502, json: {} });
    bench.github.route("/search/issues", { json: {} });
    await bench.clock.settle(Promise.all([bench.call("/search/issues?q=a"), bench.call("/search/issues?q=b")]));
    for (const gap of gaps(bench)) expect(gap).toBeGreaterThanOrEqual(2_000);
  });

  it("lets more urgent writes go first", async () => {
    const bench = recovery(PATIENT);
    const calls = [2, 2, 1, 0, 1, 0].map((priority, index) =>
      bench.call(`/repos/mona/hello/labels/${index}`, {
        method: "PATCH",
        body: "{}",
        squad: { priority: priority as 0 | 1 | 2 },
      }),
    );
    await bench.clock.settle(Promise.all(calls));
    expect(bench.sent.map(({ path }) => path.at(-1))).toEqual(["0", "3", "5", "2", "4", "1"]);
  });

  it("is a wait that may be too long, and is then told in its own words", async () => {
    const bench = recovery({ maxWaitMs: 0 });
    const write = { method: "PATCH", body: "{}" };
    await bench.call(LABEL, write);
    await bench.clock.advance(300);
    await expect(bench.call(LABEL, write)).rejects.toMatchObject({
      code: "SQUAD_RATE_SECONDARY",
      resource: "core",
      retryAfterMs: 700,
      message:
        "PATCH /repos/{owner}/{repo}/labels/{name} was not sent: writes are sent 1 s apart, as GitHub asks; the last went 300 ms ago; P1 waits. It may be sent in 700 ms, and maxWaitMs is 0.",
    });
    await bench.clock.advance(700);
    expect((await bench.call(LABEL, write)).status).toBe(404);
  });

  it("is not begun by a call that was never sent", async () => {
    const bench = recovery({ ...PATIENT, secondary: { concurrent: 1 } });
    const release = bench.github.hold();
    const read = bench.call();
    const controller = new AbortController();
    const gone = bench.call(LABEL, { method: "PATCH", body: "{}", signal: controller.signal }).catch(() => "gone");
    await bench.clock.advance(500);
    controller.abort();
    expect(await gone).toBe("gone");
    release();
    await read;
    await bench.call(LABEL, { method: "PATCH", body: "{}" });
    expect(bench.clock.monotonic()).toBe(500);
  });
});

describe("with Octokit", () => {
  it("writes are a second apart, whoever of the squad sends them", async () => {
    const { clock, github, octokit } = setUpBench({ pacing: true, ...PATIENT });
    const times: number[] = [];
    github.route("/repos/o/r/labels/bug", () => {
      times.push(clock.monotonic());
      return { json: {} };
    });
    const [first, second] = [octokit("ghp_x"), octokit("ghp_x")];
    const update = (one: typeof first) =>
      one.request("PATCH /repos/{owner}/{repo}/labels/{name}", { owner: "o", repo: "r", name: "bug" });
    await clock.settle(Promise.all([update(first), update(second), update(first), update(second)]));
    expect(times).toEqual([0, 1_000, 2_000, 3_000]);
  });

  it("a search after another goes on time, and is asked once", async () => {
    const { clock, github, octokit } = setUpBench({ pacing: true, ...PATIENT });
    github.route("/search/issues", { json: { items: [] } });
    const one = octokit("ghp_x");
    const search = () => one.request("GET /search/issues", { q: "a" });
    await clock.settle(Promise.all([search(), search(), search()]));
    expect([github.requests.length, clock.monotonic()]).toEqual([3, 4_000]);
  });
});

describe("a read of the repository", () => {
  it("does not wait for writes", async () => {
    const bench = recovery(PATIENT);
    const writes = Array.from({ length: 5 }, () => bench.call(LABEL, { method: "PATCH", body: "{}" }));
    await bench.call(REPO);
    expect(bench.clock.monotonic()).toBe(0);
    await bench.clock.settle(Promise.all(writes));
  });
});
