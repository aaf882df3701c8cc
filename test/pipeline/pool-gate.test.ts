import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { SquadRateError } from "../../src/errors.js";
import type { Squad } from "../../src/squad.js";
import { pooledSquads } from "../harness/pooled-squads.js";
import { recordEvents } from "../harness/record-events.js";

const HOUR_MS = 3_600_000;
const TOKEN = "token ghp_shared";

/** What the squad holds and has spent of core. */
function leaseOf(squad: Squad) {
  const pooled = squad.status().principals.find(({ pool }) => pool !== undefined);
  return pooled?.windows.core?.lease;
}

/** What is said on the console, where a bare fetch warns. */
function warnings(): () => unknown[] {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  return () => warn.mock.calls.flat();
}

async function refusalOf(call: Promise<unknown>): Promise<SquadRateError> {
  try {
    await call;
  } catch (error) {
    return error as SquadRateError;
  }
  throw new Error("The call went.");
}

describe("a squad with a store", () => {
  it("spends of one quota with the others, whose document says who holds what", async () => {
    const { squad, read, document } = await pooledSquads();
    const [a, b] = [squad({ agent: "picard", priority: 0 }), squad({ agent: "ralph", priority: 2 })];
    for (let round = 0; round < 3; round++) {
      expect(await read(a)).toBe(404);
      expect(await read(b)).toBe(404);
    }
    const doc = (await document()) as { allocations: Record<string, { priority: number; used: number }> };
    const names = Object.keys(doc.allocations);
    expect(names.map((name) => name.replace(/~[0-9a-f]{12}-[0-9a-f]{8}$/, ""))).toEqual(["picard", "ralph"]);
    expect(leaseOf(a)).toMatchObject({ spentUnits: 3, inFlightUnits: 0, waitingUnits: [0, 0, 0] });
    expect(leaseOf(a)?.shared).toMatchObject({ limit: 5_000, spenders: 2 });
  });

  it("sends nothing that the pool has no units for, and says why in numbers", async () => {
    const { squad, read, github, clock } = await pooledSquads();
    const quota = github.quota(TOKEN);
    Object.assign(quota, { limit: 100, used: 99 });
    const a = squad({ priority: 2, maxWaitMs: 30_000 });
    await read(a);
    expect(quota.used).toBe(100);
    await clock.advance(1_000);
    const error = await refusalOf(read(a));
    expect(error).toMatchObject({ code: "SQUAD_RATE_POOL", status: 429, resource: "core" });
    expect(error.message).toMatch(/^GET \/repos\/\{owner\}\/\{repo\} was not sent: core: all 100 units are spent/);
    expect(error.message).toMatch(/resets in 59 min 59 s; P2 waits\. The pool may be asked again in 1 h/);
    expect(error.retryAt).toBeGreaterThan(quota.resetAt);
    expect(github.statuses()).toEqual([404]);
    expect(leaseOf(a)?.waitingUnits).toEqual([0, 0, 0]);
  });

  it("waits for the reset, then sends", async () => {
    const { squad, read, github, clock } = await pooledSquads();
    const quota = github.quota(TOKEN);
    Object.assign(quota, { limit: 100, used: 99 });
    const a = squad({ maxWaitMs: 2 * HOUR_MS });
    await read(a);
    const sentAt = quota.resetAt;
    await read(a);
    expect(clock.now()).toBeGreaterThan(sentAt);
    expect(github.statuses()).toEqual([404, 404]);
  });

  it("lets a call that may not wait at all go when there is quota", async () => {
    const { squad, read } = await pooledSquads();
    expect(await read(squad({ maxWaitMs: 0 }))).toBe(404);
  });

  it("gets unchanged answers for nothing: their units go back to what is in hand", async () => {
    const { squad, read, github } = await pooledSquads();
    github.route("/repos/o/r", { json: { id: 1 } });
    const a = squad({ cache: true });
    for (let round = 0; round < 5; round++) await read(a);
    expect(github.statuses()).toEqual([200, 304, 304, 304, 304]);
    expect(leaseOf(a)).toMatchObject({ spentUnits: 1, inFlightUnits: 0 });
  });

  it("gives back what it holds when it is closed, and takes itself off the lists", async () => {
    const { squad, read, document, clock } = await pooledSquads();
    const [a, b] = [squad({ agent: "a" }), squad({ agent: "b" })];
    for (let round = 0; round < 20; round++) await read(a);
    await read(b);
    await clock.settle(a.close());
    const doc = (await document()) as { allocations: object; retired: number[] };
    expect(Object.keys(doc.allocations).map((name) => name[0])).toEqual(["b"]);
    expect(doc.retired).toEqual([0, 20, 0]);
    await expect(clock.settle(a.close())).resolves.toBeUndefined();
  });

  it("counts the answers that are on their way before it gives back the rest", async () => {
    const { squad, read, document, github, clock } = await pooledSquads();
    const a = squad();
    await read(a);
    const release = github.hold();
    const late = read(a);
    await clock.advance(1_000);
    const closing = a.close();
    await clock.advance(1_000);
    release();
    await clock.settle(Promise.all([late, closing]));
    const { allocations, retired } = (await document()) ?? {};
    expect({ allocations, retired }).toEqual({ allocations: {}, retired: [0, 2, 0] });
  });

  it("leaves no count behind when a waiting call is aborted", async () => {
    const { squad, read, github, clock } = await pooledSquads();
    Object.assign(github.quota(TOKEN), { limit: 100, used: 99 });
    const a = squad({ maxWaitMs: 2 * HOUR_MS });
    await read(a);
    const controller = new AbortController();
    const waiting = read(a, "/repos/o/r", { signal: controller.signal });
    await clock.advance(5_000);
    expect(leaseOf(a)?.waitingUnits).toEqual([0, 1, 0]);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(leaseOf(a)?.waitingUnits).toEqual([0, 0, 0]);
  });

  it("charges a resource that only the answer names to that resource", async () => {
    const { squad, read, github } = await pooledSquads();
    const a = squad();
    await read(a);
    await read(a, "/search/issues?q=x");
    const resetS = String(Math.ceil(github.quota(TOKEN, "search").resetAt / 1_000));
    github.once({ json: {}, headers: { "x-ratelimit-resource": "search", "x-ratelimit-reset": resetS } });
    await read(a, "/repos/o/r/actions");
    const windows = a.status().principals[0]?.windows;
    expect(windows?.core?.lease).toMatchObject({ spentUnits: 1, inFlightUnits: 0 });
    expect(windows?.search?.lease).toMatchObject({ spentUnits: 2, inFlightUnits: 0 });
  });
});

