import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Keyv } from "keyv";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/clock.js";
import { listKeys } from "../../src/store/list-keys.js";
import { openStore } from "../../src/store/open-store.js";
import type { Store, StoreKeyv } from "../../src/store/store.js";
import { requireServer } from "../harness/servers.js";

const redis = await requireServer("redis");
const postgres = await requireServer("postgres");
const limits = { clock: systemClock, timeoutMs: 5_000, where: "the test's store" };

async function listed(keyv: StoreKeyv, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const key of listKeys(keyv, prefix, limits) ?? []) keys.push(key);
  return keys.sort();
}

async function opened(target: string | StoreKeyv): Promise<Store> {
  const store = await openStore(target, { timeoutMs: 5_000 });
  onTestFinished(() => store.close());
  return store;
}

async function inNewFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "squad-rate-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return `file:${directory}`;
}

const places = [
  { name: "memory", missing: false, uri: async () => "memory:" },
  { name: "a folder", missing: false, uri: inNewFolder },
  { name: redis.label, missing: redis.missing, uri: async () => redis.url },
  { name: postgres.label, missing: postgres.missing, uri: async () => postgres.url },
];

describe.each(places)("keys in $name", ({ missing, uri }) => {
  it.skipIf(missing)("are listed by their beginning, and no others", async () => {
    const { keyv } = await opened(await uri());
    const prefix = `squad-rate:list_keys:${Math.random().toString(36).slice(2)}:`;
    const names = ["a", "b_%", "c*"].map((name) => `${prefix}${name}`);
    for (const key of [...names, "squad-rate:list-keys:other"]) await keyv.set(key, { key }, 60_000);
    onTestFinished(async () => {
      for (const key of [...names, "squad-rate:list-keys:other"]) await keyv.delete(key);
    });
    expect(await listed(keyv, prefix)).toEqual(names);
    expect(await listed(keyv, `${prefix}nothing`)).toEqual([]);
  });
});

describe("keys in a store that others use too", () => {
  it.skipIf(redis.missing)("are listed though somebody else's values are no JSON", async () => {
    const { keyv } = await opened(redis.url);
    const id = Math.random().toString(36).slice(2);
    const own = `squad-rate:list-keys:${id}`;
    const { store } = keyv as unknown as {
      store: { getClient(): Promise<{ set(k: string, v: string): Promise<unknown> }> };
    };
    await (await store.getClient()).set(`foreign-${id}`, "no JSON");
    await keyv.set(own, {});
    onTestFinished(async () => {
      for (const key of [own, `foreign-${id}`]) await keyv.delete(key);
    });
    expect(await listed(keyv, own)).toEqual([own]);
  });

  it("are listed without the namespace of a Keyv that was handed in", async () => {
    const keyv = new Keyv({ namespace: "ours" }) as unknown as StoreKeyv;
    await keyv.set("squad-rate:list-keys:a", 1);
    expect(await listed(keyv, "squad-rate:list-keys:")).toEqual(["squad-rate:list-keys:a"]);
  });

  it("cannot be listed where the adapter has no way to", () => {
    const keyv = { get: async () => undefined, set: async () => true, delete: async () => true };
    expect(listKeys(keyv, "squad-rate:", limits)).toBeUndefined();
  });

  it("fail in one line without a password when the server is gone", async () => {
    const { keyv } = await opened("redis://:hush-hush@127.0.0.1:1");
    await expect(listed(keyv, "squad-rate:")).rejects.toMatchObject({ code: "SQUAD_RATE_STORE" });
    await expect(listed(keyv, "squad-rate:")).rejects.not.toThrow("hush-hush");
  });
});
