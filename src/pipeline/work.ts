import { onAbort } from "../call/on-abort.js";
import type { CancelTimer, Clock } from "../clock.js";
import { endOf, judgeWork, type WorkQuestion, type WorkVerdict } from "./work-verdict.js";

export type { Held, WorkPool, WorkVerdict } from "./work-verdict.js";

/** What a {@link Work} is made with. */
export interface WorkOptions extends Pick<WorkQuestion, "agent" | "dependsOn"> {
  readonly clock: Clock;
  readonly own: () => WorkQuestion["own"];
  readonly pools: () => WorkQuestion["pools"];
  /**
   * Called when somebody asks, or waits: the agent is alive, and wants to know how things are. Returns whether newer word
   * of others is on its way, which a call of the listener follows.
   */
  readonly refresh: () => boolean;
  /** Has `listener` called whenever a verdict may have changed; returns what takes it off again. */
  readonly subscribe: (listener: () => void) => () => void;
  /** The verdict is another, or its end has moved noticeably. */
  readonly onChange: (verdict: WorkVerdict) => void;
}

interface Waiter {
  readonly settle: () => void;
  readonly fail: (reason: unknown) => void;
}

/** How often one is asked again who waits for others, of whose news nobody may have told. */
const AGAIN_MS = 10_000;
/** How long newer word is awaited before work begins on an old one; stores mostly answer within a quarter of this. */
const PATIENCE_MS = 1_000;
/** An end that moves by less is the same verdict. */
const NOTICEABLE_MS = 15_000;
/** An end that has come by now must not make the timer spin. */
const SOONEST_MS = 1;

/**
 * Whether this squad's agent may begin new work, told at any moment, awaited, and told of by itself when it changes. Calls
 * that have begun are not its business. There is a timer only while the answer is no or somebody waits, and it keeps the
 * process alive only while somebody does.
 *
 * @example
 * ```ts
 * work.canStart(); // { ok: false, why: "ralph waits: data, which it depends on, is blocked for another 2 min", until }
 * await work.untilCanStart(AbortSignal.timeout(600_000));
 * ```
 */
export class Work {
  readonly #options: WorkOptions;
  readonly #waiters = new Set<Waiter>();
  readonly #unsubscribe: () => void;
  #told: WorkVerdict = { ok: true };
  /** Until when newer word is awaited though the last one is yes; monotonic. */
  #patientUntil: number | undefined;
  #isQueued = false;
  #cancelWake: CancelTimer | undefined;
  #closed: { readonly reason: unknown } | undefined;

  constructor(options: WorkOptions) {
    this.#options = options;
    this.#unsubscribe = options.subscribe(() => this.#queueLook());
  }

  /** Somebody waits until work can begin. */
  get isAwaited(): boolean {
    return this.#waiters.size > 0;
  }

  /** From what is known now; newer word is asked for, and is there the next time. Never waits. */
  canStart(): WorkVerdict {
    if (this.#closed === undefined) this.#options.refresh();
    return this.#look();
  }

  /**
   * Resolves when work can begin, after a look at the store if what is known is old. Rejects with the signal's reason as
   * soon as it aborts, and with the reason of {@link Work.close}.
   */
  untilCanStart(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      if (this.#closed !== undefined) return reject(this.#closed.reason);
      const leave = (): void => {
        forgetSignal?.();
        this.#waiters.delete(waiter);
      };
      const waiter: Waiter = {
        settle: () => {
          leave();
          resolve();
        },
        fail: (reason) => {
          leave();
          reject(reason);
        },
      };
      const forgetSignal =
        signal &&
        onAbort(signal, () => {
          waiter.fail(signal.reason);
          // The timer was for whoever waits.
          if (!this.isAwaited) this.#look();
        });
      this.#waiters.add(waiter);
      this.#look();
    });
  }

  /** Ends every wait, present and future, with `reason`, and watches nothing any more. */
  close(reason: unknown): void {
    if (this.#closed !== undefined) return;
    this.#closed = { reason };
    this.#unsubscribe();
    this.#cancelWake?.();
    for (const waiter of this.#waiters) waiter.fail(reason);
  }

  #queueLook(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    queueMicrotask(() => {
      this.#isQueued = false;
      this.#look();
    });
  }

  #look(): WorkVerdict {
    const { clock, agent, dependsOn, own, pools, refresh } = this.#options;
    if (this.#closed !== undefined) return { ok: false, why: `${agent}'s squad is closed`, until: undefined };
    const newsIsComing = this.isAwaited && refresh();
    const now = clock.now();
    const others = dependsOn.length === 0 ? [] : pools();
    const { verdict, byOthers } = judgeWork({ agent, dependsOn, own: own(), pools: others, now });
    if (!verdict.ok) this.#patientUntil = undefined;
    else if (!this.#isPatient(newsIsComing)) for (const waiter of this.#waiters) waiter.settle();
    this.#plan(verdict, byOthers);
    this.#tell(verdict);
    return verdict;
  }

  /** Whether those who wait are to wait a moment longer, lest they begin on an old word. */
  #isPatient(newsIsComing: boolean): boolean {
    const now = this.#options.clock.monotonic();
    this.#patientUntil ??= now + PATIENCE_MS;
    if (newsIsComing && now < this.#patientUntil) return true;
    this.#patientUntil = undefined;
    return false;
  }

  #plan(verdict: WorkVerdict, byOthers: boolean): void {
    const { clock } = this.#options;
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    let afterMs = Number.POSITIVE_INFINITY;
    if (!verdict.ok) afterMs = Math.min(endOf(verdict) - clock.now(), byOthers ? AGAIN_MS : Number.POSITIVE_INFINITY);
    else if (this.#patientUntil !== undefined) afterMs = this.#patientUntil - clock.monotonic();
    if (afterMs === Number.POSITIVE_INFINITY) return;
    const options = { unref: !this.isAwaited };
    this.#cancelWake = clock.timer(Math.max(SOONEST_MS, afterMs), () => this.#look(), options);
  }

  #tell(verdict: WorkVerdict): void {
    const told = this.#told;
    // Two that nobody has set an end to are as far apart as no number is.
    const movedMs = Math.abs(endOf(verdict) - endOf(told));
    if (verdict.ok === told.ok && (Number.isNaN(movedMs) || movedMs <= NOTICEABLE_MS)) return;
    this.#told = verdict;
    this.#options.onChange(verdict);
  }
}
