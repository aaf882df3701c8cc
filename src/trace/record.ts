import type { CacheOutcome } from "../call/cache-outcome.js";
import type { OutcomeKind } from "../call/outcome.js";
import type { Priority } from "../policy/light.js";

/** The version of the records below. Fields may be added within a version; a reader passes over what it does not know. */
export const TRACE_VERSION = 1;

/** What every record of a call tells: who, where and what. A field that is not known is left out. */
export interface TraceFacts {
  readonly v: 1;
  /** Epoch milliseconds of the machine's clock at which it began. */
  readonly at: number;
  /** Names the call: the record of a call and those of its attempts have the same. */
  readonly call: string;
  /** The machine's name. */
  readonly machine: string;
  readonly pid: number;
  readonly agent: string;
  readonly priority: Priority;
  readonly session?: string;
  /** What the caller named it, or the name of the GraphQL operation. */
  readonly operation?: string;
  readonly method: string;
  /** Method and route template, such as `GET /repos/{owner}/{repo}/pulls`; never an identifier. */
  readonly route: string;
  readonly host: string;
  /** The bucket of primary quota that it counts against, as far as known. */
  readonly resource: string;
  /** Names what is asked for: reads (and GraphQL queries) of the same thing have the same. Nothing can be read out of it. */
  readonly target: string;
}

/** What GitHub's rate headers said. */
export interface TraceRate {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Epoch milliseconds, GitHub's clock. */
  readonly resetAt: number;
}

/** One physical request and its answer. */
export interface AttemptRecord extends TraceFacts {
  readonly kind: "attempt";
  /** 1, 2, 3, … within the call. */
  readonly attempt: number;
  /** The GitHub identity that pays: a fingerprint. */
  readonly principal?: string;
  /** The credential that was sent: a fingerprint. */
  readonly credential?: string;
  /** Left out when there was no answer. */
  readonly status?: number;
  /** What the answer means to whoever may send again, such as `ok`, `not-modified` or `secondary-limit`. */
  readonly outcome?: OutcomeKind;
  /** Redirects were followed, which GitHub charges for. */
  readonly redirected?: true;
  /** How long the call had waited for this attempt, in milliseconds. */
  readonly waitMs: number;
  /** From sending to the head of the answer (of a GraphQL answer: to its end), in milliseconds. */
  readonly durationMs: number;
  /** Length of the answer's body as far as it was told or read. */
  readonly bytes?: number;
  /** Units of primary quota set aside for it. */
  readonly reservedUnits: number;
  /** Units that it cost, as GitHub's rules or the answer itself say. */
  readonly chargedUnits: number;
  /** The answer does not tell whether it was charged; the headers of a later one include it if it was. */
  readonly inDoubt?: true;
  /** Weight in GitHub's secondary limits. */
  readonly points: number;
  /** The first 16 characters of the entity tag that was sent as a validator, and of the one that came back. */
  readonly validator?: string;
  readonly etag?: string;
  /** Names the one repository that it reads or may change; left out for everything wider. Nothing can be read out of it. */
  readonly scope?: string;
  /** The answer is a page that may have grown although its entity tag is the same (docs/design.md, The last page). */
  readonly mayHaveGrown?: true;
  readonly rate?: TraceRate;
  readonly graphql?: {
    readonly operation?: string;
    /** Left out for what could not be read. */
    readonly kind?: "query" | "mutation" | "subscription";
    /** As the answer told; left out when it did not. */
    readonly cost?: number;
    readonly nodes?: number;
    /** Names what the answer says, so that equal answers can be told. */
    readonly answer?: string;
  };
  /** GitHub's name for the request. */
  readonly requestId?: string;
}

/** One call, when it has ended. */
export interface CallRecord extends TraceFacts {
  readonly kind: "call";
  readonly ok: boolean;
  /** Of the latest answer; left out when there was none. */
  readonly status?: number;
  /** How the cache answered; left out when the answer did not come through its rules. */
  readonly cache?: CacheOutcome;
  /** Physical requests sent for it. */
  readonly attempts: number;
  /** Milliseconds in the waiting room, and in all. */
  readonly waitMs: number;
  readonly durationMs: number;
  /** Units that its attempts cost. */
  readonly units: number;
  /** The latest decision that held it up, in words, and by which gate; left out when nothing did. */
  readonly decision?: { readonly kind: "wait" | "refuse" | "retry"; readonly why: string };
  /** The code of the error that its caller got, such as `SQUAD_RATE_POOL` or `HTTP_404`. */
  readonly error?: string;
}

/** What `GET /rate_limit` said: how much of each resource was used at that moment. */
export interface ReadingRecord {
  readonly v: 1;
  readonly kind: "reading";
  readonly at: number;
  readonly machine: string;
  readonly pid: number;
  readonly host: string;
  readonly principal?: string;
  readonly resources: Readonly<Record<string, TraceRate>>;
}

/** One line of a trace. */
export type TraceRecord = AttemptRecord | CallRecord | ReadingRecord;
