import type { Exchange } from "../observed.js";
import type { Replay } from "./replay.js";
import { type AvoidableReason, type ExchangeClass, isSparedBySquad, type Verdict } from "./verdict.js";

/** Exchanges and what they cost. */
export interface Sum {
  readonly exchanges: number;
  readonly units: number;
}

/** What the exchanges of a trace were worth; see {@link ExchangeClass}. */
export interface Classes {
  readonly byClass: readonly ({ readonly class: ExchangeClass } & Sum)[];
  readonly byReason: readonly ({ readonly reason: AvoidableReason } & Sum)[];
  /** What was charged in all. */
  readonly actual: Sum;
  /** What squadRate would have been charged: without duplicates, unchanged reads and refused requests. */
  readonly withSquadRateUnits: number;
  /** The same with guards before queries: without repeated queries too. */
  readonly withGuardsUnits: number;
  /**
   * First reads of a credential of what another credential had read. squadRate asks about the other's body, which is free
   * if both may see the very same; a trace does not tell, so they are not among what is spared.
   */
  readonly ofOtherCredentials: Sum;
  /** Targets that the replay had to forget; the more, the more could have been spared than it says. */
  readonly forgottenTargets: number;
}

const CLASSES: readonly ExchangeClass[] = ["irreducible", "cacheable", "duplicate", "avoidable", "free", "cannot-tell"];

/** Adds up verdicts. */
export class ClassTally {
  readonly #classes = new Map<ExchangeClass, { exchanges: number; units: number }>();
  readonly #reasons = new Map<AvoidableReason, { exchanges: number; units: number }>();
  #exchanges = 0;
  #units = 0;
  #withSquadRate = 0;
  #withGuards = 0;

  /** Returns the units that could have been spared, by guards as well. */
  add({ units = 0, isRedirected }: Exchange, verdict: Verdict): number {
    this.#exchanges++;
    this.#units += units;
    addTo(this.#classes, verdict.kind, units);
    if (verdict.reason !== undefined) addTo(this.#reasons, verdict.reason, units);
    // A validator does not spare the redirect.
    const sparable = verdict.kind === "cacheable" && isRedirected ? Math.max(0, units - 1) : units;
    const bySquad = isSparedBySquad(verdict) ? sparable : 0;
    const byGuards = verdict.reason === "query-repeated" ? units : 0;
    this.#withSquadRate += units - bySquad;
    this.#withGuards += units - bySquad - byGuards;
    return bySquad + byGuards;
  }

  finish({ forgotten, ofOtherCredentials }: Pick<Replay, "forgotten" | "ofOtherCredentials">): Classes {
    return {
      byClass: CLASSES.map((kind) => ({ class: kind, ...(this.#classes.get(kind) ?? NONE) })),
      byReason: [...this.#reasons].map(([reason, sum]) => ({ reason, ...sum })).sort((a, b) => b.units - a.units),
      actual: { exchanges: this.#exchanges, units: this.#units },
      withSquadRateUnits: this.#withSquadRate,
      withGuardsUnits: this.#withGuards,
      ofOtherCredentials,
      forgottenTargets: forgotten,
    };
  }
}

const NONE: Sum = { exchanges: 0, units: 0 };

function addTo<K>(sums: Map<K, { exchanges: number; units: number }>, key: K, units: number): void {
  const sum = sums.get(key);
  if (sum === undefined) sums.set(key, { exchanges: 1, units });
  else {
    sum.exchanges++;
    sum.units += units;
  }
}
