import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import KeyvPostgres from "@keyv/postgres";
import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";
import { Keyv as Keyv6 } from "keyv6";
import { afterAll, describe } from "vitest";
import { openStore } from "../../src/store/open-store.js";
import type { StoreKeyv } from "../../src/store/store.js";
import { requireServer } from "../harness/servers.js";
import { type StoreUnderTest, storeContract } from "./contract.js";

const redis = await requireServer("redis");
const postgres = await requireServer("postgres");
const directory = await mkdtemp(join(tmpdir(), "squad-rate-store-"));
/** A busy machine is slow, not broken. */
const options = { timeoutMs: 10_000 };

const shared = { atomicity: "atomic", isShared: true, canPlant: true } as const;
const handed = { atomicity: "atomic", isShared: false, canPlant: false } as const;
const advisory = { ...handed, atomicity: "advisory" } as const;

afterAll(() => rm(directory, { recursive: true, force: true }));

storeContract(
  "memory:",
  async () => {
    const store = await openStore("memory:", options);
    return { store, plant: plantThrough(store.keyv) };
  },
  { ...shared, isShared: false },
);

storeContract(
  "file:",
  async () => ({
    store: await openStore(`file:${directory}`, options),
    plant: async (key, text) => {
      const suffix = key.split(":").at(-1) as string;
      const [name] = (await readdir(directory)).filter((each) => each.includes(suffix) && each.endsWith(".json"));
      await writeFile(join(directory, name as string), text);
    },
  }),
  shared,
);

describe.skipIf(redis.missing)(redis.label, () => {
  storeContract(
    "redis:",
    async () => {
      const store = await openStore(redis.url, options);
      return { store, plant: plantThrough(store.keyv) };
    },
    shared,
  );

  storeContract(
    "a Keyv 5 with a namespace on @keyv/redis",
    () => handedIn(new Keyv(new KeyvRedis(redis.url), { namespace: "mine" })),
    handed,
  );

  storeContract("a Keyv 6 on @keyv/redis", () => handedIn(new Keyv6({ store: new KeyvRedis(redis.url) })), handed);

  storeContract(
    "a Keyv 5 that compresses on @keyv/redis",
    () => handedIn(new Keyv(new KeyvRedis(redis.url), { serialize: backwards, deserialize: forwards } as object)),
    advisory,
  );
});

describe.skipIf(postgres.missing)(postgres.label, () => {
  storeContract(
    "postgres:",
    async () => {
      const store = await openStore(postgres.url, options);
      return { store, plant: plantThrough(store.keyv) };
    },
    shared,
  );

  storeContract(
    "a Keyv 5 with a namespace on @keyv/postgres",
    () => handedIn(new Keyv(new KeyvPostgres(postgres.url), { namespace: "mine" }), false),
    handed,
  );

  storeContract(
    "a Keyv 6 on @keyv/postgres",
    () => handedIn(new Keyv6({ store: new KeyvPostgres(postgres.url) }), false),
    handed,
  );
});

storeContract("a Keyv 5 on a Map", () => handedIn(new Keyv()), handed);
storeContract("a Keyv 6 on a Map", () => handedIn(new Keyv6()), handed);
storeContract("a Keyv 5 on an adapter nobody knows", () => handedIn(new Keyv({ store: unknownAdapter() })), advisory);
storeContract("a Keyv 6 on an adapter nobody knows", () => handedIn(new Keyv6({ store: unknownAdapter() })), advisory);

/** `disconnects`: the Postgres adapter ends the one pool that all adapters of the process share, so it is left. */
async function handedIn(keyv: unknown, disconnects = true): Promise<StoreUnderTest> {
  const store = await openStore(keyv as StoreKeyv, options);
  const close = async (): Promise<void> => {
    if (disconnects) await (keyv as { disconnect(): Promise<void> }).disconnect();
  };
  return { store, close };
}

/** Our own Keyv keeps texts as they are given to its adapter. */
function plantThrough(keyv: StoreKeyv): (key: string, text: string) => Promise<void> {
  return async (key, text) => {
    await (keyv as unknown as { store: { set(key: string, text: string): unknown } }).store.set(key, text);
  };
}

function backwards(value: unknown): string {
  return [...JSON.stringify(value)].reverse().join("");
}

function forwards(text: string): unknown {
  return JSON.parse([...text].reverse().join(""));
}

function unknownAdapter(): object {
  const entries = new Map<string, unknown>();
  return {
    opts: { url: "unknown:" },
    get: async (key: string) => entries.get(key),
    set: async (key: string, value: unknown) => {
      entries.set(key, value);
    },
    delete: async (key: string) => entries.delete(key),
    clear: async () => entries.clear(),
    has: async (key: string) => entries.has(key),
    on: () => {},
  };
}
