import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Amendment,
  amendContent,
  type ContentDocument,
  type ContentLimits,
  parseContentDocument,
  reserveContent,
  sentSecond,
} from "../../src/policy/content-writes.js";

const T0 = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EIGHT_KB = 8_192;

/** Half a second by which a process may have GitHub's clock wrong, either way; and one request's way may be as much longer. */
const SKEW_MS = 500;
const LATENCY_MS = 500;

const count = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 60 }));

/** What becomes of a reserved write: `part` of the time that it has passes before it is sent, or is given back. */
const use = fc.record({
  kind: fc.constantFrom("sent", "sent and told", "given back", "never sent"),
  part: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  latencyMs: fc.constantFrom(0, LATENCY_MS / 2, LATENCY_MS),
});

const step = fc.record({
  spender: fc.integer({ min: 0, max: 4 }),
  waiting: fc.tuple(count, count, count),
  most: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
  /** Often exactly when this or another process was told that something would be free. */
  after: fc.oneof(
    fc.constant("as told" as const),
    fc.integer({ min: 0, max: 2_000 }),
    fc.integer({ min: 0, max: 40_000 }),
  ),
  uses: fc.array(use, { minLength: 1, maxLength: 6 }),
});

const life = fc
  .record({ perMinute: fc.integer({ min: 1, max: 20 }), hoursWorth: fc.integer({ min: 1, max: 8 }) })
  .chain(({ perMinute, hoursWorth }) =>
    fc.record({
      limits: fc.constant({ contentPerMinute: perMinute, contentPerHour: perMinute * hoursWorth }),
      skewsMs: fc.array(fc.constantFrom(-SKEW_MS, 0, SKEW_MS), { minLength: 5, maxLength: 5 }),
      steps: fc.array(step, { maxLength: 60, size: "max" }),
    }),
  );

type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

interface Turn {
  readonly before: ContentDocument | undefined;
  readonly doc: ContentDocument;
  readonly name: string;
  readonly waiting: readonly [number, number, number];
  readonly granted: number;
  readonly now: number;
}

/** What a process is to tell of one write, and when. */
interface Pending {
  readonly due: number;
  readonly spender: number;
  readonly amendment: Amendment;
}

/** A document's life: who asks when, and what becomes of each write. Times are GitHub's unless a process's clock is named. */
class History {
  doc: ContentDocument | undefined;
  now = T0;
  readonly arrivals: number[] = [];
  readonly #pending: Pending[] = [];
  /** By the clock of whoever asked last; those of others differ. */
  #toldUntil = 0;
  reserved = 0;
  givenBack = 0;
  readonly #life: Life;
  readonly #onTurn: (turn: Turn) => void;

  constructor(of: Life, onTurn: (turn: Turn) => void = () => undefined) {
    this.#life = of;
    this.#onTurn = onTurn;
    for (const each of of.steps) this.#take(each);
    this.#tell(Number.POSITIVE_INFINITY);
  }

