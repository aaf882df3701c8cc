import { onAbort } from "../call/on-abort.js";
import type { CancelTimer, Clock } from "../clock.js";
import type { Priority } from "../policy/light.js";
import type { MustWait, WaitingCall, WaitOutcome, WaitRequest } from "./wait-request.js";

export type { MustWait, WaitingCall, WaitOutcome, WaitRequest } from "./wait-request.js";

/** A wait's two ends, and what it was told last. Everything due is compared in monotonic time. */
interface Waiter {
  readonly request: WaitRequest<{ readonly kind: "go" }>;
  readonly since: number;
  readonly deadlineMono: number;
  dueMono: number;
  told: MustWait;
  readonly settle: (outcome: WaitOutcome<{ readonly kind: "go" }>) => void;
  readonly fail: (reason: unknown) => void;
}

/** A gate that names a moment already past is asked again after this long, so that it cannot spin. */
const SOONEST_MS = 1;
/** One more than the least urgent class. */
const ALL_CLASSES = 3;
/** A gate that is about to know is awaited beyond the deadline, but no longer than this. */
const BRIEFLY_MS = 2_000;

/**
 * Where calls wait until their gates open: by priority, then by arrival, on one timer. Waits are kept in monotonic time,
 * so setting the machine's clock neither ends nor lengthens them.
 *
 * A call that the gates admit at once never enters. A waiter is asked again when the time it was told has come, before
 * anybody less urgent is asked, and when {@link WaitingRoom.poke} says that something else has changed. A pending wait
 * keeps the process alive.
 *
 * @example
 * ```ts
 * const outcome = await room.wait({ priority: 1, agent: "ralph", resource: "core", deadlineAt, decide });
 * if (outcome.kind === "refused") throw new SquadRateError("SQUAD_RATE_LIGHT", outcome.why);
 * ```
 */
export class WaitingRoom {
  readonly #clock: Clock;
  /** Sets keep arrival order, and a waiter leaves one at no cost. */
  readonly #byPriority: readonly [Set<Waiter>, Set<Waiter>, Set<Waiter>] = [new Set(), new Set(), new Set()];
  #closed = false;
  #queued: "nothing" | "due" | "all" = "nothing";
  #sweeping = false;
  /** When the timer fires; `Infinity` without one, `-Infinity` when it has fired and the sweep is on its way. */
  #wakeMono = Number.POSITIVE_INFINITY;
  #cancelWake: CancelTimer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many calls wait. */
  get size(): number {
    return this.#byPriority[0].size + this.#byPriority[1].size + this.#byPriority[2].size;
  }

  /**
   * Resolves to the gates' "go", to `refused` as soon as the wait is known to outlast the deadline, or to `closed`.
   * Rejects at once with the signal's reason when it aborts, and with whatever `decide` throws. After a "go" an abort
   * is the caller's to see: the reservation is already taken.
   */
  wait<Go extends { readonly kind: "go" }>(request: WaitRequest<Go>): Promise<WaitOutcome<Go>> {
    return new Promise((resolve, reject) => {
      if (request.signal?.aborted === true) return reject(request.signal.reason);
      if (this.#closed) return resolve({ kind: "closed" });
      if (this.othersComeFirst() || this.#hasMoreUrgent(request.priority)) {
        this.#enter(request, this.#notAskedYet(), resolve, reject).dueMono = Number.NEGATIVE_INFINITY;
        this.#queueSweep("due");
        return;
      }
      const word = request.decide();
      if (word.kind === "go") return resolve(word);
      const waiter = this.#enter(request, word, resolve, reject);
      this.#tell(waiter, word);
      if (this.#holds(waiter) && waiter.dueMono < this.#wakeMono) this.#setWake(waiter.dueMono);
    });
  }

  /** Something has changed (an observation, a refund, a grant): asks everybody again, once per turn however often called. */
  poke(): void {
    if (this.size > 0) this.#queueSweep("all");
  }

  /** Whether a call of this agent waits. */
  hasCallOf(agent: string): boolean {
    for (const waiters of this.#byPriority) for (const { request } of waiters) if (request.agent === agent) return true;
    return false;
  }

  /** Who waits, in the order in which they will be asked. */
  list(): readonly WaitingCall[] {
    return this.#byPriority.flatMap((waiters) =>
      Array.from(waiters, ({ request: { agent, priority, resource }, since, told: { untilAt, why } }) => ({
        agent,
        priority,
        resource,
        since,
        untilAt,
        why,
      })),
    );
  }

  /** Ends every wait, present and future, with `closed`. */
  close(): void {
    this.#closed = true;
    for (const waiters of this.#byPriority) for (const waiter of waiters) waiter.settle({ kind: "closed" });
  }

  /** Whether something may have changed for those who wait already, who are then asked before a newcomer. */
  othersComeFirst(): boolean {
    if (this.size === 0) return false;
    return this.#queued !== "nothing" || this.#sweeping || this.#wakeMono <= this.#clock.monotonic();
  }

  /** They wait until they were told to, and may be let go sooner than that: who is less urgent must not come before them. */
  #hasMoreUrgent(priority: Priority): boolean {
    return this.#byPriority.some((waiters, other) => other < priority && waiters.size > 0);
  }

  #holds(waiter: Waiter): boolean {
    return this.#byPriority[waiter.request.priority].has(waiter);
  }

  #notAskedYet(): MustWait {
    return { kind: "wait", gate: "light", untilAt: this.#clock.now(), why: "about to be decided" };
  }

  #enter<Go extends { readonly kind: "go" }>(
    request: WaitRequest<Go>,
    told: MustWait,
    resolve: (outcome: WaitOutcome<Go>) => void,
    reject: (reason: unknown) => void,
  ): Waiter {
    const waiters = this.#byPriority[request.priority];
    const leave = (): void => {
      forgetSignal?.();
      waiters.delete(waiter);
      if (this.size === 0) this.#setWake(Number.POSITIVE_INFINITY);
    };
    const now = this.#clock.now();
    const waiter: Waiter = {
      request,
      since: now,
      deadlineMono: this.#clock.monotonic() + (request.deadlineAt - now),
      dueMono: 0,
      told,
      settle: (outcome) => {
        leave();
        // `decide` of this very request made the outcome, so it is its `Go`.
        resolve(outcome as WaitOutcome<Go>);
      },
      fail: (reason) => {
        leave();
        reject(reason);
      },
    };
    waiters.add(waiter);
    const { signal } = request;
    const forgetSignal = signal && onAbort(signal, () => waiter.fail(signal.reason));
    return waiter;
  }

