import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { MustWait, WaitOutcome } from "../../src/pipeline/wait-request.js";
import { WaitingRoom } from "../../src/pipeline/waiting-room.js";
import type { Priority } from "../../src/policy/light.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";

const idle = { agent: "idle", priority: 1, resource: "core" } as const;

interface Permit {
  readonly kind: "go";
  readonly number: number;
}

/** A gate with a stock of units and one moment at which the stock is refilled. */
function stockGate(clock: VirtualClock, units: number, refillAt: number = Number.POSITIVE_INFINITY, refill = 0) {
  const gate = {
    units,
    given: 0,
    asked: 0,
    refillAt,
    decide: (): Permit | MustWait => {
      gate.asked++;
      if (clock.now() >= gate.refillAt) {
        gate.units += refill;
        gate.refillAt = Number.POSITIVE_INFINITY;
      }
      if (gate.units === 0) return { kind: "wait", gate: "light", untilAt: refillAt, why: "no units" };
      gate.units--;
      return { kind: "go", number: ++gate.given };
    },
  };
  return gate;
}

function setUp() {
  const clock = createVirtualClock();
  const room = new WaitingRoom(clock);
  const order: string[] = [];
  const enter = (
    name: string,
    decide: () => Permit | MustWait,
    more: { priority?: Priority; signal?: AbortSignal; deadlineAt?: number } = {},
  ): Promise<WaitOutcome<Permit>> => {
    const { priority = 1, deadlineAt = Number.POSITIVE_INFINITY, signal } = more;
    const outcome = room.wait<Permit>({ agent: name, priority, resource: "core", deadlineAt, signal, decide });
    outcome.then(
      ({ kind }) => order.push(`${name} ${kind}`),
      () => order.push(`${name} rejected`),
    );
    return outcome;
  };
  return { clock, room, order, enter, start: clock.now() };
}

