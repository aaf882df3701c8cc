import type { CancelTimer, Clock } from "../clock.js";

/** A clock that stands still until it is told to move. */
export interface VirtualClock extends Clock {
  /** Timers that have not fired yet. */
  readonly pendingTimers: number;
  /** Moves time on by `ms`, firing each timer at its own moment and letting promises settle in between. */
  advance(ms: number): Promise<void>;
  /** Moves from timer to timer until `promise` settles, and returns what it settled to. Throws when no timer is left. */
  settle<T>(promise: Promise<T>): Promise<T>;
  /** Moves wall time alone, as an operator who sets the clock would; timers and `monotonic()` are not touched. */
  step(ms: number): void;
}

/** Options of {@link createVirtualClock}. */
export interface VirtualClockOptions {
  /** Epoch milliseconds to start at. Default: 2030-01-01T00:00:00Z. */
  readonly startAt?: number;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Turns of the event loop given to promises and streams before time moves. */
const TURNS = 3;

/**
 * How long something that is none of this clock's, such as loading a module or hashing in another thread, may take before
 * `settle` says that it waits in vain. Real milliseconds: a busy machine takes its time.
 */
const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 5;

/**
 * A {@link Clock} for tests and simulations.
 *
 * @example
 * ```ts
 * const clock = createVirtualClock();
 * clock.timer(60_000, () => console.log("a minute later"));
 * await clock.advance(60_000);
 * ```
 */
export function createVirtualClock(options: VirtualClockOptions = {}): VirtualClock {
  const startAt = options.startAt ?? Date.UTC(2030, 0, 1);
  const timers = new TimerHeap();
  let elapsed = 0;
  let stepped = 0;
  let order = 0;

  const fire = (timer: Timer): void => {
    elapsed = Math.max(elapsed, timer.at);
    timer.callback();
  };

  return {
    get pendingTimers() {
      return timers.size;
    },
    now: () => startAt + elapsed + stepped,
    monotonic: () => elapsed,
    timer(ms, callback): CancelTimer {
      const timer: Timer = { at: elapsed + Math.max(0, ms), order: order++, callback };
      timers.push(timer);
      return () => timers.remove(timer);
    },
    async advance(ms) {
      const target = elapsed + ms;
      await turns();
      for (let next = timers.peek(); next !== undefined && next.at <= target; next = timers.peek()) {
        timers.pop();
        fire(next);
        await turns();
      }
      elapsed = target;
    },
    async settle<T>(promise: Promise<T>) {
      let settled = false;
      const mark = (): void => {
        settled = true;
      };
      promise.then(mark, mark);
      for (;;) {
        await turns();
        if (settled) return promise;
        const next = timers.pop();
        if (next === undefined) {
          await realWorkThat(() => settled || timers.size > 0);
          if (settled) return promise;
          if (timers.size > 0) continue;
          throw new Error(
            "The virtual clock has no timer left and the promise is still pending: it waits for something that this clock does not move, such as the real clock (throttling and retry plugins keep to it) or real I/O.",
          );
        }
        fire(next);
      }
    },
    step(ms) {
      stepped += ms;
    },
  };
}

/** Gives work outside this clock its time: turns of the event loop first, since most of it is done by then. */
async function realWorkThat(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < 50 && !isDone(); turn++) await turns();
  for (let waitedMs = 0; waitedMs < PATIENCE_MS && !isDone(); waitedMs += LOOK_AGAIN_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A binary heap by (time, order of creation); a cancelled timer is dropped when it comes to the top. */
class TimerHeap {
  readonly #heap: Timer[] = [];
  readonly #cancelled = new Set<Timer>();
  readonly #live = new Set<Timer>();

  get size(): number {
    return this.#live.size;
  }

  push(timer: Timer): void {
    this.#live.add(timer);
    const heap = this.#heap;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!before(timer, heap[parent] as Timer)) break;
      heap[index] = heap[parent] as Timer;
      index = parent;
    }
    heap[index] = timer;
  }

  remove(timer: Timer): void {
    if (this.#live.delete(timer)) this.#cancelled.add(timer);
  }

  peek(): Timer | undefined {
    for (;;) {
      const top = this.#heap[0];
      if (top === undefined || !this.#cancelled.delete(top)) return top;
      this.#drop();
    }
  }

  pop(): Timer | undefined {
    const top = this.peek();
    if (top === undefined) return undefined;
    this.#live.delete(top);
    this.#drop();
    return top;
  }

  #drop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Timer;
    if (heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1] as Timer, heap[child] as Timer)) child++;
      if (!before(heap[child] as Timer, last)) break;
      heap[index] = heap[child] as Timer;
      index = child;
    }
    heap[index] = last;
  }
}

function before(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
