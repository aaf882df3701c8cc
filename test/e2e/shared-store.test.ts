import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Octokit } from "@octokit/core";
import { afterAll, describe, expect, it } from "vitest";
import { squadRate } from "../../src/plugin.js";
import { createSimulatedGitHub } from "../../src/sim/index.js";
import { createSquad, type Squad } from "../../src/squad.js";
import { openStore } from "../../src/store/open-store.js";
import { outcomeOf } from "../harness/cache-outcome.js";
import { recordEvents } from "../harness/record-events.js";
import { requireServer } from "../harness/servers.js";

const directory = await mkdtemp(join(tmpdir(), "squad-rate-store-"));
afterAll(() => rm(directory, { recursive: true, force: true }));
const redis = await requireServer("redis");
const postgres = await requireServer("postgres");
// Names of this run: the servers keep what earlier runs left.
const repository = { owner: "mona", repo: `hello-${randomUUID()}` };

/** A GitHub with one repository, and one Octokit for each squad that shares the store. */
function setUp() {
  const github = createSimulatedGitHub();
  github.world.addUser({ login: "mona" });
  const token = `ghp_${randomUUID().replaceAll("-", "")}`;
  github.world.addToken(token, "mona");
  github.world.addRepository({ owner: repository.owner, name: repository.repo });
  const warnings: string[] = [];
  const log = { debug() {}, info() {}, warn: (message: string) => void warnings.push(message), error() {} };
  const client = (squad: Squad) =>
    new (Octokit.plugin(squadRate))({ auth: token, squad, log, request: { fetch: github.fetch } });
  return { github, client, warnings };
}

describe("a store named by its address", () => {
  for (const { label, url, missing } of [{ label: "file", url: `file:${directory}`, missing: false }, redis, postgres])
    it.skipIf(missing)(`${label} lets the next process begin with a free 304`, async () => {
      const { client, warnings } = setUp();
      const first = createSquad({ agent: "first", store: url, storeTimeoutMs: 5_000 });
      expect(outcomeOf(await client(first).request("GET /repos/{owner}/{repo}", repository))).toBe("miss");
      await first.close();
      await using second = createSquad({ agent: "second", store: url, storeTimeoutMs: 5_000 });
      expect(outcomeOf(await client(second).request("GET /repos/{owner}/{repo}", repository))).toBe("revalidated");
      await second.cache.clear();
      await using third = createSquad({ agent: "third", store: url, storeTimeoutMs: 5_000 });
      expect(outcomeOf(await client(third).request("GET /repos/{owner}/{repo}", repository))).toBe("miss");
      await third.cache.clear();
      expect(warnings).toEqual([]);
    });

  it("that is refused when its address is none, without showing it", () => {
    expect(() => createSquad({ store: "redis//user:hunter2@host" })).toThrow(/no scheme/);
    expect(() => createSquad({ store: "mysql://user:hunter2@host" })).toThrow(
      expect.objectContaining({ code: "SQUAD_RATE_OPTIONS", message: expect.not.stringContaining("hunter2") }),
    );
  });

  it("that nobody serves costs its timeout, not the call", async () => {
    const faults = recordEvents("squad-rate:fault");
    const port = await closedPort();
    const { client } = setUp();
    await using squad = createSquad({ store: `redis://:hunter2@127.0.0.1:${port}`, storeTimeoutMs: 100 });
    const octokit = client(squad);
    expect(outcomeOf(await octokit.request("GET /repos/{owner}/{repo}", repository))).toBe("miss");
    expect(outcomeOf(await octokit.request("GET /repos/{owner}/{repo}", repository))).toBe("revalidated");
    expect(faults.length).toBeGreaterThan(0);
    expect(JSON.stringify(faults)).not.toContain("hunter2");
  });
});

describe("a store that is opened already", () => {
  it.skipIf(redis.missing)("serves several squads, and is closed by none of them", async () => {
    const { client, warnings } = setUp();
    await using store = await openStore(redis.url, { timeoutMs: 5_000 });
    const first = createSquad({ agent: "first", store });
    await using second = createSquad({ agent: "second", store });
    expect(outcomeOf(await client(first).request("GET /repos/{owner}/{repo}", repository))).toBe("miss");
    await first.close();
    expect(outcomeOf(await client(second).request("GET /repos/{owner}/{repo}", repository))).toBe("revalidated");
    expect(store.describe()).toMatchObject({ kind: "redis", atomicity: "atomic" });
    await second.cache.clear();
    expect(warnings).toEqual([]);
  });
});

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
