import { describe, expect, it } from "vitest";
import {
  amendContent,
  type ContentDocument,
  type ContentLimits,
  type ContentReservation,
  decideAlone,
  reserveContent,
} from "../../src/policy/content-writes.js";

const T0 = Date.UTC(2030, 0, 1);
const LIMITS: ContentLimits = { contentPerMinute: 80, contentPerHour: 500 };
/** Ten seconds in which a reserved write may be sent, a minute, and what nobody knows to the second. */
const COUNTED_MS = 71_500;

type Waiting = readonly [number, number, number];

/** Turns with one document, one after the other. */
class Pool {
  doc: ContentDocument | undefined;
  now = T0;
  readonly limits: ContentLimits;

  constructor(limits: ContentLimits = LIMITS) {
    this.limits = limits;
  }

  ask(spender: string, waiting: Waiting, most?: number): ContentReservation {
    const ask = most === undefined ? { spender, waiting } : { spender, waiting, most };
    const reservation = reserveContent(this.doc, ask, this.limits, this.now);
    this.doc = reservation.doc;
    return reservation;
  }

  /** Asks again for as long as that is said to be worthwhile. */
  askOn(spender: string, [urgent, usual, idle]: Waiting): number {
    let granted = 0;
    for (;;) {
      const more = this.ask(spender, [urgent, usual - granted, idle]);
      granted += more.granted;
      if (more.untilAt > this.now || more.granted === 0) return granted;
    }
  }

  sent(spender: string, from: number, to: number, writes: number): void {
    const amendments = Array.from({ length: writes }, () => ({ from, to }));
    this.doc = amendContent(this.doc, spender, amendments, this.now);
  }
}

/** So many writes that were booked under `at` were not sent. */
function giveBack(doc: ContentDocument, spender: string, at: number, writes: number, now: number): ContentDocument {
  return amendContent(doc, spender, Array(writes).fill({ from: at, to: undefined }), now);
}

describe("a lone process", () => {
  it("gets what it wants while there is enough", () => {
    const pool = new Pool();
    expect(pool.ask("a", [1, 2, 3])).toMatchObject({ granted: 6, at: T0 + 10_000, untilAt: T0, why: "" });
    expect(pool.doc).toEqual({
      version: 1,
      revision: 1,
      updatedAt: T0,
      sent: [[T0 + 10_000, 6]],
      spenders: { a: { waiting: [0, 0, 0], waitsUntil: 0, took: 6, tookAt: T0 } },
    });
  });

  it("gets 80 in a minute, and is told when the next is free", () => {
    const pool = new Pool();
    expect(pool.ask("a", [0, 100, 0]).granted).toBe(80);
    pool.now += 10_000;
    expect(pool.ask("a", [0, 20, 0])).toMatchObject({
      granted: 0,
      untilAt: T0 + COUNTED_MS,
      why: "80 of 80 content writes of the last minute are taken by 1 process, the next is free in 1 min 2 s",
    });
    pool.now = T0 + COUNTED_MS - 1;
    expect(pool.ask("a", [0, 20, 0]).granted).toBe(0);
    pool.now++;
    expect(pool.ask("a", [0, 20, 0]).granted).toBe(20);
  });

  it("gets 500 in an hour, and is told which limit it is", () => {
    const pool = new Pool();
    for (let minute = 0; minute < 6; minute++) {
      expect(pool.ask("a", [0, 80, 0]).granted).toBe(80);
      pool.now += COUNTED_MS;
    }
    expect(pool.ask("a", [0, 80, 0])).toMatchObject({ granted: 20 });
    pool.now += 60_000;
    const { granted, untilAt, why } = pool.ask("a", [0, 60, 0]);
    expect(granted).toBe(0);
    expect(why).toBe(
      "500 of 500 content writes of the last hour are taken by 1 process, the next is free in 52 min 53 s",
    );
    // The oldest are known to the minute only.
    expect(untilAt).toBeGreaterThanOrEqual(T0 + 10_000 + 3_601_500);
    expect(untilAt).toBeLessThanOrEqual(T0 + 60_000 + 3_601_500);
    pool.now = untilAt;
    expect(pool.ask("a", [0, 100, 0]).granted).toBe(80);
  });

  it("has a slot back ten seconds sooner when it tells that it has sent", () => {
    const pool = new Pool();
    const { at } = pool.ask("a", [0, 80, 0]);
    pool.now += 500;
    pool.sent("a", at, T0 + 1_000, 80);
    expect(pool.doc?.sent).toEqual([[T0 + 1_000, 80]]);
    expect(pool.ask("a", [0, 1, 0]).untilAt).toBe(T0 + 1_000 + 61_500);
  });

  it("takes no more than it says it can use, and may ask for the rest at once", () => {
    const pool = new Pool();
    expect(pool.ask("a", [0, 30, 0], 8)).toMatchObject({ granted: 8, untilAt: T0 });
    expect(pool.doc?.spenders.a?.waiting).toEqual([0, 22, 0]);
  });

  it("leaves a document as it is that has nothing new to say", () => {
    const pool = new Pool();
    expect(pool.ask("a", [0, 0, 0])).toMatchObject({ granted: 0, doc: { revision: 0 } });
    pool.ask("a", [0, 3, 0]);
    const { doc } = pool;
    expect(pool.ask("a", [0, 0, 0]).doc).toBe(doc);
  });

  it("gets nothing when limits were lowered below what is sent already, until that is over", () => {
    const pool = new Pool();
    pool.ask("a", [0, 80, 0]);
    const lower = { contentPerMinute: 40, contentPerHour: 250 };
    const { granted, untilAt, why } = reserveContent(pool.doc, { spender: "a", waiting: [0, 1, 0] }, lower, T0);
    expect([granted, untilAt]).toEqual([0, T0 + COUNTED_MS]);
    expect(why).toContain("80 of 40 content writes of the last minute are taken");
  });
});

