import { describe, expect, it } from "vitest";
import type { OperationCostsDocument } from "../../src/policy/operation-costs.js";
import { operationCostsKey } from "../../src/pool/keys.js";
import { Pool } from "../../src/pool/pool.js";
import type { PrincipalPool } from "../../src/pool/principal-pool.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { readDocument } from "../../src/store/atomic-update.js";
import { openStore } from "../../src/store/open-store.js";
import type { Store } from "../../src/store/store.js";

const HOST = "api.github.com";
const PULLS = "0123456789abcdef0123456789abcdef";

function startPool(clock: VirtualClock, store: Store, name?: string): Pool {
  return new Pool({
    open: async () => store,
    where: "memory:",
    name,
    share: "lend",
    mirror: undefined,
    agent: "ralph",
    machine: "build-1",
    requestTimeoutMs: 60_000,
    clock,
    onMore: () => undefined,
    onMembers: () => undefined,
    report: () => undefined,
    isTold: () => false,
    warn: () => undefined,
  });
}

function join(pool: Pool, clock: VirtualClock, principal: string): PrincipalPool {
  const time = { now: () => clock.now(), known: () => true, jumpMs: () => 0 };
  const facts = () => ({ light: "green", breakerOpen: false, blockedUntil: 0, dependsOn: [] }) as const;
  const joined = pool.join(principal, HOST, time, facts);
  if (joined === undefined) throw new Error(`${principal} shares nothing`);
  return joined;
}

async function counted(store: Store, name: string): Promise<number | undefined> {
  const document = await readDocument(store, operationCostsKey({ host: HOST, name }));
  return (document as OperationCostsDocument | undefined)?.costs[PULLS]?.count;
}

describe("what operations cost, in a pool", () => {
  it("is one principal's own, and is told when the pool is closed", async () => {
    const clock = createVirtualClock();
    const store = await openStore("memory:", { clock });
    const pool = startPool(clock, store);
    const [mona, hubot] = [join(pool, clock, "user-1"), join(pool, clock, "user-2")];
    mona.operationCosts.learn(PULLS, 6);
    expect([mona.operationCosts.expected(PULLS), hubot.operationCosts.expected(PULLS)]).toEqual([6, undefined]);
    await clock.settle(pool.close());
    expect([await counted(store, "user-1"), await counted(store, "user-2")]).toEqual([1, undefined]);
  });

  it("is shared by principals that a name joins, and told when the last of them is forgotten", async () => {
    const clock = createVirtualClock();
    const store = await openStore("memory:", { clock });
    const pool = startPool(clock, store, "team");
    const [mona, hubot] = [join(pool, clock, "user-1"), join(pool, clock, "user-2")];
    mona.operationCosts.learn(PULLS, 6);
    expect(hubot.operationCosts.expected(PULLS)).toBe(6);
    pool.leave(mona, () => undefined);
    await clock.advance(1_000);
    expect(await counted(store, "team")).toBeUndefined();
    pool.leave(hubot, () => undefined);
    await clock.advance(1_000);
    expect(await counted(store, "team")).toBe(1);
    await clock.settle(pool.close());
  });
});
