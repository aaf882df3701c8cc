import Keyv from "keyv";
import { describe, expect, it } from "vitest";
import type { KeyvLike } from "../../src/options.js";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { createSquad } from "../../src/squad.js";
import { outcomeOf } from "../harness/cache-outcome.js";
import { createMemoryStore } from "../harness/memory-store.js";
import { AS_IT_COMES, SquadOctokit, setUpBench } from "../harness/octokit-in-squad.js";
import { recordEvents } from "../harness/record-events.js";
import { createStubGithub } from "../harness/stub-github.js";

const api = "https://api.github.com";
const json = "application/json; charset=utf-8";
const list = `${api}/repos/o/r/issues`;

/** A GitHub and a store that one squad after another comes to, as processes do. */
function setUpProcesses() {
  const clock = createVirtualClock();
  const github = createStubGithub({ clock });
  const store = createMemoryStore();
  const start = (token = "alice") => {
    const squad = createSquad({ agent: "ralph", clock, store, pool: false, ...AS_IT_COMES });
    const octokit = new SquadOctokit({ auth: token, squad, request: { fetch: github.fetch } });
    return { squad, octokit };
  };
  /** Fills the store with one honest entry, and returns its name there. */
  const fill = async (route: string): Promise<string> => {
    const { squad, octokit } = start();
    await octokit.request(route);
    await squad.close();
    return [...store.values.keys()][0] as string;
  };
  return { clock, github, store, start, fill };
}

describe("the store", () => {
  it("holds a version, a body and a few headers: no tag, no address, no credential", async () => {
    const { github, store, fill } = setUpProcesses();
    github.route("/repos/o/secret-name", {
      json: { id: 1 },
      headers: { "x-oauth-scopes": "repo", "set-cookie": "a=b" },
    });
    const name = await fill("GET /repos/o/secret-name");
    expect(Object.keys(store.values.get(name) as object).sort()).toEqual(["body", "headers", "v"]);
    expect(store.values.get(name)).toMatchObject({ v: 1, body: '{"id":1}' });
    expect(Object.keys((store.values.get(name) as { headers: object }).headers).sort()).toEqual([
      "cache-control",
      "content-type",
      "vary",
    ]);
    expect(JSON.stringify([...store.values])).not.toMatch(/alice|secret-name|etag/);
    expect(store.ttls.get(name)).toBe(7 * 24 * 3_600_000);
  });

  it("lets the next process, and another credential, begin with a free 304", async () => {
    const { github, start, fill } = setUpProcesses();
    github.route("/repos/o/r", { json: { id: 1 } });
    await fill("GET /repos/o/r");
    const answer = await start("bob").octokit.request("GET /repos/o/r");
    expect([outcomeOf(answer), answer.data]).toEqual(["revalidated", { id: 1 }]);
    expect(github.quota("token bob").used).toBe(0);
  });

  it("serves nothing by itself, however fresh: GitHub's word comes first", async () => {
    const { github, clock, store, fill } = setUpProcesses();
    github.route("/repos/o/r", { json: { id: 1 } });
    await fill("GET /repos/o/r");
    const cache = { freshForMs: 60_000, maxStaleMs: 60_000 };
    const squad = createSquad({ clock, store, pool: false, cache, ...AS_IT_COMES });
    const bob = new SquadOctokit({ auth: "bob", squad, request: { fetch: github.fetch } });
    github.once({ status: 500, json: {} });
    await expect(bob.request("GET /repos/o/r")).rejects.toMatchObject({ status: 500 });
    github.once({ status: 404, json: {} });
    await expect(bob.request("GET /repos/o/r")).rejects.toMatchObject({ status: 404 });
  });

  it("is a Keyv", async () => {
    const store = new Keyv();
    const { octokit, github, squad, clock } = setUpBench({ store });
    github.route("/repos/o/r", { json: { id: 1 } });
    await octokit("alice").request("GET /repos/o/r");
    await squad.close();
    const next = new SquadOctokit({ auth: "bob", squad: { clock, store }, request: { fetch: github.fetch } });
    expect(outcomeOf(await next.request("GET /repos/o/r"))).toBe("revalidated");
  });

  it("is left alone with cache: { store: false }", async () => {
    const store = createMemoryStore();
    const { octokit, github, squad } = setUpBench({ store, cache: { store: false } });
    github.route("/repos/o/r", { json: { id: 1 } });
    await octokit("alice").request("GET /repos/o/r");
    await squad.close();
    expect(store.values.size).toBe(0);
  });

  it("does not get what was asked for in another form than plain JSON", async () => {
    const store = createMemoryStore();
    const { octokit, github, squad } = setUpBench({ store });
    github.route("/repos/o/r/readme", {
      json: "raw",
      headers: { "content-type": "application/vnd.github.raw; charset=utf-8" },
    });
    await octokit("alice").request("GET /repos/o/r/readme", { headers: { accept: "application/vnd.github.raw" } });
    await squad.close();
    expect(store.values.size).toBe(0);
  });
});

