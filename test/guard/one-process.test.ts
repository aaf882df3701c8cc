import { describe, expect, it, vi } from "vitest";
import { sleep } from "../../src/clock.js";
import { recordEvents } from "../harness/record-events.js";
import { guardBench, PULLS, PULLS_PATH, REPOSITORY } from "./guard-bench.js";

const HOUR_MS = 3_600_000;

describe("a guard", () => {
  it("produces at first, and returns the last value for a free 304 while nothing has changed", async () => {
    const { clock, github, setPulls, guarding } = guardBench();
    setPulls("one");
    const { pulls } = guarding();
    const produce = vi.fn(async () => ({ answer: 42 }));
    expect(await clock.settle(pulls(produce))).toEqual({ value: { answer: 42 }, how: "produced", ageMs: 0 });
    await clock.advance(30_000);
    expect(await clock.settle(pulls(produce))).toEqual({ value: { answer: 42 }, how: "unchanged", ageMs: 30_000 });
    expect(produce).toHaveBeenCalledTimes(1);
    expect(github.statuses()).toEqual([200, 304]);
    expect(github.quota("token ghp_shared").used).toBe(1);
  });

  it("produces again when the read says something new", async () => {
    const { clock, setPulls, guarding } = guardBench();
    const { pulls } = guarding();
    let made = 0;
    const produce = () => ++made;
    setPulls("one");
    await clock.settle(pulls(produce));
    setPulls("one", "two");
    expect(await clock.settle(pulls(produce))).toEqual({ value: 2, how: "produced", ageMs: 0 });
    expect(await clock.settle(pulls(produce))).toMatchObject({ value: 2, how: "unchanged" });
  });

  it("sees a change that another call of the process has fetched before", async () => {
    const { clock, github, setPulls, guarding } = guardBench();
    const { pulls, octokit } = guarding();
    let made = 0;
    const produce = () => ++made;
    setPulls("one");
    await clock.settle(pulls(produce));
    setPulls("two");
    await clock.settle(octokit.request(PULLS, REPOSITORY));
    expect(await clock.settle(pulls(produce))).toMatchObject({ value: 2, how: "produced" });
    expect(github.statuses()).toEqual([200, 200, 304]);
  });

  it("sees that there is a next page now, though the first page is the same", async () => {
    const { clock, github, guarding } = guardBench();
    const { guard } = guarding();
    const page = (link?: string) =>
      github.route("/repos/o/r/pulls?per_page=1", {
        json: [{ title: "one" }],
        headers: link === undefined ? {} : { link },
      });
    let made = 0;
    const produce = () => ++made;
    const ask = () => clock.settle(guard(PULLS, { ...REPOSITORY, per_page: 1 }, produce));
    page();
    await ask();
    page('<https://api.github.com/repositories/1/pulls?per_page=1&page=2>; rel="next"');
    expect(await ask()).toMatchObject({ value: 2, how: "produced" });
  });

  it("with several reads produces when any of them says something new, whatever its place", async () => {
    const { clock, github, guarding } = guardBench();
    const { guards } = guarding();
    const paths = ["/a", "/b", "/c"];
    for (const path of paths) github.route(path, { json: { at: path } });
    let made = 0;
    const ask = () =>
      clock.settle(
        guards(
          paths.map((path) => [`GET ${path}`]),
          () => ++made,
        ),
      );
    expect(await ask()).toMatchObject({ value: 1, how: "produced" });
    expect(await ask()).toMatchObject({ value: 1, how: "unchanged" });
    for (const [index, path] of paths.entries()) {
      github.route(path, { json: { at: "elsewhere" } });
      expect(await ask()).toMatchObject({ value: index + 2, how: "produced" });
    }
  });

  it("knows texts, bytes, bigints and nothing apart", async () => {
    const { clock, github, guarding } = guardBench();
    const { guard } = guarding();
    let made = 0;
    const contents = [
      { body: "text", headers: { "content-type": "text/plain" } },
      { body: "texts", headers: { "content-type": "text/plain" } },
      { body: new Uint8Array([1, 2, 3]), headers: { "content-type": "application/zip" } },
      { body: new Uint8Array([1, 2, 4]), headers: { "content-type": "application/zip" } },
      { body: '{"id":9007199254740993}' },
      { body: '{"id":9007199254740995}' },
      { status: 204, body: null },
    ];
    for (const [index, content] of contents.entries()) {
      github.route("/it", content);
      const ask = () => clock.settle(guard("GET /it", undefined, () => ++made));
      expect(await ask()).toMatchObject({ value: index + 1, how: "produced" });
      expect(await ask()).toMatchObject({ value: index + 1, how: "unchanged" });
    }
  });

  it("gives each caller, the producer included, a copy of its own as JSON keeps it", async () => {
    const { clock, setPulls, guarding } = guardBench();
    setPulls();
    const { pulls } = guarding();
    const made = { at: new Date(0), list: [1], gone: undefined };
    const produce = () => made;
    const first = (await clock.settle(pulls(produce))) as { value: Record<string, unknown> };
    expect(first.value).toEqual({ at: "1970-01-01T00:00:00.000Z", list: [1] });
    first.value.list = "spoilt";
    expect(await clock.settle(pulls(produce))).toMatchObject({ value: { list: [1] }, how: "unchanged" });
  });

  it("produces anew once the value is as old as maxAgeMs, an hour if not given", async () => {
    const { clock, setPulls, guarding } = guardBench();
    setPulls("one");
    const { pulls } = guarding();
    let made = 0;
    const produce = () => ++made;
    await clock.settle(pulls(produce));
    await clock.advance(HOUR_MS - 1_000);
    expect(await clock.settle(pulls(produce))).toMatchObject({ value: 1, how: "unchanged" });
    expect(await clock.settle(pulls(produce, { maxAgeMs: HOUR_MS - 1_000 }))).toMatchObject({
      value: 2,
      how: "produced",
    });
    await clock.advance(HOUR_MS);
    expect(await clock.settle(pulls(produce))).toMatchObject({ value: 3, how: "produced" });
  });

  it("with maxAgeMs 0 shares only what is being produced", async () => {
    const { clock, setPulls, guarding } = guardBench();
    setPulls("one");
    const { pulls } = guarding();
    let made = 0;
    const produce = async () => {
      await sleep(clock, 100);
      return ++made;
    };
    const ask = () => pulls(produce, { maxAgeMs: 0 });
    const both = await clock.settle(Promise.all([ask(), ask()]));
    expect(both).toMatchObject([
      { value: 1, how: "produced" },
      { value: 1, how: "shared" },
    ]);
    expect(await clock.settle(ask())).toMatchObject({ value: 2, how: "produced" });
  });

  it("tells the age in GitHub's time, though this machine's clock is set", async () => {
    const { clock, setPulls, guarding } = guardBench();
    setPulls("one");
    const { pulls } = guarding();
    const produce = () => 1;
    await clock.settle(pulls(produce));
    clock.step(-24 * HOUR_MS);
    await clock.advance(5_000);
    expect(await clock.settle(pulls(produce))).toMatchObject({ how: "unchanged", ageMs: 5_000 });
    clock.step(48 * HOUR_MS);
    expect(await clock.settle(pulls(produce))).toMatchObject({ how: "unchanged", ageMs: 5_000 });
  });

  it("is the same whatever the order of parameters, and what does not bear on the answer", async () => {
    const { clock, setPulls, guarding } = guardBench();
    setPulls("one");
    const { guard } = guarding();
    const produce = vi.fn(() => 1);
    await clock.settle(guard(PULLS, { owner: "o", repo: "r", state: "open" }, produce));
    const again = {
      state: "open",
      repo: "r",
      request: { squad: { session: "s" } },
      headers: { "user-agent": "other" },
      owner: "o",
    };
    expect(await clock.settle(guard(PULLS, again, produce))).toMatchObject({ how: "unchanged" });
    await clock.settle(guard(PULLS, { ...again, state: "closed" }, produce));
    expect(produce).toHaveBeenCalledTimes(2);
  });

  it("keeps two lists apart that are both empty, also under one key", async () => {
    const { clock, github, guarding } = guardBench();
    const { guard } = guarding();
    github.route("/repos/o/a/pulls", { json: [] });
    github.route("/repos/o/b/pulls", { json: [] });
    const ask = (repo: string) => clock.settle(guard(PULLS, { owner: "o", repo }, () => repo, { key: "pulls" }));
    expect(await ask("a")).toMatchObject({ value: "a", how: "produced" });
    expect(await ask("b")).toMatchObject({ value: "b", how: "produced" });
  });

  it("sees with its key a value through a change of its reads", async () => {
    const { clock, github, guarding } = guardBench();
    const { guard } = guarding();
    github.route("/repos/o/r/commits/1", { json: { sha: "1" } });
    github.route("/repos/o/r/commits/2", { status: 500 });
    const ask = (ref: string) =>
      clock.settle(
        guard("GET /repos/{owner}/{repo}/commits/{ref}", { ...REPOSITORY, ref }, () => ref, { key: "head of o/r" }),
      );
    await ask("1");
    expect(await ask("2")).toMatchObject({ value: "1", how: "stale", cause: { status: 500 } });
  });

  it("lets one read guard two values, each with its key, and refuses to guess which is which without", async () => {
    const { clock, setPulls, guarding } = guardBench();
    setPulls("one");
    const { pulls } = guarding();
    expect(await clock.settle(pulls(() => "a", { key: "a" }))).toMatchObject({ value: "a" });
    expect(await clock.settle(pulls(() => "b", { key: "b" }))).toMatchObject({ value: "b" });
    expect(await clock.settle(pulls(() => "c"))).toMatchObject({ value: "c" });
    await expect(clock.settle(pulls(() => "d"))).rejects.toMatchObject({
      code: "SQUAD_RATE_OPTIONS",
      message: `${PULLS}: two guards with the same reads have different produce functions, and would take each other's value for their own.`,
      remedy: "Give each of them a guard.key of its own.",
    });
    expect(await clock.settle(pulls(() => "c"))).toMatchObject({ value: "c", how: "unchanged" });
  });

  it("keeps principals apart, however alike what they see", async () => {
    const { clock, setPulls, guarding, beside } = guardBench();
    setPulls("one");
    const mine = guarding({ token: "ghp_mine" });
    const theirs = beside(mine.squad, "ghp_theirs");
    let made = 0;
    const produce = () => ++made;
    expect(await clock.settle(mine.pulls(produce))).toMatchObject({ value: 1, how: "produced" });
    expect(await clock.settle(theirs.pulls(produce))).toMatchObject({ value: 2, how: "produced" });
    expect(await clock.settle(mine.pulls(produce))).toMatchObject({ value: 1, how: "unchanged" });
  });

  it("serves the next Octokit of the same squad and token", async () => {
    const { clock, setPulls, guarding, beside } = guardBench();
    setPulls("one");
    const first = guarding();
    const produce = () => 1;
    await clock.settle(first.pulls(produce));
    expect(await clock.settle(beside(first.squad, "ghp_shared").pulls(produce))).toMatchObject({ how: "unchanged" });
  });

  it("keeps the values of callers without a token apart by Octokit", async () => {
    const { clock, setPulls, guarding, beside } = guardBench();
    setPulls("one");
    const { squad } = guarding();
    const [first, second] = [beside(squad), beside(squad)];
    const produce = vi.fn(() => 1);
    await clock.settle(first.pulls(produce));
    expect(await clock.settle(second.pulls(produce))).toMatchObject({ how: "produced" });
    expect(await clock.settle(first.pulls(produce))).toMatchObject({ how: "unchanged" });
  });

  it("works without a cache, at a unit a read", async () => {
    const { clock, github, setPulls, guarding } = guardBench();
    setPulls("one");
    const { pulls } = guarding({ cache: false });
    const produce = () => 1;
    await clock.settle(pulls(produce));
    expect(await clock.settle(pulls(produce))).toMatchObject({ how: "unchanged" });
    expect(github.statuses()).toEqual([200, 200]);
  });

  it("only produces where the squad is off", async () => {
    const { clock, github, guarding } = guardBench();
    const { pulls } = guarding({ enabled: false });
    expect(await clock.settle(pulls(() => ({ at: new Date(0) })))).toEqual({
      value: { at: "1970-01-01T00:00:00.000Z" },
      how: "produced",
      ageMs: 0,
    });
    expect(github.requests).toEqual([]);
  });

  it("does what a caller asks of its reads, and books them to its agent", async () => {
    const { clock, setPulls, guarding } = guardBench();
    const calls = recordEvents("squad-rate:call");
    setPulls("one");
    const { guard } = guarding();
    const request = { squad: { agent: "data", priority: 0, session: "ta-51", operation: "guard of pulls" } };
    await clock.settle(guard(PULLS, { ...REPOSITORY, request }, () => 1));
    expect(calls).toMatchObject([{ agent: "data", priority: 0, session: "ta-51", operation: "guard of pulls" }]);
  });

  it("tells on its channel what came of it, without an identifier", async () => {
    const { clock, github, setPulls, guarding } = guardBench();
    const heard = recordEvents("squad-rate:guard");
    setPulls("secret title");
    const { pulls } = guarding();
    const produce = () => sleep(clock, 2_000).then(() => 1);
    await clock.settle(pulls(produce));
    await clock.advance(1_000);
    await clock.settle(pulls(produce));
    github.route(PULLS_PATH, { status: 500 });
    await clock.settle(pulls(produce));
    await clock.settle(guarding().pulls(produce)).catch(() => undefined);
    const key = expect.stringMatching(/^[0-9a-f]{32}$/);
    const all = { agent: "ralph", key, routes: [PULLS], reads: 1, failed: 0 };
    expect(heard).toEqual([
      { ...all, revalidated: 0, how: "produced", ageMs: 0, durationMs: 2_000 },
      { ...all, revalidated: 1, how: "unchanged", ageMs: 1_000, durationMs: 0 },
      { ...all, revalidated: 0, failed: 1, how: "stale", ageMs: 1_000, durationMs: 0 },
      { ...all, revalidated: 0, failed: 1, how: "failed", ageMs: undefined, durationMs: 0 },
    ]);
    expect(JSON.stringify(heard)).not.toMatch(/secret|ghp_/);
  });
});
