import { SquadRateError } from "../errors.js";

/** Where a store is, as its URI says. */
export type StoreAddress =
  | { readonly kind: "memory" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "redis" | "postgres"; readonly url: string };

const FORMS = "memory:, file:<directory>, redis://…, rediss://…, postgres://… or postgresql://…";

/**
 * Reads a store's URI without opening anything.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` that does not quote the URI, which may hold a password.
 *
 * @example
 * ```ts
 * parseStoreAddress("file:~/.squad/rate-pool"); // { kind: "file", path: "~/.squad/rate-pool" }
 * ```
 */
export function parseStoreAddress(uri: string): StoreAddress {
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(uri)?.[0].toLowerCase();
  switch (scheme) {
    case "memory":
      if (!/^memory:(\/\/)?$/i.test(uri)) throw badAddress("memory: takes nothing after the colon");
      return { kind: "memory" };
    case "file":
      return { kind: "file", path: filePath(uri.slice("file:".length)) };
    case "redis":
    case "rediss":
      return { kind: "redis", url: checkUrl(uri) };
    case "postgres":
    case "postgresql":
      return { kind: "postgres", url: checkUrl(uri) };
    default:
      throw badAddress(scheme === undefined ? "it has no scheme" : `no store answers to the scheme ${scheme}:`);
  }
}

/** The URI as it may be shown: no user, no password, no parameters. */
export function describeAddress(address: StoreAddress): string {
  switch (address.kind) {
    case "memory":
      return "memory:";
    case "file":
      return `file:${address.path}`;
    default: {
      const { protocol, host, pathname, username, password } = new URL(address.url);
      return `${protocol}//${username === "" && password === "" ? "" : "***@"}${host}${pathname}`;
    }
  }
}

function filePath(rest: string): string {
  let path = rest;
  if (rest.startsWith("//")) {
    // file:///var/lib/pool, as RFC 8089 has it: an empty authority, then a path with percent-encoding.
    const { host, pathname } = new URL(`file:${rest}`);
    if (host !== "") throw badAddress("a file: URI with a host names another machine's files");
    path = decodeURIComponent(pathname);
  }
  if (path === "" || path.includes("\0")) throw badAddress("file: needs a directory");
  return path;
}

function checkUrl(uri: string): string {
  if (!/^[a-z]+:\/\//i.test(uri) || !URL.canParse(uri)) throw badAddress("it is not a URL");
  return uri;
}

function badAddress(why: string): SquadRateError {
  return new SquadRateError("SQUAD_RATE_OPTIONS", `The address of a store must be ${FORMS}; ${why}.`, {
    remedy: "The address is not shown here because it may hold a password.",
  });
}