describe("more urgent work", () => {
  it("of the same process comes first", () => {
    const pool = new Pool({ contentPerMinute: 5, contentPerHour: 500 });
    expect(pool.ask("a", [3, 0, 9]).granted).toBe(5);
    expect(pool.doc?.spenders.a?.waiting).toEqual([0, 0, 7]);
  });

  it("of another process comes first, as long as its wait is recorded", () => {
    const pool = new Pool({ contentPerMinute: 5, contentPerHour: 500 });
    pool.ask("a", [0, 0, 5]);
    pool.now += 20_000;
    expect(pool.ask("b", [3, 0, 0])).toMatchObject({ granted: 0, untilAt: T0 + COUNTED_MS });
    pool.now = T0 + COUNTED_MS;
    const held = pool.ask("c", [0, 4, 0]);
    expect(held).toMatchObject({ granted: 2, untilAt: pool.now + 5_000 });
    expect(held.why).toBe("3 of 5 content writes of the last minute are free, and 3 of other processes come first");
    expect(pool.ask("c", [0, 2, 0]).granted).toBe(0);
    expect(pool.ask("b", [3, 0, 0]).granted).toBe(3);
  });

  it("that never came back holds nobody up for long", () => {
    const pool = new Pool({ contentPerMinute: 5, contentPerHour: 500 });
    pool.ask("a", [0, 0, 5]);
    pool.ask("b", [30, 0, 0]);
    pool.now = T0 + COUNTED_MS;
    const { granted, untilAt } = pool.ask("c", [0, 4, 0]);
    expect([granted, untilAt]).toEqual([0, pool.now + 5_000]);
    pool.now += 10_000;
    expect(pool.ask("c", [0, 4, 0]).granted).toBe(4);
  });

  it("that was withdrawn holds nobody up", () => {
    const pool = new Pool({ contentPerMinute: 5, contentPerHour: 500 });
    pool.ask("a", [0, 0, 5]);
    pool.ask("b", [30, 0, 0]);
    pool.ask("b", [0, 0, 0]);
    pool.now = T0 + COUNTED_MS;
    expect(pool.ask("c", [0, 0, 4]).granted).toBe(4);
  });

  it("is told of to who waits behind it, with the time that it takes", () => {
    const pool = new Pool({ contentPerMinute: 4, contentPerHour: 500 });
    for (let second = 0; second < 4; second++) {
      pool.ask("a", [0, 0, 1]);
      pool.now += 1_000;
    }
    pool.ask("b", [2, 0, 0]);
    const { untilAt, why } = pool.ask("c", [0, 1, 0]);
    expect(untilAt).toBe(T0 + COUNTED_MS + 2_000);
    expect(why).toBe(
      "4 of 4 content writes of the last minute are taken by 1 process, the next is free in 1 min 8 s; 2 of other processes come first",
    );
  });
});

describe("equals", () => {
  it("share what is free", () => {
    const pool = new Pool();
    pool.ask("z", [0, 80, 0]);
    for (const spender of ["a", "b", "c", "d"]) pool.ask(spender, [0, 100, 0]);
    pool.now = T0 + COUNTED_MS;
    for (const spender of ["a", "b", "c", "d"]) expect(pool.askOn(spender, [0, 100, 0])).toBe(20);
  });

  it("get their parts also when one of them asks again and again", () => {
    const pool = new Pool();
    pool.ask("z", [0, 80, 0]);
    pool.ask("a", [0, 500, 0]);
    pool.ask("b", [0, 500, 0]);
    pool.now = T0 + COUNTED_MS;
    const first = pool.ask("a", [0, 500, 0]);
    expect(first).toMatchObject({ granted: 40, untilAt: pool.now + 5_000 });
    // The other may be dead: one at a time is not withheld.
    expect(pool.ask("a", [0, 460, 0]).granted).toBe(1);
    expect(pool.askOn("b", [0, 500, 0])).toBe(39);
  });

  it("that took much of late come after those that took little", () => {
    const pool = new Pool({ contentPerMinute: 10, contentPerHour: 500 });
    pool.ask("a", [0, 8, 0]);
    pool.now += 30_000;
    pool.ask("b", [0, 2, 0]);
    const [a, b] = [pool.ask("a", [0, 9, 0]), pool.ask("b", [0, 9, 0])];
    expect([a.untilAt, b.untilAt]).toEqual([T0 + COUNTED_MS, T0 + COUNTED_MS]);
    pool.now = T0 + COUNTED_MS;
    // Of the eight that are free; a third of a's eight is still held against it.
    expect(pool.ask("b", [0, 9, 0])).toMatchObject({ granted: 4, untilAt: pool.now });
    expect(pool.ask("b", [0, 5, 0])).toMatchObject({ granted: 1, untilAt: pool.now + 5_000 });
    expect(pool.ask("a", [0, 9, 0]).granted).toBe(2);
    expect(pool.ask("a", [0, 7, 0]).granted).toBe(1);
  });

  it("are not asked to share with a process that waits for nothing", () => {
    const pool = new Pool();
    pool.ask("a", [0, 1, 0]);
    pool.ask("b", [0, 1, 0]);
    expect(pool.ask("c", [0, 100, 0]).granted).toBe(78);
  });
});

