import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { type CompareAndSet, compareAndSetDocuments } from "../../src/store/compare-and-set.js";
import type { Step } from "../../src/store/documents.js";

const increment: Step = (text) => ({ text: String(Number(text ?? 0) + 1), ttlMs: undefined });
const never = (): boolean => false;

/** A server with one text; `calls` names what it was asked. */
function server(brings: boolean): CompareAndSet & { text: string | undefined; calls: string[] } {
  return {
    text: undefined,
    calls: [],
    async read() {
      this.calls.push("read");
      return this.text;
    },
    async swap(_key, expected, next) {
      this.calls.push("swap");
      if (this.text !== expected) return brings ? { kind: "refused", current: this.text } : { kind: "refused-unseen" };
      this.text = next.text;
      return { kind: "done" };
    },
  };
}

function documentsOn(native: CompareAndSet) {
  const clock = createVirtualClock();
  return { clock, documents: compareAndSetDocuments(bound(native), (key) => key, { clock, random: () => 0.5 }) };
}

/** The same for a server that lets its callers take turns; all that are under way stand in one line. */
function serverWithTurns(): ReturnType<typeof server> {
  const native = server(false);
  let line = Promise.resolve();
  native.takeTurn = (_key, step) => {
    native.calls.push("turn");
    const turn = line.then(() => {
      if (native.text === undefined) return undefined;
      const found = native.text;
      const written = step(found);
      if (written !== undefined) native.text = written.text;
      return { found, written };
    });
    line = turn.then(() => undefined);
    return turn;
  };
  return native;
}

/** The loop calls the operations without their object, as it may. */
function bound(native: CompareAndSet): CompareAndSet {
  return {
    read: (key) => native.read(key),
    swap: (key, expected, next) => native.swap(key, expected, next),
    takeTurn: native.takeTurn,
  };
}

describe("compareAndSetDocuments", () => {
  it("takes one round trip for an update that nobody interferes with", async () => {
    const native = server(true);
    const { documents } = documentsOn(native);
    await documents.update("k", increment, never);
    native.calls.length = 0;

    await documents.update("k", increment, never);

    expect(native.calls).toEqual(["swap"]);
    expect(native.text).toBe("2");
  });

  it("goes on from the text that a refusal brings", async () => {
    const native = server(true);
    const { documents } = documentsOn(native);
    await documents.update("k", increment, never);
    native.text = "41";
    native.calls.length = 0;

    await documents.update("k", increment, never);

    expect(native.calls).toEqual(["swap", "swap"]);
    expect(native.text).toBe("42");
  });

  it("says of the store's text, not of its memory, that nothing is to be written or that it is unreadable", async () => {
    const native = server(true);
    const { documents } = documentsOn(native);
    await documents.update("k", increment, never);
    native.text = "9";
    const seen: Array<string | undefined> = [];

    await documents.update("k", (text) => void seen.push(text), never);

    expect(seen).toEqual(["1", "9"]);
  });

  it("starts anew when the entry has vanished", async () => {
    const native = server(true);
    const { documents } = documentsOn(native);
    await documents.update("k", increment, never);
    native.text = undefined;

    await documents.update("k", increment, never);

    expect(native.text).toBe("1");
  });

  it("loses nothing, however many writers interleave", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          () => server(true),
          () => server(false),
          serverWithTurns,
        ),
        fc.integer({ min: 2, max: 6 }),
        fc.integer({ min: 1, max: 5 }),
        async (start, writers, each) => {
          const native = start();
          const clock = createVirtualClock();
          const all = Array.from({ length: writers }, async () => {
            const documents = compareAndSetDocuments(bound(native), (key) => key, { clock, random: Math.random });
            for (let update = 0; update < each; update++) await documents.update("k", increment, never);
          });
          await clock.settle(Promise.all(all));
          expect(native.text).toBe(String(writers * each));
        },
      ),
      { numRuns: 50 },
    );
  });

  it("gives up when it is abandoned, and after losing a hundred times", async () => {
    const native = { ...server(false), swap: async () => ({ kind: "refused-unseen" }) as const, read: async () => "1" };
    const { clock, documents } = documentsOn(native);

    await expect(documents.update("k", increment, () => true)).rejects.toThrow("its time was over");
    await expect(clock.settle(documents.update("k", increment, never))).rejects.toThrow(
      "others were quicker 100 times",
    );
  });

  describe("where the server lets writers take turns", () => {
    it("begins an entry that nobody can hold yet, and goes on with one round trip while it is alone", async () => {
      const native = serverWithTurns();
      const { documents } = documentsOn(native);

      await documents.update("k", increment, never);
      await documents.update("k", increment, never);

      expect(native.calls).toEqual(["turn", "read", "swap", "swap"]);
      expect(native.text).toBe("2");
    });

    it("takes its turn after a refusal, and the next time at once", async () => {
      const native = serverWithTurns();
      const { documents } = documentsOn(native);
      await documents.update("k", increment, never);
      native.calls.length = 0;

      native.text = "41";
      await documents.update("k", increment, never);
      native.text = "57";
      await documents.update("k", increment, never);

      expect(native.calls).toEqual(["swap", "turn", "turn"]);
      expect(native.text).toBe("58");
    });

    it("tries by itself again once it has found its own text, also when it had nothing to write", async () => {
      const native = serverWithTurns();
      native.text = "41";
      const { documents } = documentsOn(native);

      await documents.update("k", increment, never);
      await documents.update("k", () => undefined, never);
      await documents.update("k", increment, never);

      expect(native.calls).toEqual(["turn", "turn", "swap"]);
      expect(native.text).toBe("43");
    });

    it("takes no turn that its caller no longer waits for", async () => {
      const native = serverWithTurns();
      const { documents } = documentsOn(native);

      await expect(documents.update("k", increment, () => true)).rejects.toThrow("its time was over");
      expect(native.calls).toEqual([]);
    });
  });
});
