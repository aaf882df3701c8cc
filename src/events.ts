import { type Channel, channel } from "node:diagnostics_channel";
import type { CacheOutcome } from "./call/cache-outcome.js";
import type { OutcomeKind } from "./call/outcome.js";
import type { Light, Priority } from "./policy/light.js";
import type { ShareEvent } from "./policy/share/report.js";
import type { TraceRecord } from "./trace/record.js";

/** Who makes a call and what it is, as far as every event tells it. */
export interface CallFacts {
  readonly agent: string;
  readonly priority: Priority;
  readonly session: string | undefined;
  readonly operation: string | undefined;
  readonly method: string;
  /** Method and route template, such as `GET /repos/{owner}/{repo}/pulls`; never an identifier. */
  readonly route: string;
  readonly host: string;
  readonly resource: string;
}

/** A call has ended: `squad-rate:call`. */
export interface CallEvent extends CallFacts {
  readonly ok: boolean;
  /** Undefined when the answer did not come through the cache's rules. */
  readonly outcome: CacheOutcome | undefined;
  /** Physical requests sent for it. */
  readonly exchanges: number;
  /** Milliseconds spent in the waiting room. */
  readonly waitMs: number;
  readonly durationMs: number;
}

/** One physical request was answered or failed: `squad-rate:exchange`. */
export interface ExchangeEvent extends CallFacts {
  /** Undefined when there was no answer. */
  readonly status: number | undefined;
  readonly validator: boolean;
  /** Units of primary quota that were set aside for it. */
  readonly reservedUnits: number;
  /** Units of primary quota that it cost, as GitHub's rules say. */
  readonly chargedUnits: number;
  /** The answer itself said what it cost. */
  readonly costTold: boolean;
  /** GraphQL nodes that the answer may have had, where it said so. */
  readonly nodes: number | undefined;
  readonly points: number;
  /** What the answer means to whoever may send again, such as `ok` or `secondary-limit`; undefined without one. */
  readonly outcome: OutcomeKind | undefined;
  readonly durationMs: number;
}

/** A call was told to wait, was refused, or is tried again after it failed: `squad-rate:decision`. */
export interface DecisionEvent extends CallFacts {
  readonly decision: "wait" | "refuse" | "retry";
  readonly why: string;
  /** Epoch milliseconds, this machine's clock. */
  readonly untilAt: number;
}

/** A resource's traffic light has changed: `squad-rate:light`. */
export interface LightEvent {
  readonly principal: string;
  readonly resource: string;
  readonly from: Light;
  readonly to: Light;
  readonly remaining: number;
  readonly limit: number;
}

/** A resource's breaker has opened, closed, or lets a call find out: `squad-rate:breaker`. Times are GitHub's. */
export interface BreakerStateEvent {
  readonly principal: string;
  readonly host: string;
  readonly resource: string;
  readonly from: "closed" | "open" | "half-open";
  readonly to: "closed" | "open" | "half-open";
  readonly limit: number;
  /** Undefined, like the rest, when it has closed. */
  readonly remaining: number | undefined;
  readonly unitsPerMinute: number | undefined;
  /** Milliseconds until nothing remains, at that pace. */
  readonly exhaustedInMs: number | undefined;
  /** Epoch milliseconds. */
  readonly resetAt: number | undefined;
}

/** Whether this squad's agent may begin new work has changed: `squad-rate:pressure`. */
export interface PressureEvent {
  readonly agent: string;
  readonly ok: boolean;
  /** Undefined when it may. */
  readonly why: string | undefined;
  /** Epoch milliseconds, this machine's clock; undefined when it may, or nobody knows. */
  readonly until: number | undefined;
}

/** Units were granted to this process, in units by priority. */
export interface GrantedEvent {
  readonly kind: "granted";
  readonly units: readonly [number, number, number];
}

