import type { CancelTimer, Clock } from "../../clock.js";
import type { GitHubTime } from "../../pool/github-time.js";

/** How far a process's idea of GitHub's time is off, in milliseconds. */
export interface ClockFaults {
  /** Until an answer has told GitHub's time. */
  readonly skewMs: number;
  /** From then on. */
  readonly errorMs: number;
}

/** A process and its machine: its clocks, and what becomes of events while it cannot run. */
export class FleetProcess {
  readonly name: string;
  readonly clock: Clock;
  readonly time: GitHubTime;
  readonly #loop: Clock;
  #life: "runs" | "stopped" | "suspended" | "dead" = "runs";
  readonly #held: (() => void)[] = [];
  #timeTold = false;
  #wokeAt = Number.NEGATIVE_INFINITY;
  #suspendedAt = 0;
  /** How long the monotonic clock has stood still: in all, and since an answer told GitHub's time. */
  #stoodMs = 0;
  #behindMs = 0;

  constructor(name: string, loop: Clock, faults: ClockFaults) {
    this.name = name;
    this.#loop = loop;
    this.clock = {
      now: () => loop.now(),
      monotonic: () => loop.monotonic() - this.#stoodMs - this.#standsMs(),
      timer: (ms, callback) => this.#timer(ms, callback),
    };
    const { errorMs, skewMs } = faults;
    const behindMs = (): number => this.#behindMs + this.#standsMs();
    this.time = {
      now: () => loop.now() - behindMs() + (this.#timeTold ? errorMs : skewMs),
      known: () => this.#timeTold && behindMs() === 0,
      jumpMs: () => (this.#timeTold ? behindMs() : 0),
    };
  }

  get runs(): boolean {
    return this.#life === "runs";
  }

  get dead(): boolean {
    return this.#life === "dead";
  }

  /** Lets something happen in the process: not if it is dead, and later if it is stopped or suspended. */
  in(callback: () => void): void {
    if (this.#life === "runs") callback();
    else if (this.#life !== "dead") this.#held.push(callback);
  }

  kill(): void {
    this.#life = "dead";
  }

  /** SIGSTOP: its clocks go on. */
  stop(): void {
    if (this.runs) this.#life = "stopped";
  }

  /** Its machine sleeps: the monotonic clock stands still, and timers with it. */
  suspend(): void {
    if (!this.runs) return;
    this.#life = "suspended";
    this.#suspendedAt = this.#loop.now();
  }

  /** It runs again, and what it has missed happens. */
  goOn(): void {
    if (this.runs || this.dead) return;
    if (this.#life === "suspended") {
      this.#stoodMs += this.#standsMs();
      this.#behindMs += this.#standsMs();
      this.#wokeAt = this.#loop.now();
    }
    this.#life = "runs";
    for (const callback of this.#held.splice(0)) this.in(callback);
  }

  /** An answer to a request of that time tells GitHub's; one that was overtaken by sleep tells nothing. */
  tellTime(sentAt: number): void {
    if (sentAt < this.#wokeAt) return;
    this.#timeTold = true;
    this.#behindMs = 0;
  }

  #standsMs(): number {
    return this.#life === "suspended" ? this.#loop.now() - this.#suspendedAt : 0;
  }

  #timer(ms: number, callback: () => void): CancelTimer {
    let dueAt = this.#loop.now() + Math.max(0, ms);
    let stoodMs = this.#stoodMs;
    let cancelled = false;
    const fire = (): void => {
      if (cancelled) return;
      if (this.#stoodMs === stoodMs) {
        callback();
        return;
      }
      dueAt += this.#stoodMs - stoodMs;
      stoodMs = this.#stoodMs;
      arm();
    };
    const arm = (): void => {
      cancel = this.#loop.timer(dueAt - this.#loop.now(), () => this.in(fire));
    };
    let cancel: CancelTimer;
    arm();
    return () => {
      cancelled = true;
      cancel();
    };
  }
}
