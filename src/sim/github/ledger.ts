import type { ResourceName } from "./resource.js";
import type { WindowReading } from "./windows.js";

/** What one principal spent in one window of one resource. */
export interface LedgerEntry {
  /** `user:1001`, `installation:1001`, `actions:1001` or `address:203.0.113.7`. */
  readonly principal: string;
  readonly resource: ResourceName;
  /** The window's reset on GitHub's clock, epoch milliseconds. */
  readonly resetAt: number;
  /** Units charged for requests. */
  readonly chargedUnits: number;
  /** Units that `consume` spent. */
  readonly hiddenUnits: number;
  readonly refusedByPrimary: number;
  readonly refusedBySecondary: number;
  /** Requests sent while a secondary refusal still stood. */
  readonly sentWhileBlocked: number;
}

type Counts = Omit<LedgerEntry, "principal" | "resource" | "resetAt">;

const NOTHING: Counts = {
  chargedUnits: 0,
  hiddenUnits: 0,
  refusedByPrimary: 0,
  refusedBySecondary: 0,
  sentWhileBlocked: 0,
};

/** Adds up what was charged and refused, by principal, resource and window. */
export class Ledger {
  readonly #entries = new Map<string, LedgerEntry>();

  add(principal: string, reading: Pick<WindowReading, "resource" | "resetAt">, counts: Partial<Counts>): void {
    const key = `${principal} ${reading.resource} ${reading.resetAt}`;
    const old = this.#entries.get(key) ?? {
      principal,
      resource: reading.resource,
      resetAt: reading.resetAt,
      ...NOTHING,
    };
    const next = { ...old };
    for (const name of Object.keys(counts) as (keyof Counts)[]) next[name] = old[name] + (counts[name] ?? 0);
    this.#entries.set(key, next);
  }

  /** The entries in the order in which they began; of one principal if given. */
  entries(principal?: string): readonly LedgerEntry[] {
    const entries = [...this.#entries.values()];
    return principal === undefined ? entries : entries.filter((entry) => entry.principal === principal);
  }

  clear(): void {
    this.#entries.clear();
  }
}
