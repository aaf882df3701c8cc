import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { anUpstream, aProxy, aRawUpstream, ask, rawConnection } from "./desk.js";

/** Answers with its path, and later where that says so. */
async function setUp() {
  const { url } = await anUpstream((incoming, response) => {
    incoming
      .resume()
      .on("end", () => setTimeout(() => response.end(incoming.url), incoming.url === "/later" ? 100 : 0));
  });
  const proxy = await aProxy({ upstream: url, squad: { retry: false } });
  const { secret } = await proxy.admit({});
  const head = (method: string, path: string) => `${method} /${secret}${path} HTTP/1.1\r\nHost: x\r\n`;
  return { proxy, head, connection: () => rawConnection({ port: proxy.port }) };
}

const CONNECT = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n";

describe("a client that asks for a tunnel", () => {
  it("and resets its connection ends nothing but that", async () => {
    const { connection, head } = await setUp();
    const resets = Array.from({ length: 20 }, async () => {
      const raw = await connection();
      raw.write(CONNECT);
      raw.socket.resetAndDestroy();
      await raw.closed;
    });
    // An error that nobody hears would fail this run.
    await Promise.all(resets);
    const raw = await connection();
    raw.write(`${head("GET", "/a")}Connection: close\r\n\r\n`);
    expect(await raw.closed).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("is not told so in place of an answer that it waits for", async () => {
    const { connection, head } = await setUp();
    const raw = await connection();
    raw.write(`${head("GET", "/later")}\r\n${CONNECT}`);
    expect(await raw.closed).toBe("");
  });
});

describe("a client that asks for much before it is answered", () => {
  it("is cut off where it asks for more than 32 at once, and not below", async () => {
    const { connection, head } = await setUp();
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => `${head("GET", `/${index}`)}\r\n`).join("");
    const [fair, greedy] = [await connection(), await connection()];
    fair.write(many(32));
    expect((await fair.until("/31")).match(/HTTP\/1\.1 200 /g)).toHaveLength(32);
    greedy.write(many(33));
    expect(await greedy.closed).toBe("");
  });
});

describe("a client that sends very many headers", () => {
  it("has none of them left out", async () => {
    const { url, server } = await anUpstream(({ headers }, response) => response.end(headers.authorization ?? "none"));
    server.maxHeadersCount = 0;
    const proxy = await aProxy({ upstream: url });
    const { secret } = await proxy.admit({ token: "ghp_kept" });
    const raw = await rawConnection({ port: proxy.port });
    raw.write(`GET /${secret}/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${"a:\r\n".repeat(2_500)}`);
    raw.write("Authorization: token ghp_own\r\n\r\n");
    expect(await raw.closed).toMatch(/token ghp_own$/);
  });
});

describe("a client that takes a header for its connection's own", () => {
  it("has nobody given an answer of another kind", async () => {
    const { url } = await anUpstream(({ headers }, response) => {
      const kind = headers.accept ?? "none";
      response.setHeader("content-type", "application/json").setHeader("etag", `"${kind}"`).end(JSON.stringify(kind));
    });
    const proxy = await aProxy({ upstream: url, squad: { cache: { freshForMs: 60_000 } } });
    const { apiUrl } = await proxy.admit({});
    const get = async (headers: object) => (await ask(`${apiUrl}/a`, { headers: { accept: "x/y", ...headers } })).text;
    expect(await get({ connection: "close, accept" })).toBe('"none"');
    expect(await get({})).toBe('"x/y"');
  });
});

describe("a client that waits to be asked for its body, behind another request of its own", () => {
  it("is asked when it is its turn", async () => {
    const { connection, head } = await setUp();
    const raw = await connection();
    raw.write(`${head("GET", "/later")}\r\n${head("POST", "/b")}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`);
    const before = await raw.until("HTTP/1.1 100 Continue\r\n\r\n");
    expect(before).toMatch(/\/later.*HTTP\/1\.1 100 Continue\r\n\r\n$/s);
    raw.write("abc");
    expect((await raw.until("/b")).slice(before.length)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("and has sent it unasked, gets its answer whole", async () => {
    const { connection, head } = await setUp();
    const raw = await connection();
    raw.write(`${head("GET", "/later")}\r\n${head("POST", "/b")}Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc`);
    expect((await raw.until("/b")).split("/later")[1]).toMatch(/^HTTP\/1\.1 200 (?:(?!HTTP\/1\.1).)*\/b$/s);
  });
});

describe.each([
  ["words", "200 O\x7fK"],
  ["number", "099 Odd"],
])("an answer whose status is none by its %s", (_what, status) => {
  it("is told of as a bad gateway, and keeps no connection", async () => {
    const { url, connections } = await aRawUpstream((socket) =>
      socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 2\r\n\r\nok`),
    );
    const proxy = await aProxy({ upstream: url, squad: { retry: false } });
    const { secret } = await proxy.admit({});
    const raw = await rawConnection({ port: proxy.port });
    raw.write(`GET /${secret}/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await raw.closed).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    while (connections.size > 0) await wait(5);
  });
});
