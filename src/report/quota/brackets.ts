import { RESET_TOLERANCE_MS } from "../../policy/window.js";
import type { Exchange, ObservedRate, Reading } from "../observed.js";
import { quotaOwner } from "./owner.js";

/** What was used between the first and the last reading of `/rate_limit`. */
export interface Bracket {
  readonly principal: string;
  readonly resource: string;
  readonly readings: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The sum of the differences from reading to reading. */
  readonly usedUnits: number;
  /** What the trace's requests that began between the two were charged. */
  readonly chargedUnits: number;
  /** Resets between readings: what was used after the last reading before each is not in the sum. */
  readonly resetsInside: number;
}

interface Open {
  readonly principal: string;
  readonly resource: string;
  readonly firstAt: number;
  lastAt: number;
  last: ObservedRate;
  readings: number;
  usedUnits: number;
  chargedAtLast: number;
  charged: number;
  resetsInside: number;
}

const MAX_BRACKETS = 500;

/** Adds up what readings of `/rate_limit` show, as a check on all else: they count whatever was spent, by whomever. */
export class Brackets {
  readonly #open = new Map<string, Open>();

  began(exchange: Exchange): void {
    const bracket = this.#open.get(keyOf(exchange.principal, exchange.host, exchange.resource));
    if (bracket !== undefined) bracket.charged += exchange.units ?? 0;
  }

  read(reading: Reading): void {
    for (const [resource, rate] of reading.resources) {
      const key = keyOf(reading.principal, reading.host, resource);
      const bracket = this.#open.get(key);
      if (bracket !== undefined) advance(bracket, rate, reading.at);
      else if (this.#open.size < MAX_BRACKETS) {
        this.#open.set(key, {
          principal: quotaOwner(reading.principal, reading.host).name,
          resource,
          firstAt: reading.at,
          lastAt: reading.at,
          last: rate,
          readings: 1,
          usedUnits: 0,
          chargedAtLast: 0,
          charged: 0,
          resetsInside: 0,
        });
      }
    }
  }

  finish(): readonly Bracket[] {
    return [...this.#open.values()]
      .filter(({ readings, usedUnits, charged }) => readings > 1 && (usedUnits > 0 || charged > 0))
      .map(({ principal, resource, readings, firstAt, lastAt, usedUnits, chargedAtLast, resetsInside }) => ({
        principal,
        resource,
        readings,
        firstAt,
        lastAt,
        usedUnits,
        chargedUnits: chargedAtLast,
        resetsInside,
      }))
      .sort((a, b) => b.usedUnits - a.usedUnits);
  }
}

function advance(bracket: Open, rate: ObservedRate, at: number): void {
  const { last } = bracket;
  const isSameWindow =
    rate.resetAt === undefined ||
    last.resetAt === undefined ||
    Math.abs(rate.resetAt - last.resetAt) <= RESET_TOLERANCE_MS ||
    // Nothing was used: the window was not open, and its reset floated.
    last.used === 0;
  if (isSameWindow) bracket.usedUnits += Math.max(0, rate.used - last.used);
  else {
    bracket.usedUnits += rate.used;
    bracket.resetsInside++;
  }
  bracket.last = rate;
  bracket.lastAt = at;
  bracket.readings++;
  bracket.chargedAtLast = bracket.charged;
}

function keyOf(principal: string | undefined, host: string, resource: string): string {
  return `${quotaOwner(principal, host).key}\n${resource}`;
}