describe("a pool", () => {
  it("is none where `pool: false` says so, or without a store", async () => {
    const { squad, read } = await pooledSquads();
    for (const alone of [squad({ pool: false }), squad({ store: undefined })]) {
      await read(alone);
      expect(alone.status().principals[0]).toMatchObject({ pool: undefined, windows: { core: { lease: undefined } } });
    }
  });

  it("is each token's own, unless a name joins them", async () => {
    const { squad, read, store } = await pooledSquads();
    const other = { headers: { authorization: "token ghp_other" } };
    const apart = squad();
    await read(apart);
    await read(apart, "/user", other);
    const names = apart.status().principals.map(({ pool }) => pool?.name);
    expect(new Set(names).size).toBe(2);
    const joined = squad({ pool: { name: "crew" } });
    await read(joined);
    await read(joined, "/user", other);
    expect(joined.status().principals.map(({ pool }) => pool?.name)).toEqual(["crew", "crew"]);
    expect(joined.status().principals[0]?.windows.core?.lease?.shared?.spenders).toBe(2);
    expect(store.describe().kind).toBe("memory");
  });

  it("is never shared by two hosts", async () => {
    const { squad, read, github, clock } = await pooledSquads();
    const a = squad({ pool: { name: "crew" } });
    await read(a);
    const init = { headers: { authorization: TOKEN } };
    await clock.settle(a.fetch("https://github.example.com/api/v3/user", init));
    expect(github.requests).toHaveLength(2);
    expect(a.status().principals.map(({ windows }) => windows.core?.lease?.shared?.spenders)).toEqual([1, 1]);
  });

  it("is not for calls without a token, whose quota is their address's", async () => {
    const { squad, clock } = await pooledSquads();
    const a = squad();
    await clock.settle(a.fetch("https://api.github.com/repos/o/r"));
    expect(a.status().principals).toMatchObject([{ id: "anonymous", pool: undefined }]);
  });

  it("is the one gate: the light only shows how things are", async () => {
    const { squad, read, github } = await pooledSquads();
    const quota = github.quota(TOKEN);
    Object.assign(quota, { limit: 1_000, used: 900, resetAt: quota.resetAt - HOUR_MS / 2 });
    const a = squad({ priority: 2, maxWaitMs: 0 });
    await read(a);
    expect(await read(a)).toBe(404);
    const forced = squad({ priority: 2, maxWaitMs: 0, light: { mode: "fixed" } });
    expect(await refusalOf(read(forced))).toMatchObject({ code: "SQUAD_RATE_LIGHT" });
  });

  it("lets all of it hold back after a secondary refusal of one", async () => {
    const { squad, read, github, clock } = await pooledSquads();
    const [a, b] = [squad({ agent: "a" }), squad({ agent: "b", maxWaitMs: 0 })];
    await read(a);
    await read(b);
    github.once({ status: 403, json: { message: "secondary rate limit" }, headers: { "retry-after": "90" } });
    const { counters } = a.status();
    expect(await read(a)).toBe(403);
    expect(a.status().counters.refusedByGithub).toBe(counters.refusedByGithub + 1);
    // `b` hears of it when it next goes to the store, which it does to look before a write.
    await clock.advance(6_000);
    const error = await refusalOf(read(b, "/repos/o/r/issues", { method: "POST", body: "{}" }));
    expect(error).toMatchObject({ code: "SQUAD_RATE_COOLDOWN", status: 429 });
    expect(error.message).toMatch(/GitHub refused a request of a by a secondary limit/);
    await clock.advance(90_000);
    expect(await read(b)).toBe(404);
  });
});

