import { describe, expect, it } from "vitest";
import type { CooldownDocument } from "../../../src/policy/cooldown.js";
import { cooldownKey } from "../../../src/pool/keys.js";
import { openStore } from "../../../src/store/open-store.js";
import { type StoreFolder, storeFolder } from "../status/in-folder.js";

const KEY = cooldownKey({ host: "api.github.com", name: "team" });
const MINUTE_MS = 60_000;

/** A pool in which everybody holds back. */
async function cooling(more: Partial<CooldownDocument> = {}): Promise<StoreFolder> {
  const folder = await storeFolder();
  await write(folder, more);
  return folder;
}

async function write(folder: StoreFolder, more: Partial<CooldownDocument>): Promise<void> {
  const now = Date.now();
  const doc = {
    version: 1,
    revision: 1,
    updatedAt: now,
    startedAt: now - MINUTE_MS,
    until: now + 10 * MINUTE_MS,
    why: "secondary limit",
    by: "ralph",
    repeats: 1,
    unexplained: false,
  };
  const store = await openStore(folder.uri);
  await store.keyv.set(KEY, { ...doc, ...more });
  await store.close();
}

async function stored(folder: StoreFolder): Promise<CooldownDocument> {
  const store = await openStore(folder.uri);
  const doc = await store.keyv.get(KEY);
  await store.close();
  return doc as CooldownDocument;
}

describe("squad-rate cooldown clear", () => {
  it("shows who was refused and why, warns, and ends it on a yes", async () => {
    const folder = await cooling();
    const asked: string[] = [];
    const confirm = async (question: string): Promise<boolean> => asked.push(question) > 0;
    const { code, out } = await folder.run(["cooldown", "clear"], { confirm });
    expect(asked[0]).toMatch(
      /^GitHub refused ralph at \d\d:\d\d, the 2\. time in a row: secondary limit\. Pool team holds back until \d\d:\d\d, for another 10 min\. Who goes on may be blocked for longer\. End it now\? /,
    );
    expect([code, out]).toEqual([0, expect.stringMatching(/^The cooldown is ended\. .* within five seconds/)]);
    const { cleared, until, revision } = await stored(folder);
    expect([cleared?.until, revision]).toEqual([until, 2]);
    expect(await folder.run(["cooldown", "clear", "--yes"])).toMatchObject({ code: 0, out: "There is no cooldown.\n" });
  });

  it("does nothing without a yes", async () => {
    const folder = await cooling();
    expect((await folder.run(["cooldown", "clear"])).code).toBe(77);
    expect((await folder.run(["cooldown", "clear"], { confirm: async () => false })).code).toBe(77);
    expect((await stored(folder)).cleared).toBeUndefined();
  });

  it("does not take a pool that is not there for one in which nobody holds back", async () => {
    const folder = await cooling();
    const { code, out, err } = await folder.run(["cooldown", "clear", "--yes", "--pool", "taem"]);
    expect([code, out, err]).toEqual([1, "", expect.stringContaining("no pool taem in file:")]);
  });

  it("does not end a newer one, which comes while somebody is asked", async () => {
    const folder = await cooling();
    const confirm = async (): Promise<boolean> => {
      await write(folder, { revision: 2, startedAt: Date.now(), until: Date.now() + 20 * MINUTE_MS });
      return true;
    };
    const { code, err } = await folder.run(["cooldown", "clear"], { confirm });
    expect([code, err]).toEqual([1, expect.stringMatching(/a newer refusal has come, .*nothing was cleared/)]);
    expect((await stored(folder)).cleared).toBeUndefined();
  });

  it("touches nothing that it cannot read", async () => {
    const folder = await cooling({ version: 2 as never });
    const { code, err } = await folder.run(["cooldown", "clear", "--yes"]);
    expect([code, err]).toEqual([69, expect.stringContaining("document.version is 2; this reads version 1")]);
    expect(await stored(folder)).toMatchObject({ version: 2, revision: 1 });
  });
});
