import { paginateRest } from "@octokit/plugin-paginate-rest";
import { describe, expect, it } from "vitest";
import { createSquad } from "../../../src/squad.js";
import { outcomeOf } from "../../harness/cache-outcome.js";
import { SquadOctokit, setUpBench } from "../../harness/octokit-in-squad.js";

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

describe("the body that a caller gets", () => {
  it("is its own: what one caller does to it no other sees", async () => {
    const { octokit, github } = setUpBench({ cache: { freshForMs: 1_000 } });
    github.route("/user", { json: { plan: { name: "pro" } } });
    const alice = octokit("alice");
    const together = await Promise.all([alice.request("GET /user"), alice.request("GET /user")]);
    together.push(await alice.request("GET /user"));
    expect(together.map(outcomeOf)).toEqual(["miss", "shared", "fresh"]);
    for (const { data, headers } of together) {
      expect(data).toEqual({ plan: { name: "pro" } });
      Object.assign(data, { plan: undefined });
      Object.assign(headers, { etag: "changed" });
    }
    expect((await alice.request("GET /user")).data).toEqual({ plan: { name: "pro" } });
  });

  it("keeps integers that only a BigInt can hold", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { body: '{"id":12345678901234567890,"score":1.0}' });
    const alice = octokit("alice");
    const [first, second] = [await alice.request("GET /user"), await alice.request("GET /user")];
    expect((second.data as { id: unknown }).id).toBe(12345678901234567890n);
    expect(second.data).toEqual(first.data);
  });

  it("is text where GitHub sends text", async () => {
    const { octokit, github } = setUpBench();
    github.route("/zen", {
      body: "Keep it logically awesome.",
      headers: { "content-type": "text/plain;charset=utf-8" },
    });
    const alice = octokit("alice");
    const [first, second] = [await alice.request("GET /zen"), await alice.request("GET /zen")];
    expect([outcomeOf(second), second.data]).toEqual(["revalidated", "Keep it logically awesome."]);
    expect(second.data).toBe(first.data);
  });

  it("loses its byte order mark as text and keeps it as bytes, as with any fetch", async () => {
    const { github, squad } = setUpBench();
    github.route("/user", { body: utf8('\uFEFF{"a":1}') });
    const fetchUser = () => squad.fetch("https://api.github.com/user");
    await fetchUser();
    const [text, bytes] = [await fetchUser(), await fetchUser()];
    expect(text.headers.get("x-squad-rate")).toBe("revalidated");
    expect(await text.text()).toBe('{"a":1}');
    expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(utf8('\uFEFF{"a":1}'));
  });

  it("with a byte order mark is parsed by Octokit each time", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { body: utf8('\uFEFF{"a":1}') });
    const alice = octokit("alice");
    expect((await alice.request("GET /user")).data).toEqual({ a: 1 });
    expect((await alice.request("GET /user")).data).toEqual({ a: 1 });
  });

  it("is binary where GitHub sends binary, and is not kept", async () => {
    const { octokit, github } = setUpBench();
    const bytes = Uint8Array.of(0, 255, 128, 10);
    github.route("/blob", { body: bytes, headers: { "content-type": "application/octet-stream" } });
    const alice = octokit("alice");
    await alice.request("GET /blob");
    const second = await alice.request("GET /blob");
    expect(new Uint8Array(second.data as ArrayBuffer)).toEqual(bytes);
    expect(outcomeOf(second)).toBeUndefined();
  });

  it("that is not UTF-8 although it says so comes through byte by byte", async () => {
    const { squad, github } = setUpBench();
    const bytes = Uint8Array.of(0x7b, 0xff, 0x7d);
    github.route("/file", { body: bytes, headers: { "content-type": "application/vnd.github.raw; charset=utf-8" } });
    for (let round = 0; round < 2; round++) {
      const response = await squad.fetch("https://api.github.com/file");
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
      expect(response.headers.get("x-squad-rate")).toBeNull();
    }
  });

  it("beyond maxEntryBytes streams through whole, its first chunks included, and is not kept", async () => {
    const { squad, github } = setUpBench({ cache: { maxEntryBytes: 10 } });
    const chunks = ["[1,2,3,", "4,5,6,", "7,8,9]"];
    const stream = (): ReadableStream<Uint8Array> => {
      const left = chunks.map(utf8);
      return new ReadableStream({
        pull(controller) {
          const chunk = left.shift();
          if (chunk === undefined) controller.close();
          else controller.enqueue(chunk);
        },
      });
    };
    github.route("/big", () => ({ body: stream(), etag: '"big"' }));
    for (let round = 0; round < 2; round++) {
      const response = await squad.fetch("https://api.github.com/big");
      expect([response.url, await response.text()]).toEqual(["https://api.github.com/big", chunks.join("")]);
    }
    expect(github.requests[1]?.headers.has("if-none-match")).toBe(false);
    expect(squad.status().cache?.entries).toBe(0);
  });

  it("that outgrows maxEntryBytes ends what was kept before", async () => {
    const { octokit, github } = setUpBench({ cache: { maxEntryBytes: 20, maxStaleMs: 60_000 } });
    github.route("/user", { json: "small" });
    const alice = octokit("alice");
    await alice.request("GET /user");
    github.route("/user", { json: "x".repeat(40) });
    expect((await alice.request("GET /user")).data).toBe("x".repeat(40));
    github.once({ status: 500, json: {} });
    await expect(alice.request("GET /user")).rejects.toMatchObject({ status: 500 });
  });

  it("is a stream when Octokit is told not to parse it", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { json: { a: "é" } });
    const alice = octokit("alice");
    for (let round = 0; round < 2; round++) {
      const { data } = await alice.request("GET /user", { request: { parseSuccessResponseBody: false } });
      expect(await new Response(data as unknown as ReadableStream).text()).toBe('{"a":"é"}');
    }
    expect(github.statuses()).toEqual([200, 304]);
  });

  it("is nothing for a 204, whose status stays", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user/starred/o/r", { status: 204, body: null });
    const alice = octokit("alice");
    await alice.request("GET /user/starred/o/r");
    expect(await alice.request("GET /user/starred/o/r")).toMatchObject({ status: 204, data: "" });
  });

  it("is nothing for a HEAD, which the cache leaves alone", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    await alice.request("GET /user");
    const head = await alice.request("HEAD /user");
    expect([head.status, head.data, outcomeOf(head)]).toEqual([200, "", undefined]);
    expect(github.requests[1]?.headers.has("if-none-match")).toBe(false);
  });
});

