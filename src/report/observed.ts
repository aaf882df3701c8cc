import type { CacheOutcome } from "../call/cache-outcome.js";
import type { OutcomeKind } from "../call/outcome.js";
import type { Priority } from "../policy/light.js";

/** What rate headers said, as far as the trace tells it. */
export interface ObservedRate {
  readonly limit: number;
  /** Units used in the window; the stricter where `used` and `remaining` disagree. */
  readonly used: number;
  readonly remaining: number;
  /** Epoch milliseconds, GitHub's clock. Undefined in a foreign trace that does not tell: then no window is known. */
  readonly resetAt: number | undefined;
}

/** Who, where and what. Undefined is what the trace does not tell. */
interface ObservedFacts {
  /** Epoch milliseconds at which it began. */
  readonly at: number;
  readonly machine: string | undefined;
  /** Machine and process id. */
  readonly process: string | undefined;
  readonly agent: string | undefined;
  readonly session: string | undefined;
  readonly operation: string | undefined;
  readonly priority: Priority | undefined;
  /** Method and route template. */
  readonly route: string | undefined;
  readonly host: string;
  readonly resource: string;
}

/** One physical request and its answer, whatever trace it comes from. */
export interface Exchange extends ObservedFacts {
  readonly kind: "exchange";
  /** Whether our own trace says so, or another program's was translated. */
  readonly origin: "own" | "foreign";
  readonly endedAt: number;
  /** 1, 2, 3, … within its call. */
  readonly attempt: number;
  readonly api: "rest" | "graphql";
  readonly method: string;
  /** Whether it may have changed something. */
  readonly isWrite: boolean;
  readonly principal: string | undefined;
  readonly credential: string | undefined;
  readonly target: string | undefined;
  readonly status: number | undefined;
  /** No answer came; a foreign trace may also leave open whether one did. */
  readonly isUnanswered: boolean;
  readonly outcome: OutcomeKind | undefined;
  /** A redirect was followed, for which a unit is charged even if nothing has changed. */
  readonly isRedirected: boolean;
  readonly waitMs: number | undefined;
  readonly durationMs: number | undefined;
  /** Undefined when nobody knows what it cost. */
  readonly units: number | undefined;
  /** False where the units are none or a guess. */
  readonly isCostKnown: boolean;
  readonly validator: string | undefined;
  readonly etag: string | undefined;
  readonly scope: string | undefined;
  readonly mayHaveGrown: boolean;
  /** Names what a GraphQL answer says. */
  readonly answer: string | undefined;
  readonly rate: ObservedRate | undefined;
}

/** One call that has ended. */
export interface EndedCall extends ObservedFacts {
  readonly kind: "call";
  readonly ok: boolean;
  readonly cache: CacheOutcome | undefined;
  readonly attempts: number;
  readonly waitMs: number;
  readonly durationMs: number;
  readonly decision: "wait" | "refuse" | "retry" | undefined;
}

/** What `GET /rate_limit` said of each resource. */
export interface Reading {
  readonly kind: "reading";
  readonly at: number;
  readonly host: string;
  readonly principal: string | undefined;
  readonly resources: ReadonlyMap<string, ObservedRate>;
}

/** One line of a trace in the one shape that everything behind the reader works on. */
export type Observed = Exchange | EndedCall | Reading;

/** The identity that pays, where the trace does not name it: whoever it is, on that host. */
export const UNNAMED_PRINCIPAL = "(not told)";
