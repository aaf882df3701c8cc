import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Changed, PoolDocuments, UpdateOutcome } from "../../src/pool/documents.js";
import { contentWritesKey } from "../../src/pool/keys.js";
import { StoreDocuments } from "../../src/pool/store-documents.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { atomicUpdate, readDocument } from "../../src/store/atomic-update.js";
import { openStore } from "../../src/store/open-store.js";
import type { Store } from "../../src/store/store.js";
import { requireServer } from "../harness/servers.js";
import { mostInAWindow, Writer } from "./content-writer.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How far time moves while nobody waits for a store; all that a store does takes no longer. */
const STEP_MS = 20;

const redis = await requireServer("redis");
const postgres = await requireServer("postgres");
const directory = await mkdtemp(join(tmpdir(), "squad-rate-content-"));

afterAll(() => rm(directory, { recursive: true, force: true }));

/** Counts what stores have still to answer, so that virtual time can stand still meanwhile. */
class Answers {
  readonly #waiting = new Set<() => void>();
  #missing = 0;
  updates = 0;

  of(documents: PoolDocuments): PoolDocuments {
    return {
      update: <Result>(
        key: string,
        change: (doc: unknown) => Changed<Result>,
        done: (outcome: UpdateOutcome<Result>) => void,
      ) => {
        this.#missing++;
        this.updates++;
        documents.update(key, change, (outcome) => {
          this.#missing--;
          done(outcome);
          if (this.#missing === 0) for (const resolve of this.#waiting) resolve();
        });
      },
    };
  }

  async all(): Promise<void> {
    while (this.#missing > 0) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
      this.#waiting.clear();
    }
  }
}

async function pass(clock: VirtualClock, ms: number, answers: Answers): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    await answers.all();
    await clock.advance(STEP_MS);
  }
  await answers.all();
}

function contentWritesOn(name: string, open: () => Promise<Store>, isShared = true): void {
  describe(name, () => {
    it("lets eight processes with many writes send 80 a minute together, and no more", async () => {
      const clock = createVirtualClock();
      const answers = new Answers();
      const only = isShared ? undefined : await open();
      const stores = await Promise.all(Array.from({ length: 8 }, () => only ?? open()));
      const pool = { host: "api.github.com", name: `content-${randomUUID()}` };
      // Time stands still until all are answered, and whoever is connected first would have taken everything by then.
      await Promise.all(stores.map((store) => atomicUpdate(store, contentWritesKey(pool), () => undefined)));
      const writers = stores.map((store, index) => {
        const documents = new StoreDocuments({
          open: async () => store,
          where: name,
          monotonic: () => 0,
          onHealth: () => undefined,
        });
        return new Writer({ clock, documents: answers.of(documents), id: `process-${index}`, pool });
      });
      try {
        for (const writer of writers) writer.want(1, 100);
        await pass(clock, 2.5 * MINUTE_MS, answers);
        const times = writers.flatMap(({ sent }) => sent.map(({ at }) => at));
        expect(mostInAWindow(times, MINUTE_MS)).toBe(80);
        expect(times).toHaveLength(240);
        for (const { sent, told } of writers) {
          expect(told).toEqual([]);
          expect(sent.length).toBeGreaterThan(0.6 * (times.length / 8));
          expect(sent.length).toBeLessThan(1.4 * (times.length / 8));
        }
        expect(answers.updates).toBeLessThanOrEqual(times.length);

        await pass(clock, 10 * MINUTE_MS, answers);
        const all = writers.flatMap(({ sent }) => sent.map(({ at }) => at));
        expect([all.length, mostInAWindow(all, MINUTE_MS), mostInAWindow(all, HOUR_MS)]).toEqual([500, 80, 500]);

        await Promise.all(writers.map(({ content }) => content.close()));
        const document = await readDocument(stores[0] as Store, contentWritesKey(pool));
        const sent = document?.sent as readonly (readonly [number, number])[];
        expect(sent.reduce((sum, [, writes]) => sum + writes, 0)).toBe(500);
        expect(JSON.stringify(document).length).toBeLessThan(8_192);
      } finally {
        await stores[0]?.keyv.delete(contentWritesKey(pool));
        await Promise.all(Array.from(new Set(stores), (store) => store.close()));
      }
    });

    it("lets a lone process with many writes send at least 95 % of 80 a minute", async () => {
      const clock = createVirtualClock();
      const answers = new Answers();
      const store = await open();
      const pool = { host: "api.github.com", name: `content-${randomUUID()}` };
      const documents = new StoreDocuments({
        open: async () => store,
        where: name,
        monotonic: () => 0,
        onHealth: () => undefined,
      });
      const limits = { contentPerMinute: 80, contentPerHour: 10_000 };
      const writer = new Writer({ clock, documents: answers.of(documents), id: "lone", pool, limits });
      try {
        writer.want(1, 1_000);
        await pass(clock, 6 * MINUTE_MS, answers);
        const times = writer.sent.map(({ at }) => at);
        expect(mostInAWindow(times, MINUTE_MS)).toBeLessThanOrEqual(80);
        // Not from the first burst to the last, which would flatter it: from one burst to the one five later.
        const [first, fifth] = [times[0] as number, times[5 * 80] as number];
        expect((5 * 80) / ((fifth - first) / MINUTE_MS)).toBeGreaterThanOrEqual(0.95 * 80);
      } finally {
        await writer.content.close();
        await store.keyv.delete(contentWritesKey(pool));
        await store.close();
      }
    });
  });
}

/** A busy machine is slow, not broken. */
const options = { timeoutMs: 10_000 };

contentWritesOn("memory:", () => openStore("memory:", options), false);
contentWritesOn("file:", () => openStore(`file:${directory}`, options));
describe.skipIf(redis.missing)(redis.label, () => {
  contentWritesOn("redis:", () => openStore(redis.url, options));
});
describe.skipIf(postgres.missing)(postgres.label, () => {
  contentWritesOn("postgres:", () => openStore(postgres.url, options));
});
