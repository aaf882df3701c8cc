import { beforeEach, describe, expect, it } from "vitest";
import type { Priority } from "../../src/policy/light.js";
import type { QuotaDocument } from "../../src/policy/share/quota-document.js";
import type { Denial } from "../../src/policy/share/report.js";
import { newSpender, type SpenderState, type SpendTicket } from "../../src/policy/spender.js";
import type { PoolDocuments } from "../../src/pool/documents.js";
import { type Arrival, balances, PoolSpender } from "../../src/pool/pool-spender.js";
import type { PoolUpdate } from "../../src/pool/pool-update.js";
import type { SpendWord } from "../../src/pool/spend-word.js";
import { whyWait } from "../../src/pool/why-wait.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { FakeDocuments } from "./fake-documents.js";

const KEY = "squad-rate:quota:github.com:user%3A1:core";
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const LIMIT = 5_000;

let clock: VirtualClock;
let store: FakeDocuments;
/** Units charged by everybody, and when GitHub's window ends. */
let used: number;
let resetAt: number;

/** One process of the pool, with clocks that can be wrong. */
class Process {
  readonly spender: PoolSpender;
  readonly updates: PoolUpdate[] = [];
  more = 0;
  offsetMs = 0;
  known = true;
  jumpMs = 0;
  blockedUntil = 0;
  #names = 0;

  constructor(name: string, documents: PoolDocuments = store) {
    this.spender = new PoolSpender({
      documents,
      key: KEY,
      resource: "core",
      newName: () => `${name}~${++this.#names}`,
      windowMs: HOUR_MS,
      requestTimeoutMs: MINUTE_MS,
      share: "lend",
      clock,
      time: { now: () => clock.now() + this.offsetMs, known: () => this.known, jumpMs: () => this.jumpMs },
      blockedUntil: () => this.blockedUntil,
      onMore: () => {
        this.more += 1;
      },
      onUpdate: (update) => this.updates.push(update),
    });
  }

  get state(): SpenderState {
    return this.spender.state;
  }

  get balance(): number {
    return balances(this.state).reduce((sum, units) => sum + units, 0);
  }

  /** A call arrives and asks. */
  ask(priority: Priority = 1, units = 1): SpendWord {
    return this.spender.spend(this.spender.arrive(priority, units));
  }

  send(priority: Priority = 1): SpendTicket {
    const word = this.ask(priority);
    return word.kind === "go" ? word.ticket : expect.unreachable(word.why());
  }

  answered(ticket: SpendTicket, charged = ticket.units): void {
    used += charged;
    const header = { limit: LIMIT, used, resetAt, at: clock.now() + this.offsetMs };
    this.spender.settle(ticket, ticket.priority, { answered: true, charged, header });
  }

  call(priority: Priority = 1): void {
    this.answered(this.send(priority));
  }

