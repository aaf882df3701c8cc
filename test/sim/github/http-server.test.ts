import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  createSimulatedGitHub,
  type Listening,
  type ListenOptions,
  type SimulatedGitHub,
  type SimulatedGitHubOptions,
} from "../../../src/sim/index.js";
import { TOKEN } from "./world-fixture.js";

const headers = { authorization: `token ${TOKEN}` };
const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function start(
  listen: ListenOptions = {},
  options: SimulatedGitHubOptions = {},
): Promise<{ readonly github: SimulatedGitHub; readonly url: string }> {
  const github = createSimulatedGitHub(options);
  github.world.addToken(TOKEN, "mona");
  github.world.addRepository({ owner: "mona", name: "app" });
  const listening = await github.listen(listen);
  open.push(listening);
  return { github, url: listening.url };
}

describe("the HTTP server", () => {
  it("plays the same model: validators, charges, links to itself", async () => {
    const { github, url } = await start();
    for (let count = 0; count < 3; count++) github.world.addIssue({ owner: "mona", repo: "app", title: "x" });
    const first = await fetch(`${url}/repos/mona/app/issues?per_page=2`, { headers });
    expect(first.headers.get("link")).toContain(`<${url}/repositories/`);
    const body = (await first.json()) as { url: string }[];
    expect(body[0]?.url.startsWith(url)).toBe(true);
    const again = await fetch(first.url, { headers: { ...headers, "if-none-match": first.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
    expect(github.usage(TOKEN).used).toBe(1);
  });

  it("compresses for those who accept it, and keeps the tag strong for others", async () => {
    const { url } = await start();
    const plain = await new Promise<Record<string, unknown>>((resolve, reject) => {
      request(`${url}/user`, { headers: { ...headers, "user-agent": "test" } }, (response) => {
        response.resume();
        resolve(response.headers);
      })
        .on("error", reject)
        .end();
    });
    expect([plain["content-encoding"], String(plain.etag).startsWith('"')]).toEqual([undefined, true]);
    expect((await fetch(`${url}/user`, { headers })).headers.get("etag")).toMatch(/^W\//);
  });

  it("serves downloads from another origin", async () => {
    const { url } = await start();
    const archive = await fetch(`${url}/repos/mona/app/zipball/main`, { headers });
    expect([archive.status, new URL(archive.url).origin === url]).toEqual([200, false]);
  });

  it("answers GraphQL, and GHES under its prefixes", async () => {
    const { url } = await start({}, { ghes: true });
    expect(new URL(url).pathname).toBe("/api/v3");
    expect((await fetch(`${url}/user`, { headers })).status).toBe(200);
    const answer = await fetch(url.replace("/v3", "/graphql"), {
      method: "POST",
      headers,
      body: '{"query":"{ viewer { login } }"}',
    });
    expect(await answer.json()).toEqual({ data: { viewer: { login: "mona" } } });
  });

  it("breaks connections and bodies for real", async () => {
    const { github, url } = await start();
    github.fault({ kind: "reset" });
    await expect(fetch(`${url}/user`, { headers })).rejects.toThrow("fetch failed");
    github.fault({ kind: "truncate" });
    const response = await fetch(`${url}/user`, { headers });
    await expect(response.text()).rejects.toThrow("terminated");
    expect((await fetch(`${url}/user`, { headers })).status).toBe(200);
  });

  it("forbids clients without a User-Agent", async () => {
    const { url } = await start();
    const status = await new Promise((resolve, reject) => {
      request(`${url}/user`, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(403);
  });

  it("listens on a Unix socket, speaking of api.github.com", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sim-"));
    const socketPath = join(folder, "github.sock");
    const { url } = await start({ socketPath });
    expect(url).toBe("https://api.github.com");
    const body = await new Promise<string>((resolve, reject) => {
      request(
        { socketPath, path: "/repos/mona/app", headers: { ...headers, "user-agent": "test" } },
        async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk as Buffer);
          resolve(Buffer.concat(chunks).toString());
        },
      )
        .on("error", reject)
        .end();
    });
    expect(JSON.parse(body).url).toBe("https://api.github.com/repos/mona/app");
    await rm(folder, { recursive: true });
  });

  it.each([
    ["api.github.com", "/user", 200],
    ["CodeLoad.GitHub.com:443", "/user", 404],
    ["localhost", "/user", 200],
    ["codeload.github.com", "/mona/app/legacy.zip/refs/heads/main", 200],
    ["api.github.com", "/mona/app/legacy.zip/refs/heads/main", 404],
    ["codeload.github.com", "/user", 404],
  ])("plays %s to %s on a Unix socket by what Host says: %i", async (host, path, status) => {
    const folder = await mkdtemp(join(tmpdir(), "sim-"));
    const socketPath = join(folder, "github.sock");
    await start({ socketPath });

    const answered = await new Promise((resolve, reject) => {
      request({ socketPath, path, headers: { ...headers, host, "user-agent": "test" } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });

    expect(answered).toBe(status);
    await rm(folder, { recursive: true });
  });
});

describe("the control API", () => {
  const call = async (url: string, action: string, input?: unknown) => {
    const response = await fetch(
      `${url}/__sim/${action}`,
      input === undefined ? {} : { method: "POST", body: JSON.stringify(input) },
    );
    return { status: response.status, value: (await response.json()) as Record<string, unknown> & unknown[] };
  };

  it("is not there unless it is asked for", async () => {
    const { url } = await start();
    expect((await call(url, "log")).status).toBe(404);
  });

  it("changes the world, spends, breaks and tells", async () => {
    const { github, url } = await start({ control: true });
    const made = await call(url, "world", { call: "addIssue", args: [{ owner: "mona", repo: "app", title: "x" }] });
    expect(made.value).toMatchObject({ number: 1 });
    await call(url, "world", { call: "setFile", args: ["mona", "app", "a.bin", { base64: "AAEC" }] });
    await call(url, "consume", { token: TOKEN, resource: "core", units: 40 });
    await call(url, "fault", { kind: "status", status: 500, times: "forever", match: { pathPattern: "^/user" } });
    await call(url, "clock-skew", { skewMs: 60_000 });
    expect((await fetch(`${url}/user`, { headers })).status).toBe(500);
    expect((await call(url, "usage", { token: TOKEN })).value).toMatchObject({ used: 41, limit: 5_000 });
    expect((await call(url, "log?after=0")).value).toMatchObject([{ path: "/user", status: 500 }]);
    expect((await call(url, "ledger")).value).toMatchObject([{ hiddenUnits: 40, chargedUnits: 1 }]);
    await call(url, "reset", {});
    expect(github.log).toHaveLength(0);
    expect((await fetch(`${url}/user`, { headers })).status).toBe(200);
  });

  it("explains what it cannot do", async () => {
    const { url } = await start({ control: true });
    expect(await call(url, "world", { call: "constructor" })).toMatchObject({
      status: 400,
      value: { error: expect.stringContaining("addIssue") },
    });
    expect((await call(url, "nothing", {})).value.actions).toContain("POST /world");
  });
});
