import { install } from "@sinonjs/fake-timers";
import type { Clock } from "../../src/clock.js";

/** A time that moves only when there is nothing left to do at the present moment. */
export interface VirtualTime {
  /** The same time, for whoever takes a clock. */
  readonly clock: Clock;
  /** Lets time run until `isOver`, or until `latestAt` (epoch milliseconds). */
  run(isOver: () => boolean, latestAt: number): Promise<void>;
  /** Lets time run until `promise` settles, and returns what it settled to. */
  until<T>(promise: Promise<T>): Promise<T>;
}

/** One time, let run in two ways. */
export interface VirtualTimes {
  /** As fast as it goes. */
  readonly brisk: VirtualTime;
  /** With a pause of real time at each step, in which modules can be loaded. */
  readonly patient: VirtualTime;
}

const realTimeout = globalThis.setTimeout;
const realImmediate = globalThis.setImmediate;

/**
 * Takes over timers and dates of the whole process, because the plugins of Octokit keep to those. Bottleneck remembers the
 * timers that it finds when it is loaded: load it afterwards. Immediates stay real; they let promises settle.
 */
export function installVirtualTime(startAt: number): VirtualTimes {
  const timers = install({
    now: startAt,
    toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "hrtime"],
  });
  const clock: Clock = {
    now: () => timers.now,
    monotonic: () => timers.now - startAt,
    timer(ms, callback) {
      // Parts of a millisecond are cut off otherwise, and who has been woken too early would wait for nothing for ever.
      const handle = setTimeout(callback, Math.ceil(Math.max(0, ms)));
      return () => clearTimeout(handle);
    },
  };
  const timeOf = (settle: () => Promise<void>): VirtualTime => {
    const run: VirtualTime["run"] = async (isOver, latestAt) => {
      let late = false;
      const end = setTimeout(() => {
        late = true;
      }, latestAt - timers.now);
      await settle();
      while (!isOver() && !late) {
        timers.next();
        await settle();
      }
      clearTimeout(end);
    };
    return {
      clock,
      run,
      until: async (promise) => {
        let settled = false;
        const mark = (): void => {
          settled = true;
        };
        promise.then(mark, mark);
        await run(() => settled, timers.now + DAY_MS);
        return promise;
      },
    };
  };
  return { brisk: timeOf(promisesSettled), patient: timeOf(modulesLoaded) };
}

const DAY_MS = 86_400_000;

/** They have when an immediate runs; whoever needed more turns would show as tables that differ. */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => realImmediate(resolve));
}

async function modulesLoaded(): Promise<void> {
  await new Promise((resolve) => realTimeout(resolve, 1));
  await promisesSettled();
}
