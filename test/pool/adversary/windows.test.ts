import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Squad } from "../../../src/squad.js";
import { type PooledSquads, pooledSquads } from "../../harness/pooled-squads.js";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const TOKEN = "token ghp_shared";
const REPOSITORY = "/repos/o/r";

function leaseOf(squad: Squad) {
  return squad.status().principals.find(({ pool }) => pool !== undefined)?.windows.core?.lease;
}

/** How many reads, one after the other, came to what: a status or the code of an error. */
async function outcomes({ read }: PooledSquads, squad: Squad, calls: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let call = 0; call < calls; call++) {
    const outcome = await read(squad).catch((error: { code?: string }) => error.code ?? "thrown");
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

function headerSeconds(atMs: number): string {
  return String(Math.ceil(atMs / SECOND_MS));
}

function silence(): void {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
}

/** A machine whose wall clock is `offMs` ahead of GitHub's. */
function machineAhead({ clock }: PooledSquads, offMs: number) {
  return {
    now: () => clock.now() + offMs,
    monotonic: () => clock.monotonic(),
    timer: (ms: number, callback: () => void) => clock.timer(ms, callback),
  };
}

describe("the length of a window", () => {
  // It shows the same count as the one that opened the window, forty minutes later. Taken for that one it would make the
  // window twenty minutes long, and a document that names the next reset unreadable.
  it("is not taken from an unchanged answer late in the window", async () => {
    silence();
    const fleet = await pooledSquads();
    const { squad, read, github, clock, document } = fleet;
    github.route(REPOSITORY, { json: { id: 1 } });
    const [a, b] = [squad({ agent: "a", cache: true }), squad({ agent: "b", cache: true })];
    await read(a);
    await clock.advance(40 * MINUTE_MS);
    await read(a);
    await clock.advance(5 * MINUTE_MS);
    await read(a);
    await clock.advance(17 * MINUTE_MS);
    await read(b, "/repos/o/new");
    await clock.advance(3 * SECOND_MS);
    await read(a);
    await clock.advance(3 * SECOND_MS);
    await read(b, "/repos/o/newer");
    await clock.advance(6 * MINUTE_MS);
    await read(a, "/repos/o/newest");
    await clock.advance(3 * SECOND_MS);
    expect([leaseOf(a)?.state, leaseOf(b)?.state]).not.toContain("lost");
    expect(await document()).toMatchObject({ windowMs: HOUR_MS });
  });

  // For a machine that is two days slow (a virtual machine that was resumed; TLS does not mind) every reset is two days away.
  // Believed, it would make the document unreadable for everybody.
  it("is never longer than a document may say", async () => {
    silence();
    const fleet = await pooledSquads();
    const { squad, read, clock } = fleet;
    const a = squad({ agent: "a" });
    for (let call = 0; call < 50; call++) await read(a);
    const b = squad({ agent: "b", clock: machineAhead(fleet, -49 * HOUR_MS) });
    for (let call = 0; call < 3; call++) {
      await read(b);
      await clock.advance(6 * SECOND_MS);
    }
    await clock.advance(6 * MINUTE_MS);
    for (let call = 0; call < 5; call++) await read(a);
    expect(leaseOf(a)?.state).not.toBe("lost");
  });
});

describe("a machine whose clock is fast", () => {
  // It gets one call, which sets its clock. A document that began the next window for it would take the headers of the true
  // one for late, and book what calls are charged nowhere.
  it("does not end the window for the others before GitHub does", async () => {
    const fleet = await pooledSquads();
    const { squad, read, github, clock } = fleet;
    github.route(REPOSITORY, { json: {}, etag: "none" });
    const quota = github.quota(TOKEN);
    quota.limit = 1_000;
    const a = squad({ agent: "a", maxWaitMs: 0 });
    for (let call = 0; call < 800; call++) await read(a);
    await clock.advance(quota.resetAt - clock.now() - 4 * MINUTE_MS);
    await read(squad({ agent: "b", clock: machineAhead(fleet, 10 * MINUTE_MS) }));
    await clock.advance(SECOND_MS);
    const { 403: refusedByGithub = 0 } = await outcomes(fleet, a, 1_000);
    expect(refusedByGithub).toBeLessThanOrEqual(1);
  });

  // Nothing that it writes is in the others' future.
  it("leaves the document readable for the others", async () => {
    silence();
    const fleet = await pooledSquads();
    const { squad, read, github, clock } = fleet;
    const a = squad({ agent: "a", maxWaitMs: 0 });
    for (let call = 0; call < 50; call++) await read(a);
    await clock.advance(github.quota(TOKEN).resetAt - clock.now() - 40 * MINUTE_MS);
    await read(squad({ agent: "b", clock: machineAhead(fleet, HOUR_MS) }));
    await clock.advance(SECOND_MS);
    await outcomes(fleet, a, 50);
    expect(leaseOf(a)?.state).not.toBe("lost");
  });
});

describe("a fast machine's first three calls at once", () => {
  // While the first is on its way to find out, the others are told when to ask again, in the time of a clock that the first
  // one's answer sets back by half a minute.
  it("go as soon as the first is answered", async () => {
    const fleet = await pooledSquads();
    const { squad, github, clock } = fleet;
    const slowly = (async (...given: Parameters<typeof fetch>) => {
      await new Promise<void>((done) => clock.timer(400, done));
      return github.fetch(...given);
    }) as typeof fetch;
    const a = squad({ clock: machineAhead(fleet, 30 * SECOND_MS), fetch: slowly });
    const begin = clock.monotonic();
    const call = () => a.fetch(`https://api.github.com${REPOSITORY}`, { headers: { authorization: TOKEN } });
    await clock.settle(Promise.all([call(), call(), call()]));
    expect(clock.monotonic() - begin).toBeLessThan(2 * SECOND_MS);
  });
});

describe("the two seconds after a reset", () => {
  // Units granted then could not be spent: the window is over, and the next has not begun for the pool.
  it("are not spent asking the store over and over", async () => {
    const { squad, read, github, clock, store } = await pooledSquads();
    const a = squad();
    await read(a);
    await clock.advance(github.quota(TOKEN).resetAt - clock.now() + 200);
    const update = store.updates.update.bind(store.updates);
    let updates = 0;
    store.updates.update = async (...given) => {
      updates++;
      await new Promise<void>((done) => clock.timer(2, done));
      return update(...given);
    };
    await read(a);
    expect(updates).toBeLessThan(20);
  });
});

describe("a window that opens with unchanged answers only", () => {
  // They show nothing used, and so no end of the window; but they show that all of it is left.
  it("refuses nobody", async () => {
    const { squad, github, clock } = await pooledSquads();
    for (let path = 0; path < 5; path++) github.route(`/repos/o/r${path}`, { json: { path } });
    const slowly = (async (...given: Parameters<typeof fetch>) => {
      await new Promise<void>((done) => clock.timer(200, done));
      return github.fetch(...given);
    }) as typeof fetch;
    const squads = Array.from({ length: 20 }, (_, index) =>
      squad({ agent: `agent-${index}`, cache: true, fetch: slowly }),
    );
    const poll = async (): Promise<number> => {
      const calls = squads.flatMap((each) =>
        Array.from({ length: 5 }, (_, path) =>
          each.fetch(`https://api.github.com/repos/o/r${path}`, { headers: { authorization: TOKEN } }),
        ),
      );
      const results = await clock.settle(Promise.allSettled(calls));
      return results.filter(({ status }) => status === "rejected").length;
    };
    await poll();
    await clock.advance(HOUR_MS);
    const refused: number[] = [];
    for (let round = 0; round < 4; round++) {
      refused.push(await poll());
      await clock.advance(3 * MINUTE_MS);
    }
    expect(github.quota(TOKEN).used).toBe(0);
    expect(refused).toEqual([0, 0, 0, 0]);
  });
});

describe("answers that disagree about the window", () => {
  // A credential may be seen in two windows at a time. The one that is known goes on to its end.
  it("do not stop a process because one of them names a later reset", async () => {
    const fleet = await pooledSquads();
    const { squad, github, clock } = fleet;
    const earlier = clock.now() + HOUR_MS / 2;
    let answers = 0;
    github.route(REPOSITORY, () => {
      const resetAt = answers++ === 5 ? earlier + 10 * MINUTE_MS : earlier;
      return { json: {}, etag: "none", headers: { "x-ratelimit-reset": headerSeconds(resetAt) } };
    });
    expect(await outcomes(fleet, squad(), 60)).toEqual({ 200: 60 });
  });
});

describe("a server that cannot tell the time", () => {
  // A proxy that has kept nothing says `Age: 0` (Varnish does), and its Date is of now.
  it("is not asked once in five seconds only", async () => {
    const fleet = await pooledSquads();
    const { squad, github, clock } = fleet;
    github.route(REPOSITORY, { json: {}, etag: "none", headers: { age: "0" } });
    const begin = clock.now();
    await outcomes(fleet, squad(), 60);
    expect(clock.now() - begin).toBeLessThan(MINUTE_MS);
  });

  // Such resets are no word on quota, and a server that says nothing about it has none to share.
  it("nor is one whose resets are always past", async () => {
    const fleet = await pooledSquads();
    const { squad, github, clock } = fleet;
    github.route(REPOSITORY, () => ({
      json: {},
      etag: "none",
      headers: { "x-ratelimit-reset": headerSeconds(clock.now() - 10 * SECOND_MS) },
    }));
    const begin = clock.now();
    await outcomes(fleet, squad(), 60);
    expect(clock.now() - begin).toBeLessThan(MINUTE_MS);
  });

  it("nor is one that never says what time it is", async () => {
    const fleet = await pooledSquads();
    const { squad, github, clock } = fleet;
    const undated = (async (...given: Parameters<typeof fetch>) => {
      const response = await github.fetch(...given);
      response.headers.delete("date");
      return response;
    }) as typeof fetch;
    const begin = clock.now();
    await outcomes(fleet, squad({ fetch: undated }), 60);
    expect(clock.now() - begin).toBeLessThan(MINUTE_MS);
  });
});

describe("odd rate headers that do no harm", () => {
  it.each([
    ["a limit that changes between answers", (n: number) => ({ "x-ratelimit-limit": n % 2 === 0 ? "5000" : "4000" })],
    ["what remains rising", (n: number) => ({ "x-ratelimit-used": String(100 - n) })],
    ["a resource invented for each answer", (n: number) => ({ "x-ratelimit-resource": `resource${n}` })],
    ["numbers that make no sense", () => ({ "x-ratelimit-remaining": "-1" })],
  ])("%s", async (_, headers) => {
    const fleet = await pooledSquads();
    const { squad, github, clock } = fleet;
    let answers = 0;
    github.route(REPOSITORY, () => ({ json: {}, etag: "none", headers: headers(answers++) }));
    const a = squad();
    expect(await outcomes(fleet, a, 60)).toEqual({ 200: 60 });
    await clock.settle(a.close());
    expect(clock.pendingTimers).toBe(0);
    for (const { reserved, lease } of Object.values(a.status().principals[0]?.windows ?? {})) {
      expect({ reserved, inFlight: lease?.inFlightUnits ?? 0 }).toEqual({ reserved: 0, inFlight: 0 });
    }
  });
});