describe("WaitingRoom", () => {
  it("lets a call pass without a timer when the gates are open, and hands over what they gave", async () => {
    const { clock, room, enter } = setUp();
    expect(await enter("a", stockGate(clock, 1).decide)).toEqual({ kind: "go", number: 1 });
    expect([room.size, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("asks by priority, then by arrival, when the time it was told has come", async () => {
    const { clock, order, enter, start } = setUp();
    const gate = stockGate(clock, 0, start + 5_000, 4);
    for (const [name, priority] of [
      ["a", 2],
      ["b", 1],
      ["c", 0],
      ["d", 1],
      ["e", 0],
    ] as const) {
      enter(name, gate.decide, { priority, deadlineAt: start + 60_000 });
    }
    await clock.advance(4_999);
    expect(order).toEqual([]);
    await clock.advance(1);
    expect(order).toEqual(["c go", "e go", "b go", "d go"]);
  });

  it("keeps one timer for everybody and asks nobody before his time", async () => {
    const { clock, enter, start } = setUp();
    const gates = [3_000, 1_000, 2_000].map((ms) => stockGate(clock, 0, start + ms, 1));
    const waits = gates.map((gate, index) => enter(`${index}`, gate.decide));
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1_500);
    expect(gates.map(({ asked }) => asked)).toEqual([1, 2, 1]);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1_500);
    expect(gates.map(({ asked }) => asked)).toEqual([2, 2, 2]);
    expect(await Promise.all(waits)).toHaveLength(3);
    expect(clock.pendingTimers).toBe(0);
  });

  it("asks everybody again when poked, once however often", async () => {
    const { clock, room, order, enter, start } = setUp();
    const gate = stockGate(clock, 0, start + 60_000);
    enter("a", gate.decide, { priority: 2 });
    enter("b", gate.decide, { priority: 0 });
    gate.units = 1;
    for (let pokes = 0; pokes < 5; pokes++) room.poke();
    expect(gate.asked).toBe(2);
    await clock.advance(0);
    expect(gate.asked).toBe(4);
    expect(order).toEqual(["b go"]);
  });

  it("asks those who wait before a newcomer when something has changed", async () => {
    const { clock, room, order, enter, start } = setUp();
    const gate = stockGate(clock, 0, start + 60_000);
    enter("old", gate.decide);
    gate.units = 1;
    room.poke();
    enter("new", gate.decide);
    await clock.advance(0);
    expect(order).toEqual(["old go"]);
    expect(room.list().map(({ agent }) => agent)).toEqual(["new"]);
  });

  it("asks those whose time has come before a newcomer, though the timer is late", async () => {
    let nowMs = 0;
    const room = new WaitingRoom({ now: () => nowMs, monotonic: () => nowMs, timer: () => () => {} });
    let units = 0;
    const decide = (): Permit | MustWait =>
      units > 0 ? { kind: "go", number: units-- } : { kind: "wait", gate: "light", untilAt: 100, why: "shut" };
    const old = room.wait({ ...idle, deadlineAt: 1_000, decide });
    nowMs = 100;
    units = 1;
    room.wait({ ...idle, agent: "new", deadlineAt: 1_000, decide });
    expect((await old).kind).toBe("go");
    expect(room.list().map(({ agent }) => agent)).toEqual(["new"]);
  });

  it("lets no burst overshoot: each reservation is taken before the next is asked", async () => {
    const { clock, room, order, enter, start } = setUp();
    const gate = stockGate(clock, 0, start + 1_000, 3);
    for (let index = 0; index < 50; index++) enter(`${index}`, gate.decide, { deadlineAt: start + 1_000 });
    await clock.advance(1_000);
    expect(order.filter((line) => line.endsWith("go"))).toEqual(["0 go", "1 go", "2 go"]);
    expect(order).toHaveLength(50);
    expect(room.size).toBe(0);
  });

  it("rejects at once with the signal's reason, leaving neither timer nor listener", async () => {
    const { clock, room, enter, start } = setUp();
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, "removeEventListener");
    const wait = enter("a", stockGate(clock, 0, start + 1_000).decide, { signal: controller.signal });
    const reason = new Error("not needed any more");
    controller.abort(reason);
    expect([room.size, clock.pendingTimers]).toEqual([0, 0]);
    expect(removed).toHaveBeenCalledOnce();
    await expect(wait).rejects.toBe(reason);
    await expect(enter("b", stockGate(clock, 1).decide, { signal: controller.signal })).rejects.toBe(reason);
  });

  it("takes its listener back when the call is let in", async () => {
    const { clock, enter, start } = setUp();
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    const wait = enter("a", stockGate(clock, 0, start + 1_000, 1).decide, { signal });
    await clock.advance(1_000);
    expect((await wait).kind).toBe("go");
    expect(removed).toHaveBeenCalledOnce();
  });

  it("awaits a gate that is about to know, beyond the deadline, but for two seconds at most", async () => {
    const { clock, enter, start } = setUp();
    let known = false;
    const decide = () =>
      known
        ? ({ kind: "go", number: 1 } as const)
        : ({ kind: "wait", gate: "pool", untilAt: clock.now() + 60_000, brief: true, why: "asking" } as const);
    const first = enter("a", decide, { deadlineAt: start });
    await clock.advance(1_999);
    expect(await Promise.race([first, "waits"])).toBe("waits");
    await clock.advance(1);
    expect(await first).toMatchObject({ kind: "refused", gate: "pool" });
    const second = enter("b", decide, { deadlineAt: clock.now() });
    await clock.advance(500);
    known = true;
    await clock.advance(1_500);
    expect(await second).toMatchObject({ kind: "go" });
  });

  it("refuses at once a wait known to outlast the deadline", async () => {
    const { clock, enter, start } = setUp();
    const gate = stockGate(clock, 0, start + 60_001);
    expect(await enter("a", gate.decide, { deadlineAt: start + 60_000 })).toEqual({
      kind: "refused",
      gate: "light",
      untilAt: start + 60_001,
      why: "no units",
    });
    expect(clock.pendingTimers).toBe(0);
  });

  it("refuses a waiter as soon as a new decision outlasts its deadline, or the deadline itself has come", async () => {
    const { clock, room, order, enter, start } = setUp();
    let untilAt = start + 500;
    const decide = (): MustWait => ({ kind: "wait", gate: "light", untilAt, why: "shut" });
    enter("told later", decide, { deadlineAt: start + 1_000 });
    enter("patient", decide, { deadlineAt: start + 5_000 });
    untilAt = start + 2_000;
    room.poke();
    await clock.advance(0);
    expect(order).toEqual(["told later refused"]);
    untilAt = start;
    await clock.advance(4_999);
    expect(order).toEqual(["told later refused"]);
    await clock.advance(1);
    expect(order).toEqual(["told later refused", "patient refused"]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("asks a gate that names the past once a millisecond, not in a spin", async () => {
    const { clock, enter, start } = setUp();
    const decide = vi.fn((): MustWait => ({ kind: "wait", gate: "light", untilAt: start - 1, why: "confused" }));
    enter("a", decide);
    await clock.advance(10);
    expect(decide.mock.calls.length).toBeLessThanOrEqual(12);
  });

  it.each([3_600_000, -3_600_000])(
    "waits as long as it was told when the wall clock is set by %d ms",
    async (stepMs) => {
      const { clock, order, enter, start } = setUp();
      let open = false;
      const decide = (): Permit | MustWait =>
        open ? { kind: "go", number: 1 } : { kind: "wait", gate: "light", untilAt: start + 10_000, why: "shut" };
      enter("a", decide, { deadlineAt: start + 20_000 });
      clock.step(stepMs);
      open = true;
      await clock.advance(9_999);
      expect(order).toEqual([]);
      await clock.advance(1);
      expect(order).toEqual(["a go"]);
    },
  );

  it.each([3_600_000, -3_600_000])(
    "reads what it is told by the clock as it is, after it was set by %d ms",
    async (stepMs) => {
      const { clock, room, order, enter } = setUp();
      let openAt = clock.now() + 10_000;
      const decide = (): Permit | MustWait =>
        clock.now() >= openAt
          ? { kind: "go", number: 1 }
          : { kind: "wait", gate: "light", untilAt: openAt, why: "shut" };
      enter("a", decide);
      clock.step(stepMs);
      openAt = clock.now() + 5_000;
      room.poke();
      await clock.advance(4_999);
      expect(order).toEqual([]);
      await clock.advance(1);
      expect(order).toEqual(["a go"]);
    },
  );

  it("waits on when its timer fires a little early, as timers do", async () => {
    let nowMs = 0;
    const armed: (() => void)[] = [];
    const timer = (_ms: number, callback: () => void) => {
      armed.push(callback);
      return () => {};
    };
    const room = new WaitingRoom({ now: () => nowMs, monotonic: () => nowMs, timer });
    const decide = (): Permit | MustWait =>
      nowMs >= 100 ? { kind: "go", number: 1 } : { kind: "wait", gate: "light", untilAt: 100, why: "shut" };
    const wait = room.wait({ ...idle, deadlineAt: 1_000, decide });
    for (const at of [99.6, 100]) {
      nowMs = at;
      armed.shift()?.();
      await Promise.resolve();
    }
    expect(room.size).toBe(0);
    expect((await wait).kind).toBe("go");
  });

  it("fails only the waiter whose gate throws", async () => {
    const { clock, room, order, enter, start } = setUp();
    const gate = stockGate(clock, 0, start + 1_000, 1);
    let asked = 0;
    const broken = (): MustWait => {
      if (asked++ > 0) throw new Error("broken");
      return { kind: "wait", gate: "light", untilAt: start + 1_000, why: "shut" };
    };
    const failing = expect(enter("broken", broken)).rejects.toThrow("broken");
    enter("sound", gate.decide);
    await clock.advance(1_000);
    await failing;
    expect(order).toEqual(["broken rejected", "sound go"]);
    expect(room.size).toBe(0);
  });

  it.each(["time", "a poke"])("loses no call that enters from within a gate, asked by %s", async (how) => {
    const { clock, room, order, enter, start } = setUp();
    const gate = stockGate(clock, 0, start + 1_000, 2);
    const inner = stockGate(clock, 0, start + 2_000, 1);
    let entered = false;
    const entering = (): Permit | MustWait => {
      const word = gate.decide();
      if (word.kind === "go" && !entered) {
        entered = true;
        enter("inner", inner.decide, { priority: 0 });
      }
      return word;
    };
    enter("outer", entering);
    enter("other", gate.decide);
    if (how === "a poke") {
      gate.units = 2;
      room.poke();
    }
    await clock.advance(1_000);
    expect(order).toEqual(["outer go", "other go"]);
    await clock.advance(1_000);
    expect(order).toEqual(["outer go", "other go", "inner go"]);
    expect([room.size, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("lists who waits, for what, since when and until when, in the order of their turn", async () => {
    const { clock, room, enter, start } = setUp();
    enter("later", stockGate(clock, 0, start + 9_000).decide, { priority: 2 });
    await clock.advance(1_000);
    enter("first", stockGate(clock, 0, start + 5_000).decide, { priority: 0 });
    expect(room.list()).toEqual([
      { agent: "first", priority: 0, resource: "core", since: start + 1_000, untilAt: start + 5_000, why: "no units" },
      { agent: "later", priority: 2, resource: "core", since: start, untilAt: start + 9_000, why: "no units" },
    ]);
  });

  it("ends every wait when it is closed, and every later one", async () => {
    const { clock, room, enter, start } = setUp();
    const gate = stockGate(clock, 0, start + 9_000, 9);
    const waits = [enter("a", gate.decide), enter("b", gate.decide, { priority: 0 })];
    room.close();
    waits.push(enter("c", gate.decide));
    expect(await Promise.all(waits)).toEqual([{ kind: "closed" }, { kind: "closed" }, { kind: "closed" }]);
    expect([room.size, clock.pendingTimers, gate.given]).toEqual([0, 0, 0]);
  });

  it("keeps the process alive while a call waits", () => {
    const { clock, start } = setUp();
    const timer = vi.fn(clock.timer);
    const room = new WaitingRoom({ ...clock, now: clock.now, timer });
    room.wait({ ...idle, deadlineAt: start + 9_000, decide: stockGate(clock, 0, start + 1_000).decide });
    expect(timer).toHaveBeenCalledOnce();
    expect(timer.mock.calls[0]?.[2]?.unref ?? false).toBe(false);
  });
});

describe("any crowd", () => {
  const arrival = fc.record({
    afterMs: fc.nat(400),
    priority: fc.constantFrom<Priority>(0, 1, 2),
    patienceMs: fc.integer({ min: 1, max: 5_000 }),
    abortAfterMs: fc.option(fc.nat(3_000), { nil: undefined }),
    pokes: fc.boolean(),
  });

  it("is served within the units there are, never past the deadline, and leaves nothing behind", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arrival, { minLength: 1, maxLength: 25 }), async (arrivals) => {
        const { clock, room, start } = setUp();
        const periodMs = 700;
        const perPeriod = 2;
        const spent = new Map<number, number>();
        const decide = (): { readonly kind: "go" } | MustWait => {
          const period = Math.floor((clock.now() - start) / periodMs);
          const used = spent.get(period) ?? 0;
          if (used >= perPeriod)
            return { kind: "wait", gate: "light", untilAt: start + (period + 1) * periodMs, why: "spent" };
          spent.set(period, used + 1);
          return { kind: "go" };
        };
        const waits: Promise<string>[] = [];
        for (const { afterMs, priority, patienceMs, abortAfterMs, pokes } of arrivals) {
          await clock.advance(afterMs);
          const controller = new AbortController();
          if (abortAfterMs !== undefined) clock.timer(abortAfterMs, () => controller.abort(new Error("gone")));
          const deadlineAt = clock.now() + patienceMs;
          const wait = room.wait({
            agent: "a",
            priority,
            resource: "core",
            deadlineAt,
            signal: controller.signal,
            decide,
          });
          waits.push(
            wait.then(
              ({ kind }) => {
                expect(clock.now()).toBeLessThanOrEqual(deadlineAt);
                return kind;
              },
              () => "aborted",
            ),
          );
          if (pokes) room.poke();
          await clock.advance(0);
        }
        await clock.advance(10_000);
        expect(await Promise.all(waits)).toHaveLength(arrivals.length);
        for (const used of spent.values()) expect(used).toBeLessThanOrEqual(perPeriod);
        expect([room.size, clock.pendingTimers]).toEqual([0, 0]);
      }),
      { numRuns: 100 },
    );
  });

  it("is let in by priority, then arrival, on every refill", async () => {
    const crowd = fc.array(fc.constantFrom<Priority>(0, 1, 2), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(crowd, fc.integer({ min: 1, max: 5 }), async (priorities, perRefill) => {
        const { clock, room, order, enter } = setUp();
        let units = 0;
        const decide = (): Permit | MustWait =>
          units > 0
            ? { kind: "go", number: units-- }
            : { kind: "wait", gate: "light", untilAt: clock.now() + 1e6, why: "shut" };
        priorities.forEach((priority, index) => {
          enter(`${priority}:${index}`, decide, { priority });
        });
        const expected = priorities
          .map((priority, index) => ({ priority, index }))
          .sort((a, b) => a.priority - b.priority || a.index - b.index)
          .map(({ priority, index }) => `${priority}:${index} go`);
        while (room.size > 0) {
          units = perRefill;
          room.poke();
          await clock.advance(0);
          expect(order).toEqual(expected.slice(0, order.length));
        }
        expect(order).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
