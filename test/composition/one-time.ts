import { install } from "@sinonjs/fake-timers";
import { onTestFinished } from "vitest";
import { PacedLane } from "../../src/pipeline/lanes/paced-lane.js";
import { RetryLane } from "../../src/pipeline/lanes/retry-lane.js";

/** The one time of a test: the squad, the simulated GitHub and the limiters of Octokit's plugins keep to it. */
export interface OneTime {
  /** Milliseconds since the test began. */
  readonly passedMs: number;
  /** Lets time run until `promise` settles, and returns what it settled to. */
  settle<T>(promise: Promise<T>): Promise<T>;
  /** Lets this much time pass. */
  advance(ms: number): Promise<void>;
}

const DAY_MS = 86_400_000;
/** Turns of the event loop given to promises and streams before time moves. */
const TURNS = 6;
const realImmediate = globalThis.setImmediate;
const RealDate = globalThis.Date;

/** plugin-throttling's limiters outlive a test; each test is days later than the last, so that they hold nobody. */
let startsAt = Math.floor(Date.now() / 1_000) * 1_000;

/**
 * Takes over the process's timers and dates until the test has finished, because Bottleneck, in both plugins, knows no
 * other clock. Immediates stay real; they let promises settle.
 */
export async function takeTime(): Promise<OneTime> {
  if (globalThis.Date !== RealDate) throw new Error("This test has taken over the time already.");
  // What is imported at the first use takes real time, in which this time would run away.
  await new PacedLane({ spacing: { writeMs: 0, notificationMs: 0, searchMs: 0 }, timed: true }).ready();
  await new RetryLane({ timed: true }).again(async () => undefined);
  startsAt += 2 * DAY_MS;
  const startedAt = startsAt;
  const timers = install({
    now: startedAt,
    toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"],
  });
  onTestFinished(() => timers.uninstall());
  const run = async (isOver: () => boolean, latestAt: number): Promise<void> => {
    await turns(TURNS);
    while (!isOver() && timers.now < latestAt) {
      if (timers.countTimers() === 0) {
        await turns(50);
        if (isOver()) return;
        if (timers.countTimers() === 0) throw new Error("Nothing is left that time could bring about.");
      }
      timers.next();
      await turns(TURNS);
    }
  };
  return {
    get passedMs() {
      return timers.now - startedAt;
    },
    async settle(promise) {
      let settled = false;
      const mark = (): void => {
        settled = true;
      };
      promise.then(mark, mark);
      const latestAt = timers.now + DAY_MS;
      await run(() => settled, latestAt);
      if (!settled) throw new Error("A day has passed, and it is still pending.");
      return promise;
    },
    async advance(ms) {
      let over = false;
      setTimeout(() => {
        over = true;
      }, ms);
      await run(() => over, Number.POSITIVE_INFINITY);
    },
  };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => realImmediate(resolve));
}
