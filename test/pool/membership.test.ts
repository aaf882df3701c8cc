import { beforeEach, describe, expect, it } from "vitest";
import type { MembershipDocument } from "../../src/policy/membership.js";
import { membersKey } from "../../src/pool/keys.js";
import { type MemberFacts, Membership } from "../../src/pool/membership.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { FakeDocuments } from "./fake-documents.js";

const POOL = { host: "api.github.com", name: "user-7" };
const KEY = membersKey(POOL);
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

interface Process {
  readonly membership: Membership;
  readonly told: string[];
  facts: MemberFacts;
}

let clock: VirtualClock;
let store: FakeDocuments;

/** `fastMs`: no answer has set this machine's clock, which is so far ahead of GitHub's. */
function startProcess(processId: string, machine = `machine-of-${processId}`, fastMs?: number): Process {
  const process: Process = {
    membership: new Membership({
      documents: store,
      pool: POOL,
      clock,
      // GitHub's clock is another than the machine's.
      githubNow: () => githubNow() + (fastMs ?? 0),
      clockKnown: () => fastMs === undefined,
      machine,
      processId,
      facts: () => process.facts,
      report: (what, cause) => process.told.push(`${what}: ${(cause as Error).message}`),
    }),
    told: [],
    facts: { light: "green", breakerOpen: false, blockedUntil: 0, dependsOn: [] },
  };
  return process;
}

function githubNow(): number {
  return clock.now() - 7_000;
}

function stored(): MembershipDocument {
  return store.values.get(KEY) as MembershipDocument;
}

function ids({ membership }: Process): string[] {
  return membership.members().map(({ id }) => id);
}

/** Has `agents` call every ten seconds for so long. */
async function call(process: Process, agents: readonly string[], forMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < forMs; passedMs += 10 * SECOND_MS) {
    for (const agent of agents) process.membership.seen(agent, 1);
    await clock.advance(10 * SECOND_MS);
  }
}

beforeEach(() => {
  clock = createVirtualClock();
  store = new FakeDocuments(clock);
});

describe("an agent that calls", () => {
  it("is listed as what it is", async () => {
    const one = startProcess("p1", "build-1");
    one.facts = { light: "amber", breakerOpen: true, blockedUntil: 17, dependsOn: ["data"] };
    const from = githubNow();
    one.membership.seen("ralph", 2);
    expect(one.membership.members()).toEqual([]);
    await clock.advance(10);

    const member = {
      agent: "ralph",
      priority: 2,
      machine: "build-1",
      leaseStart: from + 1,
      leaseExpiry: from + 1 + 5 * MINUTE_MS,
      dependsOn: ["data"],
      light: "amber",
      breakerOpen: true,
      blockedUntil: 17,
    };
    expect(stored().members).toEqual({ "ralph~p1": member });
    expect(one.membership.members()).toEqual([{ id: "ralph~p1", ...member }]);
  });

  it("is renewed every two minutes, with what is true by then", async () => {
    const one = startProcess("p1");
    one.membership.seen("ralph", 2);
    await clock.advance(10);
    const { leaseStart } = stored().members["ralph~p1"] ?? expect.unreachable();
    one.facts = { light: "red", breakerOpen: false, blockedUntil: 0, dependsOn: [] };

    await call(one, ["ralph"], 2 * MINUTE_MS - 10 * SECOND_MS);
    await clock.advance(9 * SECOND_MS);
    expect(store.updates).toBe(1);
    await clock.advance(SECOND_MS);
    expect(store.updates).toBe(2);
    expect(stored().members["ralph~p1"]).toMatchObject({
      light: "red",
      leaseStart,
      leaseExpiry: leaseStart + 7 * MINUTE_MS,
    });

    await call(one, ["ralph"], 60 * MINUTE_MS);
    expect(store.updates).toBe(32);
    expect(stored().members["ralph~p1"]?.leaseStart).toBe(leaseStart);
  });

  it("counts as the most urgent of its calls since the last renewal", async () => {
    const one = startProcess("p1");
    one.membership.seen("ralph", 2);
    one.membership.seen("ralph", 1);
    one.membership.seen("ralph", 2);
    await clock.advance(10);
    expect(stored().members["ralph~p1"]?.priority).toBe(1);
    one.membership.seen("ralph", 2);
    await clock.advance(2 * MINUTE_MS);
    expect(stored().members["ralph~p1"]?.priority).toBe(2);
  });

  it("is told apart from one of its name elsewhere", async () => {
    const [one, other] = [startProcess("p1"), startProcess("p2")];
    one.membership.seen("ralph", 1);
    await clock.advance(10);
    other.membership.seen("ralph", 0);
    await clock.advance(10);
    expect(other.membership.members().map(({ id, machine }) => [id, machine])).toEqual([
      ["ralph~p1", "machine-of-p1"],
      ["ralph~p2", "machine-of-p2"],
    ]);
    expect(ids(one)).toEqual(["ralph~p1"]);
  });

  it("costs nothing more while it is known and fresh", async () => {
    const one = startProcess("p1");
    await call(one, ["ralph"], 10 * SECOND_MS);
    one.membership.seen("ralph", 1);
    expect(clock.pendingTimers).toBe(1);
    for (let calls = 0; calls < 10_000; calls++) one.membership.seen("ralph", 1);
    await clock.advance(100 * SECOND_MS);
    expect([store.updates, clock.pendingTimers]).toEqual([1, 1]);
  });
});

