import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { SquadRateError } from "../../src/errors.js";
import type { ContentDocument } from "../../src/policy/content-writes.js";
import type { ContentWord } from "../../src/pool/content-writes.js";
import { contentWritesKey } from "../../src/pool/keys.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { LIMITS, mostInAWindow, POOL, Writer, type WriterOptions } from "./content-writer.js";
import { FakeDocuments } from "./fake-documents.js";

const KEY = contentWritesKey(POOL);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let clock: VirtualClock;
let store: FakeDocuments;

function writer(id: string, options: Partial<WriterOptions> = {}): Writer {
  return new Writer({ clock, documents: store, id, ...options });
}

function stored(): ContentDocument | undefined {
  return store.values.get(KEY) as ContentDocument | undefined;
}

function booked(): number {
  return (stored()?.sent ?? []).reduce((sum, [, writes]) => sum + writes, 0);
}

function waitOf(word: ContentWord | undefined): Extract<ContentWord, { kind: "wait" }> {
  if (word?.kind !== "wait") throw new Error(`It does not wait: ${JSON.stringify(word)}`);
  return word;
}

function goOf(word: ContentWord): Extract<ContentWord, { kind: "go" }> {
  if (word.kind !== "go") throw new Error(`It waits: ${word.why}`);
  return word;
}

/** A process that holds so many slots and has calls for all of them. */
async function holding(id: string, slots: number, options: Partial<WriterOptions> = {}): Promise<Writer> {
  const one = writer(id, options);
  for (let call = 0; call < slots; call++) one.content.arrive(1);
  one.take(1);
  await clock.advance(10);
  return one;
}

function sentBy(writers: readonly Writer[]): readonly number[] {
  return writers.flatMap(({ sent }) => sent.map(({ at }) => at));
}

beforeEach(() => {
  clock = createVirtualClock();
  store = new FakeDocuments(clock);
});

