import { describe, expect, it } from "vitest";
import type { Squad } from "../../../src/squad.js";
import { type PooledSquads, pooledSquads } from "../../harness/pooled-squads.js";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const TOKEN = "token ghp_shared";
const REPOSITORY = "/repos/o/r";

/** Calls made at the same moment, and what they came to: a status or the code of an error. */
async function atOnce({ clock }: PooledSquads, squad: Squad, calls: number): Promise<Record<string, number>> {
  const url = `https://api.github.com${REPOSITORY}`;
  const sent = Array.from({ length: calls }, () => squad.fetch(url, { headers: { authorization: TOKEN } }));
  const counts: Record<string, number> = {};
  for (const result of await clock.settle(Promise.allSettled(sent))) {
    const outcome = result.status === "fulfilled" ? result.value.status : (result.reason as { code: string }).code;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

describe("requests that never reached GitHub", () => {
  // An agent without DNS, or behind a broken proxy, tries again and again. Where no connection was made nothing was charged;
  // of any other failure the units are in flight for a while and then free.
  it("do not use up the quota of the others", async () => {
    const { squad, read, github } = await pooledSquads();
    github.quota(TOKEN).limit = 100;
    const offline = (async () => {
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }) });
    }) as typeof fetch;
    const [well, broken] = [squad({ agent: "well" }), squad({ agent: "broken", fetch: offline })];
    await read(well);
    for (let call = 0; call < 150; call++) await read(broken).catch(() => undefined);
    expect(github.quota(TOKEN).used).toBe(1);
    expect(await read(well)).toBe(404);
  });

  it("nor do those whose caller had left before they were sent", async () => {
    const { squad, read, clock } = await pooledSquads();
    const a = squad();
    for (let call = 0; call < 20; call++) await read(a);
    const before = a.status().principals[0]?.windows.core?.lease?.spentUnits;
    const signal = AbortSignal.abort(new Error("gone"));
    const gone = a.fetch(`https://api.github.com${REPOSITORY}`, { headers: { authorization: TOKEN }, signal });
    await expect(clock.settle(gone)).rejects.toThrow("gone");
    expect(a.status().principals[0]?.windows.core?.lease?.spentUnits).toBe(before);
  });
});

describe("a first answer without rate headers", () => {
  // Only GitHub's API can say that it names no quota here, after which everything that waits may go.
  it("does not let everybody go when it is a failure of GitHub's edge", async () => {
    const fleet = await pooledSquads();
    const { squad, github, clock } = fleet;
    github.route(REPOSITORY, { json: {}, etag: "none" });
    Object.assign(github.quota(TOKEN), { limit: 1_000, used: 900 });
    const slowly = (async (...given: Parameters<typeof fetch>) => {
      await new Promise<void>((done) => clock.timer(200, done));
      return github.fetch(...given);
    }) as typeof fetch;
    github.once({ status: 502, unlimited: true });
    const counts = await atOnce(fleet, squad({ fetch: slowly, maxWaitMs: 5_000 }), 400);
    expect(counts[403] ?? 0).toBe(0);
  });

  // The archive of a repository ends at codeload.github.com, which sends no rate headers, and is charged by api.github.com.
  it("does not take a process out of the pool that downloads archives", async () => {
    const { squad, read, github, clock } = await pooledSquads();
    const quota = github.quota(TOKEN);
    quota.limit = 100;
    github.route(`${REPOSITORY}/tarball`, () => {
      quota.used++;
      return { unlimited: true, body: "x", redirectedTo: "https://codeload.github.com/o/r/legacy.tar.gz" };
    });
    const [archives, other] = [squad({ agent: "archives" }), squad({ agent: "other" })];
    await read(other);
    for (let call = 0; call < 150; call++) {
      await read(archives, `${REPOSITORY}/tarball`).catch(() => undefined);
      await clock.advance(SECOND_MS);
    }
    expect(quota.used).toBeLessThanOrEqual(100);
  });
});

describe("calls that may not wait", () => {
  // One goes to find out, and the others are told to ask again in a second: too short to be called a wait.
  it("go all ten when a fresh process makes them at once before an unused quota", async () => {
    const fleet = await pooledSquads();
    expect(await atOnce(fleet, fleet.squad({ maxWaitMs: 0 }), 10)).toEqual({ 404: 10 });
  });
});

describe("two credentials of one user with limits of their own", () => {
  it("are refused nothing by GitHub, whichever sends first", async () => {
    const { squad, clock } = await pooledSquads();
    const limits: Readonly<Record<string, number>> = { "token ghp_low": 200, "token ghp_high": 600 };
    const count = { used: 0, resetAt: clock.now() + HOUR_MS };
    let refused = 0;
    const oneCount = (async (_: unknown, init?: RequestInit) => {
      const limit = limits[new Headers(init?.headers).get("authorization") ?? ""] as number;
      await new Promise<void>((done) => clock.timer(50, done));
      const isSpent = count.used >= limit;
      if (isSpent) refused++;
      else count.used++;
      return new Response("{}", {
        status: isSpent ? 403 : 200,
        headers: {
          date: new Date(clock.now()).toUTCString(),
          "x-ratelimit-limit": String(limit),
          "x-ratelimit-remaining": String(Math.max(0, limit - count.used)),
          "x-ratelimit-used": String(count.used),
          "x-ratelimit-reset": String(Math.ceil(count.resetAt / SECOND_MS)),
          "x-ratelimit-resource": "core",
        },
      });
    }) as typeof fetch;
    const tokens = Object.keys(limits);
    const squads = tokens.flatMap((token) =>
      ["a", "b"].map((name) => ({
        token,
        squad: squad({ agent: name, fetch: oneCount, pool: { name: "crew" }, maxWaitMs: 0 }),
      })),
    );
    for (let second = 0; second < 400; second++) {
      const calls = squads.map(({ squad, token }) =>
        squad.fetch(`https://api.github.com${REPOSITORY}`, { headers: { authorization: token } }),
      );
      await clock.settle(Promise.allSettled(calls));
      await clock.advance(SECOND_MS);
    }
    expect(refused).toBe(0);
    expect(count.used).toBeGreaterThan(0.85 * 600);
  });
});