describe("a process whose clock nobody has set, and which is ten minutes off", () => {
  it.each([10, -10])("joins the list, and hides nobody from those who know the time (%i min)", async (minutes) => {
    const [known, unset] = [startProcess("aa"), startProcess("bb", "machine-of-bb", minutes * MINUTE_MS)];
    await call(known, ["reviewer"], 10 * SECOND_MS);
    const { updatedAt } = stored();

    await call(unset, ["newcomer"], 10 * SECOND_MS);

    expect(Object.keys(stored().members)).toEqual(["reviewer~aa", "newcomer~bb"]);
    expect(stored().updatedAt).toBe(updatedAt);
    await call(known, ["reviewer"], 130 * SECOND_MS);
    expect(ids(known)).toContain("reviewer~aa");
    expect([...known.told, ...unset.told]).toEqual([]);
  });
});

describe("an agent that is silent", () => {
  it("is not renewed and runs out, and there is no timer meanwhile", async () => {
    const one = startProcess("p1");
    expect(clock.pendingTimers).toBe(0);
    one.membership.seen("ralph", 1);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(10);
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(5 * MINUTE_MS - 10);
    expect(ids(one)).toEqual(["ralph~p1"]);
    await clock.advance(10);
    expect([ids(one), store.updates]).toEqual([[], 1]);
  });

  it("is dropped while others of its process are renewed", async () => {
    const one = startProcess("p1");
    one.membership.seen("silent", 1);
    await call(one, ["ralph"], 6 * MINUTE_MS + 10 * SECOND_MS);
    expect(Object.keys(stored().members)).toEqual(["ralph~p1"]);
  });

  it("is renewed at once when it calls after two minutes and before its lease ends", async () => {
    const one = startProcess("p1");
    one.membership.seen("ralph", 1);
    await clock.advance(290 * SECOND_MS);
    one.membership.seen("ralph", 1);
    await clock.advance(10);
    const { leaseStart, leaseExpiry } = stored().members["ralph~p1"] ?? expect.unreachable();
    expect(leaseExpiry - leaseStart).toBe(590 * SECOND_MS);
  });

  it("is joined anew when it calls after that", async () => {
    const one = startProcess("p1");
    one.membership.seen("ralph", 1);
    await clock.advance(20 * MINUTE_MS);
    const from = githubNow();
    one.membership.seen("ralph", 1);
    await clock.advance(10);
    expect(stored().members["ralph~p1"]?.leaseStart).toBe(from + 1);
  });
});

describe("many agents in one process", () => {
  it("are joined by one update", async () => {
    const one = startProcess("p1");
    for (let agent = 0; agent < 100; agent++) one.membership.seen(`agent-${agent}`, 1);
    await clock.advance(10);
    expect([store.updates, ids(one).length]).toEqual([1, 100]);
  });

  it("are joined by one update a second when they start one after the other", async () => {
    const one = startProcess("p1");
    for (let agent = 0; agent < 100; agent++) {
      one.membership.seen(`agent-${agent}`, 1);
      await clock.advance(50);
    }
    await clock.advance(SECOND_MS);
    expect([store.updates, ids(one).length]).toEqual([6, 100]);
  });

  it("are renewed together, whenever each of them began", async () => {
    const one = startProcess("p1");
    const agents: string[] = [];
    for (let agent = 0; agent < 12; agent++) {
      agents.push(`agent-${agent}`);
      await call(one, agents, 20 * SECOND_MS);
    }
    const { updates } = store;
    await call(one, agents, 20 * MINUTE_MS);
    // Twelve are renewed every 2.4 minutes.
    expect(store.updates).toBe(updates + 8);
    expect(ids(one)).toHaveLength(12);
  });

  it("are listed up to five hundred, and further ones as soon as some have run out", async () => {
    const one = startProcess("p1");
    for (let agent = 0; agent < 600; agent++) one.membership.seen(`agent-${agent}`, 1);
    one.membership.seen("late", 1);
    await clock.advance(10);
    expect(ids(one)).toHaveLength(500);
    one.membership.seen("late", 1);
    await clock.advance(24 * MINUTE_MS);
    expect(ids(one)).not.toContain("late~p1");

    await clock.advance(MINUTE_MS);
    one.membership.seen("late", 1);
    await clock.advance(10);
    expect(ids(one)).toEqual(["late~p1"]);
  });

  it("are not listed beyond five hundred while the first update is on its way", async () => {
    const one = startProcess("p1");
    store.answerAfterMs = 10 * MINUTE_MS;
    for (let agent = 0; agent < 500; agent++) one.membership.seen(`agent-${agent}`, 1);
    await clock.advance(10);
    one.membership.seen("late", 1);
    await clock.advance(11 * MINUTE_MS);
    expect(Object.keys(stored().members)).not.toContain("late~p1");
  });
});

