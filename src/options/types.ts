import type { Clock } from "../clock.js";
import type { Priority } from "../policy/light.js";
import type { TraceRecord } from "../trace/record.js";
import type { GraphqlOptions, PacingOptions, RetryOptions, SecondaryOptions } from "./limit-types.js";
import type { TraceFileOptions } from "./trace-types.js";

export type { Priority } from "../policy/light.js";

/** The same priorities by the names people use for them. */
export type PriorityName = "P0" | "P1" | "P2";

/**
 * What this package needs of a key-value store. A {@link https://keyv.org | Keyv} is one.
 *
 * Whoever can read the store can read what lies in it, bodies of private repositories included; see
 * {@link CacheOptions.store}. Credentials never lie in it.
 */
export interface KeyvLike {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown, ttlMs?: number): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

/** An opened store, as `openStore` returns it: one that several squads of a process share. */
export interface StoreLike {
  readonly keyv: KeyvLike;
  /** @internal */
  readonly updates: object;
  describe(): object;
  close(): Promise<void>;
}

/**
 * How answers to reads are kept and reused. Every answer reused is one GitHub has confirmed with a free `304`, unless
 * `freshForMs` or `maxStaleMs` says otherwise.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
 */
export interface CacheOptions {
  /**
   * How long a stored answer is given without asking GitHub, in milliseconds from 0 to a year.
   * @defaultValue 0 (GitHub is always asked)
   */
  readonly freshForMs?: number | undefined;
  /**
   * How old an answer may be that stands in when a call would be blocked or GitHub fails, in milliseconds from 0 to a
   * year. Such answers carry the header `x-squad-rate: stale`.
   * @defaultValue 0 (never)
   */
  readonly maxStaleMs?: number | undefined;
  /**
   * The largest body that is kept, in bytes, at most `maxBytes`. Larger answers pass through as they stream.
   * @defaultValue 2,097,152 (2 MiB), or `maxBytes` where that is less
   */
  readonly maxEntryBytes?: number | undefined;
  /**
   * How much this process keeps in memory, in bytes.
   * @defaultValue 67,108,864 (64 MiB)
   */
  readonly maxBytes?: number | undefined;
  /**
   * `false` keeps bodies out of the shared store; quota is still shared through it.
   * @defaultValue true
   */
  readonly store?: boolean | undefined;
  /**
   * How long a body stays in the shared store, in milliseconds, at least 1,000.
   * @defaultValue 604,800,000 (7 days)
   */
  readonly storeTtlMs?: number | undefined;
}

/**
 * The traffic light of a quota window: green above `amberBelow`, amber below it, red below `redBelow`.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export interface LightOptions {
  /**
   * `"fixed"`: the thresholds hold for the whole window. `"glide"`: they shrink with the time left in it, so that quota
   * which would expire unused is not held back.
   * @defaultValue "fixed" without a pool. With one the pool divides the quota, so the light glides and only reports; a
   * mode given here holds calls back in addition to the pool.
   */
  readonly mode?: "fixed" | "glide" | undefined;
  /**
   * Share of the limit, 0 to 1, below which only P0 calls pass.
   * @defaultValue 0.20, or `redBelow` where that is more
   */
  readonly amberBelow?: number | undefined;
  /**
   * Share of the limit, 0 to 1, below which only P0 calls marked `emergency` pass. At most `amberBelow`.
   * @defaultValue 0.05, or `amberBelow` where that is less
   */
  readonly redBelow?: number | undefined;
  /**
   * Units that even an emergency leaves alone.
   * @defaultValue 10
   */
  readonly emergencyReserveUnits?: number | undefined;
}

/**
 * How processes share one quota through the store. What belongs together is told by the token: every token is a pool of
 * its own, and an app's installation is one whatever its token is this hour.
 */
