import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../../src/sim/virtual-clock.js";
import { atomicUpdate, readDocument } from "../../../src/store/atomic-update.js";
import { openStore } from "../../../src/store/open-store.js";
import type { Store } from "../../../src/store/store.js";

const KEY = "squad-rate:pool";

describe("the file store", () => {
  let parent: string;
  let directory: string;
  let clock: VirtualClock;
  let warnings: string[];
  let store: Store;

  const open = (): Promise<Store> =>
    openStore(`file:${directory}`, { clock, onWarning: (warning) => warnings.push(warning) });
  const files = (pattern = /\.json$/): string[] => readdirSync(directory).filter((name) => pattern.test(name));
  const path = (): string => join(directory, files()[0] as string);

  beforeEach(async () => {
    parent = mkdtempSync(join(tmpdir(), "squad-rate-files-"));
    directory = join(parent, "deep", "pool");
    clock = createVirtualClock();
    warnings = [];
    store = await open();
  });

  afterEach(async () => {
    await store.close();
    rmSync(parent, { recursive: true, force: true });
  });

  it("keeps a document that a human can read, and nobody else", async () => {
    await atomicUpdate(store, KEY, () => ({ totalLimit: 5_000 }));

    expect(readFileSync(path(), "utf8")).toBe(
      '{\n  "key": "squad-rate:pool",\n  "value": {\n    "totalLimit": 5000,\n    "revision": 1\n  }\n}\n',
    );
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(files(/owner$/).map((name) => statSync(join(directory, name)).mode & 0o777)).toEqual([0o600]);
  });

  it("leaves nothing but the entry behind", async () => {
    await atomicUpdate(store, KEY, () => ({}));
    await store.keyv.set("squad-rate:cache", "body");
    await store.close();

    expect(files(/./).filter((name) => !name.endsWith(".json"))).toEqual([]);
  });

  it("sets a torn document aside, tells of it, and is in no hurry to begin a new one", async () => {
    await atomicUpdate(store, KEY, () => ({ totalLimit: 5_000 }));
    const torn = readFileSync(path(), "utf8").slice(0, 40);
    writeFileSync(path(), torn);
    const other = await open();

    await expect(atomicUpdate(store, KEY, () => ({ fresh: true }))).rejects.toThrow(/unreadable and was set aside as/);
    await clock.advance(59_000);
    for (const each of [store, other]) {
      await expect(readDocument(each, KEY)).rejects.toThrow(/a new one may be begun at 2030-01-01T00:01:00/);
      await expect(atomicUpdate(each, KEY, () => ({ fresh: true }))).rejects.toMatchObject({
        code: "SQUAD_RATE_STORE",
      });
    }
    expect(warnings).toHaveLength(1);
    const [aside] = files(/\.corrupt-20300101T000000000Z$/);
    expect(readFileSync(join(directory, aside as string), "utf8")).toBe(torn);

    await clock.advance(1_000);
    expect(await atomicUpdate(other, KEY, () => ({ fresh: true }))).toEqual({ fresh: true, revision: 1 });
    await other.close();
  });

  it("sets a torn cache entry aside, and is then without it", async () => {
    await store.keyv.set("squad-rate:cache", "body");
    writeFileSync(path(), "{");

    await expect(store.keyv.get("squad-rate:cache")).rejects.toThrow(/was set aside/);
    expect(await store.keyv.get("squad-rate:cache")).toBeUndefined();
  });

  it("does not take a file of another key for its own", async () => {
    await atomicUpdate(store, KEY, () => ({}));
    const mine = path();
    writeFileSync(mine, readFileSync(mine, "utf8").replace(KEY, "squad-rate:other"));

    await expect(readDocument(store, KEY)).rejects.toMatchObject({ code: "SQUAD_RATE_STORE" });
  });

  it("keeps the document when it cannot write", async () => {
    if (process.getuid?.() === 0) return;
    await atomicUpdate(store, KEY, () => ({ count: 1 }));
    chmodSync(directory, 0o500);

    await expect(atomicUpdate(store, KEY, () => ({ count: 2 }))).rejects.toMatchObject({ code: "SQUAD_RATE_STORE" });
    chmodSync(directory, 0o700);
    expect(await readDocument(store, KEY)).toEqual({ count: 1, revision: 1 });
  });

  it("lists and clears its entries", async () => {
    for (const name of ["a", "b"]) await store.keyv.set(`squad-rate:cache:${name}`, name);
    const listed: unknown[] = [];
    for await (const entry of store.keyv.iterator?.() ?? []) listed.push(entry);

    expect(listed.sort()).toEqual([
      ["squad-rate:cache:a", "a"],
      ["squad-rate:cache:b", "b"],
    ]);
    await (store.keyv as unknown as { clear(): Promise<void> }).clear();
    expect(files()).toEqual([]);
  });

  it("sweeps away what is expired and what killed processes left, and nothing else", async () => {
    const old = new Date(clock.now() - 11 * 60_000);
    const young = new Date(clock.now() - 60_000);
    const litter = (name: string, at: Date): void => {
      writeFileSync(join(directory, name), "{}");
      utimesSync(join(directory, name), at, at);
    };
    for (const [name, at] of [
      ["x.json.dead-1.tmp", old],
      ["y.json.live-1.tmp", young],
      ["dead.owner", old],
      ["x.json.lock.break-dead-1", old],
      ["held.json.lock", old],
      ["held.json.lock.break-dead-1", old],
      ["x.json.corrupt-20300101T000000000Z", old],
      ["notes.txt", old],
    ] as const) {
      litter(name, at);
    }
    await atomicUpdate(store, "squad-rate:expired", () => ({}), { ttlMs: 1_000 });
    await atomicUpdate(store, KEY, () => ({}), { ttlMs: 3_600_000 });

    await clock.advance(5_000);
    await expect.poll(() => files(/expired/)).toEqual([]);

    const left = files(/./).filter(
      (name) => !/^squad-rate-pool-.*json$/.test(name) && !(/owner$/.test(name) && name !== "dead.owner"),
    );
    await expect.poll(() => files(/dead-1\.tmp$|dead\.owner$|^x\.json\.lock/)).toEqual([]);
    expect(left).toEqual(
      expect.arrayContaining([
        "y.json.live-1.tmp",
        "held.json.lock",
        "held.json.lock.break-dead-1",
        "x.json.corrupt-20300101T000000000Z",
        "notes.txt",
        "swept",
      ]),
    );
    expect(await readDocument(store, KEY)).toEqual({ revision: 1 });
  });
});
