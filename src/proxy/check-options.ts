import { SquadRateError } from "../errors.js";
import { checkFunction, checkPath, checkRecord, optionError } from "../options/check.js";
import type { SquadOptions } from "../options.js";
import type { Squad } from "../squad.js";
import { isSecret } from "./base-url.js";
import { isLoopback, type UpstreamAddress } from "./destination.js";
import { type KnownGitHub, knownGitHub } from "./known-github.js";
import type { ProxyClientOptions, ProxyOptions } from "./options.js";

/** {@link ProxyOptions}, checked and with everything filled in. */
export interface CheckedOptions {
  readonly squad: SquadOptions | Squad | undefined;
  readonly github: KnownGitHub;
  readonly upstream: UpstreamAddress;
  /** The upstream as it is shown; undefined where it is GitHub itself. */
  readonly upstreamShown: string | undefined;
  readonly isAlsoHost: (host: string) => boolean;
  readonly port: number;
  readonly onWarning: (message: string) => void;
}

const PROXY_KEYS: readonly (keyof ProxyOptions)[] = ["squad", "upstream", "host", "alsoHosts", "port", "onWarning"];
const CLIENT_KEYS: readonly (keyof ProxyClientOptions)[] = [
  "agent",
  "priority",
  "session",
  "token",
  "socketPath",
  "secret",
];
const HOST_RULE = "a host's name, such as github.example.com";
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/;

/** @throws SquadRateError `SQUAD_RATE_OPTIONS` that names the option, its bound and the value. */
export function checkProxyOptions(options: ProxyOptions | undefined): CheckedOptions {
  const given = checkRecord("proxy", options ?? {}, PROXY_KEYS);
  const upstream = checkUpstream(given.upstream);
  const host = given.host === undefined ? hostBehind(upstream) : checkHost("proxy.host", given.host);
  const isGitHubItself = upstream !== undefined && upstream.kind === "server" && ITSELF.has(upstream.host);
  return {
    squad: given.squad as SquadOptions | Squad | undefined,
    github: knownGitHub(host),
    upstream: upstream === undefined || isGitHubItself ? { kind: "github" } : upstream,
    upstreamShown: upstream === undefined || isGitHubItself ? undefined : shown(upstream),
    isAlsoHost: checkAlsoHosts(given.alsoHosts),
    port: checkPort(given.port),
    onWarning: checkFunction("proxy.onWarning", given.onWarning as ProxyOptions["onWarning"], () => undefined),
  };
}

/** {@link ProxyClientOptions} without what is an option of calls, which the squad checks. */
export interface CheckedClient {
  readonly squad: object;
  readonly token: string | undefined;
  readonly socketPath: string | undefined;
  readonly secret: string | undefined;
}

/** @throws SquadRateError `SQUAD_RATE_OPTIONS` that names the option, its bound and the value, which is never a secret. */
export function checkClientOptions(options: ProxyClientOptions): CheckedClient {
  const { agent, priority, session, token, socketPath, secret } = checkRecord("client", options, CLIENT_KEYS);
  if (token !== undefined && (typeof token !== "string" || !/^[\x21-\x7e]{1,1000}$/.test(token))) {
    throw secretError("client.token", "1 to 1,000 visible characters");
  }
  if (secret !== undefined && (typeof secret !== "string" || !isSecret(secret))) {
    throw secretError("client.secret", "43 letters, digits, hyphens or underscores");
  }
  return { squad: { agent, priority, session }, token, socketPath: checkPath("client.socketPath", socketPath), secret };
}

/** The error for an option whose value must not be shown. */
function secretError(path: string, rule: string): SquadRateError {
  return new SquadRateError("SQUAD_RATE_OPTIONS", `${path} must be ${rule}; what was given is not shown.`, {
    remedy: `Give ${path} a value that is ${rule}, or leave it out.`,
  });
}

function checkPort(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 65_535) return value;
  throw optionError("proxy.port", "the number of a port from 0 to 65535", value);
}

const ITSELF: ReadonlySet<string> = new Set(["api.github.com", "github.com"]);
const UPSTREAM_RULE = "an address such as https://github.example.com, or http://127.0.0.1:PORT";

function checkUpstream(value: unknown): UpstreamAddress | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || !URL.canParse(value)) throw optionError("proxy.upstream", UPSTREAM_RULE, value);
  const url = new URL(value);
  const { protocol, hostname, username, password, search, hash, pathname } = url;
  if (username !== "" || password !== "") throw secretError("proxy.upstream", `${UPSTREAM_RULE}, without a user`);
  if (search !== "" || hash !== "") throw optionError("proxy.upstream", `${UPSTREAM_RULE}, without ? and #`, value);
  if (protocol === "http+unix:" && hostname === "" && pathname.length > 1) {
    return { kind: "unix", socketPath: decodeURIComponent(pathname) };
  }
  if (protocol !== "https:" && protocol !== "http:") throw optionError("proxy.upstream", UPSTREAM_RULE, value);
  const isLocal = isLoopback(hostname);
  if (protocol === "http:" && !isLocal) {
    throw new SquadRateError("SQUAD_RATE_OPTIONS", `proxy.upstream must begin with https:, or be on this machine.`, {
      remedy: "Write https:// in it: every client's token goes there.",
    });
  }
  const secure = protocol === "https:";
  return {
    kind: "server",
    secure,
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    host: url.host,
    // Both forms of an Enterprise Server's address are in use; the paths that come have it already.
    basePath: pathname.replace(/\/+$/, "").replace(/\/api\/v3$/, ""),
    isLocal,
  };
}

/** What GitHub an upstream is, where nobody says so. */
function hostBehind(upstream: UpstreamAddress | undefined): string {
  if (upstream?.kind !== "server" || upstream.isLocal || ITSELF.has(upstream.host)) return "github.com";
  return upstream.host;
}

function shown(upstream: UpstreamAddress): string | undefined {
  if (upstream.kind === "unix") return `http+unix://${upstream.socketPath}`;
  if (upstream.kind === "server") return `${upstream.secure ? "https" : "http"}://${upstream.host}${upstream.basePath}`;
  return undefined;
}

function checkHost(path: string, value: unknown): string {
  const name = typeof value === "string" ? value.toLowerCase() : undefined;
  if (name === undefined || !HOST_NAME.test(name)) throw optionError(path, HOST_RULE, value);
  return name === "api.github.com" ? "github.com" : name;
}

function checkAlsoHosts(value: unknown): (host: string) => boolean {
  if (value === undefined) return () => false;
  if (!Array.isArray(value)) throw optionError("proxy.alsoHosts", "an array of host names", value);
  const exact = new Set<string>();
  const endings: string[] = [];
  value.forEach((entry: unknown, index) => {
    const wild = typeof entry === "string" && entry.startsWith("*.");
    const name = checkHost(`proxy.alsoHosts[${index}]`, wild ? entry.slice(2) : entry);
    if (wild) endings.push(`.${name}`);
    else exact.add(name);
  });
  return (host) => exact.has(host) || endings.some((ending) => host.endsWith(ending));
}