describe("a content write", () => {
  it("waits for the store's answer only, and goes", async () => {
    const one = writer("one");
    one.want(1, 1);
    expect(one.word).toEqual({
      kind: "wait",
      untilAt: clock.now() + 1_000,
      brief: true,
      why: "asking the pool for a content write",
    });
    await clock.advance(2);
    expect(one.sent).toHaveLength(1);
    expect([one.changes, store.updates, booked()]).toEqual([1, 1, 1]);
  });

  it("is let go by the answer at once, and may be sent for ten seconds", async () => {
    const one = await holding("one", 1);
    const askedAt = clock.now() - 10;
    const { slot } = goOf(one.take(1));
    expect(slot.sendBy).toBe(askedAt + 10_000);
    expect(stored()?.sent).toEqual([[slot.sendBy, 1]]);
  });

  it("is asked for once, however many calls wait and however long the answer takes", async () => {
    store.answerAfterMs = 3_000;
    const one = writer("one");
    one.want(1, 5);
    for (let second = 0; second < 2; second++) {
      await clock.advance(1_000);
      one.ask();
    }
    expect(store.updates).toBe(1);
    expect(waitOf(one.word).brief).toBe(true);
    await clock.advance(1_100);
    expect(one.sent).toHaveLength(5);
  });

  it("is for the most urgent call of the process, whoever comes first", async () => {
    const one = await holding("one", 2);
    one.content.arrive(0);
    expect(one.take(1).kind).toBe("go");
    one.content.leave(1);
    expect(one.take(1).kind).toBe("wait");
    expect(one.take(0).kind).toBe("go");
  });

  it("is reserved with seven others at most, so that processes that begin at once share what there is", async () => {
    const [quick, slow] = [writer("quick"), writer("slow")];
    quick.want(1, 100);
    await clock.advance(50);
    expect(quick.sent).toHaveLength(8);
    slow.want(1, 100);
    await clock.advance(3_000);
    expect([quick.sent.length, slow.sent.length]).toEqual([40, 40]);
  });

  it("counts from when it was sent, once that is told", async () => {
    const one = await holding("one", 3);
    const slots = [goOf(one.take(1)).slot, goOf(one.take(1)).slot, goOf(one.take(1)).slot];
    for (const _ of slots) one.content.leave(1);
    await clock.advance(1_500);
    for (const slot of slots.slice(0, 2)) one.content.sent(slot);
    for (const slot of slots) one.content.sent(slot);
    await clock.advance(5_000);
    const sentAt = slots[0]?.sendBy as number;
    expect(stored()?.sent).toEqual([[sentAt - 8_000, 3]]);
    expect(store.updates).toBe(2);
    expect(clock.pendingTimers).toBe(0);
  });

  it("that was not sent is the next call's", async () => {
    const one = await holding("one", 1);
    const { slot } = goOf(one.take(1));
    one.content.leave(1);
    one.content.release(slot);
    one.content.release(slot);
    one.content.sent(slot);
    one.content.arrive(2);
    expect(goOf(one.take(2)).slot).toBe(slot);
    expect(one.take(2).kind).toBe("wait");
    expect(one.changes).toBe(1);
  });

  it("that nobody sends is given back before it is too late to send it", async () => {
    const one = await holding("one", 3);
    one.content.sent(goOf(one.take(1)).slot);
    for (let call = 0; call < 3; call++) one.content.leave(1);
    expect(booked()).toBe(3);
    await clock.advance(4_900);
    expect(booked()).toBe(3);
    await clock.advance(200);
    expect(booked()).toBe(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it("that is released too late to be used is given back at once", async () => {
    const one = await holding("one", 1);
    const { slot } = goOf(one.take(1));
    one.content.leave(1);
    await clock.advance(6_000);
    one.content.release(slot);
    await clock.advance(10);
    expect([booked(), clock.pendingTimers]).toEqual([0, 0]);
  });
});

describe("a call that must wait", () => {
  it("is told until when and why, and does not trouble the store meanwhile", async () => {
    const [one, other] = [writer("one"), writer("other")];
    one.want(1, 60);
    await clock.advance(1_000);
    other.want(1, 30);
    await clock.advance(5_000);
    expect([one.sent.length, other.sent.length]).toEqual([60, 20]);
    const { untilAt, brief, why } = waitOf(other.word);
    expect(brief).toBe(false);
    // Sent in the first second, and booked under its end.
    expect(untilAt).toBe(clock.now() - 6_000 + 1_000 + 61_500);
    expect(why).toBe("80 of 80 content writes of the last minute are taken by 2 processes, the next is free in 1 min");
    const { updates } = store;
    await clock.advance(3_000);
    other.ask();
    expect(store.updates).toBe(updates);
  });

  it("goes when its time has come", async () => {
    const one = writer("one");
    one.want(1, 81);
    await clock.advance(10_000);
    expect(one.sent).toHaveLength(80);
    const { untilAt } = waitOf(one.word);
    await clock.advance(untilAt - clock.now() - 1);
    expect(one.sent).toHaveLength(80);
    await clock.advance(10);
    expect(one.sent).toHaveLength(81);
  });

  it("asks anew at once when it is more urgent than those that were told to wait", async () => {
    const one = writer("one");
    one.want(2, 100);
    await clock.advance(3_000);
    const { updates } = store;
    one.content.arrive(0);
    expect(waitOf(one.take(0)).brief).toBe(true);
    expect(store.updates).toBe(updates + 1);
  });

  it("asks anew when the last word is old, or limits are higher than they were", async () => {
    const one = writer("one", { limits: { contentPerMinute: 40, contentPerHour: 500 } });
    one.want(1, 41);
    await clock.advance(3_000);
    expect(waitOf(one.take(1)).brief).toBe(false);
    one.limits = LIMITS;
    expect(waitOf(one.take(1)).brief).toBe(true);
    await clock.advance(10);
    expect(one.sent).toHaveLength(41);

    one.want(1, 60);
    await clock.advance(3_000);
    expect(waitOf(one.take(1)).brief).toBe(false);
    await clock.advance(10_000);
    expect(waitOf(one.take(1)).brief).toBe(true);
  });

  it("holds nobody up any more when it gives up", async () => {
    const [full, urgent, idle] = [writer("full"), writer("urgent"), writer("idle")];
    full.want(1, 80);
    await clock.advance(3_000);
    urgent.want(0, 20);
    idle.want(2, 40);
    await clock.advance(10);
    expect(stored()?.spenders.urgent?.waiting).toEqual([20, 0, 0]);
    const { updates } = store;
    urgent.giveUp(0, 15);
    await clock.advance(10);
    expect(stored()?.spenders.urgent?.waiting).toEqual([5, 0, 0]);
    urgent.giveUp(0, 5);
    await clock.advance(10);
    expect(stored()?.spenders).not.toHaveProperty("urgent");
    expect(store.updates).toBe(updates + 2);
  });

  it("keeps its place for an hour", async () => {
    const one = writer("one");
    one.want(1, 501);
    await clock.advance(30 * MINUTE_MS);
    expect(one.sent).toHaveLength(500);
    expect(waitOf(one.word).why).toContain("500 of 500 content writes of the last hour");
    const { updates } = store;
    for (let second = 0; second < 600; second++) {
      expect(stored()?.spenders.one?.waitsUntil).toBeGreaterThan(clock.now());
      await clock.advance(1_000);
    }
    expect(store.updates).toBeLessThanOrEqual(updates + 9);
    await clock.advance(25 * MINUTE_MS);
    expect(one.sent).toHaveLength(501);
  });
});

describe("a process with nothing to write", () => {
  it("asks nothing and has no timer", async () => {
    const one = writer("one");
    one.want(1, 3);
    await clock.advance(10_000);
    expect(one.sent).toHaveLength(3);
    const { updates } = store;
    await clock.advance(HOUR_MS);
    expect([store.updates, clock.pendingTimers]).toEqual([updates, 0]);
  });
});

describe("a process that sends its writes a second apart", () => {
  it("does not hold others up for a queue that it cannot send", async () => {
    const limits = { contentPerMinute: 80, contentPerHour: 10_000 };
    const slow = writer("slow", { limits, paceMs: 1_000 });
    const others = [writer("a", { limits }), writer("b", { limits })];
    slow.want(0, 2_000);
    await clock.advance(5 * MINUTE_MS);
    for (const other of others) other.want(2, 1_000);
    const before = slow.sent.length;
    await clock.advance(10 * MINUTE_MS);
    expect(slow.sent.length - before).toBeGreaterThan(0.95 * 600);
    for (const other of others) expect(other.sent.length).toBeGreaterThan(60);
    expect(mostInAWindow(sentBy([slow, ...others]), MINUTE_MS)).toBeLessThanOrEqual(80);
  });

  it("gives back what it cannot send in time, and gets it again", async () => {
    const one = writer("one", { paceMs: 3_000 });
    one.want(1, 30);
    await clock.advance(MINUTE_MS);
    expect(one.sent).toHaveLength(20);
    expect(booked()).toBeLessThanOrEqual(20 + 8);
  });
});

describe("a store that fails", () => {
  const eight = { processes: 8 };

  it("leaves each process an even part of the limits, and is tried again after five seconds", async () => {
    store.manner = "fails";
    const one = writer("one", eight);
    one.want(1, 15);
    await clock.advance(4_000);
    expect(one.sent).toHaveLength(10);
    expect(one.word).toEqual({
      kind: "wait",
      brief: false,
      untilAt: clock.now() - 4_000 + 62_500,
      why: "the pool's store does not answer; GitHub takes 80 content writes in a minute, an even part of which is this one's of 8 processes; the next is free in 1 min 3 s",
    });
    expect(store.updates).toBe(1);
    await clock.advance(1_010);
    expect(store.updates).toBe(2);
    expect(one.told).toEqual([
      "The pool's content writes are not counted together; this process keeps to its part of GitHub's limits: no route to host",
    ]);
    await clock.advance(HOUR_MS);
    expect(one.told).toHaveLength(1);
    expect(one.sent).toHaveLength(15);
  });

  it("is told of what was sent without it when it answers again, and then counts for all", async () => {
    store.manner = "fails";
    const [one, other] = [writer("one", { processes: 2 }), writer("other")];
    one.want(1, 45);
    await clock.advance(3_000);
    expect(one.sent).toHaveLength(40);
    store.manner = "answers";
    await clock.advance(3_000);
    expect(one.sent).toHaveLength(45);
    other.want(1, 80);
    await clock.advance(1_000);
    expect(other.sent).toHaveLength(35);
    await clock.advance(3_000);
    expect(booked()).toBe(80);
    expect(mostInAWindow(sentBy([one, other]), MINUTE_MS)).toBe(80);
  });

  it("goes on by what the document showed last", async () => {
    const [one, other] = [writer("one", { processes: 2 }), writer("other", { processes: 2 })];
    one.want(1, 50);
    await clock.advance(3_000);
    other.want(1, 10);
    await clock.advance(3_000);
    store.manner = "fails";
    for (const each of [one, other]) each.want(1, 40);
    await clock.advance(30_000);
    // 30 were left when one looked last, 20 when the other did.
    expect([one.sent.length, other.sent.length]).toEqual([50 + 15, 10 + 10]);
    expect(mostInAWindow(sentBy([one, other]), MINUTE_MS)).toBeLessThanOrEqual(85);
  });

  it("does not take slots away that it had given", async () => {
    const one = await holding("one", 3);
    store.manner = "fails";
    one.content.arrive(1);
    for (let call = 0; call < 3; call++) goOf(one.take(1));
    expect(waitOf(one.take(1)).brief).toBe(true);
    await clock.advance(10);
    expect(one.take(1).kind).toBe("go");
  });

  it("has nothing given back twice when only its answer was lost", async () => {
    const [one, other] = [await holding("one", 3), writer("other")];
    other.want(1, 2);
    await clock.advance(10);
    expect(booked()).toBe(5);
    for (let call = 0; call < 3; call++) one.content.leave(1);
    store.manner = "loses the answer";
    await clock.advance(4_990);
    expect(booked()).toBe(2);
    store.manner = "answers";
    one.want(1, 1);
    await clock.advance(10_000);
    expect(booked()).toBe(3);
  });

  it("gets no question that reserves anything before it has answered one", async () => {
    store.manner = "loses the answer";
    const one = writer("one", eight);
    one.want(1, 20);
    await clock.advance(5 * MINUTE_MS);
    // What the first question reserved, and what was sent without it, told again and again: more than there was, never less.
    expect(one.sent).toHaveLength(20);
    store.manner = "answers";
    await clock.advance(10 * MINUTE_MS);
    expect(booked()).toBeGreaterThanOrEqual(20);
    expect(clock.pendingTimers).toBe(0);
  });

  it("is not tried again by a process that has nothing to say", async () => {
    store.manner = "fails";
    const one = writer("one");
    one.content.arrive(1);
    one.take(1);
    one.content.leave(1);
    await clock.advance(HOUR_MS);
    expect([store.updates, clock.pendingTimers]).toEqual([1, 0]);
  });

  it("is not mentioned when it was closed", async () => {
    store.manner = "fails";
    store.error = new SquadRateError("SQUAD_RATE_CLOSED", "The store is closed.");
    const one = writer("one");
    one.want(1, 1);
    await clock.advance(10);
    expect([one.told, one.sent.length]).toEqual([[], 1]);
  });
});

describe("a store that never answers", () => {
  it("is asked once, and calls are told that nobody knows yet", async () => {
    store.manner = "hangs";
    const one = writer("one");
    one.want(1, 3);
    await clock.advance(MINUTE_MS);
    expect([store.updates, waitOf(one.word).brief]).toEqual([1, true]);
  });
});

describe("a document that another version may own", () => {
  it("is left alone, and is no fresh budget", async () => {
    const foreign = { version: 2, revision: 9, sent: [] };
    store.values.set(KEY, foreign);
    const one = writer("one", { processes: 8 });
    one.want(1, 15);
    await clock.advance(20_000);
    expect(store.values.get(KEY)).toEqual(foreign);
    expect(one.sent).toHaveLength(10);
    expect(waitOf(one.word).why).toMatch(
      /^the pool's document cannot be read; GitHub takes 80 content writes in a minute/,
    );
    expect(one.told).toEqual([
      `The pool's content writes are not counted together; this process keeps to its part of GitHub's limits: The document ${KEY} in the store is unreadable: document.version is 2; this reads version 1.`,
    ]);
    store.values.delete(KEY);
    await clock.advance(20_000);
    expect(one.sent).toHaveLength(15);
    expect(booked()).toBe(15);
  });
});

describe("a store that lost its document, or went back to an older one", () => {
  it("is reminded by whoever remembers more", async () => {
    const [one, other] = [writer("one"), writer("other")];
    one.want(1, 10);
    await clock.advance(3_000);
    const older = stored();
    one.want(1, 50);
    await clock.advance(3_000);
    for (const copy of [older, undefined]) {
      if (copy === undefined) store.values.delete(KEY);
      else store.values.set(KEY, copy);
      one.want(1, 1);
      await clock.advance(3_000);
    }
    expect(booked()).toBe(62);
    other.want(1, 80);
    await clock.advance(1_000);
    expect(other.sent).toHaveLength(18);
  });
});

describe("a process that does not know GitHub's time", () => {
  it("lets one write go to find it out, and books it once it is known", async () => {
    let known = false;
    const one = writer("one", { skewMs: 40_000, clockKnown: () => known });
    one.want(1, 3);
    await clock.advance(5_000);
    expect([one.sent.length, store.updates]).toEqual([1, 0]);
    expect(waitOf(one.word)).toMatchObject({
      brief: false,
      why: "one content write goes to find out GitHub's time, by which they are counted",
    });
    known = true;
    one.ask();
    await clock.advance(5_000);
    expect(one.sent).toHaveLength(3);
    await clock.advance(5_000);
    expect(booked()).toBe(3);
    expect(clock.pendingTimers).toBe(0);
  });

  it("uses nothing that it had reserved before its clocks came apart", async () => {
    let known = true;
    const one = await holding("one", 2, { clockKnown: () => known });
    known = false;
    const [first, second] = [one.take(1), one.take(1)];
    expect(goOf(first).slot.sendBy).toBe(clock.now() + 10_000);
    expect(second.kind).toBe("wait");
    known = true;
    await clock.advance(5_010);
    expect(booked()).toBe(1 + 1);
  });
});

describe("close", () => {
  it("gives back what is in hand, tells what was sent, and withdraws what waits", async () => {
    const one = await holding("one", 8);
    for (let call = 0; call < 100; call++) one.content.arrive(2);
    const sent = goOf(one.take(1)).slot;
    goOf(one.take(1));
    await clock.advance(500);
    one.content.sent(sent);
    const closing = one.content.close();
    expect(one.content.close()).toBe(closing);
    await clock.settle(closing);
    // One was sent, and of one nobody knows whether it was.
    expect(stored()?.sent).toEqual([
      [sent.sendBy - 9_000, 1],
      [sent.sendBy, 1],
    ]);
    expect(stored()?.spenders.one?.waiting).toEqual([0, 0, 0]);
    const { updates } = store;
    await clock.advance(HOUR_MS);
    expect([store.updates, clock.pendingTimers]).toEqual([updates, 0]);
  });

  it("waits for an answer that is on its way, and gives back what it brings", async () => {
    store.answerAfterMs = 500;
    const one = writer("one");
    one.content.arrive(1);
    one.take(1);
    await clock.advance(100);
    expect(booked()).toBe(1);
    await clock.settle(one.content.close());
    expect([booked(), one.changes]).toEqual([0, 0]);
  });

  it("asks nothing when there is nothing to tell, and bears a store that fails", async () => {
    await writer("idle").content.close();
    expect(store.updates).toBe(0);
    const one = await holding("one", 2);
    store.manner = "fails";
    await clock.settle(one.content.close());
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("urgent calls", () => {
  it("of another process go before all that wait longer", async () => {
    const [full, idle, urgent] = [writer("full"), writer("idle"), writer("urgent")];
    full.want(1, 80);
    await clock.advance(3_000);
    idle.want(2, 200);
    await clock.advance(3_000);
    urgent.want(0, 100);
    await clock.advance(1.5 * MINUTE_MS);
    expect([urgent.sent.length, idle.sent.length]).toEqual([80, 0]);
    await clock.advance(MINUTE_MS);
    expect([urgent.sent.length, idle.sent.length]).toEqual([100, 60]);
  });
});

describe("many processes", () => {
  const call = fc.record({
    writer: fc.integer({ min: 0, max: 5 }),
    priority: fc.constantFrom(0 as const, 1 as const, 2 as const),
    calls: fc.integer({ min: 1, max: 40 }),
    givesUp: fc.boolean(),
    afterMs: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 90_000 })),
  });

  it("never send more together than GitHub takes, whatever they want, give up and get no answer to", async () => {
    const life = fc.record({
      calls: fc.array(call, { minLength: 5, maxLength: 40, size: "max" }),
      skewsMs: fc.array(fc.constantFrom(-500, 0, 500), { minLength: 6, maxLength: 6 }),
      sendMs: fc.constantFrom(0, 300, 4_000),
      paceMs: fc.constantFrom(0, 0, 1_000),
      limits: fc.constantFrom(
        { contentPerMinute: 5, contentPerHour: 40 },
        { contentPerMinute: 20, contentPerHour: 500 },
        LIMITS,
      ),
    });
    let full = 0;
    await fc.assert(
      fc.asyncProperty(life, async ({ calls, skewsMs, sendMs, paceMs, limits }) => {
        clock = createVirtualClock();
        store = new FakeDocuments(clock);
        const writers = skewsMs.map((skewMs, index) => writer(`p${index}`, { skewMs, sendMs, paceMs, limits }));
        for (const { writer: index, priority, calls: wanted, givesUp, afterMs } of calls) {
          await clock.advance(afterMs);
          const of = writers[index] as Writer;
          if (givesUp) of.giveUp(priority, Math.min(wanted, of.waiting[priority]));
          else of.want(priority, wanted);
        }
        await clock.advance(3 * MINUTE_MS);
        const times = sentBy(writers);
        const minute = mostInAWindow(times, MINUTE_MS);
        expect(minute).toBeLessThanOrEqual(limits.contentPerMinute);
        expect(mostInAWindow(times, HOUR_MS)).toBeLessThanOrEqual(limits.contentPerHour);
        if (minute === limits.contentPerMinute) full++;
        for (const each of writers) {
          for (const priority of [0, 1, 2] as const) each.giveUp(priority, each.waiting[priority]);
          void each.content.close();
        }
        await clock.advance(2 * MINUTE_MS);
        for (const { waiting } of Object.values(stored()?.spenders ?? {})) expect(waiting).toEqual([0, 0, 0]);
        if (booked() < limits.contentPerHour) expect(booked()).toBe(sentBy(writers).length);
      }),
      { numRuns: 20 },
    );
    expect(full).toBeGreaterThan(5);
  });
});
