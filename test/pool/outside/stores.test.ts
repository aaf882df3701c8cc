import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/clock.js";
import { emptyQuotaDocument } from "../../../src/policy/share/quota-document.js";
import { membersKey, quotaKey } from "../../../src/pool/keys.js";
import { chooseEvicted } from "../../../src/pool/outside/choose-evicted.js";
import { evictFromPool } from "../../../src/pool/outside/evict-from-pool.js";
import { findPools } from "../../../src/pool/outside/find-pools.js";
import { type PoolView, poolView } from "../../../src/pool/outside/pool-view.js";
import { readPool } from "../../../src/pool/outside/read-pool.js";
import { StoreDocuments } from "../../../src/pool/store-documents.js";
import { createSquad, type Squad } from "../../../src/squad.js";
import { openStore } from "../../../src/store/open-store.js";
import type { Store } from "../../../src/store/store.js";
import { requireServer } from "../../harness/servers.js";
import { createStubGithub } from "../../harness/stub-github.js";

const redis = await requireServer("redis");
const postgres = await requireServer("postgres");

async function inNewFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "squad-rate-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return `file:${directory}`;
}

const places = [
  { name: "a folder", missing: false, uri: inNewFolder },
  { name: redis.label, missing: redis.missing, uri: async () => redis.url },
  { name: postgres.label, missing: postgres.missing, uri: async () => postgres.url },
];

async function opened(uri: string): Promise<Store> {
  const store = await openStore(uri, { timeoutMs: 5_000 });
  onTestFinished(() => store.close());
  return store;
}

/** A name that no other test has, and nothing of it left in a server afterwards. */
function poolName(store: Store): string {
  const name = `test-${Math.random().toString(36).slice(2)}`;
  onTestFinished(async () => {
    const pool = { host: "api.github.com", name };
    for (const key of [quotaKey(pool, "core"), membersKey(pool), `squad-rate:secondary-use:api.github.com:${name}`]) {
      await store.keyv.delete(key).catch(() => undefined);
    }
  });
  return name;
}

function squadIn(store: string, name: string, agent: string): Squad {
  const github = createStubGithub({ clock: systemClock });
  const squad = createSquad({ agent, store, pool: { name }, fetch: github.fetch, cache: false, storeTimeoutMs: 5_000 });
  onTestFinished(() => squad.close());
  return squad;
}

async function call(squad: Squad): Promise<void> {
  await squad.fetch("https://api.github.com/repos/o/r", { headers: { authorization: "token ghp_x" } });
}

async function look(store: Store, name: string): Promise<PoolView> {
  const found = await findPools(store, { clock: systemClock });
  const pool = found.kind === "listed" ? found.pools.find((one) => one.name === name) : undefined;
  if (pool === undefined) throw new Error("it was not found");
  return poolView(await readPool(store, pool, systemClock.now()), systemClock.now());
}

describe.each(places)("a pool in $name", ({ missing, uri }) => {
  it.skipIf(missing)("is found and read while squads use it, and can be mended", async () => {
    const address = await uri();
    const store = await opened(address);
    const name = poolName(store);
    const squad = squadIn(address, name, "ralph");
    for (let calls = 0; calls < 3; calls++) await call(squad);
    // The list of members is written within a second.
    await expect.poll(async () => (await look(store, name)).agents.length, { timeout: 10_000 }).toBe(1);
    const seen = await look(store, name);
    expect(seen.quotas).toMatchObject([
      { resource: "core", state: "open", limit: 5_000, leases: [{ agent: "ralph" }] },
    ]);

    const documents = new StoreDocuments({
      open: async () => store,
      where: address,
      monotonic: systemClock.monotonic,
      onHealth: () => undefined,
    });
    const eviction = chooseEvicted(seen, { who: "ralph" });
    if (eviction === undefined) throw new Error("ralph is not there");
    const evicted = await evictFromPool(documents, seen, eviction, seen.now);
    expect(evicted).toMatchObject({ members: 1, leases: [{ resource: "core" }] });
    expect((await look(store, name)).agents).toEqual([]);
    await call(squad);
  });

  it.skipIf(missing)("shows a document that nobody can read as such, with its reason", async () => {
    const store = await opened(await uri());
    const name = poolName(store);
    const pool = { host: "api.github.com", name };
    await store.keyv.set(quotaKey(pool, "core"), { ...emptyQuotaDocument(3_600_000), version: 2, revision: 1 });
    await store.keyv.set(membersKey(pool), { version: 1, revision: 1, updatedAt: 0, members: "none" });
    const seen = await look(store, name);
    expect(seen.quotas).toMatchObject([{ state: "unreadable", why: "document.version is 2; this reads version 1" }]);
    expect(seen.unreadable).toEqual([{ document: "members", why: "document.members is a string, not an object" }]);
  });
});

describe("a document that is torn", () => {
  it("is told as such, in a folder", async () => {
    const address = await inNewFolder();
    const directory = address.slice("file:".length);
    const store = await opened(address);
    const pool = { host: "api.github.com", name: "torn" };
    await store.keyv.set(quotaKey(pool, "core"), emptyQuotaDocument(3_600_000));
    const found = await findPools(store, { clock: systemClock });
    const file = (await readdir(directory)).find((one) => one.endsWith(".json")) ?? "";
    await writeFile(join(directory, file), (await readFile(join(directory, file), "utf8")).slice(0, 200));
    if (found.kind !== "listed" || found.pools[0] === undefined) throw new Error("it was not found");
    const seen = await readPool(store, found.pools[0], systemClock.now());
    expect(seen.quotas.get("core")?.kind).toBe("unreadable");
  });

  it.skipIf(redis.missing)("is told as such, in Redis", async () => {
    const store = await opened(redis.url);
    const pool = { host: "api.github.com", name: poolName(store), resources: ["core"] };
    const { store: adapter } = store.keyv as unknown as {
      store: { getClient(): Promise<{ set(key: string, value: string): Promise<unknown> }> };
    };
    await (await adapter.getClient()).set(quotaKey(pool, "core"), '{"value":{"vers');
    const seen = await readPool(store, pool, systemClock.now());
    expect(seen.quotas.get("core")).toEqual({ kind: "unreadable", why: "it is not JSON" });
  });
});

describe("a store that is gone", () => {
  it("fails to be looked into, in one line without a secret", async () => {
    const store = await opened("postgres://somebody:hush-hush@127.0.0.1:1/pool");
    const pool = { host: "api.github.com", name: "x", resources: ["core"] };
    for (const attempt of [readPool(store, pool, 0), findPools(store, { clock: systemClock })]) {
      const error: unknown = await attempt.catch((cause: unknown) => cause);
      expect(error).toMatchObject({ code: "SQUAD_RATE_STORE" });
      expect(String(error)).not.toMatch(/hush-hush|\n/);
    }
  });
});
