import type { CancelTimer, Clock } from "../../clock.js";

/**
 * Virtual time for millions of events: a {@link Clock} whose timers fire one after the other in a plain loop, without a
 * turn of the real event loop in between. Clients made of callbacks run on `run`; clients made of promises need
 * `runSettling`, which lets promises settle after every event.
 */
export interface EventLoop extends Clock {
  /** Fires everything due up to `until` (epoch milliseconds) in order, and leaves time standing there. */
  run(until: number): void;
  /** The same, with `settle` awaited after each event; ends early when `isOver`. */
  runSettling(until: number, settle: () => Promise<void>, isOver?: () => boolean): Promise<void>;
  /** Events fired so far. */
  readonly fired: number;
}

interface Event {
  readonly at: number;
  readonly order: number;
  callback: (() => void) | undefined;
}

export function createEventLoop(startAt: number): EventLoop {
  const heap: Event[] = [];
  let now = startAt;
  let order = 0;
  let fired = 0;

  /** Fires the next event if it is due by `until`. */
  const step = (until: number): boolean => {
    const next = heap[0];
    if (next === undefined || next.at > until) return false;
    pop(heap);
    const { callback } = next;
    if (callback === undefined) return true;
    now = next.at;
    fired += 1;
    callback();
    return true;
  };

  return {
    get fired() {
      return fired;
    },
    now: () => now,
    monotonic: () => now - startAt,
    timer(ms, callback): CancelTimer {
      const event: Event = { at: now + Math.max(0, ms), order: order++, callback };
      push(heap, event);
      return () => {
        event.callback = undefined;
      };
    },
    run(until) {
      while (step(until));
      now = Math.max(now, until);
    },
    async runSettling(until, settle, isOver = () => false) {
      await settle();
      while (!isOver()) {
        const before = fired;
        if (!step(until)) {
          now = Math.max(now, until);
          return;
        }
        // What was cancelled has set nothing going.
        if (fired !== before) await settle();
      }
    },
  };
}

function before(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function push(heap: Event[], event: Event): void {
  let index = heap.push(event) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap[parent] as Event;
    if (!before(event, above)) break;
    heap[index] = above;
    index = parent;
  }
  heap[index] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop() as Event;
  if (heap.length === 0) return;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1] as Event, heap[child] as Event)) child += 1;
    const below = heap[child] as Event;
    if (!before(below, last)) break;
    heap[index] = below;
    index = child;
  }
  heap[index] = last;
}
