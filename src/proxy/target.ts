import type { HostRole, KnownGitHub } from "./known-github.js";

/** A request line and its Host, as they came. */
export interface Asked {
  /** Without the client's secret, where it came by a base URL. */
  readonly target: string;
  /** Every Host header. */
  readonly hosts: readonly string[];
  readonly httpVersion: string;
  readonly via: "socket" | "base-url";
}

/** Whom a proxy speaks to. */
export interface Reach {
  readonly github: KnownGitHub;
  /** An upstream on this machine, which may be called by its own host and port as well. */
  readonly standIn: { readonly host: string; readonly basePath: string } | undefined;
  readonly isAlsoHost: (host: string) => boolean;
}

/** What a request is for. */
export type Target =
  /** A call of the API; `url` is what it is known by to cache, pool and trace, whatever server stands in. */
  | { readonly kind: "api"; readonly url: string; readonly host: string; readonly path: string }
  /** For a host that is asked as it is. */
  | { readonly kind: "other"; readonly host: string; readonly path: string; readonly role: HostRole | "also" }
  | { readonly kind: "reject"; readonly status: 400 | 421 | 505; readonly message: string };

/**
 * Whom a request is for, and what it asks for there. The path is what a browser would make of it (WHATWG), so that
 * what is looked up is what is sent; nothing in a path can name another host.
 *
 * A target with a host of its own counts by that (RFC 9112 §3.2.2).
 */
export function targetOf({ target, hosts, httpVersion, via }: Asked, reach: Reach): Target {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return reject(505, "This proxy speaks HTTP/1.1.");
  if (hosts.length > 1) return reject(400, "The request has several Host headers.");
  if (hosts.length === 0 && httpVersion !== "1.0") return reject(400, "The request has no Host header.");
  if (!ALLOWED.test(target)) return reject(400, "The request's target holds what no address holds.");
  const absolute = /^https?:\/\/([^/?#\\]*)(.*)$/i.exec(target);
  const authority = absolute?.[1] ?? hosts[0];
  const path = pathOf(absolute === null ? target : (absolute[2] ?? ""));
  if (path === undefined) return reject(400, "The request's target is neither a path nor an http address.");
  if (authority?.includes("@") === true) return reject(400, "The request's target names a user.");
  if (via === "base-url") return onHost(reach.github.apiHost, path, reach);
  if (authority === undefined || authority === "") return reject(400, "The request does not say which host it is for.");
  return onHost(nameOf(authority), path, reach);
}

/** A request for the rest of `host`, by lower-case name. */
function onHost(host: string, path: string, { github, standIn, isAlsoHost }: Reach): Target {
  if (host === standIn?.host) {
    const below = path.startsWith(`${standIn.basePath}/`) ? path.slice(standIn.basePath.length) : path;
    return onHost(github.apiHost, below, { github, standIn: undefined, isAlsoHost });
  }
  const role = github.roles.get(host);
  if (role === "api" || (role === "site" && path.startsWith("/api/"))) {
    return { kind: "api", url: `https://${host}${path}`, host, path };
  }
  if (role !== undefined) return { kind: "other", host, path, role };
  if (isAlsoHost(host)) return { kind: "other", host, path, role: "also" };
  return reject(
    421,
    `This squad-rate proxy speaks to ${github.host} and its hosts alone, and not to ${PLAIN.test(host) ? host : "the one asked for"}. Start it with --also-host for each further one.`,
  );
}

/** Visible ASCII, and bytes of other characters, which an address would have in percent form. */
const ALLOWED = /^[\x21-\x7e\x80-\xff]+$/;
/** What may be repeated in an answer. */
const PLAIN = /^[a-z0-9.:-]{1,253}$/;

/** Path and query in their one form; undefined for what is none. */
function pathOf(raw: string): string | undefined {
  if (raw !== "" && !/^[/?]/.test(raw)) return undefined;
  const ascii = raw.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  const address = `https://host${ascii}`;
  if (ascii.includes("#") || !URL.canParse(address)) return undefined;
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** The host by its lower-case name, without the ports that go without saying. */
function nameOf(authority: string): string {
  return authority.toLowerCase().replace(/:(?:443|80)$/, "");
}

function reject(status: 400 | 421 | 505, message: string): Target {
  return { kind: "reject", status, message };
}
