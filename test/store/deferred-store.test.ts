import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Keyv } from "keyv";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/clock.js";
import { atomicUpdate } from "../../src/store/atomic-update.js";
import { DeferredStore } from "../../src/store/deferred-store.js";
import { openStore } from "../../src/store/open-store.js";
import type { Store, StoreKeyv } from "../../src/store/store.js";

const KEY = "squad-rate:test";

let directory: string;

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), "squad-rate-deferred-")), "pool");
});

afterEach(() => rm(join(directory, ".."), { recursive: true, force: true }));

/** On the real clock, since what is opened is real; a busy machine may stand still for longer than the default. */
function deferred(
  target: string | StoreKeyv | Store,
  onWarning: (message: string) => void = () => undefined,
): DeferredStore {
  return new DeferredStore({ target, clock: systemClock, random: Math.random, timeoutMs: 10_000, onWarning });
}

describe("DeferredStore", () => {
  it("opens nothing to be made, to say what it is and to be closed", async () => {
    const store = deferred(`file:${directory}`);

    expect(store.where).toBe(`file:${directory}`);
    expect(store.describe()).toEqual({ kind: "file", uri: `file:${directory}`, atomicity: "unproven" });
    await store.close();

    expect(existsSync(directory)).toBe(false);
  });

  it("says of an opened store what the store says", async () => {
    const store = deferred(`file:${directory}`);

    await store.open();

    expect(store.describe()).toEqual({ kind: "file", uri: `file:${directory}`, atomicity: "atomic" });
    await store.close();
  });

  it("shows no credentials", () => {
    const store = deferred("redis://me:hunter2@cache:6379/1?key=hunter2");

    expect(store.describe()).toEqual({ kind: "redis", uri: "redis://***@cache:6379/1", atomicity: "unproven" });
    expect(store.where).toBe("redis://***@cache:6379/1");
  });

  it("refuses an address that is none at once", () => {
    expect(() => deferred("nowhere:")).toThrow(expect.objectContaining({ code: "SQUAD_RATE_OPTIONS" }));
  });

  it("opens one store, however many ask for it at once", async () => {
    const store = deferred("memory:");

    const [first, second] = await Promise.all([store.open(), store.open(), store.set(KEY, { a: 1 })]);

    expect(second).toBe(first);
    expect(await first.keyv.get(KEY)).toEqual({ a: 1 });
  });

  it("keeps entries and lists their keys", async () => {
    const store = deferred("memory:");
    await store.set(KEY, { a: 1 });
    const listed: Array<readonly [string, unknown]> = [];
    for await (const entry of store.iterator()) listed.push(entry);

    expect(await store.get(KEY)).toEqual({ a: 1 });
    expect(listed).toEqual([[KEY, undefined]]);
    await store.delete(KEY);
    expect(await store.get(KEY)).toBeUndefined();
  });

  it("opens with the next call when an opening failed, and warns of the failure once", async () => {
    const onWarning = vi.fn();
    await writeFile(directory, "a file where the directory would be");
    const store = deferred(`file:${directory}`, onWarning);

    await expect(store.open()).rejects.toMatchObject({ code: "SQUAD_RATE_STORE" });
    await expect(store.get(KEY)).rejects.toMatchObject({ code: "SQUAD_RATE_STORE" });
    expect(store.describe().atomicity).toBe("unproven");
    await rm(directory);
    await store.set(KEY, { a: 1 });

    expect(await store.get(KEY)).toEqual({ a: 1 });
    expect(onWarning).toHaveBeenCalledOnce();
    expect(onWarning.mock.calls[0]?.[0]).toMatch(/failed to open: .*[^.]\. Agents go on without the store\.$/);
    await store.close();
  });

  it("passes on what the store warns of", async () => {
    const onWarning = vi.fn();
    const entries = new Map<string, unknown>();
    const adapter = {
      opts: { url: "plain:" },
      get: async (key: string) => entries.get(key),
      set: async (key: string, value: unknown) => void entries.set(key, value),
      delete: async (key: string) => entries.delete(key),
      clear: async () => entries.clear(),
    };
    const store = deferred(new Keyv({ store: adapter }) as StoreKeyv, onWarning);

    await atomicUpdate(await store.open(), KEY, () => ({ a: 1 }));

    expect(store.describe()).toEqual({ kind: "keyv", uri: "keyv:", atomicity: "advisory" });
    expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("no atomic update"));
  });

  describe("of a Keyv that was handed in", () => {
    it("uses that Keyv, and tells how it is changed once that is proved", async () => {
      const keyv = new Keyv();
      const store = deferred(keyv as StoreKeyv);

      expect(store.where).toBe("keyv:");
      expect(store.describe()).toEqual({ kind: "keyv", uri: "keyv:", atomicity: "unproven" });
      await store.set("entry", { a: 1 });
      expect(await keyv.get("entry")).toEqual({ a: 1 });
      await atomicUpdate(await store.open(), KEY, () => ({ b: 2 }));

      expect(await keyv.get(KEY)).toEqual({ b: 2, revision: 1 });
      expect(store.describe()).toEqual({ kind: "keyv", uri: "keyv:", atomicity: "atomic" });
    });

    it("never closes it", async () => {
      const keyv = new Keyv();
      const disconnect = vi.spyOn(keyv, "disconnect");
      const store = deferred(keyv as StoreKeyv);
      const opened = await store.open();
      await store.set("entry", { a: 1 });

      await store.close();

      expect(disconnect).not.toHaveBeenCalled();
      expect(await keyv.get("entry")).toEqual({ a: 1 });
      await expect(atomicUpdate(opened, KEY, () => ({}))).rejects.toMatchObject({ code: "SQUAD_RATE_CLOSED" });
    });
  });

  describe("of a store that somebody opened", () => {
    it("is that store, and says what it says", async () => {
      await using opened = await openStore(`file:${directory}`);
      const store = deferred(opened);

      expect(store.where).toBe(`file:${directory}`);
      expect(store.describe()).toEqual({ kind: "file", uri: `file:${directory}`, atomicity: "atomic" });
      expect(await store.open()).toBe(opened);
      await store.set(KEY, { a: 1 });
      expect(await opened.keyv.get(KEY)).toEqual({ a: 1 });
    });

    it("tells what that store has found out since", async () => {
      await using opened = await openStore(new Keyv() as StoreKeyv);
      const store = deferred(opened);
      expect(store.describe().atomicity).toBe("unproven");

      await atomicUpdate(opened, KEY, () => ({}));

      expect(store.describe().atomicity).toBe("atomic");
    });

    it("leaves its closing to whoever opened it", async () => {
      await using opened = await openStore("memory:");
      const [one, other] = [deferred(opened), deferred(opened)];
      await one.set(KEY, { a: 1 });

      await one.close();

      expect(await other.get(KEY)).toEqual({ a: 1 });
      expect(await atomicUpdate(await other.open(), `${KEY}:document`, () => ({}))).toEqual({ revision: 1 });
    });
  });
});
