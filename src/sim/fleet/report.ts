import type { LedgerEntry } from "../github/ledger.js";
import type { ResourceName } from "../github/resource.js";
import type { SecondaryLimitName } from "../github/secondary-peaks.js";

/** How times are spread, in milliseconds. All are 0 where there is none. */
export interface FleetTimes {
  readonly count: number;
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/**
 * What became of a fleet: plain JSON. Unless it says otherwise, a figure is of the measured time: of requests sent, polls
 * begun and calls made in it. Shares are 0 to 1.
 */
export interface FleetReport {
  readonly v: 1;
  /** Epoch milliseconds on the fleet's time. */
  readonly measuredFrom: number;
  readonly measuredTo: number;
  readonly agents: number;
  readonly sessions: number;
  readonly processes: number;
  readonly exchanges: FleetExchanges;
  readonly polls: FleetPolls;
  readonly calls: FleetCalls;
  /** Every window of the whole run in which the fleet's identity spent anything, in the order in which they began. */
  readonly windows: readonly FleetWindow[];
  /** GitHub's limits and how full they were at their fullest, the fullest first. */
  readonly limits: readonly FleetLimit[];
  readonly inversions: FleetInversions;
  readonly store: FleetStoreUse;
  /** What GitHub charged and refused in the whole run, by principal, resource and window. */
  readonly ledger: readonly LedgerEntry[];
  /** Requests of the whole run. */
  readonly allExchanges: number;
}

/** Requests as GitHub saw them. */
export interface FleetExchanges {
  readonly count: number;
  readonly perMinute: number;
  /** In the fullest minute by the clock. */
  readonly busiestMinute: number;
  /** GraphQL queries and mutations. */
  readonly graphql: number;
  /** Primary quota, by resource; refused requests are charged too. */
  readonly unitsPerHour: Readonly<Partial<Record<ResourceName, number>>>;
  /** Of the time before anything was measured. */
  readonly warmUpUnits: Readonly<Partial<Record<ResourceName, number>>>;
  /** From arrival to answer. */
  readonly answers: FleetTimes;
  readonly conditional: FleetConditionalReads;
  readonly refused: FleetRefusals;
  /** Answers 500 and above. */
  readonly serverErrors: number;
}

/** Reads by REST. */
export interface FleetConditionalReads {
  /** GETs that GitHub did not refuse. */
  readonly reads: number;
  /** Those with a validator: a free 304, something new, or a failure. */
  readonly hits: number;
  readonly misses: number;
  readonly errors: number;
  /** 304s of all reads that were not refused. */
  readonly hitShare: number;
}

/** Requests that a rate limit refused. */
export interface FleetRefusals {
  readonly primary: number;
  readonly secondary: number;
  /** Of the secondary ones, by the limit that was broken. */
  readonly secondaryReasons: Readonly<Record<string, number>>;
  /** Sent while a secondary refusal still stood. */
  readonly sentWhileBlocked: number;
}

/** Polls for sessions; one for a group of ten sessions counts ten times. */
export interface FleetPolls {
  readonly count: number;
  readonly failed: number;
  /** Begun and not ended when the run was over, by processes that were alive. */
  readonly open: number;
  /** How often a poll should begin, and how long it was from one beginning to the next. */
  readonly targetMs: number;
  readonly cycle: FleetTimes;
  readonly took: FleetTimes;
  /**
   * What sessions were given that had not been so at any moment of their poll, by name of the need; `missing` were given
   * nothing. Of the whole run: a client that serves staler data than the poll has not met the needs.
   */
  readonly unmet: Readonly<Record<string, number>>;
  /** Why polls failed, and how often, in the whole run. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Calls that agents make by themselves. */
export interface FleetCalls {
  readonly all: FleetCallFigures;
  /** By priority: of P0, P1 and P2. */
  readonly byPriority: readonly [FleetCallFigures, FleetCallFigures, FleetCallFigures];
  /** By what the scenario calls the agents. */
  readonly byName: Readonly<Record<string, FleetCallFigures>>;
  /** Answers that were never so between call and answer, in the whole run. */
  readonly stale: number;
  /** The single calls of which polls consist, as far as the client has them timed; waiting included. */
  readonly ofPolls: FleetTimes;
}

/** Of calls alike. */
export interface FleetCallFigures {
  readonly made: number;
  readonly answered: number;
  readonly failed: number;
  /** Neither when the run was over, or their process died. */
  readonly open: number;
  readonly perMinute: number;
  /** From the call to its answer, waiting included; only of those that were answered. */
  readonly took: FleetTimes;
  /** Why they failed, and how often. */
  readonly failures: Readonly<Record<string, number>>;
}

/** What was spent in one window of primary quota. */
export interface FleetWindow {
  readonly resource: ResourceName;
  /** GitHub's clock, epoch milliseconds. */
  readonly resetAt: number;
  readonly limit: number;
  /** Charged and hidden together. */
  readonly used: number;
  /** Units charged for requests, refused ones included. */
  readonly charged: number;
  /** Units spent by somebody outside the fleet. */
  readonly hidden: number;
  /** Requests that were refused because nothing was left. */
  readonly refused: number;
}

/** A limit of GitHub's: a secondary one, or a resource's units. */
export interface FleetLimit {
  readonly limit: SecondaryLimitName | `${ResourceName}-units`;
  /** Of points per endpoint: the endpoint that was used most. */
  readonly endpoint?: string;
  /**
   * Units: the more of the fullest window and of what a whole window takes at the pace of the measured time, hidden use
   * included. Else what had been used at the fullest moment, in its last minute or hour.
   */
  readonly used: number;
  readonly allowed: number;
  /** 1 and more: requests were refused for it. */
  readonly share: number;
}

/**
 * Less urgent calls that were sent, and charged, while more urgent ones waited that were entitled to go first: those had
 * waited for at least so long, of a class that had been charged less of the window than its part of what the fleet has,
 * 40, 35 and 25 % of P0, P1 and P2 among the classes present. Only what GitHub and callers see is counted: a call that has
 * been granted units and waits for something else counts as waiting, content writes apart, which have limits of their own.
 * Calls of polls are not seen. A unit that was lent before the urgent call came may be spent for a thirtieth of a window.
 */
export interface FleetInversions {
  /** How often, by how long the more urgent call had waited, the shortest first. */
  readonly byWait: readonly { readonly waitedMs: number; readonly count: number }[];
  /** What the squads' own pool did, if they share one. */
  readonly pool: FleetGrants;
}

/** What was written into the quota that squads share, in the whole run. */
export interface FleetGrants {
  readonly updates: number;
  /** Updates that moved units to a process. */
  readonly grants: number;
  /**
   * Grants that left fewer units free than more urgent classes' waiting calls needed within their entitlement; see "No
   * inversion" in docs/pool.md. Those of processes that had not heard GitHub's time are not held against them.
   */
  readonly inversions: number;
}

/** Operations on the fleet's store in the measured time. */
export interface FleetStoreUse {
  readonly operations: number;
  /** Per request to GitHub. */
  readonly perExchange: number;
}
