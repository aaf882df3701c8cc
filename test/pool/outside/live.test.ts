import { describe, expect, it } from "vitest";
import { chooseEvicted } from "../../../src/pool/outside/choose-evicted.js";
import { clearPoolCooldown } from "../../../src/pool/outside/clear-pool-cooldown.js";
import { type Evicted, evictFromPool } from "../../../src/pool/outside/evict-from-pool.js";
import { findPools } from "../../../src/pool/outside/find-pools.js";
import { type PoolView, poolView } from "../../../src/pool/outside/pool-view.js";
import { readPool } from "../../../src/pool/outside/read-pool.js";
import { StoreDocuments } from "../../../src/pool/store-documents.js";
import type { Squad } from "../../../src/squad.js";
import type { Store } from "../../../src/store/store.js";
import { type PooledSquads, pooledSquads } from "../../harness/pooled-squads.js";

const MINUTE_MS = 60_000;
const TOKEN = "token ghp_shared";

/** What somebody sees who looks from outside. */
async function look({ store, clock }: PooledSquads): Promise<PoolView> {
  const found = await findPools(store, { clock });
  if (found.kind !== "listed" || found.pools[0] === undefined) throw new Error("no pool was found");
  return poolView(await readPool(store, found.pools[0], clock.now()), clock.now());
}

function core(pool: PoolView): PoolView["quotas"][number] {
  const quota = pool.quotas.find(({ resource }) => resource === "core");
  if (quota === undefined) throw new Error("the pool has no core");
  return quota;
}

function documentsOf({ store, clock }: PooledSquads): StoreDocuments {
  return new StoreDocuments({
    open: async () => store,
    where: "memory:",
    monotonic: () => clock.monotonic(),
    onHealth: () => undefined,
  });
}

async function evict(squads: PooledSquads, who: string): Promise<Evicted> {
  const pool = await look(squads);
  const eviction = chooseEvicted(pool, { who });
  if (eviction === undefined) throw new Error(`${who} is not there`);
  return squads.clock.settle(evictFromPool(documentsOf(squads), pool, eviction, pool.now));
}

/** The store for a squad that can be killed: from then on nothing of it reaches anybody. */
function mortal({ store }: PooledSquads): { readonly store: Store; kill(): void } {
  let isDead = false;
  const update: Store["updates"]["update"] = (...change) =>
    isDead ? new Promise(() => undefined) : store.updates.update(...change);
  const updates = Object.assign(Object.create(store.updates), { update });
  return {
    store: { ...store, updates },
    kill() {
      isDead = true;
    },
  };
}

/** Agents that call once a second for so long. */
async function work({ clock, read }: PooledSquads, squads: readonly Squad[], seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await Promise.all(squads.map((squad) => read(squad)));
    await clock.advance(1_000);
  }
}

describe("a pool that is looked at from outside", () => {
  it("shows what is left, who is there and who holds what", async () => {
    const pool = await pooledSquads();
    const [lead, data] = [
      pool.squad({ agent: "lead", priority: 0 }),
      pool.squad({ agent: "data", dependsOn: ["lead"] }),
    ];
    await work(pool, [lead, data], 20);
    const seen = await look(pool);
    expect(core(seen)).toMatchObject({ state: "open", limit: 5_000, light: "green", waitingUnits: 0 });
    // What was spent since the latest reports is counted among what is held.
    const { used } = pool.github.quota(TOKEN);
    expect(core(seen).usedUnits).toBeLessThanOrEqual(used);
    expect(core(seen).usedUnits + core(seen).heldUnits).toBeGreaterThanOrEqual(used);
    expect(core(seen).resetAt).toBe(pool.github.quota(TOKEN).resetAt);
    expect(core(seen).leases.map(({ agent, state }) => [agent, state])).toEqual([
      ["lead", "alive"],
      ["data", "alive"],
    ]);
    expect(seen.agents.map(({ agent, dependsOn }) => [agent, dependsOn])).toEqual([
      ["lead", []],
      ["data", ["lead"]],
    ]);
    expect(core(seen).leases.map(({ process }) => process)).toEqual(seen.agents.map(({ process }) => process));
  });

  it("is not changed by that", async () => {
    const pool = await pooledSquads();
    await work(pool, [pool.squad()], 3);
    const { store } = pool.store.keyv as unknown as { readonly store: ReadonlyMap<string, unknown> };
    const before = JSON.stringify([...store]);
    await look(pool);
    expect(JSON.stringify([...store])).toBe(before);
  });

  it("tells that a quota is used up, and who waits for it", async () => {
    const pool = await pooledSquads();
    Object.assign(pool.github.quota(TOKEN), { limit: 60, used: 59 });
    const squad = pool.squad({ maxWaitMs: 2 * 3_600_000, light: false });
    await pool.read(squad);
    const waits = pool.read(squad);
    await pool.clock.advance(1_000);
    const seen = core(await look(pool));
    expect(seen).toMatchObject({ state: "open", remainingUnits: 0, light: "red", waitingUnits: 1, waitingSpenders: 1 });
    await pool.clock.advance(2 * 3_600_000);
    await waits;
  });

  it("tells of a window that is over that all of it is left again", async () => {
    const pool = await pooledSquads();
    await work(pool, [pool.squad()], 3);
    await pool.clock.advance(3_600_000);
    expect(core(await look(pool))).toMatchObject({
      state: "over",
      usedUnits: 0,
      remainingUnits: 5_000,
      resetAt: undefined,
    });
  });

  it("tells when the units will be gone, if agents go on as they do", async () => {
    const pool = await pooledSquads();
    Object.assign(pool.github.quota(TOKEN), { limit: 1_000 });
    await work(pool, [pool.squad()], 120);
    const { forecast, remainingUnits } = core(await look(pool));
    expect(forecast?.unitsPerMinute).toBeGreaterThan(40);
    expect(forecast?.unitsPerMinute).toBeLessThan(80);
    expect((forecast?.exhaustedInMs ?? 0) / MINUTE_MS).toBeCloseTo(remainingUnits / (forecast?.unitsPerMinute ?? 1), 6);
  });
});