describe("the timer", () => {
  it("fires for who is due first, whoever called last", async () => {
    const one = startProcess("p1");
    one.membership.seen("first", 1);
    await clock.advance(30 * SECOND_MS);
    one.membership.seen("second", 1);
    await clock.advance(SECOND_MS);
    one.membership.seen("first", 1);
    one.membership.seen("second", 1);
    await clock.advance(88 * SECOND_MS);
    expect([store.updates, clock.pendingTimers]).toEqual([2, 1]);
    await clock.advance(2 * SECOND_MS);
    expect([store.updates, clock.pendingTimers]).toEqual([3, 0]);
  });

  it("does not keep the process alive", () => {
    const unrefs: unknown[] = [];
    const membership = new Membership({
      documents: store,
      pool: POOL,
      clock: {
        ...clock,
        timer: (ms, callback, options) => {
          unrefs.push(options?.unref);
          return clock.timer(ms, callback);
        },
      },
      githubNow,
      clockKnown: () => true,
      machine: "build-1",
      processId: "p1",
      facts: () => ({ light: "green", breakerOpen: false, blockedUntil: 0, dependsOn: [] }),
      report: () => {},
    });
    membership.seen("ralph", 1);
    expect(unrefs).toEqual([true]);
  });
});

describe("leaving", () => {
  it("takes all agents of this process off in one update, and nobody else's", async () => {
    const [one, other] = [startProcess("p1"), startProcess("p2")];
    for (const agent of ["ralph", "data"]) {
      one.membership.seen(agent, 1);
      other.membership.seen(agent, 1);
    }
    await clock.advance(10);
    one.membership.seen("picard", 1);
    await clock.settle(one.membership.leave());
    expect([Object.keys(stored().members), ids(one)]).toEqual([
      ["ralph~p2", "data~p2"],
      ["ralph~p2", "data~p2"],
    ]);
    expect(store.updates).toBe(3);
  });

  it("is for good, and once", async () => {
    const one = startProcess("p1");
    one.membership.seen("ralph", 1);
    await clock.advance(10);
    expect(one.membership.leave()).toBe(one.membership.leave());
    one.membership.seen("ralph", 1);
    await clock.advance(10 * MINUTE_MS);
    expect([store.updates, stored().members, clock.pendingTimers]).toEqual([2, {}, 0]);
  });

  it("asks nothing of the store when nobody has called", async () => {
    const one = startProcess("p1");
    await one.membership.leave();
    expect([store.updates, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("writes nothing when nobody of this process is listed", async () => {
    const one = startProcess("p1");
    one.membership.seen("ralph", 1);
    await clock.settle(one.membership.leave());
    expect([store.updates, store.writes]).toEqual([1, 0]);
  });

  it("is not undone by a renewal that has its turn afterwards", async () => {
    const one = startProcess("p1");
    one.membership.seen("ralph", 1);
    await clock.advance(10);
    await clock.advance(3 * MINUTE_MS);
    store.turnAfterMs = 5 * SECOND_MS;
    one.membership.seen("ralph", 1);
    await clock.advance(10);
    store.turnAfterMs = 1;
    await clock.settle(one.membership.leave());
    await clock.advance(10 * MINUTE_MS);
    expect(store.updates).toBe(3);
    expect([stored().members, clock.pendingTimers]).toEqual([{}, 0]);
  });

  it("ends well though the store fails; the lease ends what is left", async () => {
    const one = startProcess("p1");
    one.membership.seen("ralph", 1);
    await clock.advance(10);
    store.manner = "fails";
    await clock.settle(one.membership.leave());
    expect(Object.keys(stored().members)).toEqual(["ralph~p1"]);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("a store that fails", () => {
  it("is tried again every fifteen seconds, with everybody who has called by then", async () => {
    const one = startProcess("p1");
    store.manner = "fails";
    one.membership.seen("ralph", 1);
    await clock.advance(10);
    one.membership.seen("data", 1);
    await clock.advance(14 * SECOND_MS);
    expect([store.updates, clock.pendingTimers]).toEqual([1, 1]);
    await clock.advance(SECOND_MS);
    expect(store.updates).toBe(2);
    store.manner = "answers";
    await clock.advance(16 * SECOND_MS);
    expect(store.updates).toBe(3);
    expect(ids(one)).toEqual(["ralph~p1", "data~p1"]);
    await clock.advance(5 * MINUTE_MS);
    expect(store.updates).toBe(3);
  });

  it("costs nobody its place when it fails for less than a lease", async () => {
    const one = startProcess("p1");
    await call(one, ["ralph"], MINUTE_MS);
    const { leaseStart } = stored().members["ralph~p1"] ?? expect.unreachable();
    store.manner = "fails";
    await call(one, ["ralph"], 3 * MINUTE_MS);
    store.manner = "answers";
    await call(one, ["ralph"], MINUTE_MS);
    expect(stored().members["ralph~p1"]?.leaseStart).toBe(leaseStart);
    expect(ids(one)).toEqual(["ralph~p1"]);
  });

  it("lists once who was listed though the answer was lost", async () => {
    const one = startProcess("p1");
    store.manner = "loses the answer";
    one.membership.seen("ralph", 1);
    await clock.advance(10);
    const { leaseStart } = stored().members["ralph~p1"] ?? expect.unreachable();
    store.manner = "answers";
    await clock.advance(16 * SECOND_MS);
    expect(one.membership.members()).toMatchObject([{ id: "ralph~p1", leaseStart }]);
  });

  it("is mentioned once an outage", async () => {
    const one = startProcess("p1");
    for (let outage = 1; outage <= 2; outage++) {
      store.manner = "fails";
      await call(one, ["ralph"], 10 * MINUTE_MS);
      expect(one.told).toHaveLength(outage);
      store.manner = "answers";
      await call(one, ["ralph"], 5 * MINUTE_MS);
    }
    expect(one.told[0]).toBe("This process's agents could not be listed in the pool: no route to host");
  });

  it("is asked no more than once when it answers late, and not at all by those who call meanwhile", async () => {
    const one = startProcess("p1");
    store.answerAfterMs = 4 * MINUTE_MS;
    await call(one, ["ralph", "data"], 4 * MINUTE_MS);
    expect([store.updates, ids(one)]).toEqual([1, []]);
    store.answerAfterMs = 1;
    await clock.advance(SECOND_MS);
    expect([store.updates, ids(one)]).toEqual([2, ["ralph~p1", "data~p1"]]);
  });

  it("may never answer: calls go on, and nothing piles up", async () => {
    const one = startProcess("p1");
    store.manner = "hangs";
    await call(one, ["ralph", "data"], 30 * MINUTE_MS);
    expect([store.updates, clock.pendingTimers, ids(one), one.told]).toEqual([1, 0, [], []]);
  });
});

describe("a document that another version may own", () => {
  const foreign = { version: 2, revision: 9, crew: {} };

  it("is left alone and mentioned once; this process lists its own", async () => {
    store.values.set(KEY, foreign);
    const one = startProcess("p1");
    await call(one, ["ralph"], 10 * MINUTE_MS);
    expect(store.values.get(KEY)).toEqual(foreign);
    expect(ids(one)).toEqual(["ralph~p1"]);
    expect(one.told).toEqual([
      `The pool's members are unknown: The document ${KEY} in the store is unreadable: document.version is 2; this reads version 1.`,
    ]);
    expect(store.updates).toBe(6);
  });

  it("hides the others, whom nobody can vouch for any more, until it can be read again", async () => {
    const [one, other] = [startProcess("p1"), startProcess("p2")];
    other.membership.seen("data", 1);
    await clock.advance(10);
    await call(one, ["ralph"], MINUTE_MS);
    expect(ids(one)).toEqual(["data~p2", "ralph~p1"]);
    store.values.set(KEY, foreign);
    await call(one, ["ralph"], 2 * MINUTE_MS);
    expect(ids(one)).toEqual(["ralph~p1"]);

    store.values.delete(KEY);
    other.membership.seen("data", 1);
    await call(one, ["ralph"], 2 * MINUTE_MS);
    expect(ids(one)).toEqual(["data~p2", "ralph~p1"]);
    expect(one.told).toHaveLength(1);
  });

  it("is left alone by who leaves", async () => {
    const one = startProcess("p1");
    one.membership.seen("ralph", 1);
    await clock.advance(10);
    store.values.set(KEY, foreign);
    await clock.settle(one.membership.leave());
    expect([store.values.get(KEY), ids(one)]).toEqual([foreign, []]);
  });
});
