import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { atomicUpdate, readDocument } from "../../src/store/atomic-update.js";
import { type Document, isUnreadableDocument } from "../../src/store/document.js";
import type { Store } from "../../src/store/store.js";

/** A store under test, and a way to put something foreign where one of its documents would be. */
export interface StoreUnderTest {
  readonly store: Store;
  /** Writes `text` where the store itself keeps the text of `key`. */
  readonly plant?: ((key: string, text: string) => Promise<void>) | undefined;
  readonly close?: (() => Promise<void>) | undefined;
}

/** What is expected of a store. */
export interface Expectations {
  readonly atomicity: "atomic" | "advisory";
  /** Two stores opened alike see the same documents. */
  readonly isShared: boolean;
  /** Something foreign can be put in the place of a document. */
  readonly canPlant: boolean;
}

const count = (current: Document | undefined): Document => ({ ...current, count: Number(current?.count ?? 0) + 1 });

/** What every store must do, whatever is behind it. */
export function storeContract(name: string, open: () => Promise<StoreUnderTest>, expected: Expectations): void {
  const { atomicity, isShared, canPlant } = expected;
  describe(name, () => {
    const opened: StoreUnderTest[] = [];
    const keys: Array<{ readonly store: Store; readonly key: string }> = [];

    const start = async (): Promise<StoreUnderTest & { readonly key: string }> => {
      const under = await open();
      opened.push(under);
      const key = `squad-rate:contract:${randomUUID()}`;
      keys.push({ store: under.store, key });
      return { ...under, key };
    };

    afterEach(async () => {
      for (const { store, key } of keys.splice(0)) await store.keyv.delete(key).catch(() => undefined);
      for (const { store, close } of opened.splice(0)) {
        await store.close();
        await close?.();
      }
    });

    it(`finds out by itself that its updates are ${atomicity}`, async () => {
      const { store, key } = await start();

      await atomicUpdate(store, key, count);

      expect(store.describe().atomicity).toBe(atomicity);
    });

    it("has no document before the first update, and counts revisions from 1", async () => {
      const { store, key } = await start();

      expect(await readDocument(store, key)).toBeUndefined();
      expect(await atomicUpdate(store, key, count)).toEqual({ count: 1, revision: 1 });
      expect(await atomicUpdate(store, key, count)).toEqual({ count: 2, revision: 2 });
      expect(await readDocument(store, key)).toEqual({ count: 2, revision: 2 });
    });

    it("goes on from the revision that a change returns, if it is higher than the one that is due", async () => {
      const { store, key } = await start();

      expect(await atomicUpdate(store, key, () => ({ count: 7, revision: 41 }))).toEqual({ count: 7, revision: 41 });
      expect(await atomicUpdate(store, key, count)).toEqual({ count: 8, revision: 42 });
      expect(await atomicUpdate(store, key, () => ({ count: 1, revision: 12 }))).toEqual({ count: 1, revision: 43 });
      expect(await readDocument(store, key)).toEqual({ count: 1, revision: 43 });
    });

    it("goes on counting when a document that is remembered is written again after the store has lost it", async () => {
      const { store, key } = await start();
      await atomicUpdate(store, key, count);
      const remembered = await atomicUpdate(store, key, count);
      await store.keyv.delete(key);

      const restored = await atomicUpdate(store, key, (current) => current ?? { ...remembered, revision: 3 });

      expect(restored).toEqual({ count: 2, revision: 3 });
      expect(await atomicUpdate(store, key, count)).toEqual({ count: 3, revision: 4 });
    });

    it("counts by itself where a change returns a revision that can be none", async () => {
      const { store, key } = await start();

      for (const revision of [0, -5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 52 + 1, "9"]) {
        await atomicUpdate(store, key, (current) => ({ ...count(current), revision: revision as number }));
      }

      expect(await readDocument(store, key)).toEqual({ count: 7, revision: 7 });
    });

    it("keeps every value that JSON can say as it was", async () => {
      const { store, key } = await start();
      const values = {
        ":colon": ":value",
        text: 'quote " line\n ünï ✓',
        deep: [{ a: null, b: true }, -0.5, 1e21],
        none: {},
      };

      await atomicUpdate(store, key, () => values);

      expect(await readDocument(store, key)).toEqual({ ...values, revision: 1 });
    });

    it("loses none of the updates that one process makes at once, and tells each its own outcome", async () => {
      const { store, key } = await start();

      const outcomes = await Promise.all(Array.from({ length: 50 }, () => atomicUpdate(store, key, count)));

      expect(outcomes.map((outcome) => outcome?.count).sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
      expect(await readDocument(store, key)).toEqual({ count: 50, revision: 50 });
    });

    it("writes nothing when a change returns undefined or what it was given", async () => {
      const { store, key } = await start();
      await atomicUpdate(store, key, count);

      expect(await atomicUpdate(store, key, () => undefined)).toEqual({ count: 1, revision: 1 });
      expect(await atomicUpdate(store, key, (current) => current)).toEqual({ count: 1, revision: 1 });
      expect(await readDocument(store, key)).toEqual({ count: 1, revision: 1 });
    });

    it("rejects the one whose change throws, and makes the others' changes", async () => {
      const { store, key } = await start();
      const failure = new Error("not this one");

      const [first, second, third] = await Promise.allSettled([
        atomicUpdate(store, key, count),
        atomicUpdate(store, key, () => {
          throw failure;
        }),
        atomicUpdate(store, key, count),
      ]);

      expect([first.status, third.status]).toEqual(["fulfilled", "fulfilled"]);
      expect(second).toEqual({ status: "rejected", reason: failure });
      expect(await readDocument(store, key)).toEqual({ count: 2, revision: 2 });
    });

    if (isShared) {
      it("sees what another store on the same place has written", async () => {
        const { store, key } = await start();
        const { store: other } = await start();

        await atomicUpdate(store, key, count);
        await atomicUpdate(other, key, count);
        await atomicUpdate(store, key, count);

        expect(await readDocument(other, key)).toEqual({ count: 3, revision: 3 });
      });
    }

    it("keeps entries of Keyv beside its documents", async () => {
      const { store, key } = await start();

      await store.keyv.set(key, { body: "x".repeat(10_000) }, 60_000);

      expect(await store.keyv.get(key)).toEqual({ body: "x".repeat(10_000) });
      await store.keyv.delete(key);
      expect(await store.keyv.get(key)).toBeUndefined();
    });

    if (canPlant) {
      it.each([
        ["torn", '{"value":{"count":1,"revi'],
        ["empty", ""],
        ["no JSON", "hello"],
        ["another's list", '{"value":[1,2,3]}'],
        ["another's object", '{"value":{"count":7}}'],
        ["a revision that is none", '{"value":{"count":7,"revision":-1}}'],
        ["a revision beyond counting", '{"value":{"count":7,"revision":9007199254740991}}'],
      ])("takes a document that is unreadable (%s) for an error, never for an absent one", async (_what, text) => {
        const { store, key, plant } = await start();
        await atomicUpdate(store, key, count);
        await plant?.(key, text);

        const errors = await Promise.all(
          [atomicUpdate(store, key, () => ({ fresh: true })), readDocument(store, key)].map((each) =>
            each.catch((error: unknown) => error),
          ),
        );
        expect(errors).toMatchObject([{ code: "SQUAD_RATE_STORE" }, { code: "SQUAD_RATE_STORE" }]);
        expect(errors.map(isUnreadableDocument)).toEqual([true, true]);
      });
    }

    it("refuses updates after close(), and closes twice without complaint", async () => {
      const { store, key } = await start();
      await store.close();
      await store.close();

      await expect(atomicUpdate(store, key, count)).rejects.toMatchObject({ code: "SQUAD_RATE_CLOSED" });
    });
  });
}