  #take({ spender, waiting, most, after, uses }: Life["steps"][number]): void {
    const skewMs = this.#life.skewsMs[spender] as number;
    this.now = after === "as told" ? Math.max(this.now, this.#toldUntil - skewMs) : this.now + after;
    this.#tell(this.now);
    const name = `process-${spender}`;
    const now = this.now + skewMs;
    const before = this.doc;
    const ask = most === undefined ? { spender: name, waiting } : { spender: name, waiting, most };
    const { doc, granted, at, untilAt } = reserveContent(before, ask, this.#life.limits, now);
    this.doc = reread(doc);
    this.#toldUntil = untilAt;
    this.#onTurn({ before, doc, name, waiting, granted, now });
    this.reserved += granted;
    for (let index = 0; index < granted; index++) {
      const { kind, part, latencyMs } = uses[index % uses.length] as Life["steps"][number]["uses"][number];
      const sentAt = now + part * (at - now);
      if (kind.startsWith("sent")) this.arrivals.push(sentAt - skewMs + latencyMs);
      const due = sentAt - skewMs;
      if (kind === "sent and told") {
        this.#pending.push({ due, spender, amendment: { from: at, to: Math.min(at, sentSecond(sentAt)) } });
      } else if (kind === "given back") {
        this.#pending.push({ due, spender, amendment: { from: at, to: undefined } });
      }
    }
  }

  #tell(until: number): void {
    this.#pending.sort((one, other) => one.due - other.due);
    while (this.#pending.length > 0 && (this.#pending[0] as Pending).due <= until) {
      const { due, spender, amendment } = this.#pending.shift() as Pending;
      const now = due + (this.#life.skewsMs[spender] as number);
      this.doc = reread(amendContent(this.doc, `process-${spender}`, [amendment], now));
      if (amendment.to === undefined) this.givenBack++;
    }
  }
}

function reread(doc: ContentDocument): ContentDocument {
  const text = JSON.stringify(doc);
  const parsed = parseContentDocument(JSON.parse(text), doc.updatedAt);
  if (parsed.kind === "unreadable") throw new Error(`${parsed.why}: ${text}`);
  return parsed.doc;
}

/** Most of `times` that fall into one window; it holds its later edge and not the earlier. */
function mostInAWindow(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  let most = 0;
  let first = 0;
  sorted.forEach((time, last) => {
    while ((sorted[first] as number) <= time - windowMs) first++;
    most = Math.max(most, last - first + 1);
  });
  return most;
}

const booked = (doc: ContentDocument | undefined): number =>
  (doc?.sent ?? []).reduce((sum, [, writes]) => sum + writes, 0);

describe("content writes that a document has let go", () => {
  it("are never more than GitHub takes, whenever each is sent within its time, by clocks that differ", () => {
    let full = 0;
    fc.assert(
      fc.property(life, (of) => {
        const { arrivals } = new History(of);
        const [minute, hour] = [mostInAWindow(arrivals, MINUTE_MS), mostInAWindow(arrivals, HOUR_MS)];
        expect(minute).toBeLessThanOrEqual(of.limits.contentPerMinute);
        expect(hour).toBeLessThanOrEqual(of.limits.contentPerHour);
        if (minute === of.limits.contentPerMinute || hour === of.limits.contentPerHour) full++;
      }),
      { numRuns: 600 },
    );
    // Or this would prove nothing.
    expect(full).toBeGreaterThan(90);
  });

  it("are at most what is free beyond the more urgent ones that others wait for", () => {
    let contested = 0;
    fc.assert(
      fc.property(life, (of) => {
        new History(of, ({ before, name, waiting, granted, now }) => {
          if (granted === 0 || before === undefined) return;
          const last = waiting.findIndex((_, index) => sum(waiting.slice(0, index + 1)) >= granted);
          const urgent = Object.entries(before.spenders)
            .filter(([other, { waitsUntil }]) => other !== name && waitsUntil > now)
            .map(([, spender]) => sum(spender.waiting.slice(0, last)));
          if (sum(urgent) > 0) contested++;
          expect(granted + sum(urgent)).toBeLessThanOrEqual(freeFor(before, of.limits, now));
        });
      }),
      { numRuns: 300 },
    );
    expect(contested).toBeGreaterThan(20);
  });

  it("are at most an equal part of what is free for those that wait in the class, and one at least if anything is", () => {
    const ask = fc.record({
      others: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 6 }),
      taken: fc.integer({ min: 0, max: 80 }),
      waiting: fc.integer({ min: 1, max: 200 }),
    });
    fc.assert(
      fc.property(ask, ({ others, taken, waiting }) => {
        const limits = { contentPerMinute: 80, contentPerHour: 500 };
        let doc = reserveContent(undefined, { spender: "first", waiting: [0, 80, 0] }, limits, T0 - 65_000).doc;
        others.forEach((wants, index) => {
          doc = reserveContent(doc, { spender: `other-${index}`, waiting: [0, wants, 0] }, limits, T0).doc;
        });
        const now = T0 + 10_000;
        doc = amendContent(doc, "first", Array(taken).fill({ from: undefined, to: now }), now);
        const free = freeFor(doc, limits, now);
        const { granted } = reserveContent(doc, { spender: "own", waiting: [0, waiting, 0] }, limits, now);
        const rivals = others.filter((wants) => wants > 0).length;
        expect(granted).toBeLessThanOrEqual(Math.min(waiting, Math.ceil(Math.max(0, free) / (1 + rivals))));
        if (free > 0) expect(granted).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 2_000 },
    );
  });

  it("are all booked but for those given back, and all forgotten an hour later", () => {
    fc.assert(
      fc.property(life, (of) => {
        const history = new History(of);
        if (history.now < T0 + HOUR_MS) expect(booked(history.doc)).toBe(history.reserved - history.givenBack);
        const later = history.now + HOUR_MS + 2 * MINUTE_MS;
        const { doc, granted } = reserveContent(
          history.doc,
          { spender: "late", waiting: [0, 0, 1_000] },
          of.limits,
          later,
        );
        expect(granted).toBe(of.limits.contentPerMinute);
        expect(booked(doc)).toBe(granted);
        expect(Object.keys(doc.spenders)).toEqual(["late"]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a content document", () => {
  it("stays below 8 kB, however many write and wait for however long, and is readable to clocks minutes behind", () => {
    let doc: ContentDocument | undefined;
    let longest = 0;
    const limits = { contentPerMinute: 80, contentPerHour: 5_000 };
    for (let turn = 0; turn < 4_000; turn++) {
      const now = T0 + turn * 1_113;
      const spender = `${"agent-with-a-long-name".repeat(9)}~${turn % 97}-"\u{1f600}`;
      const waiting = [1e9, 1e9, 1e9] as const;
      ({ doc } = reserveContent(doc, { spender, waiting, most: 1 }, limits, now));
      longest = Math.max(longest, JSON.stringify(doc).length);
      if (turn % 100 === 0) expect(parseContentDocument(doc, now - 5 * MINUTE_MS).kind).toBe("ok");
    }
    expect(Buffer.byteLength(JSON.stringify(doc))).toBe(JSON.stringify(doc).length);
    expect(longest).toBeLessThan(EIGHT_KB);
    expect(longest).toBeGreaterThan(0.8 * EIGHT_KB);
  });
});

describe("processes that always have more to write", () => {
  interface Asker {
    readonly name: string;
    readonly latencyMs: number;
    nextAt: number;
    granted: number;
    /** Less those of the first minute, in which whoever asks first has nobody to share with. */
    grantedLater: number;
    told: Amendment[];
  }

  /** Everybody asks when told to, its latency late, and sends at once. */
  function run(latenciesMs: readonly number[], limits: ContentLimits, forMs: number) {
    const askers: Asker[] = latenciesMs.map((latencyMs, index) => ({
      name: `process-${index}`,
      latencyMs,
      nextAt: T0 + index,
      granted: 0,
      grantedLater: 0,
      told: [],
    }));
    let doc: ContentDocument | undefined;
    let turns = 0;
    for (;;) {
      const asker = askers.reduce((first, other) => (other.nextAt < first.nextAt ? other : first));
      const now = asker.nextAt;
      if (now >= T0 + forMs) return { askers, turns, total: sum(askers.map(({ granted }) => granted)) };
      turns++;
      doc = amendContent(doc, asker.name, asker.told, now);
      const reservation = reserveContent(doc, { spender: asker.name, waiting: [0, 500, 0] }, limits, now);
      doc = reservation.doc;
      asker.granted += reservation.granted;
      if (now > T0 + MINUTE_MS) asker.grantedLater += reservation.granted;
      const to = sentSecond(now + 50);
      asker.told = Array(reservation.granted).fill({ from: reservation.at, to });
      // What was sent is told after two seconds, as the client does.
      const tellAt = reservation.granted > 0 ? now + 2_000 : Number.POSITIVE_INFINITY;
      asker.nextAt = Math.min(Math.max(reservation.untilAt, now + 1), tellAt) + asker.latencyMs;
    }
  }

  it("send at least 95 % of 80 a minute when one is alone", () => {
    const { total } = run([5], { contentPerMinute: 80, contentPerHour: 10_000 }, 30 * MINUTE_MS);
    expect(total).toBeGreaterThanOrEqual(0.95 * 80 * 30);
    expect(total).toBeLessThanOrEqual(80 * 31);
  });

  it("send at least 95 % of 500 an hour when one is alone", () => {
    const { total } = run([5], { contentPerMinute: 80, contentPerHour: 500 }, 10 * HOUR_MS);
    expect(total).toBeGreaterThanOrEqual(0.95 * 500 * 10);
  });

  it("send as much together, and each its part, the slow one too", () => {
    const latenciesMs = [1, 2, 3, 5, 8, 13, 21, 400];
    const { askers, total, turns } = run(latenciesMs, { contentPerMinute: 80, contentPerHour: 10_000 }, 30 * MINUTE_MS);
    expect(total).toBeGreaterThanOrEqual(0.9 * 80 * 30);
    const part = sum(askers.map(({ grantedLater }) => grantedLater)) / askers.length;
    for (const { grantedLater } of askers) expect(Math.abs(grantedLater / part - 1)).toBeLessThan(0.1);
    expect(turns).toBeLessThan(2 * total);
  });
});

/** What the document has free in both of GitHub's windows. */
function freeFor(doc: ContentDocument, { contentPerMinute, contentPerHour }: ContentLimits, now: number): number {
  const used = (windowMs: number): number =>
    sum(doc.sent.filter(([at]) => at + windowMs + 1_500 > now).map(([, writes]) => writes));
  return Math.min(contentPerMinute - used(MINUTE_MS), contentPerHour - used(HOUR_MS));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
