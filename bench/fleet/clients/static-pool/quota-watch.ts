import type { FleetAgent } from "../../../../src/sim/fleet/client.js";

/** What rate headers say of a resource. */
export interface RateHeaders {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch milliseconds. */
  readonly resetAt: number;
}

const AMBER_BELOW = 0.2;
const RED_BELOW = 0.05;
const SAMPLES = 10;
const MIN_SAMPLES = 3;
const WARN_MS = 120_000;
const SUCCESSES_TO_CLOSE = 2;

interface Sample {
  readonly at: number;
  readonly remaining: number;
}

/**
 * The traffic light and the predictive breaker of one resource in one process, as described. The breaker reckons from its
 * first sample to its last, and knows nothing of resets. In one thing it is kinder than described: a light whose window is
 * over turns green, since otherwise nobody would ever ask again.
 */
export class QuotaWatch {
  #headers: RateHeaders | undefined;
  #samples: readonly Sample[] = [];
  #openUntil = 0;
  #successes = SUCCESSES_TO_CLOSE;

  mayCall({ priority }: FleetAgent, now: number): boolean {
    return this.#lightLets(priority, now) && now >= this.#openUntil;
  }

  /** When the window ends, epoch milliseconds; 0 before the first answer. */
  get resetAt(): number {
    return this.#headers?.resetAt ?? 0;
  }

  /** An answer was no refusal. */
  succeeded(): void {
    this.#successes += 1;
  }

  refused(now: number): void {
    this.#open(now);
  }

  note(headers: RateHeaders, now: number): void {
    this.#headers = headers;
    this.#samples = [...this.#samples, { at: now, remaining: headers.remaining }].slice(-SAMPLES);
    const [first] = this.#samples;
    if (first === undefined || this.#samples.length < MIN_SAMPLES || now <= first.at) return;
    const perMs = (first.remaining - headers.remaining) / (now - first.at);
    // Half-open until two successes: then it looks again.
    if (perMs > 0 && headers.remaining / perMs < WARN_MS && this.#successes >= SUCCESSES_TO_CLOSE) this.#open(now);
  }

  #lightLets(priority: FleetAgent["priority"], now: number): boolean {
    if (this.#headers === undefined || now >= this.#headers.resetAt) return true;
    const { remaining, limit } = this.#headers;
    if (remaining / limit > AMBER_BELOW) return true;
    return priority === 0 && remaining / limit > RED_BELOW;
  }

  #open(now: number): void {
    this.#openUntil = now + WARN_MS;
    this.#successes = 0;
  }
}
