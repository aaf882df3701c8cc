import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Result } from "../../../src/cli/commands/doctor/check.js";
import { createSimulatedGitHub } from "../../../src/sim/index.js";
import { openStore } from "../../../src/store/open-store.js";
import { requireServer } from "../../harness/servers.js";
import { call, type Ran, type StoreFolder, storeFolder } from "../status/in-folder.js";

const redis = await requireServer("redis");
const postgres = await requireServer("postgres");
const TOKEN = `ghp_${"d".repeat(36)}`;

/** A simulated GitHub, and a gh that is found nowhere. */
async function github(): Promise<{
  readonly url: string /** Units that were charged. */;
  readonly used: () => number;
}> {
  const simulated = createSimulatedGitHub();
  simulated.world.addToken(TOKEN, "mona");
  const { url, close } = await simulated.listen({ port: 0 });
  onTestFinished(() => close());
  const used = (): number => simulated.log.reduce((sum, { chargedUnits }) => sum + chargedUnits, 0);
  return { url, used };
}

/** One that answers everything so. */
async function answering(status: number, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, headers).end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function examined(
  folder: StoreFolder,
  env: Readonly<Record<string, string>> = {},
  words: readonly string[] = [],
): Promise<{ readonly code: number; readonly checks: Readonly<Record<string, Result>>; readonly ran: Ran }> {
  const ran = await folder.run(["doctor", "--json", ...words], { env: { PATH: "/nowhere", ...env } });
  const { version, ok, checks } = JSON.parse(ran.out) as { version: number; ok: boolean; checks: readonly Result[] };
  expect([version, ok]).toEqual([1, ran.code === 0]);
  return { code: ran.code, checks: Object.fromEntries(checks.map((check) => [check.name, check])), ran };
}