  /** Passes the gates' word on; refuses when it outlasts the deadline. */
  #tell(waiter: Waiter, told: MustWait): void {
    const nowMono = this.#clock.monotonic();
    const untilMono = nowMono + (told.untilAt - this.#clock.now());
    const brief = told.brief === true && nowMono < waiter.deadlineMono + BRIEFLY_MS;
    if (!brief && (untilMono > waiter.deadlineMono || nowMono >= waiter.deadlineMono)) {
      waiter.settle({ kind: "refused", gate: told.gate, untilAt: told.untilAt, why: told.why });
      return;
    }
    waiter.told = told;
    const dueMono = Math.max(untilMono, nowMono + SOONEST_MS);
    waiter.dueMono = Math.min(dueMono, waiter.deadlineMono + (brief ? BRIEFLY_MS : 0));
  }

  #queueSweep(whom: "due" | "all"): void {
    if (this.#queued === "nothing") queueMicrotask(() => this.#sweep());
    if (this.#queued !== "all") this.#queued = whom;
  }

  /** Asks in order; each "go" has taken its units before the next is asked. */
  #sweep(): void {
    const nowMono = this.#clock.monotonic();
    // Limits change, and what a more urgent one was told may have come true before its time.
    const askedBefore = this.#queued === "all" ? ALL_CLASSES : this.#leastUrgentDue(nowMono);
    this.#queued = "nothing";
    this.#sweeping = true;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [priority, waiters] of this.#byPriority.entries()) {
      for (const waiter of waiters) {
        if (priority < askedBefore || waiter.dueMono <= nowMono) this.#ask(waiter);
        if (this.#holds(waiter)) earliest = Math.min(earliest, waiter.dueMono);
      }
    }
    this.#sweeping = false;
    if (earliest !== this.#wakeMono) this.#setWake(earliest);
  }

  #leastUrgentDue(nowMono: number): number {
    for (const priority of [2, 1] as const) {
      for (const waiter of this.#byPriority[priority]) if (waiter.dueMono <= nowMono) return priority;
    }
    return 0;
  }

  #ask(waiter: Waiter): void {
    let word: { readonly kind: "go" } | MustWait;
    try {
      word = waiter.request.decide();
    } catch (error) {
      waiter.fail(error);
      return;
    }
    if (word.kind === "go") waiter.settle(word);
    else this.#tell(waiter, word);
  }

  #setWake(atMono: number): void {
    this.#cancelWake?.();
    this.#wakeMono = atMono;
    this.#cancelWake = undefined;
    if (atMono === Number.POSITIVE_INFINITY) return;
    this.#cancelWake = this.#clock.timer(atMono - this.#clock.monotonic(), () => {
      this.#wakeMono = Number.NEGATIVE_INFINITY;
      this.#queueSweep("due");
    });
  }
}
