import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StatusSnapshot } from "../../../src/cli/commands/status/snapshot.js";
import { run } from "../../../src/cli/run.js";
import { call, storeFolder, until } from "./in-folder.js";

describe("squad-rate status", () => {
  it("shows a pool that squads work in, and whom to find there", async () => {
    const folder = await storeFolder();
    await call(folder.squad({ agent: "ralph", priority: 0 }));
    const { code, out, err } = await until(
      () => folder.run(["status"]),
      (ran) => /^ralph .*green/m.test(ran.out),
    );
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^Pool [0-9a-f]{8} of api\.github\.com/);
    expect(out).toMatch(/core: 4,\d{3} of 5,000 left/);
    expect(out).not.toContain("ghp_x");
  });

  it("is JSON on demand, of a version", async () => {
    const folder = await storeFolder();
    await call(folder.squad());
    const { out } = await folder.run(["status", "--json"]);
    const seen = JSON.parse(out) as StatusSnapshot;
    expect(seen).toMatchObject({ version: 1, store: { uri: folder.uri, problem: null }, otherPools: 0, proxies: [] });
    expect(seen.pools[0]?.quotas[0]).toMatchObject({ resource: "core", limit: 5_000, state: "open" });
  });

  it("shows the pool of the token that is at hand, and others on demand", async () => {
    const folder = await storeFolder();
    await call(folder.squad());
    await call(folder.squad({ pool: { name: "team" } }));
    const token = { env: { GITHUB_TOKEN: "ghp_x" } };
    const pools = async (words: readonly string[], options = {}): Promise<readonly string[]> => {
      const { out } = await folder.run(["status", "--json", ...words], options);
      return (JSON.parse(out) as StatusSnapshot).pools.map(({ name }) => name);
    };
    const [own] = await pools([], token);
    expect(own).toMatch(/^[0-9a-f]{32}$/);
    expect(await pools([], token)).toEqual([own]);
    expect(await pools(["--all"], token)).toHaveLength(2);
    expect(await pools([])).toHaveLength(2);
    expect(await pools(["--pool", "team"], token)).toEqual(["team"]);
    expect(await pools(["--pool", (own ?? "").slice(0, 6)])).toEqual([own]);
    expect(await pools(["--host", "ghe.example.com"])).toEqual([]);
    expect((await folder.run(["status"], token)).out).toContain("1 more pool in ");
  });

  it("says what is missing, and ends with 69", async () => {
    const folder = await storeFolder();
    const ends = async (store: string): Promise<string> => {
      const { code, err } = await folder.run(["status"], { env: { SQUAD_RATE_STORE: store } });
      expect(code, store).toBe(69);
      return err;
    };
    expect(await ends("")).toMatch(/^squad-rate: no store is named, and no proxy .*--store/);
    expect(await ends("memory:")).toMatch(/lies in the process that opened it/);
    expect(await ends(folder.uri)).toMatch(/there is no folder .*: no squad has used this store/);
    const gone = await ends("redis://:hush-hush@127.0.0.1:1");
    expect(gone).toMatch(/^squad-rate: .*redis:\/\/\*\*\*@127\.0\.0\.1:1.*\n$/);
    expect(gone).not.toContain("hush-hush");
  });

  it("says that a store is empty, which is no failure", async () => {
    const folder = await storeFolder();
    const squad = folder.squad();
    await call(squad);
    await squad.close();
    const { code, out } = await folder.run(["status", "--pool", "other"]);
    expect([code, out.replace(/\s+/g, " ")]).toEqual([0, expect.stringMatching(/^No pool of that name lies in /)]);
  });

  it("tells of documents that nobody can read, rather than of none", async () => {
    const folder = await storeFolder();
    await call(folder.squad());
    const key = "squad-rate:members:api.github.com:team";
    await writeFile(join(folder.path, "x.json"), "{}");
    const store = await import("../../../src/store/open-store.js");
    const opened = await store.openStore(folder.uri);
    await opened.keyv.set(key, { version: 9 });
    await opened.close();
    const { out } = await folder.run(["status", "--pool", "team"]);
    expect(out).toContain("The document of members cannot be read: document.version is 9; this reads version 1");
  });

  it("looks again and again until Ctrl-C, which is no failure", async () => {
    const folder = await storeFolder();
    await call(folder.squad());
    const ending = new AbortController();
    const context = folder.context({ signal: ending.signal });
    const ran = run(context, ["status", "--watch", "0.1", "--json"]);
    await expect.poll(() => context.written.out().split("\n").length, { timeout: 10_000 }).toBeGreaterThan(4);
    ending.abort();
    expect(await ran).toBe(0);
    const lines = context.written.out().trim().split(/\n+/);
    for (const line of lines) expect((JSON.parse(line) as StatusSnapshot).version).toBe(1);
  });

  it("draws over itself on a terminal, without wiping it, and leaves the last picture behind", async () => {
    const folder = await storeFolder();
    await call(folder.squad());
    const ending = new AbortController();
    const context = folder.context({ signal: ending.signal, isTerminal: true });
    const ran = run(context, ["status", "--watch", "0.1", "--no-color"]);
    await expect.poll(() => context.written.out().split("\u001b[H").length, { timeout: 10_000 }).toBeGreaterThan(3);
    ending.abort();
    expect(await ran).toBe(0);
    const text = context.written.out();
    expect(text.startsWith("\u001b[?1049h\u001b[?25l\u001b[H")).toBe(true);
    expect(text).not.toContain("\u001b[2J");
    expect(text.slice(text.lastIndexOf("\u001b[?1049l"))).toMatch(/^\S+\[\?1049lPool [0-9a-f]{8}/);
  });
});
