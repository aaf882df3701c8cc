import { beforeEach, describe, expect, it } from "vitest";
import type { Member, MembershipDocument } from "../../src/policy/membership.js";
import { membersKey } from "../../src/pool/keys.js";
import { type MemberFacts, Membership } from "../../src/pool/membership.js";
import { isNews, newsDelayMs, newsIntervalMs, type Standing, spreadOf } from "../../src/pool/membership-news.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { FakeDocuments } from "./fake-documents.js";

const POOL = { host: "api.github.com", name: "user-7" };
const KEY = membersKey(POOL);
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const FREE: MemberFacts = { light: "green", breakerOpen: false, blockedUntil: 0, dependsOn: [] };

interface Process {
  readonly membership: Membership;
  readonly facts: Map<string, Partial<MemberFacts>>;
  asked: number;
  seen: number;
}

let clock: VirtualClock;
let store: FakeDocuments;

beforeEach(() => {
  clock = createVirtualClock();
  store = new FakeDocuments(clock);
});

function start(processId: string): Process {
  const process: Process = {
    membership: new Membership({
      documents: store,
      pool: POOL,
      clock,
      githubNow,
      clockKnown: () => true,
      machine: `machine-of-${processId}`,
      processId,
      facts: (agent) => {
        process.asked++;
        return { ...FREE, ...process.facts.get(agent) };
      },
      onSeen: () => {
        process.seen++;
      },
      report: () => {},
    }),
    facts: new Map(),
    asked: 0,
    seen: 0,
  };
  return process;
}

/** A process of one agent that has joined. */
async function joined(agent: string, facts: Partial<MemberFacts> = {}): Promise<Process> {
  const process = start(agent);
  process.facts.set(agent, facts);
  process.membership.seen(agent, 1);
  await clock.advance(2 * SECOND_MS);
  return process;
}

function githubNow(): number {
  return clock.now() - 7_000;
}

function stored(agent: string, processId = agent): Member | undefined {
  return (store.values.get(KEY) as MembershipDocument).members[`${agent}~${processId}`];
}

function becomes(process: Process, agent: string, facts: Partial<MemberFacts>): void {
  process.facts.set(agent, facts);
  process.membership.changed();
}