describe("a write that was reserved and not sent", () => {
  it("is given back exactly", () => {
    const pool = new Pool();
    pool.ask("a", [0, 5, 0]);
    pool.now += 20_000;
    pool.ask("b", [0, 5, 0]);
    const before = pool.doc as ContentDocument;
    const { doc, at } = pool.ask("a", [0, 7, 0]);
    const after = giveBack(doc, "a", at, 7, pool.now);
    expect(after.sent).toEqual(before.sent);
    expect(after.spenders.b).toEqual(before.spenders.b);
    expect(after.spenders.a?.took).toBeCloseTo(5 * Math.exp(-1 / 3), 1);
  });

  it("cannot be given back twice where nobody else's are booked", () => {
    const pool = new Pool();
    const { doc, at } = pool.ask("a", [0, 5, 0]);
    expect(giveBack(giveBack(doc, "a", at, 5, T0), "a", at, 5, T0)).toMatchObject({ sent: [], spenders: {} });
  });

  it("stays booked when it is given back after it was put together with others", () => {
    const pool = new Pool();
    pool.now += 3_000;
    const { at } = pool.ask("a", [0, 5, 0]);
    pool.now += 90_000;
    pool.ask("b", [0, 1, 0]);
    const before = pool.doc?.sent;
    expect(giveBack(pool.doc as ContentDocument, "a", at, 5, pool.now).sent).toEqual(before);
    pool.sent("a", at, T0 + 4_000, 5);
    expect(pool.doc?.sent).toEqual(before);
  });
});

describe("a write that was sent without being reserved", () => {
  it("counts from when it was sent", () => {
    const amendments = [{ from: undefined, to: T0 - 30_000 }];
    const doc = amendContent(undefined, "a", amendments, T0);
    expect(doc).toMatchObject({ revision: 1, sent: [[T0 - 30_000, 1]], spenders: { a: { took: 1 } } });
  });

  it("never makes a document that others cannot read", () => {
    const doc = amendContent(undefined, "a", [{ from: undefined, to: T0 + 9e9 }], T0);
    expect(doc.sent).toEqual([[T0 + 10_000, 1]]);
  });
});

describe("a process that cannot tell the others", () => {
  const question = { sent: [], own: [], processes: 8, limits: LIMITS, before: 0, now: T0 } as const;

  it("sends an even part of the limits", () => {
    const own = Array.from({ length: 9 }, (_, index) => T0 - 1_000 * index);
    expect(decideAlone({ ...question, own })).toEqual({ kind: "go" });
    expect(decideAlone({ ...question, own: [...own, T0 - 30_000] })).toEqual({
      kind: "wait",
      untilAt: T0 + 31_500,
      why: "GitHub takes 80 content writes in a minute, an even part of which is this one's of 8 processes; the next is free in 32 s",
    });
  });

  it("sends an even part of what the document showed to be left", () => {
    const sent = [[T0 - 20_000, 64] as const];
    expect(decideAlone({ ...question, sent, own: [T0] })).toEqual({ kind: "go" });
    expect(decideAlone({ ...question, sent, own: [T0, T0] })).toMatchObject({ kind: "wait", untilAt: T0 + 41_500 });
  });

  it("keeps to a limit that the processes outnumber by waiting longer", () => {
    const few = { ...question, processes: 20, limits: { contentPerMinute: 10, contentPerHour: 500 } };
    expect(decideAlone(few)).toEqual({ kind: "go" });
    expect(decideAlone({ ...few, own: [T0] })).toMatchObject({ kind: "wait", untilAt: T0 + 121_500 });
  });

  it("leaves its part to its more urgent calls", () => {
    expect(decideAlone({ ...question, before: 9 })).toEqual({ kind: "go" });
    expect(decideAlone({ ...question, before: 10 })).toMatchObject({ kind: "wait" });
  });

  it("has all of the limits when it is alone, or does not know better", () => {
    const own = Array.from({ length: 79 }, () => T0);
    expect(decideAlone({ ...question, own, processes: 0 })).toEqual({ kind: "go" });
    expect(decideAlone({ ...question, own: [...own, T0], processes: 1 })).toMatchObject({
      why: "GitHub takes 80 content writes in a minute; the next is free in 1 min 2 s",
    });
  });
});
