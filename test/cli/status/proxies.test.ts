import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Result } from "../../../src/cli/commands/doctor/check.js";
import { seeProxies } from "../../../src/cli/commands/status/proxies.js";
import { systemClock } from "../../../src/clock.js";
import { writeProcessFile } from "../../../src/proxy/control/process-file.js";
import { openProxyFolder, type ProxyFolder } from "../../../src/proxy/control/proxy-folder.js";
import { runtimeRoot } from "../../../src/proxy/control/runtime-root.js";
import { serveFolder } from "../../../src/proxy/control/serve-folder.js";
import { createProxy } from "../../../src/proxy/index.js";
import { createSimulatedGitHub } from "../../../src/sim/index.js";
import { storeFolder } from "./in-folder.js";

interface Place {
  readonly env: Readonly<Record<string, string>>;
  folder(pool: string): ProxyFolder;
}

/** Where a user's proxies are, with nobody there. */
async function place(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), "sr-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const env = { SQUAD_RATE_RUNTIME_DIR: join(root, "run") };
  return { env, folder: (pool) => openProxyFolder(runtimeRoot(env), { pool }) };
}

async function serve(folder: ProxyFolder): Promise<void> {
  const makeProxy = async () => {
    const proxy = await createProxy({ squad: { agent: "gateway", trace: false } });
    await proxy.admit({ agent: "data", priority: 2, session: "ta-51" });
    return proxy;
  };
  const serving = await serveFolder({ folder, makeProxy, idleMs: undefined, clock: systemClock });
  onTestFinished(async () => serving?.close());
}

describe("the proxies of a user", () => {
  it("are none where there is no folder, and none is made by looking", async () => {
    const { env } = await place();
    expect(await seeProxies(env, systemClock)).toEqual({ root: env.SQUAD_RATE_RUNTIME_DIR, running: [], others: [] });
    expect(await seeProxies(env, systemClock)).toMatchObject({ running: [] });
  });

  it("tell who uses them, and what they know", async () => {
    const { env, folder } = await place();
    await serve(folder("one"));
    const { running, others } = await seeProxies(env, systemClock);
    expect(others).toEqual([]);
    expect(running).toMatchObject([
      {
        kind: "running",
        pid: process.pid,
        host: "github.com",
        requests: 0,
        underWay: 0,
        clients: [{ agent: "data", priority: 2, session: "ta-51", requests: 0 }],
        windows: [],
      },
    ]);
  });

  it("are told from those that ended without a word", async () => {
    const { env, folder } = await place();
    const dead = folder("dead");
    writeProcessFile(dead.processFile, { pid: 4_000_000, port: 1, version: "0.0.0", protocol: 1, startedAt: 0 });
    const { running, others } = await seeProxies(env, systemClock);
    expect(running).toEqual([]);
    expect(others).toEqual([{ kind: "gone", folder: dead.path, pid: 4_000_000, why: undefined }]);
  });

  it("are enough for a status where no store is named", async () => {
    const { env, folder } = await place();
    await serve(folder("one"));
    await serve(folder("two"));
    const { run } = await storeFolder();
    const { code, out } = await run(["status"], { env: { ...env, SQUAD_RATE_STORE: "" } });
    expect([code, out]).toEqual([0, expect.stringMatching(/^Proxy \d+ for github\.com[\s\S]*\ndata +2 +ta-51/)]);
    const doctor = await run(["doctor", "--json"], {
      env: { ...env, SQUAD_RATE_STORE: "", SQUAD_RATE_UPSTREAM: "http://127.0.0.1:2", PATH: "/nowhere" },
    });
    expect(doctor.out).toContain("2 proxies of github.com; in ");
  });

  it("tell that they have lost their store, which doctor warns of", async () => {
    const { env, folder } = await place();
    const github = createSimulatedGitHub();
    github.world.addToken("ghp_x", "mona");
    const { url, close } = await github.listen({ port: 0 });
    onTestFinished(() => close());
    // A folder cannot be where a file is.
    const file = join(folder("lost").path, "file");
    await writeFile(file, "");
    const uri = `file:${file}`;
    const makeProxy = async () => {
      const proxy = await createProxy({ upstream: url, squad: { store: uri, trace: false } });
      const { apiUrl } = await proxy.admit({ agent: "data", priority: 1 });
      await (await fetch(`${apiUrl}/user`, { headers: { authorization: "token ghp_x" } })).text();
      return proxy;
    };
    const serving = await serveFolder({ folder: folder("lost"), makeProxy, idleMs: undefined, clock: systemClock });
    onTestFinished(async () => serving?.close());
    const lost = { uri, state: "lost", why: expect.any(String) };
    await expect
      .poll(async () => (await seeProxies(env, systemClock)).running[0]?.store, { timeout: 10_000 })
      .toEqual(lost);
    const { run } = await storeFolder();
    const doctor = await run(["doctor", "--json"], { env: { ...env, SQUAD_RATE_UPSTREAM: url, PATH: "/nowhere" } });
    const { checks } = JSON.parse(doctor.out) as { readonly checks: readonly Result[] };
    expect(checks.find(({ name }) => name === "proxies")).toMatchObject({
      state: "warn",
      found: expect.stringContaining(`goes on without its store ${uri}: `),
      remedy: expect.stringContaining("squad-rate proxy --stop"),
    });
  });
});
