import { type Clock, systemClock } from "../../clock.js";
import { checkAtLeast, checkFinite, checkKeys, checkOneOf } from "./check-input.js";
import type { SimulatedExchange } from "./exchange-log.js";
import { LATENCY_DEFAULTS, type LatencyOptions } from "./latency.js";
import { GITHUB_LIMITS, RESOURCE_NAMES, type ResourceLimit, type ResourceName } from "./resource.js";
import { SECONDARY_DEFAULTS, type SecondaryLimitOptions } from "./secondary-options.js";

/** See {@link SimulatedGitHubOptions.onExchange}. */
export type ExchangeListener = (
  exchange: SimulatedExchange,
  request: { readonly headers: ReadonlyMap<string, string> },
) => void;

/** Options of {@link createSimulatedGitHub}. Without any, it behaves as api.github.com was measured to. */
export interface SimulatedGitHubOptions {
  /** Whose time it runs on; pass a virtual clock in tests. Default: the system's. */
  readonly clock?: Clock;
  /** Seed of everything random (latency, request ids, recovery times). Same seed and calls, same log. Default 1. */
  readonly seed?: number;
  /** Root of the REST API. Default `https://api.github.com`, or `https://github.example.com/api/v3` with `ghes`. */
  readonly baseUrl?: string;
  /** Limits and windows that differ from GitHub's, such as `{ core: { limit: 100, windowMs: 60_000 } }`. */
  readonly limits?: Readonly<Partial<Record<ResourceName, Partial<ResourceLimit>>>>;
  /** Some answers report a reset that is off by this much; GitHub's are by 1,000. Default 0. */
  readonly resetJitterMs?: number;
  /** Spreads requests over two windows with counters of their own, so that `remaining` may rise. Default `false`. */
  readonly twoRegions?: boolean;
  /** GitHub's clock minus ours, in milliseconds. Default 0; changed later by `setClockSkew`. */
  readonly clockSkewMs?: number;
  /** Secondary limits; `false` turns them off. Default: GitHub's published numbers. */
  readonly secondary?: false | Partial<SecondaryLimitOptions>;
  /** How long answers take; `{}` for GitHub-like. Default `false`: none. */
  readonly latency?: false | Partial<LatencyOptions>;
  /** Status of a REST answer refused for lack of primary quota. Default 403. */
  readonly primaryStatus?: 403 | 429;
  /** Which of GitHub's two forms a GraphQL refusal takes. Default `"RATE_LIMITED"`. */
  readonly graphqlLimitForm?: "RATE_LIMITED" | "graphql_rate_limit";
  /** With `"accepted"`, answers to clients that accept gzip carry a weak ETag, as GitHub's do. Default `"accepted"`. */
  readonly gzip?: "never" | "accepted";
  /** Plays GitHub Enterprise Server, whose rate limits are off unless asked for. Default `false`. */
  readonly ghes?: boolean | { readonly rateLimits: boolean };
  /** `"opaque"` makes ETags that follow no formula, for clients that must not rely on one. Default `"github"`. */
  readonly etagFormula?: "github" | "opaque";
  /** Whether single resources carry `Last-Modified` and heed `If-Modified-Since`. Default `true`. */
  readonly lastModified?: boolean;
  /** Exchanges kept in the log; older ones are dropped. Default 100,000. */
  readonly logLimit?: number;
  /**
   * Told of each exchange when its answer leaves, for whoever counts and does not want to keep a log. The headers are those
   * of the request, its credential included.
   */
  readonly onExchange?: ExchangeListener;
}

/** The options with every default filled in. */
export interface ResolvedOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly baseUrl: string;
  readonly limits: Readonly<Record<ResourceName, ResourceLimit>>;
  /** Resources whose limit was given: scaling by installation size does not apply to them. */
  readonly givenLimits: ReadonlySet<ResourceName>;
  readonly resetJitterMs: number;
  readonly twoRegions: boolean;
  readonly clockSkewMs: number;
  readonly secondary: false | SecondaryLimitOptions;
  readonly latency: false | LatencyOptions;
  readonly primaryStatus: 403 | 429;
  readonly graphqlLimitForm: "RATE_LIMITED" | "graphql_rate_limit";
  readonly gzip: "never" | "accepted";
  readonly ghes: boolean;
  readonly rateLimits: boolean;
  readonly etagFormula: "github" | "opaque";
  readonly lastModified: boolean;
  readonly logLimit: number;
  readonly onExchange: ExchangeListener | undefined;
}

const WHERE = "createSimulatedGitHub";

