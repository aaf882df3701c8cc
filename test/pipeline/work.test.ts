import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "../../src/clock.js";
import { type Held, Work, type WorkVerdict } from "../../src/pipeline/work.js";
import { judgeWork } from "../../src/pipeline/work-verdict.js";
import { type ListedMember, type MemberFacts, Membership } from "../../src/pool/membership.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { FakeDocuments } from "../pool/fake-documents.js";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** GitHub's clock is behind this machine's. */
const BEHIND_MS = 7_000;
const FREE: MemberFacts = { light: "green", breakerOpen: false, blockedUntil: 0, dependsOn: [] };
const OK = { ok: true };

interface AgentOptions {
  readonly dependsOn?: readonly string[];
  readonly processId?: string;
  readonly pools?: readonly string[];
  /** Where the work's timers run; the members' are always on the shared clock. */
  readonly workClock?: Clock;
}

/** A process of one agent: its place in its pools, and its work. */
interface Agent {
  readonly work: Work;
  readonly memberships: readonly Membership[];
  readonly told: WorkVerdict[];
  readonly listeners: Set<() => void>;
  /** How often its own gates were asked. */
  asked: number;
  own: Held | undefined;
  facts: Partial<MemberFacts>;
  /** It makes a call. */
  call(): void;
  changes(facts: Partial<MemberFacts>): void;
  /** Its calls are blocked for so long, by this machine's clock. */
  blocks(ms: number): void;
}

let clock: VirtualClock;
let store: FakeDocuments;

beforeEach(() => {
  clock = createVirtualClock();
  store = new FakeDocuments(clock);
});

function githubNow(): number {
  return clock.now() - BEHIND_MS;
}

