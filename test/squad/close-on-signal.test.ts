import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isSquadRateError, type SquadRateError } from "../../src/errors.js";
import { type Closeable, type CloseOnSignalOptions, closeOnSignal, createSquad } from "../../src/index.js";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { recordEvents } from "../harness/record-events.js";

// Nobody else in a test runner listens for these two.
const [SIGNAL, OTHER_SIGNAL] = ["SIGUSR2", "SIGHUP"] as const;

/** What the process was sent; it is not sent in truth, since that would end the tests. */
const sent: string[] = [];
const taken: (() => void)[] = [];

beforeEach(() => {
  vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
    expect(pid).toBe(process.pid);
    sent.push(String(signal));
    return true;
  });
});

afterEach(() => {
  for (const off of taken.splice(0)) off();
  sent.length = 0;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  expect(process.listenerCount(SIGNAL) + process.listenerCount(OTHER_SIGNAL)).toBe(0);
});

/** Something that closes when it is told to. */
function slow() {
  let done: (() => void) | undefined;
  const close = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        done = resolve;
      }),
  );
  return {
    close,
    finish: async (): Promise<void> => {
      done?.();
      await settled();
    },
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function listen(squads: Closeable | readonly Closeable[], options: CloseOnSignalOptions = {}) {
  const off = closeOnSignal(squads, { signals: [SIGNAL, OTHER_SIGNAL], clock: createVirtualClock(), ...options });
  taken.push(off);
  return off;
}

function listenForeign(listener: () => void, how: "on" | "once" = "on"): void {
  process[how](SIGNAL, listener);
  taken.push(() => process.off(SIGNAL, listener));
}

function hear(signal: string): void {
  process.emit(signal as never, signal as never);
}

describe("closeOnSignal", () => {
  it("closes every squad at once, then lets the signal end the process", async () => {
    const [one, other] = [slow(), slow()];
    listen([one, other]);

    hear(SIGNAL);
    expect([one.close, other.close].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    await one.finish();
    expect(sent).toEqual([]);
    await other.finish();

    expect(sent).toEqual([SIGNAL]);
    expect(process.listenerCount(SIGNAL)).toBe(0);
  });

  it("closes a real squad", async () => {
    const squad = createSquad();
    listen(squad);

    hear(SIGNAL);
    await vi.waitFor(() => expect(sent).toEqual([SIGNAL]));

    expect(squad.status().closed).toBe(true);
  });

  it("does not listen before it is called, nor after it is taken off", () => {
    const squad = slow();
    expect(process.listenerCount(SIGNAL)).toBe(0);
    {
      using _off = listen(squad);
      expect(process.listenerCount(SIGNAL)).toBe(1);
    }
    expect(process.listenerCount(SIGNAL)).toBe(0);
    listen(squad)();

    hear(SIGNAL);

    expect(squad.close).not.toHaveBeenCalled();
  });

  it("finishes what it has begun when it is taken off meanwhile", async () => {
    const squad = slow();
    const off = listen(squad);

    hear(SIGNAL);
    off();
    await squad.finish();

    expect(sent).toEqual([SIGNAL]);
  });

  it("ends the process after the time of grace although closing hangs, and says so", async () => {
    const clock = createVirtualClock();
    const faults = recordEvents("squad-rate:fault");
    listen(slow(), { graceMs: 4_000, clock });

    hear(SIGNAL);
    await clock.advance(3_999);
    expect(sent).toEqual([]);
    await clock.advance(1);

    expect(sent).toEqual([SIGNAL]);
    expect(faults).toMatchObject([{ what: expect.stringContaining("was not done after 4000 ms") }]);
  });

  it("keeps the process alive while it closes, and leaves no timer", async () => {
    const clock = createVirtualClock();
    const timer = vi.spyOn(clock, "timer");
    const squad = slow();
    listen(squad, { clock });

    hear(SIGNAL);
    expect(timer.mock.calls).toEqual([[5_000, expect.any(Function)]]);
    await squad.finish();

    expect(clock.pendingTimers).toBe(0);
  });

  it.each([
    ["rejects", async (): Promise<void> => Promise.reject(new Error("disk full"))],
    [
      "throws",
      (): Promise<void> => {
        throw new Error("disk full");
      },
    ],
  ])("closes the others and ends when one close %s, and reports that", async (_how, close) => {
    const faults = recordEvents("squad-rate:fault");
    const other = slow();
    listen([{ close }, other]);

    hear(SIGNAL);
    await other.finish();

    expect(sent).toEqual([SIGNAL]);
    expect(faults).toMatchObject([{ what: `closing at ${SIGNAL} failed`, cause: "disk full" }]);
  });

  it.each([SIGNAL, OTHER_SIGNAL])("ends at once at a second signal (%s)", async (second) => {
    const squad = slow();
    listen(squad);

    hear(SIGNAL);
    hear(second);
    expect(sent).toEqual([second]);
    await squad.finish();

    expect(sent).toEqual([second]);
    expect(squad.close).toHaveBeenCalledOnce();
  });

  it.each(["on", "once"] as const)("leaves the end to others that listen (%s), whoever came first", async (how) => {
    for (const order of ["before", "after"]) {
      const [squad, decide] = [slow(), vi.fn()];
      if (order === "before") listenForeign(decide, how);
      listen(squad);
      if (order === "after") listenForeign(decide, how);

      hear(SIGNAL);
      await squad.finish();

      expect(decide).toHaveBeenCalledOnce();
      expect(sent).toEqual([]);
      for (const off of taken.splice(0)) off();
    }
  });

  it("lets the process end for what is called twice when all is closed", async () => {
    const [one, other] = [slow(), slow()];
    listen(one);
    listen(other);

    hear(SIGNAL);
    await other.finish();
    expect(sent).toEqual([]);
    await one.finish();

    expect(sent).toEqual([SIGNAL]);
  });

  it("ends at once at a second signal for what is called twice", () => {
    listen(slow());
    listen(slow());

    hear(SIGNAL);
    hear(SIGNAL);

    expect(sent).toEqual([SIGNAL]);
  });

  it.each([
    ["process", "__signal_exit_emitter__"],
    ["globalThis", Symbol.for("signal-exit emitter")],
  ])("does not wait for signal-exit, which would wait for this (its count on %s)", async (where, name) => {
    const owner = where === "process" ? process : globalThis;
    Object.defineProperty(owner, name, { value: { count: 1 }, configurable: true });
    taken.push(() => Reflect.deleteProperty(owner, name));
    listenForeign(() => undefined);
    const squad = slow();
    listen(squad);

    hear(SIGNAL);
    await squad.finish();

    expect(sent).toEqual([SIGNAL]);
  });

  it("exits where the signal cannot be sent", async () => {
    vi.spyOn(process, "kill").mockImplementation(() => {
      throw new Error("kill ENOSYS");
    });
    const exit = vi.spyOn(process, "exit").mockImplementation((() => undefined) as never);
    const squad = slow();
    listen(squad);

    hear(SIGNAL);
    await squad.finish();

    expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  });

  describe("refuses", () => {
    function refusal(call: () => unknown): SquadRateError {
      try {
        call();
      } catch (error) {
        if (!isSquadRateError(error)) throw error;
        expect(error.code).toBe("SQUAD_RATE_OPTIONS");
        expect(error.remedy).toBeTruthy();
        return error;
      }
      throw new Error("was accepted");
    }

    const squad = slow();
    it.each([
      [undefined, {}, "closeOnSignal: squads[0] must be a squad, with close(); got undefined."],
      [[], {}, "closeOnSignal: squads must be an array of at least one; got an array."],
      [[squad, {}], {}, "closeOnSignal: squads[1] must be a squad, with close(); got an object."],
      [squad, { signals: [] }, "closeOnSignal.signals must be an array of at least one; got an array."],
      [squad, { signals: "SIGTERM" }, 'closeOnSignal.signals must be an array of at least one; got "SIGTERM".'],
      [
        squad,
        { signals: ["SIGTERM", "SIGKILL"] },
        'closeOnSignal.signals[1] must be one of "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGBREAK", "SIGUSR2"; got "SIGKILL".',
      ],
      [squad, { signals: null }, "closeOnSignal.signals must be an array of at least one; got null."],
      [squad, { signals: [undefined] }, /^closeOnSignal\.signals\[0\] must be one of .*; got undefined\.$/],
      [
        squad,
        { graceMs: -1 },
        "closeOnSignal.graceMs must be a whole number of milliseconds from 0 to 600000; got -1.",
      ],
      [squad, { graceMs: "5s" }, /^closeOnSignal\.graceMs must be .*; got "5s"\.$/],
      [squad, { grace: 1 }, "closeOnSignal.grace: unknown option; did you mean `graceMs`?"],
      [squad, { clock: Date }, /^closeOnSignal\.clock must be a clock, with now\(\), .*; got a function\.$/],
      [squad, null, "closeOnSignal must be a plain object; got null."],
    ])("%j with %j", (squads, options, message) => {
      expect(refusal(() => closeOnSignal(squads as never, options as never)).message).toMatch(message);
    });

    it("to work where there is no process", () => {
      vi.stubGlobal("process", undefined);
      const call = () => closeOnSignal(squad);
      let error: unknown;
      try {
        call();
      } catch (thrown) {
        error = thrown;
      }
      vi.unstubAllGlobals();
      expect(error).toMatchObject({
        code: "SQUAD_RATE_OPTIONS",
        message: "closeOnSignal needs a process that hears signals; here is none.",
      });
    });
  });
});