export interface PoolOptions {
  /**
   * Joins several tokens of one GitHub user, who has one quota for all of them, into one pool. Agents that are to share
   * must use the same name; different GitHub hosts never share a pool. 1 to 64 characters: letters, digits, `.`, `_`, `-`.
   * @defaultValue none: every token is a pool of its own
   */
  readonly name?: string | undefined;
  /**
   * `"lend"`: what an agent does not need goes to those who do. `"fixed"`: a plain split, first by priority, then evenly
   * among the processes of each.
   * @defaultValue "lend"
   */
  readonly share?: "lend" | "fixed" | undefined;
  /**
   * The path of a file to which the pool of the resource `core` is written, at most once a second, in the shape that tools
   * for agent squads read, conventionally `~/.squad/rate-pool.json`. A leading `~` is the home directory.
   * @defaultValue none
   */
  readonly mirror?: string | undefined;
}

/**
 * The options under the key `squad`. All are optional, and `undefined` means the default. They are checked once, when
 * the squad is made: a wrong value or an unknown key throws a `SquadRateError` with the code `SQUAD_RATE_OPTIONS` that
 * names the option, its bound and what was given.
 *
 * @example
 * ```ts
 * const octokit = new (Octokit.plugin(squadRate))({
 *   auth: process.env.GITHUB_TOKEN,
 *   squad: { agent: "reviewer", priority: "P0", maxWaitMs: 30_000, cache: { freshForMs: 5_000 } },
 * });
 * ```
 */
