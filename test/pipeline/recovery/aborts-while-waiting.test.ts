import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { Squad } from "../../../src/squad.js";
import { setUpBench } from "../../harness/octokit-in-squad.js";
import { recordEvents } from "../../harness/record-events.js";
import { PATIENT, recovery, UNWELL } from "./bench.js";
import { WAITS } from "./held-at.js";

/** What a squad holds of quotas, by window: units in flight, and what it told its pool. */
function holds(squad: Squad) {
  return squad.status().principals.flatMap(({ windows, secondary }) => [
    ...Object.values(windows).map(({ reserved, lease }) => ({
      reserved,
      waiting: lease?.waitingUnits ?? [0, 0, 0],
      inFlight: lease?.inFlightUnits ?? 0,
    })),
    { underWay: secondary?.underWay ?? 0 },
  ]);
}

/** Turns of the microtask queue, and no more of anything. */
async function oneTick(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("a call that waits for", () => {
  it.each(WAITS)(
    "%s (%s), and is aborted, rejects at once with its signal's reason and leaves nothing behind",
    async (_what, _gate, make) => {
      const { bench, call, letGo } = await make();
      const { clock, squad, sent } = bench;
      const controller = new AbortController();
      const reason = new Error("enough");
      let ended: unknown;
      const held = holds(squad);
      const timers = clock.pendingTimers;
      const waiting = call(controller.signal).catch((error: unknown) => {
        ended = error;
      });
      await clock.advance(0);
      const before = sent.length;
      expect(squad.status().waiting).toHaveLength(1);
      controller.abort(reason);
      await oneTick();
      expect(ended).toBe(reason);
      await waiting;
      expect(squad.status().waiting).toEqual([]);
      expect(holds(squad)).toEqual(held);
      expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
      const isPooled = squad.status().principals.some(({ pool }) => pool !== undefined);
      // A pool's upkeep has timers of its own, which come and go.
      if (!isPooled) expect(clock.pendingTimers).toBe(timers);
      letGo();
      await clock.advance(600_000);
      expect(sent.length).toBe(before);
      await clock.settle(squad.close());
      expect(clock.pendingTimers).toBe(0);
    },
  );

  it.each(WAITS)("%s (%s), says so in its gate's words", async (_what, _gate, make, words) => {
    const decisions = recordEvents("squad-rate:decision");
    const { bench, call, letGo } = await make();
    const controller = new AbortController();
    const waiting = call(controller.signal).catch(() => undefined);
    await bench.clock.advance(0);
    const [listed] = bench.squad.status().waiting;
    expect(listed).toMatchObject({ agent: "ralph" });
    expect(listed?.why).toMatch(words);
    expect(decisions.at(-1)?.why).toBe(listed?.why);
    controller.abort();
    await waiting;
    letGo();
    await bench.clock.settle(bench.squad.close());
  });

  it.each(WAITS)("%s (%s), is let go of by close()", async (_what, gate, make) => {
    const { bench, call, letGo } = await make();
    const { clock, squad, sent } = bench;
    const waiting = call().then(
      ({ status }) => status,
      (error: { readonly code?: string }) => error.code,
    );
    await clock.advance(0);
    const before = sent.length;
    expect(squad.status().waiting).toHaveLength(1);
    const closing = squad.close();
    await clock.settle(closing);
    // Of one that was sent already GitHub's own answer says more than that there is no time to try again.
    expect(await waiting).toBe(gate === "retry" ? UNWELL.status : "SQUAD_RATE_CLOSED");
    letGo();
    await clock.advance(600_000);
    expect([sent.length, squad.status().waiting.length, clock.pendingTimers]).toEqual([before, 0, 0]);
    expect(squad.status().counters.waited).toBeLessThanOrEqual(1);
  });
});

describe("an answer that a retry was to replace", () => {
  it("is let go of when the caller aborts", async () => {
    const { github, clock, call } = recovery(PATIENT);
    let cancelled = false;
    github.once(() => ({
      status: 500,
      body: new ReadableStream({
        cancel: () => {
          cancelled = true;
        },
      }),
    }));
    const controller = new AbortController();
    const waiting = call(undefined, { signal: controller.signal }).catch((error: unknown) => error);
    await clock.advance(1_000);
    controller.abort("enough");
    expect(await waiting).toBe("enough");
    expect(cancelled).toBe(true);
  });

  it("is let go of when the retry goes", async () => {
    const { github, clock, call } = recovery(PATIENT);
    let cancelled = false;
    github.once(() => ({
      status: 500,
      body: new ReadableStream({
        cancel: () => {
          cancelled = true;
        },
      }),
    }));
    expect((await clock.settle(call())).status).toBe(200);
    expect(cancelled).toBe(true);
  });
});

describe("an Octokit call", () => {
  it.each([
    ["a cooldown", { status: 403, json: { message: "You have exceeded a secondary rate limit." } }],
    ["a retry", UNWELL],
  ])("that waits for %s and is aborted rejects with the very reason, and is not sent again", async (_what, answer) => {
    const { clock, github, octokit, squad } = setUpBench({ ...PATIENT, retry: true });
    github.once(answer);
    const controller = new AbortController();
    const call = octokit("ghp_x")
      .request("GET /user", { request: { signal: controller.signal } })
      .catch((error: unknown) => error);
    await clock.advance(1_000);
    expect(squad.status().waiting).toHaveLength(1);
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
    await clock.advance(600_000);
    expect([github.requests.length, clock.pendingTimers]).toEqual([1, 0]);
  });
});