describe("squad-rate doctor", () => {
  it("finds everything in order where it is, at no cost and without showing the token", async () => {
    const [folder, { url, used }] = [await storeFolder(), await github()];
    await call(folder.squad());
    const { code, checks, ran } = await examined(folder, { GITHUB_TOKEN: TOKEN, SQUAD_RATE_UPSTREAM: url });
    expect(code).toBe(0);
    expect(checks.node).toMatchObject({ state: "ok", found: process.version });
    expect(checks.settings?.found).toContain(`store ${folder.uri} (SQUAD_RATE_STORE)`);
    expect(checks.store).toMatchObject({
      state: "ok",
      found: expect.stringMatching(/an update takes .* updates are atomic/),
    });
    expect(checks.token).toMatchObject({
      state: "ok",
      found: expect.stringMatching(/^a classic personal token of pool [0-9a-f]{8}; left: core 5,000 of 5,000/),
    });
    expect(checks.clock?.state).toBe("ok");
    expect(checks.gh).toMatchObject({ state: "warn", found: "not found" });
    expect(checks.proxies?.state).toBe("ok");
    expect(checks.trace?.state).toBe("ok");
    expect(used()).toBe(0);
    expect(ran.out + ran.err).not.toContain(TOKEN);
  });

  it("leaves nothing in the store", async () => {
    const [folder, { url }] = [await storeFolder(), await github()];
    await mkdir(folder.path, { mode: 0o700 });
    await examined(folder, { SQUAD_RATE_UPSTREAM: url });
    const store = await openStore(folder.uri);
    const keys: string[] = [];
    for await (const [key] of store.keyv.iterator?.() ?? []) keys.push(key);
    await store.close();
    expect(keys).toEqual([]);
  });

  it("is one line for each, with a mark that the terminal can show", async () => {
    const [folder, { url }] = [await storeFolder(), await github()];
    const marks = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const { out } = await folder.run(["doctor"], { env: { PATH: "/nowhere", SQUAD_RATE_UPSTREAM: url, ...env } });
      return out;
    };
    expect(await marks({ LANG: "de_DE.UTF-8" })).toMatch(/^✓ node +v\d+.*\n✓ settings +/);
    expect(await marks({ LC_ALL: "C", LANG: "de_DE.UTF-8" })).toMatch(/^ok node +v\d+.*\nok settings +/);
  });

  it("says what is wrong with a token, and what to do", async () => {
    const [folder, { url }] = [await storeFolder(), await github()];
    const { code, checks } = await examined(folder, { GITHUB_TOKEN: "ghp_wrong", SQUAD_RATE_UPSTREAM: url });
    expect([code, checks.token]).toEqual([
      1,
      expect.objectContaining({
        state: "bad",
        found: expect.stringContaining("does not take it"),
        remedy: expect.stringContaining("make a new one"),
      }),
    ]);
    const none = await examined(folder, { SQUAD_RATE_UPSTREAM: url });
    expect([none.code, none.checks.token?.state]).toEqual([0, "warn"]);
    const limitless = await examined(folder, { GITHUB_TOKEN: TOKEN, SQUAD_RATE_UPSTREAM: await answering(404) });
    expect(limitless.checks.token).toMatchObject({ state: "ok", found: expect.stringContaining("has no rate limits") });
  });

  it("says that GitHub does not answer, once", async () => {
    const folder = await storeFolder();
    const { code, checks } = await examined(folder, { SQUAD_RATE_UPSTREAM: "http://127.0.0.1:2" });
    expect([code, checks.token?.state, checks.clock?.state]).toEqual([1, "bad", "warn"]);
  });

  it("sees a clock that is minutes off", async () => {
    const folder = await storeFolder();
    const date = new Date(Date.now() - 10 * 60_000).toUTCString();
    const { code, checks } = await examined(folder, { SQUAD_RATE_UPSTREAM: await answering(200, { date }) });
    expect([code, checks.clock]).toEqual([
      1,
      expect.objectContaining({ state: "bad", found: expect.stringMatching(/^1[01] min ahead of GitHub's$/) }),
    ]);
  });

  it("sees what is wrong with a store, without its password", async () => {
    const folder = await storeFolder();
    const stateOf = async (SQUAD_RATE_STORE: string): Promise<Result | undefined> => {
      const { checks, ran } = await examined(folder, { SQUAD_RATE_STORE, SQUAD_RATE_UPSTREAM: url });
      expect(ran.out + ran.err).not.toContain("hush-hush");
      return checks.store;
    };
    const { url } = await github();
    expect(await stateOf("")).toMatchObject({ state: "warn", found: expect.stringContaining("none is named") });
    expect(await stateOf("memory:")).toMatchObject({ state: "warn" });
    expect(await stateOf("redis://:hush-hush@127.0.0.1:1")).toMatchObject({
      state: "bad",
      found: expect.stringContaining("***@127.0.0.1:1"),
    });
    expect(await stateOf("postgres://u:hush-hush@127.0.0.1:1/x")).toMatchObject({ state: "bad" });
    expect(await stateOf(folder.uri)).toMatchObject({ state: "warn", found: expect.stringContaining("not there yet") });
    await mkdir(folder.path);
    await chmod(folder.path, 0o755);
    expect(await stateOf(folder.uri)).toMatchObject({ state: "warn", remedy: expect.stringContaining("chmod 700") });
    await rm(folder.path, { recursive: true });
    await writeFile(folder.path, "");
    expect(await stateOf(folder.uri)).toMatchObject({ state: "bad", found: expect.stringContaining("is no folder") });
  });

  it.each([
    { server: redis, name: redis.label },
    { server: postgres, name: postgres.label },
  ])("tries $name", async ({ server }) => {
    if (server.missing) return;
    const [folder, { url }] = [await storeFolder(), await github()];
    const { checks } = await examined(folder, { SQUAD_RATE_STORE: server.url, SQUAD_RATE_UPSTREAM: url });
    expect(checks.store).toMatchObject({ found: expect.stringContaining("updates are atomic") });
    expect(checks.store?.state).not.toBe("bad");
  });

  it("goes on when the settings are wrong, and tries the token on no GitHub that it may not be for", async () => {
    const [folder, { url }] = [await storeFolder(), await github()];
    const { code, checks } = await examined(folder, {
      SQUAD_RATE_PRIORITY: "9",
      SQUAD_RATE_UPSTREAM: url,
      GITHUB_TOKEN: TOKEN,
    });
    expect([code, checks.settings]).toEqual([
      1,
      expect.objectContaining({ state: "bad", found: expect.stringContaining("SQUAD_RATE_PRIORITY") }),
    ]);
    expect([checks.node?.state, checks.proxies?.state]).toEqual(["ok", "ok"]);
    for (const name of ["store", "token", "clock", "gh", "trace"]) {
      expect(checks[name]).toEqual({ name, state: "warn", found: "was not looked at", remedy: "see settings" });
    }
  });

  it("sees whether a trace can be written, and writes none", async () => {
    const [folder, { url }] = [await storeFolder(), await github()];
    const root = await mkdtemp(join(tmpdir(), "squad-rate-"));
    onTestFinished(() => rm(root, { recursive: true }));
    await writeFile(join(root, "file"), "");
    const trace = async (SQUAD_RATE_TRACE: string): Promise<Result | undefined> =>
      (await examined(folder, { SQUAD_RATE_TRACE, SQUAD_RATE_UPSTREAM: url })).checks.trace;
    expect(await trace(join(root, "new", "trace.jsonl"))).toMatchObject({
      state: "ok",
      found: expect.stringContaining("not there yet"),
    });
    expect(await trace(root)).toMatchObject({ state: "bad", found: `${root} is a folder` });
    expect(await trace(join(root, "file", "trace.jsonl"))).toMatchObject({
      state: "bad",
      found: expect.stringContaining("is no folder"),
    });
  });

  it("sees a folder for proxies that others can enter", async () => {
    const [folder, { url }] = [await storeFolder(), await github()];
    const root = await mkdtemp(join(tmpdir(), "squad-rate-"));
    onTestFinished(() => rm(root, { recursive: true }));
    await chmod(root, 0o755);
    const { code, checks } = await examined(folder, { SQUAD_RATE_RUNTIME_DIR: root, SQUAD_RATE_UPSTREAM: url });
    expect([code, checks.proxies]).toEqual([
      1,
      expect.objectContaining({ state: "bad", remedy: expect.stringContaining("chmod 700") }),
    ]);
  });
});

describe("gh, as doctor sees it", () => {
  /** A folder with a gh that says so. */
  async function fakeGh(help: string): Promise<string> {
    const root = await mkdtemp(join(tmpdir(), "squad-rate-"));
    onTestFinished(() => rm(root, { recursive: true }));
    const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo "gh version 2.23.0 (2023-02-27)"; else echo "${help}"; fi\n`;
    await writeFile(join(root, "gh"), script, { mode: 0o755 });
    return root;
  }
  const SOCKET = "- http_unix_socket: the path";

  it("has to be able to send through a socket", async () => {
    const [folder, { url }] = [await storeFolder(), await github()];
    const PATH = `${await fakeGh("- pager: the pager")}:/bin:/usr/bin`;
    const { code, checks } = await examined(folder, { PATH, SQUAD_RATE_UPSTREAM: url });
    expect([code, checks.gh]).toEqual([
      1,
      expect.objectContaining({ state: "bad", found: expect.stringContaining("2.23.0, which cannot") }),
    ]);
  });

  it("is logged in, has a token of the environment, or neither", async () => {
    const [folder, { url }] = [await storeFolder(), await github()];
    const root = await fakeGh(SOCKET);
    const env = { PATH: `${root}:/bin:/usr/bin`, GH_CONFIG_DIR: root, SQUAD_RATE_UPSTREAM: url };
    const gh = async (more = {}): Promise<Result | undefined> =>
      (await examined(folder, { ...env, ...more })).checks.gh;
    expect(await gh()).toMatchObject({ state: "warn", found: "2.23.0, without a token for github.com" });
    expect(await gh({ GH_TOKEN: TOKEN })).toMatchObject({ state: "ok", found: "2.23.0, with the token of GH_TOKEN" });
    await writeFile(join(root, "hosts.yml"), "github.com:\n    user: mona\n    oauth_token: gho_hush\n");
    expect(await gh()).toMatchObject({ state: "ok", found: "2.23.0, logged in to github.com" });
    await writeFile(join(root, "config.yml"), "http_unix_socket: /tmp/its-own.sock\n");
    expect(await gh()).toMatchObject({
      state: "warn",
      found: expect.stringContaining("its http_unix_socket is /tmp/its-own.sock"),
    });
  });
});