describe("news of an agent that somebody depends on", () => {
  it("is in the list within two seconds, though renewals come every two minutes", async () => {
    const data = await joined("data");
    await joined("ralph", { dependsOn: ["data"] });
    const blockedUntil = githubNow() + 10 * MINUTE_MS;
    const before = stored("data");
    becomes(data, "data", { blockedUntil });
    expect(stored("data")).toEqual(before);
    await clock.advance(2 * SECOND_MS);
    expect(stored("data")).toEqual({ ...before, blockedUntil });
  });

  it("keeps the lease of one that is silent as it is, and brings nobody back", async () => {
    const data = await joined("data");
    const ralph = await joined("ralph", { dependsOn: ["data"] });
    await clock.advance(4 * MINUTE_MS);
    const before = stored("data");
    becomes(data, "data", { light: "red" });
    await clock.advance(2 * SECOND_MS);
    expect(stored("data")).toEqual({ ...before, light: "red" });

    await clock.advance(MINUTE_MS);
    becomes(data, "data", { light: "green" });
    await clock.advance(2 * SECOND_MS);
    ralph.membership.seen("ralph", 1);
    await clock.advance(2 * SECOND_MS);
    expect(stored("data")).toBeUndefined();
  });

  it("comes at most every ten seconds, with what is true by then", async () => {
    const data = await joined("data");
    await joined("ralph", { dependsOn: ["data"] });
    const { writes } = store;
    const seen: unknown[] = [];
    for (let second = 0; second < 60; second++) {
      becomes(data, "data", { light: second % 2 === 0 ? "red" : "green", breakerOpen: second > 30 });
      await clock.advance(SECOND_MS);
      seen.push(stored("data")?.breakerOpen);
    }
    expect(store.writes - writes).toBeLessThanOrEqual(6);
    expect(store.writes - writes).toBeGreaterThanOrEqual(4);
    expect(seen.indexOf(true)).toBeLessThanOrEqual(42);
  });

  it("is gathered from all agents of a process, and asked for once a second however often it may have changed", async () => {
    const crew = start("crew");
    for (const agent of ["data", "scribe", "picard"]) crew.membership.seen(agent, 1);
    await joined("ralph", { dependsOn: ["data", "scribe"] });
    crew.asked = 0;
    for (let times = 0; times < 1_000; times++) crew.membership.changed();
    await clock.advance(2 * SECOND_MS);
    expect([crew.asked, store.updates]).toEqual([3, 2]);

    for (const agent of ["data", "scribe", "picard"]) becomes(crew, agent, { breakerOpen: true });
    await clock.advance(2 * SECOND_MS);
    expect(store.updates).toBe(3);
    expect(["data", "scribe", "picard"].map((agent) => stored(agent, "crew")?.breakerOpen)).toEqual([true, true, true]);
  });

  it("goes with a renewal that is due, of those who are silent too", async () => {
    const crew = start("crew");
    for (const agent of ["data", "scribe"]) crew.membership.seen(agent, 1);
    const joinedAt = clock.now();
    await joined("ralph", { dependsOn: ["data"] });
    crew.membership.seen("scribe", 1);
    await clock.advance(joinedAt + 2 * MINUTE_MS - SECOND_MS - clock.now());
    becomes(crew, "data", { light: "red" });
    const { updates } = store;
    await clock.advance(SECOND_MS + 10);
    expect([store.updates - updates, stored("data", "crew")?.light]).toEqual([1, "red"]);
    expect(stored("scribe", "crew")?.leaseExpiry).toBeGreaterThan(stored("data", "crew")?.leaseExpiry ?? 0);
  });

  it("is not lost when it happens while the store is being asked, or when the store fails", async () => {
    const data = await joined("data");
    await joined("ralph", { dependsOn: ["data"] });
    store.answerAfterMs = 3 * SECOND_MS;
    data.membership.refreshIfOlder(0);
    await clock.advance(SECOND_MS);
    becomes(data, "data", { light: "red" });
    store.answerAfterMs = 1;
    await clock.advance(5 * SECOND_MS);
    expect(stored("data")?.light).toBe("red");

    store.manner = "fails";
    becomes(data, "data", { breakerOpen: true });
    await clock.advance(30 * SECOND_MS);
    store.manner = "answers";
    await clock.advance(16 * SECOND_MS);
    expect(stored("data")).toMatchObject({ breakerOpen: true, light: "green" });
  });

  it("needs no timer once it is told, nor after leaving", async () => {
    const data = await joined("data");
    await joined("ralph", { dependsOn: ["data"] });
    becomes(data, "data", { breakerOpen: true });
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(2 * SECOND_MS);
    expect(clock.pendingTimers).toBe(0);
    becomes(data, "data", { breakerOpen: false });
    const left = data.membership.leave();
    await clock.settle(left);
    data.membership.changed();
    await clock.advance(MINUTE_MS);
    expect([clock.pendingTimers, stored("data")]).toEqual([0, undefined]);
  });
});

describe("news of an agent that nobody depends on", () => {
  it("is not written, only looked for whether somebody does by now", async () => {
    const data = await joined("data");
    await joined("ralph");
    const { writes, updates } = store;
    becomes(data, "data", { light: "red" });
    await clock.advance(2 * SECOND_MS);
    expect([store.writes - writes, store.updates - updates]).toEqual([0, 1]);
    expect(stored("data")?.light).toBe("green");
  });

  it("is told to one who comes to depend on it, before the renewal", async () => {
    const data = await joined("data");
    becomes(data, "data", { light: "red" });
    await clock.advance(25 * SECOND_MS);
    await joined("ralph", { dependsOn: ["data"] });
    await clock.advance(10 * SECOND_MS);
    expect(stored("data")?.light).toBe("red");
  });

  it("is given up when its lease has ended, and costs nothing when nobody has called", async () => {
    const data = await joined("data");
    becomes(data, "data", { light: "red" });
    await clock.advance(6 * MINUTE_MS);
    const idle = start("idle");
    idle.membership.changed();
    expect([clock.pendingTimers, store.writes]).toEqual([0, 1]);
    expect(store.updates).toBeLessThanOrEqual(31);
  });
});

describe("an agent whose work waits", () => {
  it("is renewed for as long as it waits, and runs out afterwards", async () => {
    const data = await joined("data", { waiting: true, blockedUntil: githubNow() + 40 * MINUTE_MS });
    await clock.advance(40 * MINUTE_MS);
    expect(data.membership.members()).toMatchObject([{ agent: "data" }]);
    expect(stored("data")).not.toHaveProperty("waiting");

    data.facts.set("data", {});
    await clock.advance(8 * MINUTE_MS);
    expect([data.membership.members(), clock.pendingTimers]).toEqual([[], 0]);
  });
});

