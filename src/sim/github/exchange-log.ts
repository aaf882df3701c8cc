import type { ResourceName } from "./resource.js";
import type { SecondaryReason } from "./secondary-limits.js";
import type { CredentialKind } from "./world/credentials.js";

/** One request and its answer, as the simulated GitHub saw it. Holds no token. */
export interface SimulatedExchange {
  /** 1, 2, 3, … in the order of arrival. */
  readonly id: number;
  /** The answer's `X-GitHub-Request-Id`. */
  readonly requestId: string;
  /** GitHub's clock at arrival, epoch milliseconds. */
  readonly at: number;
  /** The injected clock at arrival and when the answer left, epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Route template, such as `GET /repos/{owner}/{repo}`; undefined when no route matched. */
  readonly route: string | undefined;
  readonly principal: string;
  readonly credential: CredentialKind;
  readonly resource: ResourceName;
  readonly status: number;
  /** Units of primary quota. */
  readonly chargedUnits: number;
  /** The reset of the window they were booked in, on GitHub's clock, epoch milliseconds. */
  readonly resetAt: number;
  /** Secondary-limit points. */
  readonly points: number;
  /** Milliseconds of work that the secondary limits count: the time it took, without a scripted delay. */
  readonly workMs: number;
  /** Whether the request was conditional, and whether it earned a 304. */
  readonly conditional: "none" | "hit" | "miss";
  /** The client sent this although a secondary refusal still stood. */
  readonly sentWhileBlocked: boolean;
  readonly refusedBy: "primary" | "secondary" | undefined;
  /** Which secondary limit it was. */
  readonly secondaryReason: SecondaryReason | undefined;
  /** The kind of scripted fault that struck. */
  readonly fault: string | undefined;
}

/** The last exchanges, oldest first. */
export class ExchangeLog {
  readonly #limit: number;
  #exchanges: SimulatedExchange[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get exchanges(): readonly SimulatedExchange[] {
    return this.#exchanges.length > this.#limit ? this.#exchanges.slice(-this.#limit) : this.#exchanges;
  }

  add(exchange: SimulatedExchange): void {
    if (this.#limit === 0) return;
    this.#exchanges.push(exchange);
    // Dropping in halves keeps the cost of forgetting constant.
    if (this.#exchanges.length > 2 * this.#limit) this.#exchanges = this.#exchanges.slice(-this.#limit);
  }

  clear(): void {
    this.#exchanges = [];
  }
}
