import { inspect } from "node:util";
import { Octokit } from "@octokit/core";
import { describe, expect, it } from "vitest";
import { squadRate } from "../../../src/plugin.js";
import { parseQuotaDocument } from "../../../src/policy/share/parse-quota-document.js";
import type { QuotaDocument } from "../../../src/policy/share/quota-document.js";
import type { ClassReport } from "../../../src/policy/share/report.js";
import { updateShare } from "../../../src/policy/share.js";
import { createSquad } from "../../../src/squad.js";
import { readDocument } from "../../../src/store/atomic-update.js";
import { pooledSquads } from "../../harness/pooled-squads.js";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const URL_OF_REPOSITORY = "https://api.github.com/repos/o/r";

describe("more than a thousand credentials", () => {
  // An app may look through 1,200 installations at once. A principal is forgotten when its calls are over, so that their
  // spender goes on asking for units and a call finds it again when it has them.
  it("are all served when they call at the same moment", async () => {
    const { squad, clock } = await pooledSquads();
    const a = squad({ maxWaitMs: 20_000 });
    const calls = Array.from({ length: 1_200 }, (_, index) =>
      a.fetch(URL_OF_REPOSITORY, { headers: { authorization: `token ghp_${index}` } }),
    );
    const results = await clock.settle(Promise.allSettled(calls));
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(0);
  });

  it("do not strand a call that waits for something else than units when its principal is forgotten", async () => {
    const { squad, clock, github } = await pooledSquads();
    const a = squad({ maxWaitMs: 30_000 });
    const call = (index: number, answer?: object): Promise<Response> => {
      if (answer !== undefined) github.once(answer);
      return a.fetch(URL_OF_REPOSITORY, { headers: { authorization: `token ghp_${index}` } });
    };
    await clock.settle(call(0, { status: 429, headers: { "retry-after": "10" } }));
    let status: number | undefined;
    const waits = call(0).then((response) => {
      status = response.status;
    });
    for (let index = 1; index <= 1_001; index++) await call(index);
    await clock.advance(11 * SECOND_MS);
    expect(status).toBe(404);
    await waits;
  });

  it("one after the other leave a thousand principals, no timer once they are silent, and no list", async () => {
    const { squad, clock, store } = await pooledSquads();
    const a = squad();
    for (let index = 0; index < 1_100; index++) {
      await clock.settle(a.fetch(URL_OF_REPOSITORY, { headers: { authorization: `token ghp_${index}` } }));
      if (index === 0) await clock.advance(2 * SECOND_MS);
    }
    const first = a.status().principals.at(-1)?.pool?.name;
    expect(a.status().principals).toHaveLength(1_000);
    await clock.advance(12 * 60 * SECOND_MS);
    expect(clock.pendingTimers).toBe(0);
    await clock.settle(a.close());
    const members = await readDocument(store, `squad-rate:members:api.github.com:${first}`);
    const quota = await readDocument(store, `squad-rate:quota:api.github.com:${first}:core`);
    expect({ members: members?.members, allocations: quota?.allocations }).toEqual({ members: {}, allocations: {} });
  });
});

