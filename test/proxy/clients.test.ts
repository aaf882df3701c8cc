import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProxyClientOptions, ProxyOptions } from "../../src/proxy/index.js";
import { INJECTED_TOKEN } from "../../src/proxy/index.js";
import { createVirtualClock } from "../../src/sim/index.js";
import type { TraceRecord } from "../../src/trace/record.js";
import { aGitHub, anUpstream, aProxy, ask, ownFolder, rawConnection } from "./desk.js";

/** A proxy before a server that notes the tokens that it sees, by host. */
async function setUp(client: ProxyClientOptions = {}, options: ProxyOptions = {}) {
  const tokens: (string | undefined)[] = [];
  const upstream = await anUpstream((incoming, response) => {
    tokens.push(incoming.headers.authorization);
    response.end("{}");
  });
  const proxy = await aProxy({ upstream: upstream.url, ...options });
  const socketPath = join(await ownFolder(), "client.sock");
  const admitted = await proxy.admit({ socketPath, ...client });
  const get = (host: string, headers = {}) => ask({ socketPath, path: "/a" }, { headers: { host, ...headers } });
  return { tokens, proxy, client: admitted, get, upstream };
}

describe("a client's token", () => {
  it("goes upstream as it is, whatever token is kept for it", async () => {
    const { tokens, get } = await setUp({ token: "ghp_kept" });
    await get("api.github.com", { authorization: "Bearer ghp_own" });
    await get("api.github.com", { authorization: "Basic eDp5" });
    expect(tokens).toEqual(["Bearer ghp_own", "Basic eDp5"]);
  });

  it.each([
    ["none", {}],
    ["a placeholder", { authorization: `token ${INJECTED_TOKEN}` }],
    ["a placeholder of the other scheme", { authorization: `Bearer ${INJECTED_TOKEN}` }],
  ])("that is %s is the one that is kept for it, on every host of GitHub's", async (_what, headers) => {
    const { tokens, get } = await setUp({ token: "ghp_kept" });
    const hosts = [
      "api.github.com",
      "uploads.github.com",
      "codeload.github.com",
      "raw.githubusercontent.com",
      "github.com",
    ];
    for (const host of hosts) expect((await get(host, headers)).status).toBe(200);
    expect(tokens).toEqual(hosts.map(() => "token ghp_kept"));
  });

  it.each([{}, { authorization: `token ${INJECTED_TOKEN}` }])(
    "is not made up for signed addresses: %o",
    async (headers) => {
      const { tokens, get } = await setUp({ token: "ghp_kept" });
      for (const host of ["objects.githubusercontent.com", "productionresultssa0.blob.core.windows.net"])
        await get(host, headers);
      expect(tokens).toEqual([undefined, undefined]);
    },
  );

  it("is not made up for further hosts", async () => {
    const further = await anUpstream((incoming, response) => response.end(incoming.headers.authorization ?? "none"));
    const host = new URL(further.url).host;
    const { get } = await setUp({ token: "ghp_kept" }, { alsoHosts: [host] });
    expect((await get(host)).text).toBe("none");
    expect((await get(host, { authorization: "token own" })).text).toBe("token own");
  });

  it("is not sent where it is a placeholder for nothing", async () => {
    const { tokens, get } = await setUp();
    const answer = await get("api.github.com", { authorization: `token ${INJECTED_TOKEN}` });
    expect([answer.status, JSON.parse(answer.text).message]).toEqual([401, expect.stringContaining("--inject-token")]);
    expect((await get("api.github.com")).status).toBe(200);
    expect(tokens).toEqual([undefined]);
  });

  it("tells whose answer it is: nobody is given another's", async () => {
    const { github, upstream, folder } = await aGitHub();
    github.world.addUser({ login: "hubot", name: "Hubot" });
    github.world.addToken("ghp_hubot", "hubot");
    const proxy = await aProxy({ upstream });
    const clients = await Promise.all(
      ["mona", "hubot"].map((name) =>
        proxy.admit({ agent: name, token: `ghp_${name}`, socketPath: join(folder, `${name}.sock`) }),
      ),
    );
    for (let time = 0; time < 2; time++) {
      const logins = await Promise.all(
        clients.map(async ({ apiUrl }) => JSON.parse((await ask(`${apiUrl}/user`)).text).login),
      );
      expect(logins).toEqual(["mona", "hubot"]);
    }
  });
});