describe("whoever waits in a pool", () => {
  it("does not look at the store for a cooldown each time that it is asked again", async () => {
    const { squad, read, github, clock, store } = await pooledSquads();
    Object.assign(github.quota(TOKEN), { limit: 100, used: 98 });
    const looks = vi.spyOn(store.updates, "update");
    const a = squad({ agent: "a", maxWaitMs: 2 * HOUR_MS, light: false });
    await read(a);
    const waiting = Array.from({ length: 20 }, () =>
      a.fetch("https://api.github.com/repos/o/r", { headers: { authorization: TOKEN } }),
    );
    await clock.advance(HOUR_MS / 2);
    const ofCooldown = looks.mock.calls.filter(([key]) => key.includes(":cooldown:"));
    expect(ofCooldown.length).toBeGreaterThan(0);
    // One for so many calls that came at once.
    expect(ofCooldown.length).toBeLessThanOrEqual(2);
    await clock.advance(2 * HOUR_MS);
    await clock.settle(Promise.allSettled(waiting));
  });
});

describe("how long a pool holds back", () => {
  it.each([
    ["as many seconds as GitHub says", "90", 90],
    ["until the moment that GitHub names", "Tue, 01 Jan 2030 00:03:20 GMT", 200],
    ["a minute when GitHub says nothing that makes sense", "soon", 60],
    ["a minute when GitHub says to come back at once", "0", 60],
    ["an hour at most", "9000", 3_600],
  ])("is %s", async (_, retryAfter, seconds) => {
    const { squad, read, github, clock } = await pooledSquads();
    const a = squad();
    const begin = clock.now();
    await read(a);
    github.once({ status: 429, json: {}, headers: { "retry-after": retryAfter } });
    await read(a);
    const until = a.status().principals[0]?.cooldownUntil ?? 0;
    // GitHub's time is known to half a second.
    expect(Math.floor((until - begin) / 1_000)).toBe(seconds);
  });
});

describe("a squad that is being closed", () => {
  it("holds calls that wait, and those that come, until its units are back, and refuses them then", async () => {
    const { squad, read, document, github, clock, store } = await pooledSquads();
    Object.assign(github.quota(TOKEN), { limit: 100, used: 99 });
    const a = squad({ maxWaitMs: 2 * HOUR_MS });
    await read(a);
    const told: string[] = [];
    const tell = (who: string) => (error: SquadRateError) => void told.push(`${who} ${error.code}`);
    const waits = read(a).catch(tell("waited"));
    await clock.advance(1_000);
    const update = store.updates.update.bind(store.updates);
    store.updates.update = async (...given) => {
      await new Promise<void>((done) => clock.timer(200, done));
      return update(...given);
    };
    const closing = a.close();
    const comes = read(a).catch(tell("came"));
    await clock.advance(199);
    expect(told).toEqual([]);
    await clock.settle(Promise.all([closing, waits, comes]));
    expect(told.toSorted()).toEqual(["came SQUAD_RATE_CLOSED", "waited SQUAD_RATE_CLOSED"]);
    expect((await document())?.allocations).toEqual({});
  });
});

