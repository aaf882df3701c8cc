import { onAbort } from "../call/on-abort.js";
import { StreamingBodies } from "../call/streaming-bodies.js";
import type { CancelTimer, Clock } from "../clock.js";

/** One request that GitHub has to begin to answer in time. */
export interface Deadline {
  /** What to send the request with: aborts when the time is up, and whenever the caller's own signal does. */
  readonly signal: AbortSignal;
  /**
   * The head of `answer` has come, or, without one, the request has failed: the time is not up any more. The caller's
   * signal still aborts the body. Further calls do nothing.
   */
  end(answer: Response | undefined): void;
}

interface Running extends Deadline {
  readonly controller: AbortController;
  readonly dueMono: number;
  readonly caller: AbortSignal | undefined;
  /** Takes the listener off the caller's signal. */
  readonly forgetCaller: (() => void) | undefined;
}

/** A timer that comes later than this tells of a process that stood still: stopped, in a debugger, on a frozen machine. */
const STOOD_STILL_MS = 1_000;
/** How long answers that came meanwhile have to be taken in. */
const TAKE_IN_MS = 100;

/**
 * Aborts requests that GitHub does not begin to answer.
 *
 * The caller's signal is followed by a listener and not with `AbortSignal.any`: in Node 20 each call of that leaves
 * something in the caller's signal, which may live for ever and be given to every request.
 * https://github.com/nodejs/node/issues/55351
 */
export class RequestDeadlines {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  /** In the order in which they began, which is that in which their time is up. */
  readonly #underWay = new Set<Running>();
  readonly #bodies = new StreamingBodies();
  #cancelTimer: CancelTimer | undefined;
  #wakeMono = 0;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** The time of a request begins; `signal` is its caller's. */
  start(signal: AbortSignal | undefined): Deadline {
    const controller = new AbortController();
    const follow = signal === undefined || signal.aborted ? undefined : signal;
    const deadline: Running = {
      signal: controller.signal,
      end: (answer) => this.#end(deadline, answer),
      controller,
      dueMono: this.#clock.monotonic() + this.#timeoutMs,
      caller: follow,
      forgetCaller: follow && onAbort(follow, () => controller.abort(follow.reason)),
    };
    if (signal?.aborted === true) {
      controller.abort(signal.reason);
      return deadline;
    }
    this.#underWay.add(deadline);
    if (this.#cancelTimer === undefined) this.#arm(this.#timeoutMs);
    return deadline;
  }

  #end(deadline: Running, answer: Response | undefined): void {
    if (!this.#leave(deadline)) return;
    const { caller, controller } = deadline;
    if (caller !== undefined && answer !== undefined) this.#bodies.tie(answer, caller, controller);
  }

  #leave(deadline: Running): boolean {
    if (!this.#underWay.delete(deadline)) return false;
    deadline.forgetCaller?.();
    if (this.#underWay.size === 0) this.#disarm();
    return true;
  }

  /** One timer for all: it is set for the oldest, and need not be moved when that one ends. */
  #arm(ms: number, excused = false): void {
    this.#disarm();
    this.#wakeMono = this.#clock.monotonic() + ms;
    this.#cancelTimer = this.#clock.timer(ms, () => this.#wake(excused), { unref: true });
  }

  #disarm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #wake(excused: boolean): void {
    const nowMono = this.#clock.monotonic();
    if (!excused && nowMono - this.#wakeMono > STOOD_STILL_MS) {
      this.#arm(TAKE_IN_MS, true);
      return;
    }
    for (const deadline of this.#underWay) {
      const leftMs = deadline.dueMono - nowMono;
      if (leftMs > 0) {
        this.#arm(leftMs);
        return;
      }
      this.#leave(deadline);
      deadline.controller.abort(this.#timeUp());
    }
  }

  #timeUp(): DOMException {
    return new DOMException(
      `GitHub had not begun to answer after ${this.#timeoutMs / 1_000} s, so the request was given up; a write may have been made all the same. Requests of agents that share a quota have an end (option requestTimeoutMs), because the units of an agent that died go to the others when none of its requests can be charged any more.`,
      "TimeoutError",
    );
  }
}