describe("an agent that is evicted", () => {
  it("comes back with its next report when it lives, and nothing is spent twice", async () => {
    const pool = await pooledSquads();
    Object.assign(pool.github.quota(TOKEN), { limit: 300 });
    const squads = [pool.squad({ agent: "ralph" }), pool.squad({ agent: "data" })];
    await work(pool, squads, 10);
    for (let round = 0; round < 4; round++) {
      const { members, leases } = await evict(pool, "ralph");
      expect([members, leases.length]).toEqual([1, 1]);
      await work(pool, squads, 15);
      await pool.clock.advance(2 * MINUTE_MS);
      await work(pool, squads, 1);
      expect(core(await look(pool)).leases.map(({ agent, state }) => [agent, state])).toContainEqual([
        "ralph",
        "alive",
      ]);
    }
    expect(pool.github.statuses()).not.toContain(403);
    const seen = core(await look(pool));
    expect(seen.usedUnits + seen.heldUnits).toBeLessThanOrEqual(300);
    expect((await look(pool)).agents.map(({ agent }) => agent)).toEqual(["data", "ralph"]);
  });

  it("gives back what it held when it is dead, as soon as it cannot have been spent", async () => {
    const pool = await pooledSquads();
    const life = mortal(pool);
    const [dead, alive] = [pool.squad({ agent: "dead", store: life.store }), pool.squad({ agent: "alive" })];
    await work(pool, [dead, alive], 10);
    life.kill();
    const { leases } = await evict(pool, "dead");
    const [lease] = leases;
    expect(lease).toMatchObject({ resource: "core" });
    expect(lease?.heldUnits).toBeGreaterThan(0);
    const isHeld = async (): Promise<boolean> => core(await look(pool)).leases.some(({ agent }) => agent === "dead");
    await work(pool, [alive], Math.floor(((lease?.returnsAfter ?? 0) - pool.clock.now()) / 1_000) - 1);
    expect(await isHeld()).toBe(true);
    await pool.clock.advance(2_000);
    // An answer to a request of after that, and the report that tells of it.
    await work(pool, [alive], 150);
    expect(await isHeld()).toBe(false);
  });

  it("leaves the leases of its process to the others that it serves", async () => {
    const pool = await pooledSquads();
    const squad = pool.squad({ agent: "proxy" });
    for (const agent of ["one", "other"]) await pool.read(squad, "/repos/o/r", { squad: { agent } });
    await pool.clock.advance(2_000);
    const seen = await look(pool);
    const [process] = seen.agents.map((agent) => agent.process);
    expect(seen.agents.map(({ agent }) => agent)).toEqual(["one", "other"]);
    expect(chooseEvicted(seen, { who: "one" })).toMatchObject({ shared: [{ process, others: ["other"] }] });
    expect(await evict(pool, "one")).toEqual({ members: 1, leases: [] });
    expect(await evict(pool, `~${process?.slice(0, 6)}`)).toMatchObject({ members: 1, leases: [{ resource: "core" }] });
  });

  it("is no other of the same name on another machine, nor another resource", async () => {
    const pool = await pooledSquads();
    await work(pool, [pool.squad({ agent: "ralph" })], 3);
    const seen = await look(pool);
    const machine = seen.agents[0]?.machine ?? "";
    expect(chooseEvicted(seen, { who: "ralph", machine: `${machine}-2` })).toBeUndefined();
    expect(chooseEvicted(seen, { who: "ralph", machine })?.members).toHaveLength(1);
    const order = chooseEvicted(seen, { who: "ralph", resource: "graphql" });
    expect([order?.members, order?.spenders.size]).toEqual([[], 0]);
    expect(chooseEvicted(seen, { who: "ralf" })).toBeUndefined();
    expect(chooseEvicted(seen, { who: "~" })).toBeUndefined();
  });

  it("is found by its lease when the list has forgotten it already", async () => {
    const pool = await pooledSquads();
    const life = mortal(pool);
    await work(pool, [pool.squad({ agent: "dead", store: life.store })], 3);
    life.kill();
    await pool.clock.advance(6 * MINUTE_MS);
    await work(pool, [pool.squad({ agent: "alive" })], 3);
    const seen = await look(pool);
    expect(seen.agents.map(({ agent }) => agent)).toEqual(["alive"]);
    const lease = core(seen).leases.find(({ agent }) => agent === "dead");
    expect(chooseEvicted(seen, { who: "dead" })?.spenders.get("core")).toEqual(new Set([lease?.spender]));
  });
});

