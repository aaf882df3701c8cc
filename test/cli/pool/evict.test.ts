import { describe, expect, it } from "vitest";
import type { StatusSnapshot } from "../../../src/cli/commands/status/snapshot.js";
import type { EvictedLease } from "../../../src/pool/outside/evict-from-pool.js";
import { call, type StoreFolder, storeFolder, until } from "../status/in-folder.js";

async function agents(folder: StoreFolder): Promise<readonly string[]> {
  const { out } = await folder.run(["status", "--json", "--all"]);
  return (JSON.parse(out) as StatusSnapshot).pools.flatMap((pool) => pool.agents.map(({ agent }) => agent)).sort();
}

/** Agents of these names work in a store, and are listed. */
async function working(names: readonly string[]): Promise<StoreFolder> {
  const folder = await storeFolder();
  for (const agent of names) await call(folder.squad({ agent }));
  await expect.poll(() => agents(folder), { timeout: 10_000 }).toEqual([...names].sort());
  return folder;
}

describe("squad-rate pool evict", () => {
  it("takes an agent off the list, ends its lease, and says when its units come back", async () => {
    const folder = await working(["ralph", "data"]);
    const { code, out, err } = await folder.run(["pool", "evict", "ralph", "--yes"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^Taken off the list: 1 entry\.\ncore: the lease of ralph is ended; /);
    expect(await agents(folder)).toEqual(["data"]);
  });

  it("does no harm a second time, while the lease that it ended is still counted", async () => {
    const folder = await storeFolder();
    const squad = folder.squad({ agent: "ralph" });
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 8 }, (_, index) => call(squad, `/repos/o/r${round}-${index}`)));
    }
    await expect.poll(() => agents(folder), { timeout: 10_000 }).toEqual(["ralph"]);
    await folder.run(["pool", "evict", "ralph", "--yes"]);
    const { code, out } = await folder.run(["pool", "evict", "ralph", "--yes", "--json"]);
    const done = JSON.parse(out) as {
      readonly version: number;
      readonly members: number;
      readonly leases: readonly EvictedLease[];
    };
    expect([code, done.version, done.members]).toEqual([0, 1, 0]);
    expect(done.leases.map(({ resource }) => resource)).toEqual(["core"]);
  });

  it("asks first, says what of, and does nothing without a yes", async () => {
    const folder = await working(["ralph"]);
    const asked: string[] = [];
    const confirm = async (question: string): Promise<boolean> => {
      asked.push(question);
      return false;
    };
    expect(await folder.run(["pool", "evict", "ralph"], { confirm })).toMatchObject({ code: 77, out: "" });
    expect(asked[0]).toMatch(
      /^Evict ralph from pool [0-9a-f]{8} of api\.github\.com \(1 entry in the list on \S+, 1 lease with \d+ units?\)\? \[y\/N\] $/,
    );
    const { code, err } = await folder.run(["pool", "evict", "ralph"]);
    expect([code, err]).toEqual([77, expect.stringContaining("pass --yes")]);
    expect(await agents(folder)).toEqual(["ralph"]);
  });

  it("names those who are there, the likeliest first, where nobody has the name", async () => {
    const folder = await working(["ralph", "data", "index"]);
    const { code, err } = await folder.run(["pool", "evict", "ralf", "--yes"]);
    expect([code, err]).toEqual([1, expect.stringMatching(/no agent ralf in .*; there are ralph, data, index\n$/)]);
    const elsewhere = await folder.run(["pool", "evict", "ralph", "--machine", "nowhere", "--yes"]);
    expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining("no agent ralph on nowhere in ")]);
  });

  it("takes a name that no pool has for a mistake", async () => {
    const folder = await working(["ralph"]);
    const { code, err } = await folder.run(["pool", "evict", "ralph", "--yes", "--pool", "taem"]);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/no pool taem in file:.*; squad-rate status --all shows .*\n$/),
    ]);
    expect(await agents(folder)).toEqual(["ralph"]);
  });

  it("wants to know which pool, where an agent is in several", async () => {
    const folder = await working(["ralph"]);
    await call(folder.squad({ agent: "ralph", pool: { name: "team" } }));
    await expect.poll(() => agents(folder), { timeout: 10_000 }).toEqual(["ralph", "ralph"]);
    const { code, err } = await folder.run(["pool", "evict", "ralph", "--yes"]);
    expect([code, err]).toEqual([64, expect.stringMatching(/ralph is in 2 pools: .*; say which with --pool\n$/)]);
    expect((await folder.run(["pool", "evict", "ralph", "--yes", "--pool", "team"])).code).toBe(0);
    expect(await agents(folder)).toEqual(["ralph"]);
  });

  it("lets one that lives go on, as if nothing had been", async () => {
    const folder = await storeFolder();
    const squad = folder.squad({ agent: "ralph" });
    await call(squad);
    await until(
      () => folder.run(["status"]),
      ({ out }) => /^ralph /m.test(out),
    );
    await folder.run(["pool", "evict", "ralph", "--yes"]);
    for (let calls = 0; calls < 5; calls++) await call(squad, `/repos/o/r${calls}`);
    expect(squad.status().principals[0]?.windows.core?.lease?.state).not.toBe("lost");
  });
});