export interface SquadOptions {
  /**
   * `false` makes every part step aside: calls pass as if the plugin were not there.
   * @defaultValue true
   */
  readonly enabled?: boolean | undefined;
  /**
   * Whom calls are booked to; several processes may share a name. 1 to 200 characters, no control characters, nothing
   * that looks like a credential, because the name is written to stores and traces.
   * @defaultValue the environment variable `SQUAD_RATE_AGENT`, else `host:pid`
   */
  readonly agent?: string | undefined;
  /**
   * How much this agent's calls matter, unless a call says otherwise.
   * @defaultValue the environment variable `SQUAD_RATE_PRIORITY`, else 1
   */
  readonly priority?: Priority | PriorityName | undefined;
  /**
   * The piece of work that calls belong to, for traces and reports; written like `agent`.
   * @defaultValue the environment variable `SQUAD_RATE_SESSION`, else none
   */
  readonly session?: string | undefined;
  /**
   * The store that agents share: a URI (`memory:`, `file:~/.squad/store`, `redis://…`, `rediss://…`, `postgres://…`; the
   * last three need the package `@keyv/redis` or `@keyv/postgres`), or a ready Keyv. Bodies of answers, also from private
   * repositories, then lie in it: `cache: { store: false }` keeps them out. A store that a URI names is opened when it is
   * first needed and closed by `close()`. A Keyv stays its owner's, and so does an opened store (`await openStore(…)`),
   * by which several squads of a process share one connection.
   * @defaultValue the environment variable `SQUAD_RATE_STORE`, else none: everything stays in this process
   */
  readonly store?: KeyvLike | StoreLike | string | undefined;
  /**
   * How long a call waits for the store before it goes on without, in milliseconds from 1 to 60,000.
   * @defaultValue 250
   */
  readonly storeTimeoutMs?: number | undefined;
  /**
   * How long a blocked call may wait, in milliseconds from 0 to 86,400,000 (a day). 0: never wait. A call that would
   * have to wait longer fails at once with a `SquadRateError` that says when to come back.
   * @defaultValue 60,000
   */
  readonly maxWaitMs?: number | undefined;
  /**
   * `false` switches the conditional cache off; an object tunes it.
   * @defaultValue true
   */
  readonly cache?: boolean | CacheOptions | undefined;
  /**
   * `false` switches the traffic light off; an object tunes it.
   * @defaultValue true
   */
  readonly light?: boolean | LightOptions | undefined;
  /**
   * `false` keeps quota local to this process, even with a store; an object tunes how it is shared.
   * @defaultValue true with a store (`store` or `SQUAD_RATE_STORE`); without one there is no pool
   */
  readonly pool?: boolean | PoolOptions | undefined;
  /**
   * With a pool: after how long a request is aborted that GitHub has not begun to answer, in milliseconds from 1,000 to
   * 600,000. The units of an agent that died go back to the others only when none of its requests can be charged any
   * more, so there has to be an end. A request with a body that is no string, an upload, is not bounded.
   * @defaultValue 60,000
   */
  readonly requestTimeoutMs?: number | undefined;
  /**
   * `false` leaves failures as they are: GitHub's refusals and errors reach the caller at once, and a retry or throttling
   * plugin of the host. An object tunes how calls are tried again.
   * @defaultValue true
   */
  readonly retry?: boolean | RetryOptions | undefined;
  /**
   * `false` switches the breaker off, which stops less urgent calls of a resource that is about to be used up long before
   * its reset. With a pool it only reports, because the pool divides what is left.
   * @defaultValue true
   */
  readonly breaker?: boolean | undefined;
  /**
   * `false` leaves GitHub's secondary limits to chance; an object says what they are believed to be.
   * @defaultValue true
   */
  readonly secondary?: boolean | SecondaryOptions | undefined;
  /**
   * `false` sends writes, notifications and searches as fast as they come; an object says how far apart they are sent.
   * @defaultValue true
   */
  readonly pacing?: boolean | PacingOptions | undefined;
  /**
   * `false` reads no GraphQL document: every query sets one unit aside, whatever it costs in the end. An object tunes how
   * costs are found out.
   * @defaultValue true
   */
  readonly graphql?: boolean | GraphqlOptions | undefined;
  /**
   * Names of agents of the same pool whose work this agent's needs. While they are blocked, `canStartWork()` says no; calls
   * go on. At most 100 names, each written like `agent`.
   * @defaultValue none
   */
  readonly dependsOn?: readonly string[] | undefined;
  /**
   * Where a record of each call and each request goes: the path of a file (see {@link TraceFileOptions}, which an object
   * also takes), or a function, which must not write to the record. No record holds a credential. A sink that fails does
   * not fail a call. `false` switches the trace off, whatever the environment says.
   * @defaultValue the environment variable `SQUAD_RATE_TRACE`, which is a path; else none
   */
  readonly trace?: false | string | TraceFileOptions | ((record: TraceRecord) => void) | undefined;
  /**
   * Time, for tests and simulations.
   * @defaultValue the system's clock
   */
  readonly clock?: Clock | undefined;
  /**
   * Chance, for tests and simulations: a number from 0 up to but not including 1.
   * @defaultValue `Math.random`
   */
  readonly random?: (() => number) | undefined;
  /**
   * What `createSquad().fetch` sends with. Octokit's own `request.fetch` is a separate option, and is respected.
   * @defaultValue the global `fetch`, looked up at each call
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** What one call asks of the cache; see {@link CacheOptions} for the two durations. */
export type RequestCacheOptions =
  | "revalidate"
  | "bypass"
  | { readonly freshForMs?: number | undefined; readonly maxStaleMs?: number | undefined };

/**
 * What one call may say for itself, under `request: { squad: … }` with Octokit. Write it with {@link squadRequest}, so
 * that the compiler sees typing errors. What is left out is as the squad's options say.
 */
export interface SquadRequestOptions {
  /** Whom this call is booked to. */
  readonly agent?: string | undefined;
  /** How much this call matters. */
  readonly priority?: Priority | PriorityName | undefined;
  /**
   * Lets a P0 call pass a red light, down to the last reserve. Without priority 0 it changes nothing.
   * @defaultValue false
   */
  readonly emergency?: boolean | undefined;
  /** The piece of work this call belongs to. */
  readonly session?: string | undefined;
  /**
   * A name for what the call does, for reports; written like `agent`.
   * @defaultValue the name of the GraphQL operation, else the route
   */
  readonly operation?: string | undefined;
  /** How long this call may wait, in milliseconds from 0 to 86,400,000; 0: never. */
  readonly maxWaitMs?: number | undefined;
  /** How often this call is tried again at most, from 0 to 10. With Octokit `request: { retries }` says the same. */
  readonly retries?: number | undefined;
  /**
   * `"revalidate"`: only an answer that GitHub has just confirmed. `"bypass"`: neither read nor write the cache. An
   * object: other durations for this call. It cannot switch on a cache that the squad has switched off.
   */
  readonly cache?: RequestCacheOptions | undefined;
}