describe("a cooldown that is cleared from outside", () => {
  async function refused(pool: PooledSquads, squad: Squad): Promise<void> {
    pool.github.once({
      status: 403,
      headers: { "retry-after": "1200" },
      json: { message: "You have exceeded a secondary rate limit." },
    });
    await pool.read(squad).catch(() => undefined);
    await pool.clock.advance(100);
  }

  it("lets running squads send within seconds, those that wait and those that begin", async () => {
    const pool = await pooledSquads();
    const patient = { retry: false, maxWaitMs: 3_600_000 } as const;
    const [one, other] = [pool.squad({ agent: "one", ...patient }), pool.squad({ agent: "other", ...patient })];
    await work(pool, [one, other], 2);
    await refused(pool, one);
    const sent = pool.github.requests.length;
    const init = { headers: { authorization: TOKEN } };
    const url = "https://api.github.com/repos/o/r";
    // A write looks for a cooldown before it goes.
    other.fetch(`${url}/issues`, { ...init, method: "POST", body: "{}" }).catch(() => undefined);
    await pool.clock.advance(6_000);
    const waits = [one.fetch(url, init), other.fetch(url, init)];
    await pool.clock.advance(10_000);
    const seen = await look(pool);
    expect(seen.cooldown).toMatchObject({ by: "one", repeats: 0 });
    const shown = seen.cooldown;
    if (shown === undefined) throw new Error("nobody holds back");
    const wasSent = pool.github.requests.length;
    expect(wasSent).toBeLessThanOrEqual(sent + 1);
    const clear = (): ReturnType<typeof clearPoolCooldown> =>
      pool.clock.settle(clearPoolCooldown(documentsOf(pool), seen, shown, pool.clock.now()));
    expect(await clear()).toEqual({ kind: "cleared" });
    // They notice within five seconds, and P1 begins from five to thirty seconds after that.
    await pool.clock.advance(36_000);
    await Promise.all(waits);
    expect(pool.github.requests.length).toBeGreaterThanOrEqual(wasSent + 2);
    expect(await pool.read(one)).toBe(404);
    expect((await look(pool)).cooldown).toBeUndefined();
    expect(await clear()).toEqual({ kind: "none" });
  });

  it("stays when it is a newer one", async () => {
    const pool = await pooledSquads();
    const squad = pool.squad({ agent: "one", retry: false });
    await work(pool, [squad], 2);
    await refused(pool, squad);
    const shown = (await look(pool)).cooldown;
    if (shown === undefined) throw new Error("nobody holds back");
    const older = { ...shown, until: shown.until - 1 };
    const cleared = await pool.clock.settle(
      clearPoolCooldown(documentsOf(pool), await look(pool), older, pool.clock.now()),
    );
    expect(cleared).toMatchObject({ kind: "newer", cooldown: { until: shown.until } });
    expect((await look(pool)).cooldown?.until).toBe(shown.until);
  });
});