describe("close()", () => {
  // A call may be inside auth when the squad is closed. A principal that was made for it would join the pool, take a unit and
  // be listed, and nothing would take that back.
  it("leaves nothing to a call that comes out of auth afterwards", async () => {
    const { squad, clock, github, store } = await pooledSquads();
    const a = squad();
    let letGo: () => void = () => undefined;
    const minting = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const authStrategy = () =>
      Object.assign(async () => ({ type: "token" }), {
        hook: async (request: (options: object) => unknown, options: { headers: Record<string, string> }) => {
          await minting;
          options.headers.authorization = "token ghp_late";
          return request(options);
        },
      });
    const octokit = new (Octokit.plugin(squadRate))({ authStrategy, squad: a, request: { fetch: github.fetch } });
    const call = octokit.request("GET /repos/{owner}/{repo}", { owner: "o", repo: "r" });
    const refused = expect(call).rejects.toMatchObject({ code: "SQUAD_RATE_CLOSED" });
    await clock.advance(SECOND_MS);
    await clock.settle(a.close());
    letGo();
    await refused;
    await clock.advance(5 * SECOND_MS);
    const name = a.status().principals[0]?.pool?.name;
    expect(await readDocument(store, `squad-rate:members:api.github.com:${name}`)).toBeUndefined();
    expect(await readDocument(store, `squad-rate:quota:api.github.com:${name}:core`)).toBeUndefined();
    expect(clock.pendingTimers).toBe(0);
  });

  // Whoever closes a squad that somebody else closes waits for the same last reports.
  it("called twice, ends both times when everything is given back", async () => {
    const { squad, read, clock, store, document } = await pooledSquads();
    const a = squad();
    for (let call = 0; call < 20; call++) await read(a);
    await clock.advance(5 * SECOND_MS);
    const update = store.updates.update.bind(store.updates);
    store.updates.update = async (key, ...given) => {
      if (key.includes(":quota:")) await new Promise<void>((done) => clock.timer(200, done));
      return update(key, ...given);
    };
    const first = a.close();
    await clock.settle(a.close());
    const atSecond = await document();
    await clock.settle(first);
    expect(atSecond?.allocations).toEqual({});
  });

  it("ends within a few seconds with a store and a request that hang, and leaves no timer but the request's own", async () => {
    const { squad, read, clock, github, store } = await pooledSquads();
    const a = squad({ requestTimeoutMs: 5_000, maxWaitMs: HOUR_MS });
    await read(a);
    github.hold();
    const hung = read(a).catch((error: Error) => error.name);
    await clock.advance(SECOND_MS);
    store.updates.update = () =>
      new Promise((_, reject) => clock.timer(250, () => reject(new Error("no answer within 250 ms"))));
    const begin = clock.now();
    await clock.settle(a.close());
    expect(clock.now() - begin).toBeLessThanOrEqual(2_250);
    await expect(clock.settle(hung)).resolves.toBe("TimeoutError");
    await clock.advance(SECOND_MS);
    expect(clock.pendingTimers).toBe(0);
    await expect(read(a)).rejects.toMatchObject({ code: "SQUAD_RATE_CLOSED" });
  });
});

describe("a squad in a log", () => {
  // `console.log(squad)` shows what is enumerable, two levels deep: not the engine, which holds the options.
  it("does not show the store's password", () => {
    const squad = createSquad({ agent: "ralph", store: "redis://user:sesame@127.0.0.1:6379" });
    expect(inspect(squad)).not.toContain("sesame");
  });

  it("nor does an Octokit that has one, or an error that it throws", async () => {
    const everything = { depth: Number.POSITIVE_INFINITY, getters: true };
    const options = { store: "redis://user:sesame@127.0.0.1:6379", pool: false, cache: false, retry: false } as const;
    const fetch = () => Promise.resolve(new Response("{}", { status: 500 }));
    const octokit = new (Octokit.plugin(squadRate))({ auth: "ghp_open", squad: options, request: { fetch } });
    expect(inspect(octokit, everything)).not.toContain("sesame");
    const error = await octokit.request("GET /user").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 500 });
    expect(inspect(error, everything)).not.toMatch(/sesame|ghp_open/);
    await octokit.squad.close();
    const closed = await octokit.request("GET /user").catch((reason: unknown) => reason);
    expect(closed).toMatchObject({ code: "SQUAD_RATE_CLOSED" });
    expect(inspect(closed, everything)).not.toMatch(/sesame|ghp_open/);
  });
});

describe("a document of five thousand spenders", () => {
  // One too many would make it unreadable for everybody. Short-lived processes that do not close can fill it.
  it("takes no more than everybody can read", () => {
    const now = Date.UTC(2030, 0, 1);
    const silent: ClassReport = {
      spent: 0,
      inFlight: 0,
      balance: 0,
      spentAhead: 0,
      wantPerHour: 0,
      waiting: 0,
      firstUnits: 0,
      denials: 0,
      asks: false,
    };
    const asking: ClassReport = { ...silent, wantPerHour: 12, waiting: 1, firstUnits: 1, asks: true };
    const update = (before: QuotaDocument | undefined, spender: string): QuotaDocument =>
      updateShare(
        before,
        {
          spender,
          windowMs: HOUR_MS,
          windowMeasured: false,
          limit: undefined,
          clockKnown: true,
          requestTimeoutMs: 60_000,
          window: undefined,
          stint: undefined,
          classes: [silent, asking, silent],
          madeAt: now,
          spendUntil: 0,
          writtenOff: 0,
          header: { limit: 15_000, used: 10, resetAt: now + HOUR_MS, at: now },
          mode: "lend",
          blockedUntil: 0,
          closing: false,
        },
        now,
      ).doc;
    const one = update(undefined, "ci~0");
    const [allocation] = Object.values(one.allocations);
    const many = Array.from({ length: 5_000 }, (_, process) => [`ci~${process}`, allocation]);
    const full: QuotaDocument = { ...one, allocations: Object.fromEntries(many) };
    expect(parseQuotaDocument(full, now).kind).toBe("ok");
    expect(parseQuotaDocument(update(full, "ci~5000"), now).kind).toBe("ok");
  });
});