  /** Sends so many calls: what it cannot at once, as soon as the pool has answered. */
  async rush(calls: number, priority: Priority = 1): Promise<void> {
    const arrivals = Array.from({ length: calls }, () => this.spender.arrive(priority, 1));
    const waiting = arrivals.filter((arrival) => !this.#sent(arrival));
    await clock.advance(10);
    expect(waiting.filter((arrival) => !this.#sent(arrival))).toEqual([]);
  }

  /** Has calls wait for units that it has not, and give up when it has been granted them. */
  async obtain(units: number, priority: Priority = 1): Promise<void> {
    const arrivals = Array.from({ length: this.balance + units }, () => this.spender.arrive(priority, 1));
    const words = arrivals.map((arrival) => this.spender.spend(arrival));
    await clock.advance(10);
    words.forEach((word, index) => {
      if (word.kind === "wait") this.spender.leave(arrivals[index] ?? expect.unreachable());
      else this.spender.settle(word.ticket, priority, { answered: false, charged: 0, header: undefined });
    });
    await clock.advance(10);
  }

  #sent(arrival: Arrival): boolean {
    const word = this.spender.spend(arrival);
    if (word.kind === "go") this.answered(word.ticket);
    return word.kind === "go";
  }
}

/** A process that has sent the first call of the window, so that everybody knows its end. */
async function first(name = "one"): Promise<Process> {
  const process = new Process(name);
  await process.rush(1);
  await clock.advance(10);
  return process;
}

function stored(): QuotaDocument {
  return store.values.get(KEY) as QuotaDocument;
}

function failures({ updates }: Process): readonly string[] {
  return updates.flatMap((update) => (update.kind === "failed" ? [(update.failure.error as Error).message] : []));
}

beforeEach(() => {
  clock = createVirtualClock();
  store = new FakeDocuments(clock);
  used = 0;
  resetAt = clock.now() + HOUR_MS;
});

describe("a process that needs units", () => {
  it("asks once for all that wait, and once more for those who came meanwhile", async () => {
    const one = await first();
    const { updates } = store;
    const { more } = one;
    const arrivals = Array.from({ length: 40 }, () => one.spender.arrive(1, 1));
    for (const arrival of arrivals) expect(one.spender.spend(arrival)).toMatchObject({ kind: "wait", brief: true });
    arrivals.push(...Array.from({ length: 60 }, () => one.spender.arrive(1, 1)));
    expect([store.updates - updates, one.more - more]).toEqual([1, 0]);

    await clock.advance(2);
    expect([store.updates - updates, one.more - more]).toEqual([1, 1]);
    const sent = arrivals.filter((arrival) => one.spender.spend(arrival).kind === "go");
    expect(sent).toHaveLength(40);
    await clock.advance(2);
    expect([store.updates - updates, one.more - more]).toEqual([2, 2]);
    expect(arrivals.slice(40).map((arrival) => one.spender.spend(arrival).kind)).not.toContain("wait");
  });

  it("spends what it holds without a word to the store", async () => {
    const one = await first();
    await one.obtain(40);
    const { updates } = store;
    for (let call = 0; call < 29; call++) one.call();
    await clock.advance(10);
    expect([one.balance, store.updates - updates]).toEqual([11, 0]);
  });

  it("fetches more in the background when a quarter is left", async () => {
    const one = await first();
    await one.obtain(40);
    for (let call = 0; call < 30; call++) one.call();
    expect(one.balance).toBe(10);
    await clock.advance(10);
    expect(one.balance).toBeGreaterThan(10);
    expect(one.updates.at(-1)).toMatchObject({
      kind: "made",
      report: { classes: [{}, { waiting: 0, asks: true }, {}] },
    });
  });

  it("asks for nothing more when the calls that waited have left", async () => {
    const one = await first();
    store.turnAfterMs = 100;
    const arrival = one.spender.arrive(1, 1);
    one.spender.spend(arrival);
    const late = one.spender.arrive(1, 1);
    for (const left of [arrival, late]) one.spender.leave(left);
    const { updates } = store;
    await clock.advance(SECOND_MS);
    expect([store.updates - updates, one.state.classes[1].waiting]).toEqual([0, 0]);
  });

  it("asks again when it was told to, however often its calls ask it meanwhile", async () => {
    used = LIMIT - 1;
    const one = await first();
    const arrival = one.spender.arrive(2, 1);
    one.spender.spend(arrival);
    await clock.advance(10);
    const { updates } = store;
    const word = one.spender.spend(arrival);
    expect(word).toMatchObject({ kind: "wait", untilAt: resetAt + 2 * SECOND_MS, brief: false });
    for (let minute = 0; minute < 59; minute++) {
      await clock.advance(MINUTE_MS);
      expect(one.spender.spend(arrival).kind).toBe("wait");
    }
    expect(store.updates).toBe(updates);
    await clock.advance(2 * MINUTE_MS);
    expect(one.spender.spend(arrival).kind).toBe("go");
  });

  it("lets waiting calls know of units that came back", async () => {
    const one = await first();
    await one.obtain(1);
    const ticket = one.send();
    const { more, balance } = one;
    one.answered(ticket, 0);
    expect([one.more - more, one.balance - balance]).toEqual([1, 1]);
  });

  it("takes what a call without a ticket cost off the balance", async () => {
    const one = await first();
    await one.obtain(20);
    const { balance } = one;
    const { spent } = one.state.classes[1];
    one.spender.settle(undefined, 1, { answered: true, charged: 3, header: undefined });
    expect([one.balance, one.state.classes[1].spent]).toEqual([balance - 3, spent + 3]);
  });

  it("shares nothing where GitHub answers without naming a quota", async () => {
    const one = new Process("one");
    const arrival = one.spender.arrive(1, 1);
    one.spender.spend(arrival);
    await clock.advance(10);
    const waiting = one.spender.arrive(1, 1);
    const word = one.spender.spend(arrival);
    const ticket = word.kind === "go" ? word.ticket : expect.unreachable(word.why());
    const { more } = one;
    one.spender.settle(ticket, 1, { answered: true, charged: 1, header: undefined });
    expect(one.more).toBe(more + 1);
    const { updates } = store;
    expect(one.spender.spend(waiting).kind).toBe("go");
    for (let call = 0; call < 100; call++) expect(one.ask().kind).toBe("go");
    await clock.advance(HOUR_MS);
    expect(store.updates).toBe(updates);
  });

  it("passes on until when everybody is to hold back", async () => {
    const one = await first();
    one.blockedUntil = clock.now() + MINUTE_MS;
    await one.obtain(1);
    const two = new Process("two");
    await two.obtain(1);
    expect(two.updates.at(-1)).toMatchObject({ grant: { blockedUntil: one.blockedUntil } });
  });

  it("is told how long a window lasts by whoever has seen it open", async () => {
    resetAt = clock.now() + MINUTE_MS;
    const one = await first();
    one.spender.measured(MINUTE_MS);
    await one.obtain(40);
    const two = new Process("two");
    await two.rush(1);
    expect([stored().windowMs, two.state.windowMs, two.state.windowMeasured]).toEqual([MINUTE_MS, MINUTE_MS, false]);
  });
});

describe("a process that holds units", () => {
  it("gives back what lies idle, and then leaves the store alone", async () => {
    const one = await first();
    await one.obtain(40);
    expect(stored().allocations["one~1"]).toMatchObject({ allocated: 41, used: 1 });
    await clock.advance(59 * SECOND_MS);
    expect(one.balance).toBe(40);
    await clock.advance(5 * MINUTE_MS);
    expect(one.balance).toBe(0);
    expect(stored().allocations["one~1"]).toMatchObject({ allocated: 1, used: 1 });
    const { updates } = store;
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(HOUR_MS);
    expect(store.updates).toBe(updates);
  });

  it("reports every two minutes, and takes nothing by it", async () => {
    const one = await first();
    await one.obtain(40);
    const { updates } = store;
    const from = clock.now();
    for (let call = 0; call < 11; call++) {
      one.call();
      await clock.advance(50 * SECOND_MS);
    }
    expect(store.updates - updates).toBe(4);
    expect(stored().allocations["one~1"]).toMatchObject({ allocated: 41, used: 12 - 1 });
    expect(stored().allocations["one~1"]?.leaseExpiry).toBeGreaterThan(from + 10 * MINUTE_MS);
  });

  it("reports while a call is on its way, and when it is answered no more", async () => {
    const one = await first();
    await one.obtain(1);
    const tickets: SpendTicket[] = [];
    while (one.balance > 0) tickets.push(one.send());
    const { updates } = store;
    await clock.advance(10 * MINUTE_MS + SECOND_MS);
    expect(store.updates - updates).toBe(5);
    for (const ticket of tickets) one.answered(ticket);
    await clock.advance(20 * MINUTE_MS);
    expect(store.updates - updates).toBe(5);
  });

  it("keeps one timer, and sets none anew at each call", async () => {
    const one = await first();
    await one.obtain(40);
    let timers = 0;
    const { timer } = clock;
    clock.timer = (ms, callback, options) => {
      timers += 1;
      return timer(ms, callback, options);
    };
    for (let call = 0; call < 29; call++) one.call();
    expect([timers, clock.pendingTimers]).toEqual([0, 1]);
  });

  it("does not keep the program running by its timer", async () => {
    const timers: unknown[] = [];
    const { timer } = clock;
    clock.timer = (ms, callback, options) => {
      timers.push(options);
      return timer(ms, callback, options);
    };
    const one = await first();
    await one.obtain(40);
    const ofStore = timers.filter((options) => options === undefined);
    expect(ofStore).toHaveLength(2 * store.updates);
    expect(timers.length).toBeGreaterThan(ofStore.length);
    expect(timers).toEqual(expect.arrayContaining([{ unref: true }]));
  });
});

describe("a request that failed without an answer", () => {
  const noAnswer = { answered: false, charged: undefined, header: undefined };

  it("holds its units until a header has come that counts it if it was charged, and costs nothing then", async () => {
    const one = await first();
    await one.obtain(10);
    const [early, late] = [one.send(), one.send()];
    one.spender.settle(early, 1, noAnswer);
    await clock.advance(20 * SECOND_MS);
    one.spender.settle(late, 1, noAnswer);
    one.call();
    await clock.advance(41 * SECOND_MS);
    expect(one.state.classes[1]).toMatchObject({ inFlight: 2, spent: 2 });
    await one.rush(1);
    expect(one.state.classes[1]).toMatchObject({ inFlight: 1, spent: 3 });
    await clock.advance(20 * SECOND_MS);
    await one.rush(1);
    expect(one.state.classes[1]).toMatchObject({ inFlight: 0, spent: 4 });
  });

  it("gives its units back to the pool, not to the balance, lest they be spent twice", async () => {
    const one = await first();
    await one.obtain(10);
    const failed = one.send();
    one.spender.settle(failed, 1, noAnswer);
    const { balance } = one;
    await clock.advance(61 * SECOND_MS);
    const before = one.balance;
    one.call();
    expect(one.state.classes[1]).toMatchObject({ inFlight: 0 });
    expect(one.balance).toBe(before - 1);
    expect(balance).toBeGreaterThanOrEqual(before);
  });

  it("is not over by a clock that nobody has set, which cannot tell how old a header is", async () => {
    const one = await first();
    await one.obtain(10);
    const two = new Process("two");
    Object.assign(two, { known: false, offsetMs: -40 * SECOND_MS });
    two.ask();
    await clock.advance(10);
    two.spender.settle(two.send(), 1, noAnswer);
    await clock.advance(61 * SECOND_MS);
    two.ask();
    await clock.advance(10);
    expect(two.state.classes[1]).toMatchObject({ inFlight: 1 });
    Object.assign(two, { known: true, offsetMs: 0 });
    await two.rush(1);
    expect(two.state).toMatchObject({ writtenOff: 1 });
  });

  it("tells the pool how many units came back, for they may have been charged", async () => {
    const one = await first();
    await one.obtain(10);
    one.spender.settle(one.send(), 1, noAnswer);
    await clock.advance(61 * SECOND_MS);
    await one.rush(1);
    await one.obtain(40);
    expect(stored().allocations["one~1"]).toMatchObject({ writtenOff: 1 });
  });

  it("is not over by a header of the next window, in which it is not counted", async () => {
    const one = await first();
    await one.obtain(10);
    await clock.advance(59 * MINUTE_MS);
    await one.obtain(10);
    one.spender.settle(one.send(), 1, noAnswer);
    const late = one.send();
    await clock.advance(61 * SECOND_MS);
    [used, resetAt] = [0, resetAt + HOUR_MS];
    one.answered(late);
    expect(one.state.classes[1]).toMatchObject({ inFlight: 1, spentAhead: 1 });
    await clock.advance(10 * SECOND_MS);
    await one.rush(1);
    expect(one.state.classes[1]).toMatchObject({ inFlight: 0 });
  });

  it("is over with its window at the latest, when no header ever comes", async () => {
    const one = await first();
    await one.obtain(10);
    one.spender.settle(one.send(), 1, noAnswer);
    await clock.advance(59 * MINUTE_MS);
    expect(one.state.classes[1].inFlight).toBe(1);
    await clock.advance(3 * MINUTE_MS);
    expect(one.state.classes[1].inFlight).toBe(0);
  });

  it("costs nothing at once when it was certainly not sent", async () => {
    const one = await first();
    await one.obtain(10);
    const balance = one.balance;
    one.spender.settle(one.send(), 1, { ...noAnswer, charged: 0 });
    expect(one.state.classes[1]).toMatchObject({ inFlight: 0, spent: 1 });
    expect(one.balance).toBe(balance);
  });

  it("stays counted when the process closes before it is certain, and leaves no timer", async () => {
    const one = await first();
    await one.obtain(10);
    const [failed, hung] = [one.send(), one.send()];
    one.spender.settle(failed, 1, noAnswer);
    await clock.settle(one.spender.close());
    expect(stored()).toMatchObject({ allocations: {}, retired: [0, 3, 0] });
    one.spender.settle(hung, 1, noAnswer);
    expect(one.state.classes[1]).toMatchObject({ inFlight: 0, spent: 3 });
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("a store that fails", () => {
  it("costs nobody what was granted; then a minute's calls go, and one by one until it is back", async () => {
    const one = await first();
    await one.obtain(20);
    store.manner = "fails";
    const arrivals = Array.from({ length: 200 }, () => one.spender.arrive(1, 1));
    const sent = (): number => arrivals.findIndex((arrival) => one.spender.spend(arrival).kind === "wait");
    const { balance } = one;
    expect(arrivals.splice(0, sent())).toHaveLength(balance);
    await clock.advance(10);
    expect(failures(one)).toEqual(["no route to host"]);
    expect(one.spender.failure).toMatchObject({ of: "store" });

    // The 4,979 or so that are left in an hour: one every 725 ms, and a minute's at once.
    const { more } = one;
    const { updates } = store;
    expect(arrivals.splice(0, sent()).length).toBeCloseTo(60_000 / 725, -1);
    const word = one.ask();
    expect(word).toMatchObject({ kind: "wait", brief: false });
    expect(word.kind === "wait" && word.untilAt - clock.now()).toBeLessThan(750);
    await clock.advance(750);
    expect(one.more).toBeGreaterThan(more);
    expect(store.updates).toBe(updates);
    expect(arrivals.splice(0, sent())).toHaveLength(1);

    store.manner = "answers";
    await clock.advance(15 * SECOND_MS);
    expect([one.state.lost, one.spender.failure]).toEqual([false, undefined]);
    expect(arrivals.map((arrival) => one.spender.spend(arrival).kind)).not.toContain("wait");
  });

  it("is tried again after a second, then after ever longer, at most fifteen", async () => {
    const one = await first();
    store.manner = "fails";
    one.ask();
    const tries: number[] = [];
    let before = 0;
    for (let second = 0; second < 60; second++) {
      if (store.updates > before) tries.push(second);
      before = store.updates;
      await clock.advance(SECOND_MS);
    }
    expect(tries.map((at, index) => at - (tries[index - 1] ?? 0)).slice(1)).toEqual([2, 2, 4, 8, 15, 15]);
  });

  it("is not asked without end for calls that something else holds back", async () => {
    const one = await first();
    store.manner = "fails";
    const arrival = one.spender.arrive(1, 1);
    one.spender.spend(arrival);
    await clock.advance(2 * SECOND_MS);
    const { more } = one;
    await clock.advance(MINUTE_MS);
    expect(one.more - more).toBeLessThan(1_000);
  });

  it("may have made the change all the same: what it granted comes back with the next report", async () => {
    const one = await first();
    store.manner = "loses the answer";
    const arrivals = Array.from({ length: 40 }, () => one.spender.arrive(1, 1));
    for (const arrival of arrivals) one.spender.spend(arrival);
    await clock.advance(10);
    expect(stored().allocations["one~1"]?.allocated).toBeGreaterThanOrEqual(41);
    expect(one.balance).toBe(0);
    for (const arrival of arrivals) one.spender.leave(arrival);
    store.manner = "answers";
    const late = one.spender.arrive(1, 1);
    await clock.advance(2 * SECOND_MS);
    expect(one.spender.spend(late).kind).toBe("go");
    const { allocated, used: spent } = stored().allocations["one~1"] ?? expect.unreachable();
    expect(allocated - spent).toBe(one.balance + 1);
  });

  it("is not heard when it answers after all", async () => {
    const later: (() => void)[] = [];
    const documents: PoolDocuments = {
      update: (key, change, done) =>
        store.update(key, change, (outcome) => {
          if (later.length === 0) {
            done({ kind: "failed", error: new Error("no answer in time") });
            later.push(() => done(outcome));
          } else done(outcome);
        }),
    };
    const one = new Process("one", documents);
    const arrival = one.spender.arrive(1, 1);
    one.spender.spend(arrival);
    await clock.advance(10);
    expect(one.state.lost).toBe(true);
    later[0]?.();
    expect([one.balance, one.state.window, one.state.lost]).toEqual([0, undefined, true]);
  });
});

describe("closing", () => {
  it("gives everything back and ends the lease, once", async () => {
    const one = await first();
    await one.obtain(40);
    await clock.settle(one.spender.close());
    expect(stored()).toMatchObject({ allocations: {}, retired: [0, 1, 0] });
    expect([one.balance, clock.pendingTimers]).toEqual([0, 0]);
    const { updates } = store;
    await one.spender.close();
    expect(one.ask().kind).toBe("wait");
    await clock.advance(HOUR_MS);
    expect([store.updates - updates, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("is not undone by the answer to a report that was under way", async () => {
    const one = await first();
    for (let call = 0; call < 40; call++) one.ask();
    await clock.settle(one.spender.close());
    await clock.advance(SECOND_MS);
    expect([one.balance, stored().allocations]).toEqual([0, {}]);
  });

  it("asks nothing of the store when nothing was ever asked", async () => {
    await new Process("one").spender.close();
    expect([store.updates, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("is over when the store has failed; the lease ends what is left", async () => {
    const one = await first();
    await one.obtain(40);
    store.manner = "fails";
    await clock.settle(one.spender.close());
    expect(failures(one)).toEqual(["no route to host"]);
    expect(stored().allocations["one~1"]?.allocated).toBe(41);
    await clock.advance(HOUR_MS);
    expect([one.updates.length, clock.pendingTimers]).toEqual([one.updates.length, 0]);
  });
});

describe("clocks", () => {
  it("that jumped end what was granted; under another name the process goes on, and the old one's units come back", async () => {
    const [one, other] = [await first("one"), new Process("other")];
    await one.obtain(40);
    await other.rush(1);
    one.jumpMs = 10 * MINUTE_MS;
    one.known = false;
    const arrival = one.spender.arrive(1, 1);
    expect(one.spender.spend(arrival)).toMatchObject({ kind: "wait", brief: true });
    expect([one.balance, one.state.spender]).toEqual([0, "one~2"]);

    await clock.advance(10);
    const word = one.spender.spend(arrival);
    one.jumpMs = 0;
    one.known = true;
    one.answered(word.kind === "go" ? word.ticket : expect.unreachable(word.why()));
    await one.rush(5);
    expect(one.state.spender).toBe("one~2");
    expect(stored().allocations["one~1"]?.allocated).toBe(41);

    // Its lease of five minutes, the minute of its last request, and a header that was asked for later.
    for (let minute = 0; minute < 9; minute++) {
      await other.rush(5);
      await clock.advance(MINUTE_MS);
    }
    const events = other.updates.flatMap((update) => (update.kind === "made" ? update.events : []));
    expect(events).toContainEqual({ kind: "retired", spender: "one~1", returnedUnits: 40 });
  });

  it("that jump again end what was granted again", async () => {
    const one = await first();
    for (const name of ["one~2", "one~3"]) {
      await one.obtain(40);
      one.jumpMs = 10 * MINUTE_MS;
      one.spender.leave(one.spender.arrive(1, 1));
      expect([one.state.spender, one.balance]).toEqual([name, 0]);
      one.jumpMs = 0;
    }
  });

  it("that jumped void the answer to a report under way", async () => {
    const one = await first();
    for (let call = 0; call < 40; call++) one.ask();
    one.jumpMs = 10 * MINUTE_MS;
    await clock.advance(2);
    expect([one.state.spender, one.balance]).toEqual(["one~2", 0]);
  });

  it("that were set by a little, or back, change nothing", async () => {
    const one = await first();
    await one.obtain(40);
    for (const jumpMs of [900, -HOUR_MS]) {
      one.jumpMs = jumpMs;
      one.call();
    }
    expect([one.state.spender, one.balance]).toEqual(["one~1", 38]);
  });

  it("that nobody has set may be far behind: the others' document is read all the same", async () => {
    await first("other");
    const one = new Process("one");
    one.known = false;
    one.offsetMs = -2 * HOUR_MS;
    one.ask();
    await clock.advance(10);
    expect(failures(one)).toEqual([]);
    expect(one.ask().kind).toBe("go");
  });

  it("that an answer sets forward put nothing off", async () => {
    const one = new Process("one");
    one.known = false;
    one.offsetMs = -HOUR_MS;
    await one.rush(1);
    one.known = true;
    one.offsetMs = 0;
    used = LIMIT - 20;
    await one.rush(1);
    const arrivals = Array.from({ length: 60 }, () => one.spender.arrive(2, 1));
    for (const arrival of arrivals) one.spender.spend(arrival);
    await clock.advance(10);
    const { retryAt } = one.state.classes[2];
    const { updates } = store;
    expect(retryAt - clock.now()).toBeGreaterThan(0);
    await clock.advance(retryAt - clock.now() + SECOND_MS);
    expect(store.updates).toBeGreaterThan(updates);
  });
});

describe("a document", () => {
  it("that the store has lost is written again from memory", async () => {
    const [one, other] = [await first("one"), new Process("other")];
    await other.obtain(40);
    await one.obtain(20);
    const { revision } = stored();
    store.values.clear();
    await one.obtain(30);
    expect(stored().revision).toBeGreaterThan(revision);
    expect(Object.keys(stored().allocations)).toEqual(["one~1", "other~1"]);
    expect(stored()).toMatchObject({ window: 1, resetAt, used: 1, totalLimit: LIMIT });
  });

  it("that went back to an older copy is brought forward by whoever remembers more", async () => {
    const [one, other] = [await first("one"), new Process("other")];
    const copy = stored();
    await other.obtain(40);
    await one.obtain(20);
    const { revision } = stored();
    store.values.set(KEY, copy);
    await one.obtain(30);
    expect(stored().revision).toBeGreaterThan(revision);
    expect(stored().allocations["other~1"]?.allocated).toBeGreaterThanOrEqual(40);
  });

  it("that this process has an older copy of is taken as it is", async () => {
    const [one, other] = [await first("one"), new Process("other")];
    await other.obtain(40);
    await other.obtain(60);
    await one.obtain(20);
    expect(stored().allocations["other~1"]?.allocated).toBeGreaterThanOrEqual(60);
  });

  it.each([
    ["torn", "{"],
    ["of another version", { version: 2, revision: 1 }],
    ["empty", {}],
  ])("that is %s is a store that does not answer, and never a fresh budget", async (_, doc) => {
    const one = await first();
    store.values.set(KEY, doc);
    one.ask();
    await clock.advance(10);
    expect([one.balance, one.state.lost, one.spender.failure?.of]).toEqual([0, true, "document"]);
    expect(store.values.get(KEY)).toEqual(doc);
    expect(failures(one)[0]).toMatch(/^The document squad-rate:quota:\S+ in the store is unreadable: /);
    let word = one.ask();
    expect(word.kind).toBe("go");
    while (word.kind === "go") word = one.ask();
    expect(word.why()).toMatch(/^core: the pool's document cannot be read; calls go /);
  });

  it("is remembered as it was written last", async () => {
    const one = await first();
    expect(one.spender.newest).toEqual(stored());
  });
});

describe("a call that waits is told why", () => {
  const now = Date.UTC(2030, 0, 1, 0, 40);
  const inAnHour = { ...newSpender({ spender: "one~1", windowMs: HOUR_MS, requestTimeoutMs: MINUTE_MS }), window: 1 };
  const state: SpenderState = { ...inAnHour, resetAt: now + 20 * MINUTE_MS };
  const header = { limit: 1_000, used: 940, resetAt: now + 20 * MINUTE_MS, at: now };
  const nothing = { limit: 1_000, freeUnits: 0, heldUnits: 0, reservedForHiddenUnits: 0, probing: false };
  const until = (afterMs: number): Denial => ({ ...nothing, priority: 2, retryAt: now + afterMs });

  function lost(more: Partial<SpenderState>): SpenderState {
    return { ...state, lost: true, ...more };
  }

  it.each<readonly [string, SpenderState, Denial | undefined, boolean]>([
    ["core: asking the pool for units; P2 waits", state, undefined, false],
    ["core: asking the pool for units; P2 waits", state, until(-1), false],
    [
      "core: a call is on its way to find out how much of the window is used; P2 waits",
      state,
      { ...until(SECOND_MS), probing: true },
      false,
    ],
    [
      "core: all 1000 units are spent or held by other processes; resets in 20 min; asks again in 30 s; P2 waits",
      state,
      until(30 * SECOND_MS),
      false,
    ],
    [
      "core: all 1000 units are spent, held by other processes or kept for use outside the pool (18); resets in 20 min; P2 waits",
      state,
      { ...until(20 * MINUTE_MS + 2 * SECOND_MS), reservedForHiddenUnits: 18 },
      false,
    ],
    [
      "core: the 25 of 1000 units that are left are kept for more urgent work; resets in 20 min; asks again in 1 min 30 s; P2 waits",
      state,
      { ...until(90 * SECOND_MS), freeUnits: 25, heldUnits: 25 },
      false,
    ],
    [
      "core: the 3 of 1000 units that are left are kept for calls that asked before; asks again in 5 s; P2 waits",
      { ...state, resetAt: undefined },
      { ...until(5 * SECOND_MS), freeUnits: 3 },
      false,
    ],
    [
      "core: the pool's store does not answer; a call goes now and then until GitHub shows its quota, the next in 4 s; P2 waits",
      lost({ pacedUntil: now + 4 * SECOND_MS }),
      undefined,
      false,
    ],
    [
      "core: the pool's store does not answer; calls go at the pace at which the 60 of 1000 left would last, the next in 1 min 20 s; P2 waits",
      lost({ header, pacedUntil: now + 80 * SECOND_MS }),
      until(30 * SECOND_MS),
      false,
    ],
    [
      "core: the pool's document cannot be read; calls go at the pace at which the 60 of 1000 left would last; P2 waits",
      lost({ header }),
      undefined,
      true,
    ],
  ])("%s", (why, facts, denial, unreadable) => {
    const classes: SpenderState["classes"] = [
      facts.classes[0],
      facts.classes[1],
      { ...facts.classes[2], retryAt: denial?.retryAt ?? 0 },
    ];
    expect(whyWait({ resource: "core", priority: 2, state: { ...facts, classes }, denial, unreadable, now })).toBe(why);
  });

  it("as it is when asked, from the pool's latest word", async () => {
    used = LIMIT - 1;
    const one = await first();
    await one.obtain(1, 2);
    const word = one.ask(2);
    const why = word.kind === "wait" ? word.why : expect.unreachable("it went");
    expect(why()).toBe("core: all 5000 units are spent or held by other processes; resets in 1 h; P2 waits");
  });
});