/** The pool of one resource has changed hands or windows: `squad-rate:lease`. Times are GitHub's, epoch milliseconds. */
export type LeaseEvent = {
  readonly principal: string;
  readonly host: string;
  readonly resource: string;
  /** This process's name in the pool. */
  readonly spender: string;
} & (GrantedEvent | ShareEvent);

/** The store that the pool lies in stopped answering, or answers again: `squad-rate:store`. */
export type StoreEvent =
  | {
      /** Its address, without credentials. */
      readonly store: string;
      readonly kind: "lost";
      readonly why: string;
    }
  | { readonly store: string; readonly kind: "back"; readonly lostMs: number };

/** GitHub refused a request by a secondary limit, here or in another process: `squad-rate:cooldown`. */
export interface CooldownEvent {
  readonly host: string;
  /** The pool's: a principal's id, or the name that joins several. */
  readonly name: string;
  /** Until when nobody of the pool sends, in GitHub's time, epoch milliseconds. */
  readonly until: number;
  readonly why: string;
}

/** A guard has let a value stand, had one produced, or failed: `squad-rate:guard`. */
export interface GuardEvent {
  readonly agent: string;
  /** Names the guarded value; nothing can be read out of it. Undefined when nobody knows whose it is. */
  readonly key: string | undefined;
  /** Methods and route templates of its reads, each once; never an identifier. */
  readonly routes: readonly string[];
  /** Reads that were made. */
  readonly reads: number;
  /** Reads that GitHub answered with a free 304. */
  readonly revalidated: number;
  /** Reads that were refused or failed. */
  readonly failed: number;
  /** `failed`: it had no value to give. */
  readonly how: "produced" | "unchanged" | "shared" | "stale" | "failed";
  /** Milliseconds since the value was produced; undefined without one. */
  readonly ageMs: number | undefined;
  readonly durationMs: number;
}

/** Something inside went wrong that no caller caused; calls went on without it: `squad-rate:fault`. */
export interface FaultEvent {
  readonly what: string;
  /** The cause's message, cleared of credentials. */
  readonly cause: string | undefined;
}

/** Channel names of `node:diagnostics_channel` and what is published on them. */
export interface SquadRateEvents {
  "squad-rate:call": CallEvent;
  "squad-rate:exchange": ExchangeEvent;
  "squad-rate:decision": DecisionEvent;
  "squad-rate:light": LightEvent;
  "squad-rate:breaker": BreakerStateEvent;
  "squad-rate:pressure": PressureEvent;
  "squad-rate:lease": LeaseEvent;
  "squad-rate:store": StoreEvent;
  "squad-rate:cooldown": CooldownEvent;
  "squad-rate:guard": GuardEvent;
  "squad-rate:fault": FaultEvent;
  "squad-rate:trace": TraceRecord;
}

const channels: { readonly [Name in keyof SquadRateEvents]: Channel } = {
  "squad-rate:call": channel("squad-rate:call"),
  "squad-rate:exchange": channel("squad-rate:exchange"),
  "squad-rate:decision": channel("squad-rate:decision"),
  "squad-rate:light": channel("squad-rate:light"),
  "squad-rate:breaker": channel("squad-rate:breaker"),
  "squad-rate:pressure": channel("squad-rate:pressure"),
  "squad-rate:lease": channel("squad-rate:lease"),
  "squad-rate:store": channel("squad-rate:store"),
  "squad-rate:cooldown": channel("squad-rate:cooldown"),
  "squad-rate:guard": channel("squad-rate:guard"),
  "squad-rate:fault": channel("squad-rate:fault"),
  "squad-rate:trace": channel("squad-rate:trace"),
};

/** Whether somebody listens. */
export function isHeard(name: keyof SquadRateEvents): boolean {
  return channels[name].hasSubscribers;
}

/** Publishes an event; the payload is made only if somebody listens. A listener that throws does not reach the caller. */
export function publish<Name extends keyof SquadRateEvents>(name: Name, payload: () => SquadRateEvents[Name]): void {
  if (channels[name].hasSubscribers) channels[name].publish(payload());
}