describe("the address of an answer", () => {
  it("lets paginate walk kept pages", async () => {
    const { github, squad } = setUpBench();
    const list = "https://api.github.com/repos/o/r/issues";
    const page = (number: number) => ({ json: [{ id: number }] });
    const next = `<${list}?per_page=1&page=2>; rel="next", <${list}?per_page=1&page=2>; rel="last"`;
    github.route("/repos/o/r/issues?per_page=1", { ...page(1), headers: { link: next } });
    github.route("/repos/o/r/issues?per_page=1&page=2", {
      ...page(2),
      headers: { link: `<${list}?per_page=1&page=1>; rel="prev", <${list}?per_page=1&page=1>; rel="first"` },
    });
    const alice = new (SquadOctokit.plugin(paginateRest))({ auth: "alice", squad, request: { fetch: github.fetch } });
    for (let round = 0; round < 2; round++) {
      const all = await alice.paginate("GET /repos/{owner}/{repo}/issues", { owner: "o", repo: "r", per_page: 1 });
      expect(all).toEqual([{ id: 1 }, { id: 2 }]);
    }
    expect(github.statuses()).toEqual([200, 200, 304, 200]);
  });

  it("is the one where redirects on the same origin ended, and the answer is kept", async () => {
    const { octokit, github } = setUpBench();
    github.route("/repos/o/old", { json: { id: 1 }, redirectedTo: "https://api.github.com/repositories/1" });
    const alice = octokit("alice");
    await alice.request("GET /repos/o/old");
    const second = await alice.request("GET /repos/o/old");
    expect([outcomeOf(second), second.url]).toEqual(["revalidated", "https://api.github.com/repositories/1"]);
  });

  it("on another origin is passed on, and the answer is not kept", async () => {
    const { octokit, github } = setUpBench();
    github.route("/repos/o/r/zipball", { json: { id: 1 }, redirectedTo: "https://codeload.example/o/r" });
    const alice = octokit("alice");
    await alice.request("GET /repos/o/r/zipball");
    const second = await alice.request("GET /repos/o/r/zipball");
    expect([outcomeOf(second), second.url]).toEqual([undefined, "https://codeload.example/o/r"]);
    expect(github.statuses()).toEqual([200, 200]);
  });
});

describe("the headers of an answer", () => {
  it("are the live ones of a 304 over the kept ones", async () => {
    const { octokit, github, clock } = setUpBench();
    github.route("/user", { json: {}, headers: { "last-modified": "Mon, 01 Jan 2029 00:00:00 GMT", "x-a": "1" } });
    const alice = octokit("alice");
    const first = await alice.request("GET /user");
    github.route("/user", { json: {}, headers: { "x-b": "2" } });
    await clock.advance(60_000);
    const { headers } = await alice.request("GET /user");
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["last-modified"]).toBe("Mon, 01 Jan 2029 00:00:00 GMT");
    expect(headers.date).not.toBe(first.headers.date);
    expect(headers["x-ratelimit-remaining"]).toBe("4999");
    expect([headers["x-a"], headers["x-b"]]).toEqual([undefined, "2"]);
  });

  it("that describe the empty body of a 304 are not passed on", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { json: { a: 1 } });
    const alice = octokit("alice");
    await alice.request("GET /user");
    github.once({
      status: 304,
      body: null,
      etag: "none",
      headers: { "content-type": "text/html", "content-length": "0", "content-encoding": "gzip" },
    });
    const { headers, data } = await alice.request("GET /user");
    expect([headers["content-type"], headers["content-length"], headers["content-encoding"], data]).toEqual([
      "application/json; charset=utf-8",
      undefined,
      undefined,
      { a: 1 },
    ]);
  });

  it("of a real fetch answer cannot be told from an uncached one's", async () => {
    const { github, clock } = setUpBench();
    github.route("/user", { json: {} });
    const squad = createSquad({ clock, fetch: github.fetch });
    await squad.fetch("https://api.github.com/user");
    const response = await squad.fetch("https://api.github.com/user");
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.ok, response.statusText, response.url, response.redirected]).toEqual([
      200,
      true,
      "OK",
      "https://api.github.com/user",
      false,
    ]);
    expect(await response.clone().json()).toEqual({});
  });
});
