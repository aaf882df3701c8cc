import { hostname } from "node:os";
import { createFetch, type SquadFetch } from "./adapter/fetch.js";
import { FingerprintMemo } from "./call/fingerprint.js";
import { Identifier } from "./call/identify.js";
import { createRouteLabel } from "./call/route.js";
import { isSquadRateError, SquadRateError } from "./errors.js";
import { type ResolvedOptions, requestDefaults, resolveOptions, type SquadOptions } from "./options.js";
import type { CallLog } from "./pipeline/call.js";
import { createCounters } from "./pipeline/counters.js";
import type { Engine } from "./pipeline/engine.js";
import { Quota } from "./pipeline/quota.js";
import { RequestDeadlines } from "./pipeline/request-deadlines.js";
import { type SquadStatus, statusOf } from "./pipeline/status.js";
import { UnderWay } from "./pipeline/under-way.js";
import { WaitingRoom } from "./pipeline/waiting-room.js";
import { tokenOf } from "./pipeline/whose-quota.js";
import { answersIn, buildCache, buildPool, deferredStore } from "./squad/rooms.js";
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
  const pool = buildPool(options, opened, () => room.poke(), warn);
  const engine: Engine = {
    options,
    requestDefaults: requestDefaults(options),
    clock,
    cache: buildCache(options, opened),
    warnings,
    store: opened,
    pool,
    quota: new Quota({ clock, light: options.light, pool, onMore: () => room.poke() }),
    room,
    tokens: new FingerprintMemo(MAX_REMEMBERED_SECRETS, tokenOf),
    credentials: new FingerprintMemo(MAX_REMEMBERED_SECRETS),
    identifier: new Identifier(createRouteLabel()),
    counters: createCounters(),
    underWay: new UnderWay(),
    deadlines: new RequestDeadlines(clock, options.requestTimeoutMs),
    closed: false,
    closing: undefined,
  };
  const plainFetch: SquadFetch = (input, init) => (options.fetch ?? globalThis.fetch)(input, init);
  const close = (): Promise<void> => {
    engine.closing ??= closeRooms(engine);
    return engine.closing;
  };
  const squad = {
    fetch: options.enabled ? createFetch(engine, { installation: undefined, log: CONSOLE }) : plainFetch,
    status: () => statusOf(engine),
    cache: { clear: () => clearCache(engine, opened) },
    close,
    [Symbol.asyncDispose]: close,
  };
  // Out of sight: whoever logs a squad, or an Octokit that has one, must not print the store's password.
  return Object.defineProperty(squad as typeof squad & Pick<Squad, typeof ENGINE>, ENGINE, { value: engine });
}

async function closeRooms(engine: Engine): Promise<void> {
  const { room, pool, cache, store, tokens, credentials } = engine;
  engine.closed = true;
  await Promise.all([answersIn(engine).then(() => pool?.close()), cache?.flush()]);
  await store?.close();
  room.close();
  tokens.clear();
  credentials.clear();
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