describe("a client's calls", () => {
  it("are booked to it, by whichever way they come", async () => {
    const records: TraceRecord[] = [];
    const { upstream, folder } = await aGitHub();
    const proxy = await aProxy({ upstream, squad: { agent: "squad", trace: (record) => void records.push(record) } });
    const socketPath = join(folder, "data.sock");
    const data = await proxy.admit({ agent: "data", priority: "P0", session: "ta-51", token: "ghp_mona", socketPath });
    const ralph = await proxy.admit({ agent: "ralph", token: "ghp_mona" });
    await ask({ socketPath, path: "/user" }, { headers: { host: "api.github.com" } });
    await ask(`${data.apiUrl}/user`);
    const query = JSON.stringify({ query: "query Who { viewer { login } }" });
    await ask(ralph.graphqlUrl, { method: "POST", body: query });
    const calls = records.filter(({ kind }) => kind === "call");
    expect(calls).toMatchObject([
      { agent: "data", session: "ta-51", priority: 0, host: "api.github.com" },
      { agent: "data", session: "ta-51", priority: 0 },
      { agent: "ralph", priority: 1, operation: "Who" },
    ]);
    const [attempt] = records.filter((record) => record.kind === "attempt" && record.agent === "ralph");
    expect(attempt).toMatchObject({ graphql: { operation: "Who", cost: 1 } });
    expect(JSON.stringify(records)).not.toMatch(new RegExp(`${data.secret}|${ralph.secret}|ghp_`));
  });

  it("that are addressed by a base URL give its secret away to nobody", async () => {
    const bodies: string[] = [];
    const paths: (string | undefined)[] = [];
    const referers: (string | undefined)[] = [];
    const upstream = await anUpstream(async (incoming, response) => {
      let text = "";
      for await (const chunk of incoming) text += chunk;
      bodies.push(text);
      paths.push(incoming.url);
      referers.push(incoming.headers.referer);
      response.end("{}");
    });
    // Otherwise the squad spaces writes.
    const proxy = await aProxy({ upstream: upstream.url, squad: { pacing: false } });
    const { apiUrl, rootedApiUrl, secret } = await proxy.admit({});
    for (const root of [apiUrl, rootedApiUrl]) {
      const query = `?of=${encodeURIComponent(`${root}/user`)}`;
      const body = JSON.stringify({ body: `see ${root}/user` });
      await ask(`${root}/repos/o/r/issues${query}`, { method: "POST", body, headers: { referer: `${root}/user` } });
    }
    await ask(`${apiUrl}/user`, { headers: { referer: "https://example.com/" } });
    expect(referers).toEqual([undefined, undefined, "https://example.com/"]);
    expect(paths.slice(0, 2)).toEqual(Array(2).fill("/repos/o/r/issues?of=https%3A%2F%2Fapi.github.com%2Fuser"));
    expect(bodies.slice(0, 2)).toEqual(Array(2).fill('{"body":"see https://api.github.com/user"}'));
    expect(bodies.join()).not.toContain(secret);
  });

  it("run beside each other on one kept connection", async () => {
    const { client, proxy } = await setUp();
    const raw = await rawConnection({ port: proxy.port });
    for (const name of ["a", "b", "c"]) {
      raw.write(`GET /${client.secret}/${name} HTTP/1.1\r\nHost: x\r\n\r\n`);
    }
    raw.write(`GET /${client.secret}/d HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect((await raw.closed).match(/200 OK/g)).toHaveLength(4);
    expect(proxy.status().clients).toMatchObject([{ requests: 4, underWay: 0 }]);
  });
});

describe("a proxy that comes back on a port", () => {
  it("asks those whose addresses it does not know yet to try again, for ten seconds", async () => {
    const { upstream } = await aGitHub();
    const former = await aProxy({ upstream });
    const { port } = former;
    await former.close();
    const clock = createVirtualClock();
    const proxy = await aProxy({ upstream, port, squad: { clock } });
    const before = newAddress(proxy.port);

    const early = await ask(`${before}/user`);
    expect([early.status, early.headers["retry-after"]]).toEqual([503, "1"]);
    expect((await ask(`http://127.0.0.1:${port}/user`)).status).toBe(401);
    await clock.advance(10_000);
    expect((await ask(`${before}/user`)).status).toBe(401);
  });
});

/** An address with a secret that nobody has. */
function newAddress(port: number): string {
  return `http://127.0.0.1:${port}/${"a".repeat(43)}`;
}

describe("a client that is dismissed", () => {
  it("leaves its calls in the trace file at once", async () => {
    const { upstream, folder } = await aGitHub();
    const trace = join(folder, "trace.jsonl");
    // Its time stands still: nothing is written because a while has passed.
    const proxy = await aProxy({ upstream, squad: { trace, clock: createVirtualClock() } });
    const client = await proxy.admit({ agent: "data" });
    await ask(`${client.apiUrl}/user`, { headers: { authorization: "token ghp_mona" } });
    await client.close();
    const lines = (await readFile(trace, "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { kind: "attempt", agent: "data" },
      { kind: "call", agent: "data" },
    ]);
  });

  it("is cut off, and nobody comes in by its ways", async () => {
    let asked = 0;
    const upstream = await anUpstream(() => asked++);
    const proxy = await aProxy({ upstream: upstream.url });
    const socketPath = join(await ownFolder(), "client.sock");
    const client = await proxy.admit({ socketPath });
    const waiting = [
      ask({ socketPath, path: "/a" }, { headers: { host: "api.github.com" } }),
      ask(`${client.apiUrl}/b`),
    ].map((answer) => answer.then(String, (error: NodeJS.ErrnoException) => error.code));
    while (asked < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await client.close();
    expect(await Promise.all(waiting)).toEqual(["ECONNRESET", "ECONNRESET"]);
    await expect(ask({ socketPath, path: "/a" })).rejects.toMatchObject({ code: "ENOENT" });
    expect((await ask(`${client.apiUrl}/b`)).status).toBe(401);
    expect(proxy.status()).toMatchObject({ clients: [], requests: 2, underWay: 0 });
    await client.close();
  });
});
