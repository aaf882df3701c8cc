import type { Clock } from "../../clock.js";
import { createEventLoop } from "./event-loop.js";

/** A time of the fleet's own, which moves when there is nothing left to do at the present moment. */
export interface FleetTime {
  readonly clock: Clock;
  /** Lets time run until `isOver`, or until `latestAt` (epoch milliseconds). */
  run(isOver: () => boolean, latestAt: number): Promise<void>;
}

/** Midnight, so that resets are easy to read. */
const START_AT = Date.UTC(2030, 0, 1);

/**
 * Turns of the real event loop after each event. All that squads, Octokit and the simulated GitHub wait for are promises,
 * which have settled when an immediate runs; tests hold that more turns change nothing.
 */
const TURNS = 1;

/** Virtual time for clients that take a clock. Those that keep to process-wide timers need a time that takes these over. */
export function createFleetTime(turns: number = TURNS): FleetTime {
  const loop = createEventLoop(START_AT);
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock: loop, run: (isOver, latestAt) => loop.runSettling(latestAt, settle, isOver) };
}

/**
 * The same clock, whose timers take whole milliseconds, as those of real machines do. Between numbers that a moment of an
 * epoch cannot tell apart, whoever waits until a moment would wait for ever.
 */
export function inWholeMilliseconds(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    timer: (ms, callback, options) => clock.timer(Math.ceil(Math.max(0, ms)), callback, options),
  };
}
