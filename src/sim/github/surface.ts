import type { SimulatedExchange } from "./exchange-log.js";
import type { FaultHandle, FaultScript } from "./faults.js";
import type { LedgerEntry } from "./ledger.js";
import type { Listening, ListenOptions } from "./listening.js";
import type { ResourceName } from "./resource.js";
import type { SecondaryPeak } from "./secondary-peaks.js";
import type { SimulatedWorld } from "./world/world.js";

/** How much of a quota is used, as the rate headers would say it. */
export interface QuotaUsage {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** GitHub's clock, epoch milliseconds. */
  readonly resetAt: number;
}

/** A GitHub of your own. */
export interface SimulatedGitHub {
  /** Reaches the simulated GitHub from within this process, on the clock it was given. */
  readonly fetch: typeof globalThis.fetch;
  /** The same from another IP address than `203.0.113.7`; the address is the principal of unauthenticated requests. */
  fetchFrom(address: string): typeof globalThis.fetch;
  /** Changes what it holds. */
  readonly world: SimulatedWorld;
  /** The exchanges so far, oldest first, at most `logLimit`. */
  readonly log: readonly SimulatedExchange[];
  /** What was charged and refused by principal, resource and window. */
  ledger(principal?: string): readonly LedgerEntry[];
  /**
   * A quota, read without charging: a token's, or a principal's such as `address:203.0.113.7` (with the limit that its
   * kind has by default). Default resource `core`.
   */
  usage(who: string, resource?: ResourceName): QuotaUsage;
  /**
   * How full each secondary limit of a token's principal was at its fullest, as requests found it that were let in or broke
   * it; none where secondary limits are off. With `{ restart: true }` it is noted anew from now on.
   */
  secondaryPeaks(token: string, options?: { readonly restart?: boolean }): readonly SecondaryPeak[];
  /** Spends a token's quota behind everybody's back, as somebody outside the squad would. */
  consume(token: string, resource: ResourceName, units: number): void;
  /** Lets the next requests that match fail. */
  fault(script: FaultScript): FaultHandle;
  /** Refuses everything a token sends for `forMs`, as a secondary limit would. */
  block(token: string, forMs: number): void;
  /** Sets GitHub's clock minus ours, in milliseconds. */
  setClockSkew(skewMs: number): void;
  /**
   * Serves the same model over HTTP, for other processes and clients; on a virtual clock, time still moves only when the
   * clock is told to. With `{ control: true }` the methods of this object are offered as JSON under `/__sim/`.
   */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Forgets windows, refusals, log, ledger and faults, and with `{ world: true }` everything else. */
  reset(what?: { readonly world?: boolean }): void;
}
