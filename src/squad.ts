import { hostname } from "node:os";
import { createFetch, type SquadFetch } from "./adapter/fetch.js";
import { FingerprintMemo } from "./call/fingerprint.js";
import { Identifier } from "./call/identify.js";
import { createRouteLabel } from "./call/route.js";
import { isSquadRateError, SquadRateError } from "./errors.js";
import { type ResolvedOptions, requestDefaults, resolveOptions, type SquadOptions } from "./options.js";
import { closedError } from "./pipeline/admit.js";
import { type CallLog, type CallSource, NO_PLUGINS } from "./pipeline/call.js";
import { Changes } from "./pipeline/changes.js";
import { createCounters } from "./pipeline/counters.js";
import type { Engine } from "./pipeline/engine.js";
import { type CostEstimate, estimateCost } from "./pipeline/estimate-cost.js";
import { GraphqlDesk } from "./pipeline/graphql-desk.js";
import { Kept } from "./pipeline/kept.js";
import { Quota } from "./pipeline/quota.js";
import { RequestDeadlines } from "./pipeline/request-deadlines.js";
import { type SquadStatus, statusOf } from "./pipeline/status.js";
import { UnderWay } from "./pipeline/under-way.js";
import { WaitingRoom } from "./pipeline/waiting-room.js";
import { tokenOf } from "./pipeline/whose-quota.js";
import type { WorkVerdict } from "./pipeline/work.js";
import { FULL_RETRY_BUDGET } from "./policy/retry-budget.js";
import { answersIn, buildCache, buildLanes, buildPool, buildTrace, deferredStore } from "./squad/rooms.js";
import { workOf } from "./squad/work-of.js";
import { parseStoreAddress } from "./store/address.js";
import type { DeferredStore } from "./store/deferred-store.js";
import { storeError } from "./store/store-error.js";

/** Where a squad keeps its rooms; not for callers. */
const ENGINE: unique symbol = Symbol("octokit-plugin-squad-rate.engine") as never;

/** How many secrets a squad holds at once to know their fingerprints without computing them anew. */
const MAX_REMEMBERED_SECRETS = 256;

/** One credential's agents and what they share: the engine behind the plugin, usable on its own. */
export interface Squad {
  /**
   * `fetch` with the squad's rules: conditional cache, sharing in flight, quota. Takes what the global `fetch` takes, and
   * `squad` for options of one call.
   *
   * @example
   * ```ts
   * const squad = createSquad({ agent: "ralph" });
   * const response = await squad.fetch("https://api.github.com/user", { headers: { authorization: `token ${token}` } });
   * response.headers.get("x-squad-rate"); // "miss", and "revalidated" the next time
   * ```
   */
  readonly fetch: SquadFetch;
  /** What the squad knows and has done, as plain JSON. */
  status(): SquadStatus;
  /**
   * Whether this squad's agent may begin new work, from what is known now: not while its own calls would be held for a known
   * time, nor while an agent that it depends on (`dependsOn`), at any depth, is blocked. Calls that have begun go on.
   *
   * @example
   * ```ts
   * const verdict = squad.canStartWork();
   * if (!verdict.ok) console.log(verdict.why, verdict.until);
   * // "ralph waits: data, which it depends on, is blocked for another 2 min", 1893456000000
   * ```
   */
  canStartWork(): WorkVerdict;
  /**
   * Resolves when {@link Squad.canStartWork} says yes; keeps the process alive meanwhile. Rejects with the signal's reason as
   * soon as it aborts, and with `SQUAD_RATE_CLOSED` when the squad is closed.
   */
  waitUntilWorkCanStart(signal?: AbortSignal): Promise<void>;
  /**
   * What a GraphQL request would cost, without sending it: units of primary quota, nodes, points of the secondary limits, and
   * why GitHub would turn it down, if it would. Units are what the operation cost of late, if anybody of the pool has sent it,
   * otherwise by GitHub's published rule, which is an upper bound.
   *
   * @param operationName - which operation of the document; needed if it has several
   * @throws SquadRateError `SQUAD_RATE_OPTIONS` for a document that cannot be read.
   *
   * @see https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
   *
   * @example
   * ```ts
   * const { units, nodes, rejected } = await squad.estimate(
   *   "query ($n: Int!) { viewer { repositories(first: $n) { nodes { issues(first: 50) { nodes { id } } } } } }",
   *   { n: 100 },
   * ); // 1, 5,100, undefined
   * ```
   */
  estimate(query: string, variables?: Readonly<Record<string, unknown>>, operationName?: string): Promise<CostEstimate>;
  readonly cache: {
    /**
     * Forgets every kept answer, in memory and in the store.
     *
     * @throws SquadRateError `SQUAD_RATE_STORE` when the store failed; memory is empty all the same.
     */
    clear(): Promise<void>;
  };
  /**
   * Ends the squad: nothing more is sent, answers on their way have two seconds, what is held of a shared quota goes back,
   * and background writes to the store end. Calls that wait, or come meanwhile, are held until then; these and all later
   * ones fail with `SQUAD_RATE_CLOSED`. Called again it returns the same promise. A store that was named by its URI is
   * closed; a Keyv or a store that was handed in stays open.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
  /** @internal */
  readonly [ENGINE]: Engine;
}

/**
 * Makes a squad: the engine that the Octokit plugin uses, for any client that takes a `fetch`, or to be shared by several
 * Octokits (`new Octokit({ squad })`).
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` for a wrong or unknown option.
 *
 * @example
 * ```ts
 * await using squad = createSquad({ agent: "ralph", priority: 2 });
 * const octokit = new (Octokit.plugin(squadRate))({ auth, squad });
 * ```
 */
