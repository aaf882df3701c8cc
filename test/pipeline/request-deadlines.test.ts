import { getEventListeners, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, vi } from "vitest";
import type { Clock } from "../../src/clock.js";
import { RequestDeadlines } from "../../src/pipeline/request-deadlines.js";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { collectGarbageUntil } from "../harness/collect-garbage.js";

const TIMEOUT_MS = 60_000;

function setUp() {
  const clock = createVirtualClock();
  return { clock, deadlines: new RequestDeadlines(clock, TIMEOUT_MS) };
}

function listeners(signal: AbortSignal): number {
  return getEventListeners(signal, "abort").length;
}

describe("RequestDeadlines", () => {
  it("aborts what GitHub has not begun to answer when the time is up, and says why", async () => {
    const { clock, deadlines } = setUp();
    const { signal } = deadlines.start(undefined);

    await clock.advance(TIMEOUT_MS - 1);
    expect(signal.aborted).toBe(false);
    await clock.advance(1);

    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBeInstanceOf(DOMException);
    expect(signal.reason).toMatchObject({
      name: "TimeoutError",
      message: expect.stringMatching(
        /^GitHub had not begun to answer after 60 s, .*\(option requestTimeoutMs\), because/,
      ),
    });
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([
    ["the head of an answer has come", new Response("{}")],
    ["the request has failed", undefined],
  ])("leaves alone what has ended because %s", async (_why, answer) => {
    const { clock, deadlines } = setUp();
    const deadline = deadlines.start(undefined);

    await clock.advance(TIMEOUT_MS - 1);
    deadline.end(answer);
    deadline.end(answer);
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(TIMEOUT_MS);

    expect(deadline.signal.aborted).toBe(false);
  });

  it("aborts each at its own time, with one timer for all", async () => {
    const { clock, deadlines } = setUp();
    const begun: AbortSignal[] = [];
    for (let second = 0; second < 10; second++) {
      begun.push(deadlines.start(undefined).signal);
      expect(clock.pendingTimers).toBe(1);
      await clock.advance(1_000);
    }
    const aborted = () => begun.filter((signal) => signal.aborted).length;

    await clock.advance(TIMEOUT_MS - 10_000 - 1);
    expect(aborted()).toBe(0);
    for (let second = 1; second <= 10; second++) {
      await clock.advance(1);
      expect(aborted()).toBe(second);
      expect(clock.pendingTimers).toBe(second < 10 ? 1 : 0);
      await clock.advance(999);
      expect(aborted()).toBe(second);
    }
  });

  it("goes on with the others when the oldest has ended", async () => {
    const { clock, deadlines } = setUp();
    const oldest = deadlines.start(undefined);
    await clock.advance(1_000);
    const next = deadlines.start(undefined);
    oldest.end(undefined);

    await clock.advance(TIMEOUT_MS - 1);
    expect(next.signal.aborted).toBe(false);
    await clock.advance(1);

    expect(next.signal.aborted).toBe(true);
    expect(oldest.signal.aborted).toBe(false);
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([1, 2])("bounds what the abort of %d causes to be sent, still with one timer", async (requests) => {
    const { clock, deadlines } = setUp();
    const again: AbortSignal[] = [];
    for (let request = 0; request < requests; request++) {
      const { signal } = deadlines.start(undefined);
      signal.addEventListener("abort", () => again.push(deadlines.start(undefined).signal));
    }

    await clock.advance(TIMEOUT_MS);
    expect(again.map(({ aborted }) => aborted)).toEqual(Array(requests).fill(false));
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(TIMEOUT_MS);

    expect(again.map(({ aborted }) => aborted)).toEqual(Array(requests).fill(true));
  });

  it("does not keep the process alive", () => {
    const clock = createVirtualClock();
    const timer = vi.spyOn(clock, "timer");
    new RequestDeadlines(clock, TIMEOUT_MS).start(undefined);

    expect(timer).toHaveBeenCalledExactlyOnceWith(TIMEOUT_MS, expect.any(Function), { unref: true });
  });

  it("hears what came while the process stood still before it gives anything up", async () => {
    const virtual = createVirtualClock();
    let stoodStillMs = 0;
    const clock: Clock = { ...virtual, monotonic: () => virtual.monotonic() + stoodStillMs };
    const deadlines = new RequestDeadlines(clock, TIMEOUT_MS);
    const answered = deadlines.start(undefined);
    const unanswered = deadlines.start(undefined);
    virtual.timer(TIMEOUT_MS, () => {
      setImmediate(() => answered.end(new Response("{}")));
    });
    stoodStillMs = 600_000;

    await virtual.advance(TIMEOUT_MS);
    expect(unanswered.signal.aborted).toBe(false);
    await virtual.advance(1_000);

    expect(answered.signal.aborted).toBe(false);
    expect(unanswered.signal.aborted).toBe(true);
    expect(virtual.pendingTimers).toBe(0);
  });

  describe("with a caller's signal", () => {
    it("aborts with the caller's reason, and is over when the request has failed of it", async () => {
      const { clock, deadlines } = setUp();
      const caller = new AbortController();
      const deadline = deadlines.start(caller.signal);

      caller.abort(new Error("changed my mind"));

      expect(deadline.signal.reason).toBe(caller.signal.reason);
      deadline.end(undefined);
      expect(clock.pendingTimers).toBe(0);
    });

    it("is aborted from the start by a signal that is", () => {
      const { clock, deadlines } = setUp();
      const signal = AbortSignal.abort("gone");

      const deadline = deadlines.start(signal);
      deadline.end(undefined);

      expect(deadline.signal.reason).toBe("gone");
      expect(listeners(signal)).toBe(0);
      expect(clock.pendingTimers).toBe(0);
    });

    it("leaves no listener when the time is up, the request has failed or the answer has no body", async () => {
      const { clock, deadlines } = setUp();
      const { signal } = new AbortController();

      deadlines.start(signal).end(undefined);
      expect(listeners(signal)).toBe(0);
      deadlines.start(signal).end(new Response(null, { status: 304 }));
      expect(listeners(signal)).toBe(0);
      const late = deadlines.start(signal);
      await clock.advance(TIMEOUT_MS);
      expect(listeners(signal)).toBe(0);
      late.end(new Response("too late"));
      expect(listeners(signal)).toBe(0);
    });

    it("leaves no listener when nobody can read the bodies any more", async () => {
      const { deadlines } = setUp();
      const { signal } = new AbortController();
      for (let call = 0; call < 20; call++) deadlines.start(signal).end(new Response("{}"));

      await collectGarbageUntil(() => listeners(signal) < 5);

      expect(listeners(signal)).toBeLessThan(5);
    });

    it("lets the caller abort a body that streams, long after its head has come", async () => {
      const server = createServer((_request, response) => response.write("the first half")).listen(0);
      await once(server, "listening");
      const { clock, deadlines } = setUp();
      const caller = new AbortController();
      const answerTo = async (): Promise<Response> => {
        const deadline = deadlines.start(caller.signal);
        const answer = await fetch(`http://localhost:${(server.address() as AddressInfo).port}`, {
          signal: deadline.signal,
        });
        deadline.end(answer);
        return answer;
      };
      const reader = (await answerTo()).body?.getReader();
      const unread = deadlines.start(caller.signal);
      unread.end(new Response("forgotten"));
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("the first half");

      await clock.advance(10 * TIMEOUT_MS);
      // The listener of the forgotten body goes, that of the body which is read stays.
      await collectGarbageUntil(() => listeners(caller.signal) === 1);
      caller.abort(new Error("seen enough"));

      await expect(reader?.read()).rejects.toThrow("seen enough");
      server.closeAllConnections();
      server.close();
    });
  });
});