describe("an entry that somebody else has written", () => {
  it("with another body earns a 200 with GitHub's own, and is replaced", async () => {
    const { github, store, start, fill } = setUpProcesses();
    github.route("/repos/o/r", { json: { admin: false } });
    const name = await fill("GET /repos/o/r");
    store.values.set(name, { ...(store.values.get(name) as object), body: '{"admin":true}' });
    const { octokit, squad } = start("bob");
    const answer = await octokit.request("GET /repos/o/r");
    expect(answer.data).toEqual({ admin: false });
    await squad.close();
    expect(store.values.get(name)).toMatchObject({ body: '{"admin":false}' });
  });

  const honest = { "content-type": json };
  it.each([
    ["garbage", "\u0000garbage"],
    ["a number", 42],
    ["a later codec", { v: 2, body: "[]", headers: honest }],
    ["a huge body", { v: 1, body: `["${"x".repeat(3_000_000)}"]`, headers: honest }],
    ["a body that is no text", { v: 1, body: [], headers: honest }],
    ["a content type that is not JSON", { v: 1, body: "[]", headers: { "content-type": "text/html" } }],
    ["a header that is not kept", { v: 1, body: "[]", headers: { ...honest, "set-cookie": "a=b" } }],
    ["a broken header", { v: 1, body: "[]", headers: { ...honest, vary: "a\nb" } }],
    [
      "a link to another host",
      {
        v: 1,
        body: "[]",
        headers: { ...honest, link: `<https://evil.example/?page=2>; rel="next", <${list}?page=2>; rel="last"` },
      },
    ],
    [
      "a link to another list",
      {
        v: 1,
        body: "[]",
        headers: { ...honest, link: `<${api}/user/repos?page=2>; rel="next", <${list}?page=2>; rel="last"` },
      },
    ],
  ])("as %s is as good as none, and is told of", async (_what, forged) => {
    const { github, store, start, fill } = setUpProcesses();
    github.route("/repos/o/r/issues", { json: [] });
    store.values.set(await fill("GET /repos/o/r/issues"), forged);
    const faults = recordEvents("squad-rate:fault");
    const answer = await start("bob").octokit.request("GET /repos/o/r/issues");
    expect([outcomeOf(answer), answer.data, answer.headers.link]).toEqual(["miss", [], undefined]);
    expect(github.requests.at(-1)?.headers.has("if-none-match")).toBe(false);
    expect(faults).toMatchObject([{ what: expect.stringContaining("not usable") }]);
  });

  it("that hides or invents a next page is not believed", async () => {
    const next = `<${list}?page=2>; rel="next", <${list}?page=9>; rel="last"`;
    for (const [count, link] of [
      [30, undefined],
      [29, next],
    ] as const) {
      const { github, store, start, fill } = setUpProcesses();
      const items = Array.from({ length: count }, (_, id) => id);
      github.route("/repos/o/r/issues", { json: items, headers: count === 30 ? { link: next } : {} });
      const name = await fill("GET /repos/o/r/issues");
      const headers = link === undefined ? honest : { ...honest, link };
      store.values.set(name, { v: 1, body: JSON.stringify(items), headers });
      const answer = await start("bob").octokit.request("GET /repos/o/r/issues");
      expect([outcomeOf(answer), answer.headers.link]).toEqual(["miss", count === 30 ? next : undefined]);
    }
  });
});

describe("a store that fails", () => {
  const failing = (fail: () => Promise<never>): KeyvLike => ({ get: fail, set: fail, delete: fail });

  it.each([
    [
      "throws",
      () => {
        throw new Error("ECONNREFUSED redis://user:hunter2@host");
      },
    ],
    ["rejects", () => Promise.reject(new Error("ECONNREFUSED redis://user:hunter2@host"))],
    ["rejects with nothing", () => Promise.reject(undefined)],
  ])("and %s does not fail the call; the fault is told without its password", async (_what, fail) => {
    const faults = recordEvents("squad-rate:fault");
    const { octokit, github, clock } = setUpBench({ store: failing(fail) });
    github.route("/user", { json: {} });
    expect(outcomeOf(await octokit("alice").request("GET /user"))).toBe("miss");
    expect(faults).toHaveLength(1);
    expect(JSON.stringify(faults)).not.toContain("hunter2");
    expect(clock.pendingTimers).toBe(0);
  });

  it("and hangs holds a call up for storeTimeoutMs and no longer", async () => {
    const store = failing(() => new Promise<never>(() => undefined));
    const { octokit, github, clock } = setUpBench({ store, storeTimeoutMs: 100 });
    github.route("/user", { json: {} });
    const call = octokit("alice").request("GET /user");
    await clock.advance(99);
    expect(github.requests).toHaveLength(0);
    await clock.advance(1);
    expect(outcomeOf(await call)).toBe("miss");
    expect(clock.pendingTimers).toBe(0);
  });

  it("is left alone for five seconds, then asked again", async () => {
    let reads = 0;
    const store: KeyvLike = { ...createMemoryStore(), get: () => Promise.reject(new Error(`read ${++reads}`)) };
    const { octokit, github, clock } = setUpBench({ store });
    const alice = octokit("alice");
    const ask = async (path: string) => {
      github.route(path, { json: {} });
      await alice.request(`GET ${path}`);
    };
    await ask("/a");
    await clock.advance(4_999);
    await ask("/b");
    expect(reads).toBe(1);
    await clock.advance(1);
    await ask("/c");
    expect(reads).toBe(2);
  });

  it("to write delays nobody, and close() waits for it no longer than storeTimeoutMs", async () => {
    const faults = recordEvents("squad-rate:fault");
    const store: KeyvLike = { ...createMemoryStore(), set: () => new Promise<never>(() => undefined) };
    const { octokit, github, clock, squad } = setUpBench({ store });
    github.route("/user", { json: {} });
    await octokit("alice").request("GET /user");
    expect(faults).toEqual([]);
    const closing = squad.close();
    await clock.advance(250);
    await closing;
    expect(faults).toMatchObject([{ what: expect.stringContaining("write") }]);
  });
});