function startAgent(name: string, options: AgentOptions = {}): Agent {
  const { dependsOn = [], processId = `p-of-${name}`, pools = ["user-7"], workClock = clock } = options;
  const listeners = new Set<() => void>();
  const memberships = pools.map(
    (pool) =>
      new Membership({
        documents: store,
        pool: { host: "api.github.com", name: pool },
        clock,
        githubNow,
        clockKnown: () => true,
        machine: `machine-of-${processId}`,
        processId,
        facts: () => ({ ...FREE, dependsOn, waiting: work.isAwaited, ...agent.facts }),
        onSeen: () => {
          for (const listener of listeners) listener();
        },
        report: () => {},
      }),
  );
  const told: WorkVerdict[] = [];
  const work: Work = new Work({
    clock: workClock,
    agent: name,
    dependsOn,
    own: () => {
      agent.asked++;
      return agent.own;
    },
    pools: () => memberships.map((membership) => ({ members: membership.members(), githubNow: githubNow() })),
    refresh: () => {
      for (const membership of memberships) membership.seen(name, 1);
      return memberships.map((membership) => membership.refreshIfOlder(10 * SECOND_MS)).includes(true);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onChange: (verdict) => told.push(verdict),
  });
  const agent: Agent = {
    work,
    memberships,
    told,
    listeners,
    asked: 0,
    own: undefined,
    facts: {},
    call: () => {
      for (const membership of memberships) membership.seen(name, 1);
    },
    changes: (facts) => {
      agent.facts = facts;
      for (const membership of memberships) membership.changed();
    },
    blocks: (ms) => agent.changes({ blockedUntil: githubNow() + ms }),
  };
  return agent;
}

/** An agent that has called, and is listed. */
async function joined(name: string, options?: AgentOptions): Promise<Agent> {
  const agent = startAgent(name, options);
  agent.call();
  await clock.advance(2 * SECOND_MS);
  return agent;
}

/** Asks for so long, every two seconds, as a program does that polls; returns the last verdict. */
async function poll({ work }: Agent, forMs: number): Promise<WorkVerdict> {
  for (let passedMs = 0; passedMs < forMs; passedMs += 2 * SECOND_MS) {
    work.canStart();
    await clock.advance(2 * SECOND_MS);
  }
  return work.canStart();
}

/** How a promise stands. */
function watch(promise: Promise<void>): { state: "pending" | "resolved" | "rejected"; reason: unknown } {
  const watched = { state: "pending" as "pending" | "resolved" | "rejected", reason: undefined as unknown };
  promise.then(
    () => {
      watched.state = "resolved";
    },
    (reason) => {
      watched.state = "rejected";
      watched.reason = reason;
    },
  );
  return watched;
}

function pokeAll({ listeners }: Agent): void {
  for (const listener of listeners) listener();
}

describe("an agent that depends on nobody", () => {
  it("may begin unless its own calls are held, and is told why and until when", () => {
    const ralph = startAgent("ralph", { pools: [] });
    expect(ralph.work.canStart()).toEqual(OK);
    const until = clock.now() + 12 * MINUTE_MS;
    ralph.own = { until, why: "core: all 5000 units are spent; P1 waits" };
    expect(ralph.work.canStart()).toEqual({
      ok: false,
      why: "ralph waits: its own calls are held for another 12 min (core: all 5000 units are spent; P1 waits)",
      until,
    });
    ralph.own = { until: clock.now(), why: "is over" };
    expect(ralph.work.canStart()).toEqual(OK);
  });

  it("waits until its own hold is over, and for nothing else", async () => {
    const ralph = startAgent("ralph", { pools: [] });
    await ralph.work.untilCanStart();
    ralph.own = { until: clock.now() + 12 * MINUTE_MS, why: "core" };
    ralph.asked = 0;
    const waiting = watch(ralph.work.untilCanStart());
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(12 * MINUTE_MS - 1);
    expect([waiting.state, ralph.asked]).toEqual(["pending", 1]);
    await clock.advance(1);
    expect([waiting.state, ralph.asked, clock.pendingTimers]).toEqual(["resolved", 2, 0]);
  });

  it("begins as soon as something has changed", async () => {
    const ralph = startAgent("ralph", { pools: [] });
    ralph.own = { until: clock.now() + 12 * MINUTE_MS, why: "core" };
    const waiting = watch(ralph.work.untilCanStart());
    await clock.advance(MINUTE_MS);
    ralph.own = undefined;
    pokeAll(ralph);
    await clock.advance(0);
    expect([waiting.state, clock.pendingTimers]).toEqual(["resolved", 0]);
  });
});

describe("an agent that depends on another, in another process", () => {
  it("is told within fifteen seconds that it is blocked, though renewals come every two minutes", async () => {
    const data = await joined("data");
    const ralph = await joined("ralph", { dependsOn: ["data"] });
    expect(await poll(ralph, 10 * SECOND_MS)).toEqual(OK);
    const until = clock.now() + 10 * MINUTE_MS;
    data.blocks(10 * MINUTE_MS);
    expect(await poll(ralph, 14 * SECOND_MS)).toEqual({
      ok: false,
      why: "ralph waits: data, which it depends on, is blocked for another 9 min 46 s",
      until,
    });
  });

  it("may begin when that is over, and within fifteen seconds when it is over before", async () => {
    const data = await joined("data");
    const ralph = await joined("ralph", { dependsOn: ["data"] });
    data.blocks(MINUTE_MS);
    const from = clock.now();
    await poll(ralph, 14 * SECOND_MS);
    const waiting = watch(ralph.work.untilCanStart());
    await clock.advance(from + MINUTE_MS - 1 - clock.now());
    expect(waiting.state).toBe("pending");
    await clock.advance(1);
    expect(waiting.state).toBe("resolved");

    data.blocks(10 * MINUTE_MS);
    await poll(ralph, 14 * SECOND_MS);
    const again = watch(ralph.work.untilCanStart());
    await clock.advance(MINUTE_MS);
    expect(again.state).toBe("pending");
    data.changes({});
    await clock.advance(14 * SECOND_MS);
    expect(again.state).toBe("resolved");
  });

  it("waits for a red light and an open breaker without an end, and asks again every ten seconds", async () => {
    const data = await joined("data");
    const ralph = await joined("ralph", { dependsOn: ["data"] });
    data.changes({ light: "red" });
    expect(await poll(ralph, 14 * SECOND_MS)).toEqual({
      ok: false,
      why: "ralph waits: data, which it depends on, is at a red light",
      until: undefined,
    });
    const waiting = watch(ralph.work.untilCanStart());
    const { updates } = store;
    for (let second = 0; second < 60; second += 10) {
      data.call();
      await clock.advance(10 * SECOND_MS);
    }
    expect(waiting.state).toBe("pending");
    expect(store.updates - updates).toBeLessThanOrEqual(8);
    expect(store.updates - updates).toBeGreaterThanOrEqual(5);
    data.changes({ light: "green", breakerOpen: true });
    await clock.advance(14 * SECOND_MS);
    expect(ralph.work.canStart()).toMatchObject({
      why: "ralph waits: data, which it depends on, has an open breaker",
    });
    data.changes({});
    await clock.advance(20 * SECOND_MS);
    expect(waiting.state).toBe("resolved");
  });

  it("does not begin on an old word: a wait looks first, for a second at most", async () => {
    const data = await joined("data");
    const ralph = await joined("ralph", { dependsOn: ["data"] });
    data.blocks(30 * MINUTE_MS);
    await clock.advance(MINUTE_MS);
    expect(ralph.work.canStart()).toEqual(OK);
    const waiting = watch(ralph.work.untilCanStart());
    await clock.advance(20 * SECOND_MS);
    expect(waiting.state).toBe("pending");

    const scribe = startAgent("scribe", { dependsOn: ["ralph"] });
    store.answerAfterMs = 5 * MINUTE_MS;
    const slow = watch(scribe.work.untilCanStart());
    await clock.advance(999);
    expect(slow.state).toBe("pending");
    await clock.advance(1);
    expect(slow.state).toBe("resolved");
  });

  it("is joined by asking, so that those who depend on it in turn are told", async () => {
    const data = await joined("data");
    const ralph = startAgent("ralph", { dependsOn: ["data"] });
    const scribe = startAgent("scribe", { dependsOn: ["ralph"] });
    data.blocks(10 * MINUTE_MS);
    ralph.work.canStart();
    await clock.advance(14 * SECOND_MS);
    expect(await poll(scribe, 14 * SECOND_MS)).toMatchObject({
      ok: false,
      why: "scribe waits: it depends on ralph, ralph on data; data is blocked for another 9 min 32 s",
    });
    expect(data.work.canStart()).toEqual(OK);
  });

  it("keeps its place in the list while it waits, however long", async () => {
    const data = await joined("data");
    const ralph = startAgent("ralph", { dependsOn: ["data"] });
    data.changes({ blockedUntil: githubNow() + 50 * MINUTE_MS, waiting: true });
    data.call();
    ralph.own = { until: clock.now() + 45 * MINUTE_MS, why: "core" };
    const waiting = watch(ralph.work.untilCanStart());
    await clock.advance(44 * MINUTE_MS);
    const names = data.memberships[0]?.members().map(({ agent }) => agent);
    expect([names, waiting.state]).toEqual([["data", "ralph"], "pending"]);
    await clock.advance(2 * MINUTE_MS);
    expect([ralph.work.canStart().ok, waiting.state]).toEqual([false, "pending"]);
    await clock.advance(5 * MINUTE_MS);
    expect(waiting.state).toBe("resolved");
  });
});

describe("who holds nobody up", () => {
  it("a circle, but for one that is blocked in it, and not that one itself", async () => {
    const a = await joined("a", { dependsOn: ["b"] });
    const b = await joined("b", { dependsOn: ["c"] });
    const c = await joined("c", { dependsOn: ["a"] });
    for (const agent of [a, b, c]) expect(await poll(agent, 12 * SECOND_MS)).toEqual(OK);
    c.blocks(10 * MINUTE_MS);
    await clock.advance(2 * SECOND_MS);
    const verdicts: boolean[] = [];
    for (const agent of [a, b, c]) verdicts.push((await poll(agent, 12 * SECOND_MS)).ok);
    expect(verdicts).toEqual([false, false, true]);
  });

  it("an agent that has died, once its lease has ended", async () => {
    const data = await joined("data");
    const ralph = await joined("ralph", { dependsOn: ["data"] });
    data.blocks(50 * MINUTE_MS);
    expect((await poll(ralph, 14 * SECOND_MS)).ok).toBe(false);
    const waiting = watch(ralph.work.untilCanStart());
    await clock.advance(4 * MINUTE_MS);
    expect(waiting.state).toBe("pending");
    await clock.advance(MINUTE_MS + 10 * SECOND_MS);
    expect(waiting.state).toBe("resolved");
  });

  it("an agent that has left", async () => {
    const data = await joined("data");
    const ralph = await joined("ralph", { dependsOn: ["data"] });
    data.blocks(50 * MINUTE_MS);
    expect((await poll(ralph, 14 * SECOND_MS)).ok).toBe(false);
    await clock.settle(data.memberships[0]?.leave() ?? expect.unreachable());
    expect(await poll(ralph, 14 * SECOND_MS)).toEqual(OK);
  });

  it("one of a name of which another is free, on another machine", async () => {
    const data = await joined("data", { processId: "p1" });
    const other = await joined("data", { processId: "p2" });
    const ralph = await joined("ralph", { dependsOn: ["data"] });
    data.blocks(30 * MINUTE_MS);
    expect(await poll(ralph, 14 * SECOND_MS)).toEqual(OK);
    other.blocks(10 * MINUTE_MS);
    expect(await poll(ralph, 14 * SECOND_MS)).toMatchObject({
      ok: false,
      until: clock.now() + 10 * MINUTE_MS - 14_000,
    });
  });
});

describe("an agent with a namesake elsewhere", () => {
  it("is held up by what it depends on itself, whatever the other depends on", async () => {
    const data = await joined("data");
    const ralph = await joined("ralph", { dependsOn: ["data"], processId: "p1" });
    const namesake = await joined("ralph", { processId: "p2" });
    data.blocks(10 * MINUTE_MS);
    expect((await poll(ralph, 14 * SECOND_MS)).ok).toBe(false);
    expect(await poll(namesake, 14 * SECOND_MS)).toEqual(OK);
  });
});

describe("an agent of several pools", () => {
  it("is under pressure if it is so in any, for as long as the longest", async () => {
    const ralph = await joined("ralph", { dependsOn: ["data", "scribe"], pools: ["user-7", "user-8"] });
    const data = await joined("data", { pools: ["user-7"] });
    const scribe = await joined("scribe", { pools: ["user-8"] });
    data.blocks(10 * MINUTE_MS);
    expect(await poll(ralph, 14 * SECOND_MS)).toMatchObject({
      ok: false,
      until: clock.now() + 10 * MINUTE_MS - 14_000,
    });
    scribe.blocks(20 * MINUTE_MS);
    expect(await poll(ralph, 14 * SECOND_MS)).toMatchObject({
      ok: false,
      until: clock.now() + 20 * MINUTE_MS - 14_000,
    });
    ralph.own = { until: clock.now() + 30 * MINUTE_MS, why: "core" };
    expect(ralph.work.canStart()).toMatchObject({ until: ralph.own.until });
    ralph.own = { until: clock.now() + MINUTE_MS, why: "core" };
    expect(ralph.work.canStart()).toMatchObject({ why: expect.stringContaining("scribe, which it depends on") });
  });
});

describe("a store that is lost", () => {
  it("leaves what was last seen in force until the leases end", async () => {
    const data = await joined("data");
    const ralph = await joined("ralph", { dependsOn: ["data"] });
    data.changes({ light: "red" });
    await poll(ralph, 14 * SECOND_MS);
    store.manner = "fails";
    const waiting = watch(ralph.work.untilCanStart());
    await clock.advance(4 * MINUTE_MS);
    expect([ralph.work.canStart().ok, waiting.state]).toEqual([false, "pending"]);
    await clock.advance(2 * MINUTE_MS);
    expect([ralph.work.canStart(), waiting.state]).toEqual([OK, "resolved"]);
  });

  it("holds nobody up who has seen nothing", async () => {
    store.manner = "fails";
    const ralph = startAgent("ralph", { dependsOn: ["data"] });
    const waiting = watch(ralph.work.untilCanStart());
    await clock.advance(SECOND_MS);
    expect([ralph.work.canStart(), waiting.state]).toEqual([OK, "resolved"]);
  });
});

describe("an abort", () => {
  async function pressed(): Promise<Agent> {
    const data = await joined("data");
    const ralph = await joined("ralph", { dependsOn: ["data"], workClock: ownClock() });
    data.changes({ light: "red" });
    await poll(ralph, 14 * SECOND_MS);
    return ralph;
  }

  /** Its timers are told apart from the members'. */
  let timers: Map<object, boolean>;
  function ownClock(): Clock {
    timers = new Map();
    return {
      ...clock,
      now: clock.now,
      monotonic: clock.monotonic,
      timer: (ms, callback, options) => {
        const timer = {};
        timers.set(timer, options?.unref === true);
        const cancel = clock.timer(ms, () => {
          timers.delete(timer);
          callback();
        });
        return () => {
          timers.delete(timer);
          cancel();
        };
      },
    };
  }

  it("ends a wait at once, with the signal's reason", async () => {
    const ralph = await pressed();
    const controller = new AbortController();
    const waiting = watch(ralph.work.untilCanStart(controller.signal));
    await clock.advance(SECOND_MS);
    const reason = new Error("the user has had enough");
    controller.abort(reason);
    await clock.advance(0);
    expect(waiting).toEqual({ state: "rejected", reason });
    await expect(ralph.work.untilCanStart(controller.signal)).rejects.toBe(reason);
  });

  it("leaves no listener, and no timer that keeps the process alive; nor does any other end", async () => {
    const ralph = await pressed();
    const signals = Array.from({ length: 3 }, () => new AbortController());
    const waits = signals.map(({ signal }) => watch(ralph.work.untilCanStart(signal)));
    const listening = (): number[] => signals.map(({ signal }) => getEventListeners(signal, "abort").length);
    expect([listening(), [...timers.values()]]).toEqual([[1, 1, 1], [false]]);
    signals[0]?.abort();
    expect([listening(), [...timers.values()]]).toEqual([[0, 1, 1], [false]]);
    signals[1]?.abort();
    signals[2]?.abort();
    expect([listening(), [...timers.values()], ralph.work.isAwaited]).toEqual([[0, 0, 0], [true], false]);

    const controller = new AbortController();
    const last = watch(ralph.work.untilCanStart(controller.signal));
    expect([...timers.values()]).toEqual([false]);
    await clock.advance(6 * MINUTE_MS);
    expect(last.state).toBe("resolved");
    expect([getEventListeners(controller.signal, "abort").length, timers.size]).toEqual([0, 0]);
    expect(waits.map(({ state }) => state)).toEqual(["rejected", "rejected", "rejected"]);
  });

  it("is as quick while newer word is awaited, and leaves the next wait its second", async () => {
    const ralph = startAgent("ralph", { dependsOn: ["data"] });
    store.answerAfterMs = 2 * MINUTE_MS;
    const controller = new AbortController();
    const first = watch(ralph.work.untilCanStart(controller.signal));
    await clock.advance(500);
    controller.abort();
    await clock.advance(MINUTE_MS);
    expect(first.state).toBe("rejected");
    const second = watch(ralph.work.untilCanStart());
    await clock.advance(999);
    expect(second.state).toBe("pending");
    await clock.advance(1);
    expect(second.state).toBe("resolved");
  });
});

describe("closing", () => {
  it("ends every wait with its reason, present and future, and watches nothing any more", async () => {
    const ralph = startAgent("ralph", { pools: [] });
    ralph.own = { until: clock.now() + MINUTE_MS, why: "core" };
    const { signal } = new AbortController();
    const waiting = watch(ralph.work.untilCanStart(signal));
    const reason = new Error("closed");
    pokeAll(ralph);
    ralph.work.close(reason);
    ralph.work.close(new Error("again"));
    await clock.advance(0);
    expect(waiting).toEqual({ state: "rejected", reason });
    await expect(ralph.work.untilCanStart()).rejects.toBe(reason);
    expect(ralph.work.canStart()).toEqual({ ok: false, why: "ralph's squad is closed", until: undefined });
    expect([clock.pendingTimers, ralph.listeners.size, getEventListeners(signal, "abort").length]).toEqual([0, 0, 0]);
    expect(ralph.told).toHaveLength(1);
  });
});

describe("what is told of changes", () => {
  it("comes without anybody asking, once per change, and not when only time passes", async () => {
    const data = await joined("data");
    const ralph = await joined("ralph", { dependsOn: ["data"] });
    const until = clock.now() + 10 * MINUTE_MS;
    data.blocks(10 * MINUTE_MS);
    await clock.advance(2 * SECOND_MS);
    ralph.call();
    await clock.advance(2 * MINUTE_MS);
    expect(ralph.told).toEqual([{ ok: false, why: expect.stringContaining("data, which it depends on"), until }]);
    await poll(ralph, MINUTE_MS);
    expect(ralph.told).toHaveLength(1);
    for (let minute = 0; minute < 10; minute++) {
      data.call();
      await clock.advance(MINUTE_MS);
    }
    expect(ralph.told.slice(1)).toEqual([OK]);
    expect(data.told).toEqual([]);
  });

  it("is told again when the end moves by more than fifteen seconds, or nobody knows it any more", () => {
    const ralph = startAgent("ralph", { pools: [] });
    const hold = (ms: number): void => {
      ralph.own = { until: clock.now() + ms, why: "core" };
      ralph.work.canStart();
    };
    for (const ms of [MINUTE_MS, MINUTE_MS + 15_000, MINUTE_MS - 15_000, MINUTE_MS + 15_001, 0, 0]) hold(ms);
    expect(ralph.told.map((verdict) => verdict.ok || (verdict.until ?? 0) - clock.now())).toEqual([
      MINUTE_MS,
      MINUTE_MS + 15_001,
      true,
    ]);
  });

  it("is one look, however many things change in a turn", async () => {
    const ralph = startAgent("ralph", { pools: [] });
    ralph.own = { until: clock.now() + MINUTE_MS, why: "core" };
    for (let times = 0; times < 100; times++) pokeAll(ralph);
    expect(ralph.told).toEqual([]);
    await clock.advance(0);
    expect([ralph.told.length, clock.pendingTimers]).toEqual([1, 1]);
    await clock.advance(MINUTE_MS);
    expect([ralph.told.length, clock.pendingTimers]).toEqual([2, 0]);
  });
});

describe("a verdict", () => {
  it("tells times by this machine's clock, whatever GitHub's is, and never too early", () => {
    const now = Date.UTC(2030, 0, 1);
    const ahead = now + 90_000.5;
    const member: ListedMember = {
      id: "data~p1",
      agent: "data",
      priority: 1,
      machine: "build-1",
      leaseStart: 0,
      leaseExpiry: ahead + MINUTE_MS,
      dependsOn: [],
      light: "green",
      breakerOpen: false,
      blockedUntil: ahead + 30_000.1,
    };
    const question = { agent: "ralph", dependsOn: ["data"], own: undefined, now };
    expect(judgeWork({ ...question, pools: [{ members: [member], githubNow: ahead }] })).toEqual({
      verdict: {
        ok: false,
        why: "ralph waits: data, which it depends on, is blocked for another 31 s",
        until: now + 30_001,
      },
      byOthers: true,
    });
  });
});
