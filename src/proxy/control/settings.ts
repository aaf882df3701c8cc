import { createHmac } from "node:crypto";
import { resolve } from "node:path";
import { parseStoreAddress } from "../../store/address.js";
import { homePath } from "../../store/file/home-path.js";
import type { ProxyOptions } from "../options.js";

/** What tells one proxy of a machine from another: clients with the same settings share one. */
export interface ProxySettings {
  readonly upstream?: string | undefined;
  readonly host?: string | undefined;
  readonly alsoHosts?: readonly string[] | undefined;
  /** May hold a password. */
  readonly store?: string | undefined;
  /** The option `pool.name`. */
  readonly pool?: string | undefined;
  readonly trace?: string | false | undefined;
  readonly maxWaitMs?: number | undefined;
}

/** The same whatever folder they are read in: relative paths and `~` are worked out. */
export function settledIn(cwd: string, settings: ProxySettings): ProxySettings {
  const { upstream, host, alsoHosts, store, pool, trace, maxWaitMs } = settings;
  return {
    upstream,
    host,
    alsoHosts: alsoHosts === undefined ? undefined : [...new Set(alsoHosts)].sort(),
    store: store === undefined ? undefined : settledStore(cwd, store),
    pool,
    trace: typeof trace === "string" ? settledPath(cwd, trace) : trace,
    maxWaitMs,
  };
}

/**
 * Names a proxy's folder. Keyed, because the paths of sockets can be read by everybody on the machine, and a plain hash would
 * let them try passwords on it.
 */
export function digestOf(
  { upstream, host, alsoHosts, store, pool, trace, maxWaitMs }: ProxySettings,
  key: string,
): string {
  // Null for what is left out; where nothing is said of a trace there is none.
  const told = [upstream, host, alsoHosts, store, pool, trace || null, maxWaitMs].map((value) => value ?? null);
  return createHmac("sha256", key).update(JSON.stringify(told)).digest("hex").slice(0, 12);
}

/** The options of the proxy that these settings ask for; nothing is left to the environment. */
export function proxyOptionsOf(settings: ProxySettings): ProxyOptions {
  const { upstream, host, alsoHosts, store, pool, trace, maxWaitMs } = settings;
  return {
    upstream,
    host,
    alsoHosts,
    squad: { store, trace: trace ?? false, maxWaitMs, pool: pool === undefined ? undefined : { name: pool } },
  };
}

function settledStore(cwd: string, uri: string): string {
  const address = parseStoreAddress(uri);
  return address.kind === "file" ? `file:${settledPath(cwd, address.path)}` : uri;
}

function settledPath(cwd: string, path: string): string {
  return path.startsWith("~") ? homePath(path) : resolve(cwd, path);
}