describe("a store that stops answering", () => {
  it("holds no call up for longer than its timeout, is told of once, and is used again when it is back", async () => {
    const { squad, read, clock, store, github } = await pooledSquads();
    const [lost, faults] = [recordEvents("squad-rate:store"), recordEvents("squad-rate:fault")];
    const warned = warnings();
    const a = squad({ store: { ...store, updates: store.updates } });
    await read(a);
    const serve = store.updates.update;
    store.updates.update = () => Promise.reject(new Error("connection refused"));
    await clock.advance(10 * 60_000);
    const begin = clock.now();
    expect(await read(a)).toBe(404);
    expect(clock.now() - begin).toBeLessThanOrEqual(250);
    expect(a.status().store).toMatchObject({ state: "lost", why: expect.stringContaining("connection refused") });
    expect(leaseOf(a)?.state).toBe("lost");
    store.updates.update = serve;
    await clock.advance(20_000);
    await read(a);
    await clock.advance(1_000);
    expect(a.status().store).toMatchObject({ state: "well", why: undefined });
    expect(lost.map(({ kind }) => kind)).toEqual(["lost", "back"]);
    // Quota, members and use of the secondary limits each say once that they went without; so few calls look for no cooldown.
    expect(faults.map(({ what }) => what)).toHaveLength(3);
    expect(warned()).toEqual([expect.stringMatching(/connection refused\. Until it answers, agents pace/)]);
    expect(github.statuses().every((status) => status === 404)).toBe(true);
  });
});

describe("a request that GitHub does not begin to answer", () => {
  it("is given up in time, so that a dead agent's units can go to others, and holds its units a while longer", async () => {
    const { squad, read, github, clock } = await pooledSquads();
    const a = squad({ requestTimeoutMs: 5_000 });
    await read(a);
    const release = github.hold();
    const begin = clock.now();
    await expect(read(a)).rejects.toThrow(/GitHub had not begun to answer after 5 s/);
    expect(clock.now() - begin).toBe(5_000);
    expect(leaseOf(a)).toMatchObject({ spentUnits: 1, inFlightUnits: 1 });
    release();
    await clock.advance(5_001);
    await read(a);
    expect(leaseOf(a)).toMatchObject({ spentUnits: 2, inFlightUnits: 0 });
  });

  it("may take as long as it takes when it uploads something, or when nobody shares the quota", async () => {
    const { squad, read, github, clock } = await pooledSquads();
    const release = github.hold();
    const upload = { method: "POST", body: new Uint8Array(4) };
    const slow = [
      read(squad({ requestTimeoutMs: 5_000 }), "/repos/o/r/releases/1/assets", upload),
      read(squad({ requestTimeoutMs: 5_000, pool: false })),
    ];
    await clock.advance(120_000);
    release();
    expect(await Promise.all(slow)).toEqual([404, 404]);
  });
});

describe("a request that was never sent", () => {
  it("costs nothing and counts as none, when its caller had left before", async () => {
    const { squad, read, github } = await pooledSquads();
    const a = squad();
    await read(a);
    await expect(read(a, "/repos/o/r", { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
    expect(leaseOf(a)).toMatchObject({ spentUnits: 1, inFlightUnits: 0 });
    expect(a.status().counters).toMatchObject({ calls: 2, exchanges: 1, failed: 0 });
    expect(github.requests).toHaveLength(1);
  });

  it("costs nothing when there was no connection; of a connection that broke nobody knows for a while", async () => {
    const { squad, read } = await pooledSquads();
    let code = "ECONNREFUSED";
    const fetch = (() =>
      Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) }))) as never;
    const a = squad({ fetch });
    await expect(read(a)).rejects.toThrow("fetch failed");
    expect(leaseOf(a)).toMatchObject({ spentUnits: 0, inFlightUnits: 0 });
    code = "ECONNRESET";
    await expect(read(a)).rejects.toThrow("fetch failed");
    expect(leaseOf(a)).toMatchObject({ spentUnits: 0, inFlightUnits: 1 });
  });
});

describe("a pool without a store", () => {
  it("is told of once, when a name or a mirror shows that one was meant", async () => {
    const { squad, read } = await pooledSquads();
    const warned = warnings();
    const a = squad({ store: undefined, pool: { name: "crew" } });
    await read(a);
    await read(a);
    await read(squad({ store: undefined }));
    expect(warned()).toEqual([expect.stringMatching(/set squad\.store or SQUAD_RATE_STORE/)]);
  });
});
