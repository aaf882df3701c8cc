/** What went wrong, as a stable string to switch on. */
export type SquadRateErrorCode =
  /** Not sent: the traffic light would have made it wait longer than it may. */
  | "SQUAD_RATE_LIGHT"
  /** Not sent: the pool has no units for a call of its priority in the time it may wait. */
  | "SQUAD_RATE_POOL"
  /** Not sent: its resource is about to be used up long before its reset, and more urgent calls go first. */
  | "SQUAD_RATE_BREAKER"
  /** Not sent: GitHub has refused a request because the quota is used up. */
  | "SQUAD_RATE_PRIMARY"
  /** Not sent: a secondary limit, or the pause that GitHub asks for between writes, has no room for it in time. */
  | "SQUAD_RATE_SECONDARY"
  /** Not sent: GitHub refused a request of the pool by a secondary limit, and everybody holds back for a while. */
  | "SQUAD_RATE_COOLDOWN"
  /** The store failed, and the call was about the store alone. */
  | "SQUAD_RATE_STORE"
  /** A wrong or unknown option. */
  | "SQUAD_RATE_OPTIONS"
  /** The squad is closed. */
  | "SQUAD_RATE_CLOSED";

/** Everything a {@link SquadRateError} says beyond its message. */
export interface SquadRateErrorDetails {
  readonly resource?: string | undefined;
  readonly retryAt?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly explain?: readonly string[] | undefined;
  readonly remedy?: string | undefined;
  readonly cause?: unknown;
}

/** Registered, so that two copies of this package in one process recognise each other's errors. */
const brand: unique symbol = Symbol.for("octokit-plugin-squad-rate.error") as never;

/** A code of these speaks of a limit: the caller may come back later, as after a 429. */
const NOT_A_LIMIT: ReadonlySet<SquadRateErrorCode> = new Set([
  "SQUAD_RATE_OPTIONS",
  "SQUAD_RATE_CLOSED",
  "SQUAD_RATE_STORE",
]);

/**
 * The one error that this package throws of itself. GitHub's own errors reach the caller as Octokit's `RequestError`.
 *
 * It carries neither `request` nor `response`, so that retry and throttling plugins of the host let it pass at once.
 */
export class SquadRateError extends Error {
  override readonly name = "SquadRateError";
  readonly code: SquadRateErrorCode;
  /** 429 when a limit is the reason, otherwise undefined. */
  readonly status: 429 | undefined;
  /** GitHub's name of the limited resource, such as `core`. */
  readonly resource: string | undefined;
  /** Epoch milliseconds from which a new attempt makes sense, where known. */
  readonly retryAt: number | undefined;
  /** The same as a wait from the moment the error was made. */
  readonly retryAfterMs: number | undefined;
  /** One sentence per gate that has a say, with its numbers. */
  readonly explain: readonly string[];
  /** What the reader can do about it. */
  readonly remedy: string | undefined;

  constructor(code: SquadRateErrorCode, message: string, details: SquadRateErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    Object.defineProperty(this, brand, { value: true });
    this.code = code;
    this.status = NOT_A_LIMIT.has(code) ? undefined : 429;
    this.resource = details.resource;
    this.retryAt = details.retryAt;
    this.retryAfterMs = details.retryAfterMs;
    this.explain = details.explain ?? [];
    this.remedy = details.remedy;
  }
}

/**
 * Whether `error` is a {@link SquadRateError}, whichever copy of this package made it.
 *
 * @example
 * ```ts
 * try {
 *   await octokit.request("GET /user");
 * } catch (error) {
 *   if (isSquadRateError(error)) console.log(error.explain.join("\n"));
 *   else throw error;
 * }
 * ```
 */
export function isSquadRateError(error: unknown): error is SquadRateError {
  return typeof error === "object" && error !== null && (error as { [brand]?: unknown })[brand] === true;
}
