import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { MAX_OPERATIONS, type OperationCost } from "../../src/policy/operation-costs.js";
import { operationCostsKey, type PoolIdentity } from "../../src/pool/keys.js";
import { OperationCosts } from "../../src/pool/operation-costs.js";
import { StoreDocuments } from "../../src/pool/store-documents.js";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { readDocument } from "../../src/store/atomic-update.js";
import { openStore } from "../../src/store/open-store.js";
import type { Store } from "../../src/store/store.js";
import { requireServer } from "../harness/servers.js";

const redis = await requireServer("redis");
const postgres = await requireServer("postgres");
const directory = await mkdtemp(join(tmpdir(), "squad-rate-costs-"));

afterAll(() => rm(directory, { recursive: true, force: true }));

const SHARED = operation(0);

function operation(index: number): string {
  return index.toString(16).padStart(32, "0");
}

function operationCostsOn(name: string, open: () => Promise<Store>, isShared = true): void {
  describe(name, () => {
    it("takes what eight processes report at once, and hands it to a ninth", async () => {
      const only = isShared ? undefined : await open();
      const stores = await Promise.all(Array.from({ length: 9 }, () => only ?? open()));
      const pool: PoolIdentity = { host: "api.github.com", name: `costs-${randomUUID()}` };
      // It stands still, so nothing is told before they are closed.
      const clock = createVirtualClock();
      const told: string[] = [];
      const costs = stores.map((store, index) => {
        const documents = new StoreDocuments({
          open: async () => store,
          where: name,
          monotonic: () => 0,
          onHealth: () => undefined,
        });
        return new OperationCosts({
          documents,
          pool,
          clock,
          time: { now: () => clock.now(), known: () => true, jumpMs: () => 0 },
          processId: `process-${index}`,
          report: (what, cause) => told.push(`${what}: ${(cause as Error).message}`),
        });
      });
      const [ninth, ...eight] = costs as [OperationCosts, ...OperationCosts[]];
      const own = Math.floor((MAX_OPERATIONS - 1) / 8);
      try {
        eight.forEach((one, process) => {
          for (let call = 0; call < 3; call++) one.learn(SHARED, 6);
          for (let index = 1; index <= own; index++) one.learn(operation(process * own + index), 1 + process);
        });
        await Promise.all(eight.map((one) => one.close()));

        ninth.refresh();
        await ninth.close();
        expect(told).toEqual([]);
        expect(ninth.expected(SHARED)).toBe(6);
        for (let process = 0; process < 8; process++) {
          expect(ninth.expected(operation((process + 1) * own))).toBe(1 + process);
        }
        const document = await readDocument(stores[0] as Store, operationCostsKey(pool));
        const known = document?.costs as Readonly<Record<string, OperationCost>>;
        expect([Object.keys(known).length, known[SHARED]?.count, document?.revision]).toEqual([8 * own + 1, 24, 8]);
      } finally {
        await stores[0]?.keyv.delete(operationCostsKey(pool));
        await Promise.all(Array.from(new Set(stores), (store) => store.close()));
      }
    });
  });
}

/** A busy machine is slow, not broken. */
const options = { timeoutMs: 10_000 };

operationCostsOn("memory:", () => openStore("memory:", options), false);
operationCostsOn("file:", () => openStore(`file:${directory}`, options));
describe.skipIf(redis.missing)(redis.label, () => {
  operationCostsOn("redis:", () => openStore(redis.url, options));
});
describe.skipIf(postgres.missing)(postgres.label, () => {
  operationCostsOn("postgres:", () => openStore(postgres.url, options));
});
