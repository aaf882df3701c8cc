import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { type Document, encodeDocument } from "../../src/store/document.js";
import type { Documents, Step } from "../../src/store/documents.js";
import { UpdateQueue } from "../../src/store/update-queue.js";

const KEY = "squad-rate:test";
const count = (current: Document | undefined): Document => ({ count: Number(current?.count ?? 0) + 1 });

/** Documents whose every write waits to be let through. */
function gatedDocuments(): Documents & { text: string | undefined; rounds: number; open(): void } {
  let gates: Array<() => void> = [];
  return {
    atomicity: "atomic",
    text: undefined,
    rounds: 0,
    read: async function () {
      return this.text;
    },
    async update(_key: string, step: Step) {
      this.rounds++;
      await new Promise<void>((resolve) => gates.push(resolve));
      const next = step(this.text);
      if (next !== undefined) this.text = next.text;
    },
    open() {
      for (const gate of gates) gate();
      gates = [];
    },
  };
}

function setUp() {
  const clock = createVirtualClock();
  const documents = gatedDocuments();
  const queue = new UpdateQueue({ documents: async () => documents, clock, timeoutMs: 250, where: "test:" });
  return { clock, documents, queue };
}

describe("UpdateQueue", () => {
  it("makes one round of all that gathered while another was under way", async () => {
    const { clock, documents, queue } = setUp();
    const first = queue.update(KEY, count, undefined);
    await clock.advance(1);
    const rest = Array.from({ length: 99 }, () => queue.update(KEY, count, undefined));
    await clock.advance(1);

    documents.open();
    await first;
    await clock.advance(1);
    documents.open();

    expect((await Promise.all(rest)).at(-1)).toEqual({ count: 100, revision: 100 });
    expect(documents.rounds).toBe(2);
  });

  it("says after the timeout that a change was not made, and does not make it later", async () => {
    const { clock, documents, queue } = setUp();
    const first = queue.update(KEY, count, undefined);
    await clock.advance(200);
    const second = queue.update(KEY, count, undefined);
    const failures = [
      expect(first).rejects.toThrow(/the change was not made/),
      expect(second).rejects.toThrow(/not made/),
    ];

    await clock.advance(1_000);
    await Promise.all(failures);
    documents.open();
    await clock.advance(1);

    expect(documents.text).toBeUndefined();
  });

  it("says when a change that timed out may have been made", async () => {
    const clock = createVirtualClock();
    const documents: Documents = {
      atomicity: "atomic",
      read: async () => undefined,
      update: (_key, step) => {
        step(undefined);
        return new Promise(() => {});
      },
    };
    const queue = new UpdateQueue({ documents: async () => documents, clock, timeoutMs: 250, where: "test:" });

    const failure = expect(queue.update(KEY, count, undefined)).rejects.toThrow(
      "The store test: failed to update squad-rate:test: no answer within 250 ms; the change may have been made all the same",
    );
    await clock.advance(250);

    await failure;
    expect(clock.pendingTimers).toBe(0);
  });

  it("goes on with the line after a round that hung", async () => {
    const { clock, documents, queue } = setUp();
    const hung = expect(queue.update(KEY, count, undefined)).rejects.toMatchObject({ code: "SQUAD_RATE_STORE" });
    await clock.advance(250);
    await hung;

    const next = queue.update(KEY, count, undefined);
    await clock.advance(1);
    documents.open();

    expect(await next).toEqual({ count: 1, revision: 1 });
  });

  it("keeps different keys from waiting for each other", async () => {
    const { clock, documents, queue } = setUp();
    void queue.update(KEY, count, undefined).catch(() => undefined);
    void queue.update(`${KEY}:2`, count, undefined).catch(() => undefined);
    await clock.advance(1);

    expect(documents.rounds).toBe(2);
  });

  it("counts on within a round from a revision that one of its changes returned", async () => {
    const { clock, documents, queue } = setUp();
    const all = [
      queue.update(KEY, count, undefined),
      queue.update(KEY, (current) => ({ ...current, revision: 41 }), undefined),
      queue.update(KEY, (current) => ({ ...count(current), revision: 12 }), undefined),
    ];
    for (let round = 0; round < 2; round++) {
      await clock.advance(1);
      documents.open();
    }

    expect(await Promise.all(all)).toEqual([
      { count: 1, revision: 1 },
      { count: 1, revision: 41 },
      { count: 2, revision: 42 },
    ]);
    expect(documents.rounds).toBe(2);
  });

  it("refuses a change after the last revision, rather than write what nobody could read", async () => {
    const { clock, documents, queue } = setUp();
    documents.text = encodeDocument({ count: 1, revision: 2 ** 52 }, undefined);
    const failure = expect(queue.update(KEY, count, undefined)).rejects.toThrow(/its revision cannot grow any more/);
    await clock.advance(1);
    documents.open();

    await failure;
    expect(documents.text).toBe(encodeDocument({ count: 1, revision: 2 ** 52 }, undefined));
  });

  it("clears a driver's error of credentials, its cause included", async () => {
    const failure = Object.assign(new Error("cannot reach redis://me:hunter2@cache:6379"), {
      code: "ECONNREFUSED",
      options: { password: "hunter2" },
    });
    const queue = new UpdateQueue({
      documents: () => Promise.reject(failure),
      clock: createVirtualClock(),
      timeoutMs: 250,
      where: "redis://***@cache:6379",
    });

    const error = await queue.update(KEY, count, undefined).catch((reason: Error) => reason);

    expect(error).toMatchObject({ code: "SQUAD_RATE_STORE", cause: { code: "ECONNREFUSED" } });
    const { cause, message, stack } = error as Error;
    expect([message, stack, (cause as Error).stack, JSON.stringify(cause)].join()).not.toContain("hunter2");
  });
});