/** A record, so that the compiler misses none. */
const OPTION_NAMES: Readonly<Record<keyof SimulatedGitHubOptions, true>> = {
  clock: true,
  seed: true,
  baseUrl: true,
  limits: true,
  resetJitterMs: true,
  twoRegions: true,
  clockSkewMs: true,
  secondary: true,
  latency: true,
  primaryStatus: true,
  graphqlLimitForm: true,
  gzip: true,
  ghes: true,
  etagFormula: true,
  lastModified: true,
  logLimit: true,
  onExchange: true,
};

/** Checks the options once and fills in the defaults. */
export function resolveOptions(options: SimulatedGitHubOptions): ResolvedOptions {
  checkKeys(WHERE, options, Object.keys(OPTION_NAMES));
  const ghes = options.ghes ?? false;
  const baseUrl = options.baseUrl ?? (ghes === false ? "https://api.github.com" : "https://github.example.com/api/v3");
  if (!URL.canParse(baseUrl)) throw new TypeError(`${WHERE}: \`baseUrl\` must be an absolute URL, not "${baseUrl}".`);
  const given = options.limits ?? {};
  return {
    clock: options.clock ?? systemClock,
    seed: checkFinite(WHERE, "seed", options.seed ?? 1),
    baseUrl: baseUrl.replace(/\/+$/, ""),
    limits: resolveLimits(given),
    givenLimits: new Set(RESOURCE_NAMES.filter((name) => given[name]?.limit !== undefined)),
    resetJitterMs: checkAtLeast(WHERE, "resetJitterMs", options.resetJitterMs ?? 0, 0),
    twoRegions: options.twoRegions ?? false,
    clockSkewMs: checkFinite(WHERE, "clockSkewMs", options.clockSkewMs ?? 0),
    secondary: options.secondary === false ? false : resolveSecondary(options.secondary ?? {}),
    latency: resolveLatency(options.latency ?? false),
    primaryStatus: checkOneOf(WHERE, "primaryStatus", options.primaryStatus ?? 403, [403, 429]),
    graphqlLimitForm: checkOneOf(WHERE, "graphqlLimitForm", options.graphqlLimitForm ?? "RATE_LIMITED", [
      "RATE_LIMITED",
      "graphql_rate_limit",
    ]),
    gzip: checkOneOf(WHERE, "gzip", options.gzip ?? "accepted", ["accepted", "never"]),
    ghes: ghes !== false,
    rateLimits: ghes === false || (typeof ghes === "object" && ghes.rateLimits),
    etagFormula: checkOneOf(WHERE, "etagFormula", options.etagFormula ?? "github", ["github", "opaque"]),
    lastModified: options.lastModified ?? true,
    logLimit: checkAtLeast(WHERE, "logLimit", options.logLimit ?? 100_000, 0),
    onExchange: options.onExchange,
  };
}

function resolveLimits(given: NonNullable<SimulatedGitHubOptions["limits"]>): Record<ResourceName, ResourceLimit> {
  const limits = { ...GITHUB_LIMITS };
  checkKeys(`${WHERE}, limits`, given, RESOURCE_NAMES);
  for (const [name, limit] of Object.entries(given) as [ResourceName, Partial<ResourceLimit>][]) {
    if (typeof limit !== "object")
      throw new TypeError(`${WHERE}: \`limits.${name}\` must be { limit: … }, not ${limit}.`);
    checkKeys(`${WHERE}, limits.${name}`, limit, Object.keys(GITHUB_LIMITS[name]));
    limits[name] = { ...GITHUB_LIMITS[name], ...limit };
    checkAtLeast(WHERE, `limits.${name}.limit`, limits[name].limit, 0);
    checkAtLeast(WHERE, `limits.${name}.unauthenticatedLimit`, limits[name].unauthenticatedLimit, 0);
    // Resets are sent in seconds.
    checkAtLeast(WHERE, `limits.${name}.windowMs`, limits[name].windowMs, 1_000);
  }
  return limits;
}

function resolveSecondary(given: Partial<SecondaryLimitOptions>): SecondaryLimitOptions {
  checkKeys(`${WHERE}, secondary`, given, Object.keys(SECONDARY_DEFAULTS));
  const secondary = { ...SECONDARY_DEFAULTS, ...given };
  checkOneOf(WHERE, "secondary.by", secondary.by, ["template", "path"]);
  checkOneOf(WHERE, "secondary.headerProfile", secondary.headerProfile, ["bare", "retry-after"]);
  const [shortest, longest] = secondary.recoveryMs;
  checkAtLeast(WHERE, "secondary.recoveryMs[0]", shortest, 0);
  checkAtLeast(WHERE, "secondary.recoveryMs[1]", longest, shortest);
  return secondary;
}

function resolveLatency(given: false | Partial<LatencyOptions>): false | LatencyOptions {
  if (given === false) return false;
  checkKeys(`${WHERE}, latency`, given, Object.keys(LATENCY_DEFAULTS));
  return { ...LATENCY_DEFAULTS, ...given };
}
