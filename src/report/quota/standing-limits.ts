import { type Exchange, UNNAMED_PRINCIPAL } from "../observed.js";

/** GitHub asks for a minute when it does not say how long; a trace does not tell what it said. */
const SECONDARY_MS = 60_000;

const MAX_STANDING = 10_000;

/** Requests that a limit refused. */
export interface Refusals {
  readonly primary: number;
  readonly secondary: number;
  /** Of these, sent although a refusal of the same limit had come and could not be over yet. */
  readonly sentWhileBlocked: number;
  readonly units: number;
}

/** Knows which limits stand, as far as refusals and answers in the trace tell it. */
export class StandingLimits {
  readonly #standing = new Map<string, { readonly since: number; readonly until: number }>();
  #primary = 0;
  #secondary = 0;
  #sentWhileBlocked = 0;
  #units = 0;

  /** Whether it was refused by a limit that was known to stand. */
  began(exchange: Exchange): boolean {
    const key = keyOf(exchange, exchange.outcome);
    if (key === undefined) return false;
    if (exchange.outcome === "primary-limit") this.#primary++;
    else this.#secondary++;
    this.#units += exchange.units ?? 0;
    const standing = this.#standing.get(key);
    // What stands has been told by now: refusals are taken in when they come.
    const wasBlocked = standing !== undefined && exchange.at < standing.until;
    if (wasBlocked) this.#sentWhileBlocked++;
    return wasBlocked;
  }

  ended(exchange: Exchange): void {
    const key = keyOf(exchange, exchange.outcome);
    if (key === undefined) {
      this.#answered(exchange);
      return;
    }
    if (!this.#standing.has(key) && this.#standing.size >= MAX_STANDING) return;
    const resetAt = exchange.rate?.resetAt ?? exchange.endedAt + SECONDARY_MS;
    const until = exchange.outcome === "primary-limit" ? resetAt : exchange.endedAt + SECONDARY_MS;
    const since = this.#standing.get(key)?.since;
    const stillStands = since !== undefined && exchange.at >= since;
    this.#standing.set(key, { since: stillStands ? since : exchange.endedAt, until });
  }

  finish(): Refusals {
    return {
      primary: this.#primary,
      secondary: this.#secondary,
      sentWhileBlocked: this.#sentWhileBlocked,
      units: this.#units,
    };
  }

  /** An answer to a later request shows that a limit is over. */
  #answered(exchange: Exchange): void {
    if (this.#standing.size === 0 || exchange.status === undefined || exchange.status >= 400) return;
    for (const outcome of ["primary-limit", "secondary-limit"] as const) {
      const key = keyOf(exchange, outcome) as string;
      const standing = this.#standing.get(key);
      if (standing !== undefined && exchange.at >= standing.since) this.#standing.delete(key);
    }
  }
}

function keyOf({ principal, host, resource }: Exchange, outcome: Exchange["outcome"]): string | undefined {
  const who = `${principal ?? UNNAMED_PRINCIPAL} ${host}`;
  if (outcome === "primary-limit") return `${who} ${resource}`;
  return outcome === "secondary-limit" ? who : undefined;
}