export function createSquad(options?: SquadOptions): Squad {
  return buildSquad(resolveSquadOptions(options));
}

/** Checks options against this process's environment. */
export function resolveSquadOptions(options: SquadOptions | undefined): ResolvedOptions {
  const { process } = globalThis;
  const resolved = resolveOptions(options, process?.env ?? {}, { hostname: hostname(), pid: process?.pid ?? 0 });
  // Told now rather than at the first read.
  if (typeof resolved.store === "string") checkStoreAddress(resolved.store, options?.store !== undefined);
  return resolved;
}

function checkStoreAddress(uri: string, isOption: boolean): void {
  try {
    parseStoreAddress(uri);
  } catch (error) {
    if (!isSquadRateError(error)) throw error;
    const message = error.message.replace("The address of a store", isOption ? "squad.store" : "SQUAD_RATE_STORE");
    throw new SquadRateError(error.code, message, { remedy: error.remedy, cause: error });
  }
}

/** Builds the rooms once. */
export function buildSquad(options: ResolvedOptions): Squad {
  const { clock } = options;
  const room = new WaitingRoom(clock);
  const warnings: string[] = [];
  const warn = (warning: string): void => void warnings.push(warning);
  const opened = deferredStore(options, warn);
  const changes = new Changes();
  const onMembers = (): void => changes.tell();
  const onMore = (): void => {
    room.poke();
    changes.tell();
  };
  const pool = buildPool(options, opened, { onMore, onMembers }, warn);
  const isAwaited = (agent: string): boolean =>
    room.hasCallOf(agent) || (agent === options.agent && engine.work?.isAwaited === true);
  const engine: Engine = {
    options,
    requestDefaults: requestDefaults(options),
    clock,
    cache: buildCache(options, opened),
    warnings,
    store: opened,
    pool,
    quota: new Quota({ ...options, clock, pool, isAwaited, onChange: onMore }),
    room,
    tokens: new FingerprintMemo(MAX_REMEMBERED_SECRETS, tokenOf),
    credentials: new FingerprintMemo(MAX_REMEMBERED_SECRETS),
    identifier: new Identifier(createRouteLabel()),
    graphql: options.graphql === false ? undefined : new GraphqlDesk(options.graphql),
    counters: createCounters(),
    trace: buildTrace(options, warn),
    underWay: new UnderWay(),
    ...buildLanes(options),
    changes,
    kept: new Kept(),
    work: undefined,
    retryBudget: FULL_RETRY_BUDGET,
    deadlines: new RequestDeadlines(clock, options.requestTimeoutMs),
    toldOfThrottling: false,
    closed: false,
    closing: undefined,
  };
  const plainFetch: SquadFetch = (input, init) => (options.fetch ?? globalThis.fetch)(input, init);
  const close = (): Promise<void> => {
    engine.closing ??= closeRooms(engine);
    return engine.closing;
  };
  const squad = {
    fetch: options.enabled ? createFetch(engine, FETCH_SOURCE) : plainFetch,
    status: () => statusOf(engine),
    canStartWork: () => workOf(engine).canStart(),
    waitUntilWorkCanStart: (signal?: AbortSignal) => workOf(engine).untilCanStart(signal),
    estimate: (query: string, variables?: Readonly<Record<string, unknown>>, operationName?: string) =>
      estimateCost(engine, query, variables, operationName),
    cache: { clear: () => clearCache(engine, opened) },
    close,
    [Symbol.asyncDispose]: close,
  };
  // Who depends on others is told of them without asking.
  if (options.enabled && options.dependsOn.length > 0) workOf(engine);
  return withEngine(squad, engine);
}

/** Out of sight: whoever logs a squad, or an Octokit that has one, must not print the store's password. */
function withEngine<S extends object>(squad: S, engine: Engine): S & Pick<Squad, typeof ENGINE> {
  return Object.defineProperty(squad as S & Pick<Squad, typeof ENGINE>, ENGINE, { value: engine });
}

/** A squad as one of its clients sees it, with what only that client can do for it. */
export function asSeenBy<Own extends object>(squad: Squad, own: Own): Squad & Own {
  return withEngine({ ...squad, ...own }, squad[ENGINE]);
}

async function closeRooms(engine: Engine): Promise<void> {
  const { room, pool, cache, store, tokens, credentials, pacedLane } = engine;
  engine.closed = true;
  engine.work?.close(closedError());
  await Promise.all([answersIn(engine).then(() => pool?.close()), cache?.flush()]);
  await store?.close();
  room.close();
  pacedLane.close();
  tokens.clear();
  credentials.clear();
  await engine.trace.close();
}

async function clearCache({ cache }: Engine, opened: DeferredStore | undefined): Promise<void> {
  try {
    await cache?.clear();
  } catch (cause) {
    throw storeError(opened?.where ?? "keyv:", "clear the cache", cause);
  }
}

/** The rooms of a squad that this copy of the package made; undefined for anything else. */
export function engineOf(value: unknown): Engine | undefined {
  return typeof value === "object" && value !== null ? (value as Partial<Squad>)[ENGINE] : undefined;
}

/** A bare `fetch` has no logger; it warns where Octokit does by default, and is silent about the rest. */
const CONSOLE: CallLog = { info: () => undefined, warn: (message) => console.warn(message) };

const FETCH_SOURCE: CallSource = { installation: undefined, inside: NO_PLUGINS, outside: NO_PLUGINS, log: CONSOLE };
