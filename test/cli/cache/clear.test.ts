import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/open-store.js";
import { requireServer } from "../../harness/servers.js";
import { call, type StoreFolder, storeFolder } from "../status/in-folder.js";

const redis = await requireServer("redis");

/** A store with three kept answers, and a pool. */
async function full(): Promise<StoreFolder> {
  const folder = await storeFolder();
  await call(folder.squad());
  const store = await openStore(folder.uri);
  for (const name of ["a", "b", "c"]) await store.keyv.set(`squad-rate:cache:1:${name}`, { v: 1 });
  await store.close();
  return folder;
}

describe("squad-rate cache clear", () => {
  it("deletes kept answers and says how many, and leaves pools alone", async () => {
    const folder = await full();
    const { code, out } = await folder.run(["cache", "clear", "--yes"]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^3 kept answers deleted from file:.* keep theirs in memory/),
    ]);
    expect((await folder.run(["status"])).out).toContain("core: ");
    expect(await folder.run(["cache", "clear", "--yes"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No answers/),
    });
  });

  it("asks first, with their number, and does nothing without a yes", async () => {
    const folder = await full();
    const asked: string[] = [];
    const confirm = async (question: string): Promise<boolean> => asked.push(question) < 0;
    expect((await folder.run(["cache", "clear"], { confirm })).code).toBe(77);
    expect(asked[0]).toMatch(/^Delete 3 kept answers from file:/);
    expect((await folder.run(["cache", "clear"])).code).toBe(77);
    expect((await folder.run(["cache", "clear", "--yes"])).out).toMatch(/^3 kept answers/);
  });

  it.skipIf(redis.missing)("leaves others' keys in Redis alone", async () => {
    const folder = await storeFolder();
    const store = await openStore(redis.url);
    await store.keyv.set("squad-rate:cache:1:of-a-test", { v: 1 });
    await store.keyv.set("somebody-else:cache", { v: 1 });
    const ran = await folder.run(["cache", "clear", "--yes"], { env: { SQUAD_RATE_STORE: redis.url } });
    expect(ran.code).toBe(0);
    expect(await store.keyv.get("squad-rate:cache:1:of-a-test")).toBeUndefined();
    expect(await store.keyv.get("somebody-else:cache")).toEqual({ v: 1 });
    await store.keyv.delete("somebody-else:cache");
    await store.close();
  });

  it("says in one line that a store is gone", async () => {
    const folder = await storeFolder();
    const env = { SQUAD_RATE_STORE: "redis://:hush-hush@127.0.0.1:1" };
    const { code, err } = await folder.run(["cache", "clear", "--yes"], { env });
    expect([code, err.trim().split("\n").length]).toEqual([69, 1]);
    expect(err).not.toContain("hush-hush");
  });
});