describe("a fresh reading", () => {
  it("is a reading: it writes nothing, and is there for whoever has made no call", async () => {
    await joined("data");
    const { writes } = store;
    const reader = start("reader");
    expect(reader.membership.refreshIfOlder(10 * SECOND_MS)).toBe(true);
    await clock.advance(10);
    expect(reader.membership.members().map(({ agent }) => agent)).toEqual(["data"]);
    expect([store.writes, reader.seen, clock.pendingTimers]).toEqual([writes, 1, 0]);
  });

  it("joins in the same update who has been seen", async () => {
    await joined("data");
    const ralph = start("ralph");
    ralph.membership.seen("ralph", 1);
    expect(ralph.membership.refreshIfOlder(10 * SECOND_MS)).toBe(true);
    await clock.advance(10);
    expect(store.updates).toBe(2);
    expect(ralph.membership.members().map(({ agent }) => agent)).toEqual(["data", "ralph"]);
  });

  it("is not asked for before it is as old as it may be, nor twice at a time", async () => {
    const ralph = await joined("ralph");
    await clock.advance(7 * SECOND_MS);
    expect(ralph.membership.refreshIfOlder(10 * SECOND_MS)).toBe(false);
    await clock.advance(2 * SECOND_MS);
    store.answerAfterMs = SECOND_MS;
    for (let times = 0; times < 5; times++) {
      expect(ralph.membership.refreshIfOlder(10 * SECOND_MS)).toBe(true);
      await clock.advance(100);
    }
    await clock.advance(SECOND_MS);
    expect([store.updates, ralph.seen]).toEqual([2, 2]);
    expect(ralph.membership.refreshIfOlder(10 * SECOND_MS)).toBe(false);
  });

  it("is not on its way while the store fails, which is not pressed; nor after leaving", async () => {
    const ralph = start("ralph");
    store.manner = "fails";
    ralph.membership.refreshIfOlder(0);
    await clock.advance(10);
    for (let second = 0; second < 14; second++) {
      expect(ralph.membership.refreshIfOlder(0)).toBe(false);
      await clock.advance(SECOND_MS);
    }
    expect([store.updates, ralph.seen]).toEqual([1, 0]);
    expect(ralph.membership.refreshIfOlder(0)).toBe(true);
    await clock.settle(ralph.membership.leave());
    expect(ralph.membership.refreshIfOlder(0)).toBe(false);
    await clock.advance(MINUTE_MS);
    expect(store.updates).toBe(1);
  });
});

describe("what is news", () => {
  const NOW = Date.UTC(2030, 0, 1);
  const free: Standing = { light: "green", breakerOpen: false, blockedUntil: 0 };
  const blockedFor = (ms: number): Standing => ({ ...free, blockedUntil: NOW + ms });

  it.each<[string, Standing, Standing, boolean]>([
    ["blocked where it was free", free, blockedFor(MINUTE_MS), true],
    ["blocked for as short as is hardly seen", free, blockedFor(14_000), false],
    ["free again before it had said", blockedFor(MINUTE_MS), free, true],
    ["free again hardly before it had said", blockedFor(14_000), free, false],
    ["free again when it had said", blockedFor(-1), free, false],
    ["blocked again after what it had said", blockedFor(-MINUTE_MS), blockedFor(MINUTE_MS), true],
    ["blocked for longer", blockedFor(MINUTE_MS), blockedFor(MINUTE_MS + 16_000), true],
    ["blocked for hardly longer", blockedFor(MINUTE_MS), blockedFor(MINUTE_MS + 14_000), false],
    ["blocked for shorter", blockedFor(MINUTE_MS), blockedFor(40_000), true],
    [
      "blocked for ever, told as the last moment there is",
      blockedFor(8e15),
      blockedFor(Number.POSITIVE_INFINITY),
      false,
    ],
    ["a breaker that has opened", free, { ...free, breakerOpen: true }, true],
    ["a breaker that has closed", { ...free, breakerOpen: true }, free, true],
    ["a light that has turned red", { ...free, light: "amber" }, { ...free, light: "red" }, true],
    ["a light that is red no longer", { ...free, light: "red" }, free, true],
    ["a light that has turned amber", free, { ...free, light: "amber" }, false],
    ["nothing", free, free, false],
  ])("%s", (_, listed, standing, expected) => {
    expect(isNews(listed, standing, NOW)).toBe(expected);
  });

  it("is told one after the other in a large fleet, within five seconds, and as rarely as renewals are", () => {
    const spreads = Array.from({ length: 200 }, (_, index) => spreadOf(`${index * 7_919}f`));
    expect(Math.min(...spreads)).toBeLessThan(0.1);
    expect(Math.max(...spreads)).toBeGreaterThan(0.9);
    expect(spreads.every((spread) => newsDelayMs(500, spread) <= 5_000 && newsDelayMs(10, spread) === 1_000)).toBe(
      true,
    );
    expect([10, 50, 500].map(newsIntervalMs)).toEqual([10_000, 50_000, 50_000]);
  });
});
