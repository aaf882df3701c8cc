import { Engine } from "./engine.js";
import type { SimulatedExchange } from "./exchange-log.js";
import type { FaultHandle, FaultScript } from "./faults.js";
import { identify, quotaOf } from "./identify.js";
import { createInProcessFetch } from "./in-process-fetch.js";
import type { LedgerEntry } from "./ledger.js";
import { resolveOptions, type SimulatedGitHubOptions } from "./options.js";
import type { ResourceName } from "./resource.js";
import type { GitHubHost, Origins } from "./wire.js";
import { createWorld, type SimulatedWorld } from "./world/world.js";

/** How much of a quota is used, as the rate headers would say it. */
export interface QuotaUsage {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** GitHub's clock, epoch milliseconds. */
  readonly resetAt: number;
}

/** A GitHub of your own. */
export interface SimulatedGitHub {
  /** Reaches the simulated GitHub from within this process, on the clock it was given. */
  readonly fetch: typeof globalThis.fetch;
  /** The same from another IP address than `203.0.113.7`; the address is the principal of unauthenticated requests. */
  fetchFrom(address: string): typeof globalThis.fetch;
  /** Changes what it holds. */
  readonly world: SimulatedWorld;
  /** The exchanges so far, oldest first, at most `logLimit`. */
  readonly log: readonly SimulatedExchange[];
  /** What was charged and refused by principal, resource and window. */
  ledger(principal?: string): readonly LedgerEntry[];
  /** A token's quota, read without charging. */
  usage(token: string, resource?: ResourceName): QuotaUsage;
  /** Spends a token's quota behind everybody's back, as somebody outside the squad would. */
  consume(token: string, resource: ResourceName, units: number): void;
  /** Lets the next requests that match fail. */
  fault(script: FaultScript): FaultHandle;
  /** Refuses everything a token sends for `forMs`, as a secondary limit would. */
  block(token: string, forMs: number): void;
  /** Sets GitHub's clock minus ours, in milliseconds. */
  setClockSkew(skewMs: number): void;
  /** Forgets windows, refusals, log, ledger and faults, and with `{ world: true }` everything else. */
  reset(what?: { readonly world?: boolean }): void;
}

const DEFAULT_ADDRESS = "203.0.113.7";

/**
 * Makes a simulated GitHub: REST, GraphQL, rate limits, conditional requests and failures, faithful to measurements of
 * the real one.
 *
 * @example
 * ```ts
 * const clock = createVirtualClock();
 * const github = createSimulatedGitHub({ clock, limits: { core: { limit: 50 } } });
 * github.world.addToken("ghp_test", "mona");
 * github.world.addRepository({ owner: "mona", name: "hello" });
 * const octokit = new Octokit({ auth: "ghp_test", request: { fetch: github.fetch } });
 * await octokit.request("GET /repos/{owner}/{repo}", { owner: "mona", repo: "hello" });
 * github.usage("ghp_test").used; // 1
 * ```
 *
 * @see https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export function createSimulatedGitHub(options: SimulatedGitHubOptions = {}): SimulatedGitHub {
  const engine = new Engine(resolveOptions(options));
  const origins = originsOf(engine.options.baseUrl);
  const hosts = new Map<string, GitHubHost>([
    [new URL(origins.codeload).origin, "codeload"],
    [new URL(origins.raw).origin, "raw"],
    [new URL(origins.uploads).origin, "uploads"],
    [new URL(origins.api).origin, "api"],
  ]);
  const fetchFrom = (address: string): typeof globalThis.fetch =>
    createInProcessFetch(engine, origins, (origin) => hosts.get(origin), address);
  const identityOf = (token: string) => {
    const identity = identify(`token ${token}`, DEFAULT_ADDRESS, engine.state);
    if (identity.problem !== undefined)
      throw new RangeError("The simulated GitHub does not know that token. Add it with world.addToken().");
    return identity;
  };

  return {
    fetch: fetchFrom(DEFAULT_ADDRESS),
    fetchFrom,
    world: createWorld(engine.state),
    get log() {
      return engine.log.exchanges;
    },
    ledger: (principal) => engine.ledger.entries(principal),
    usage: (token, resource = "core") => {
      const quota = quotaOf(identityOf(token).credential, resource, engine.options, engine.state);
      const { limit, used, remaining, resetAt } = engine.windows.read(quota, engine.state.now(), 0);
      return { limit, used, remaining, resetAt };
    },
    consume: (token, resource, units) => engine.consume(identityOf(token), resource, units),
    fault: (script) => engine.faults.add(script),
    block: (token, forMs) =>
      engine.secondary.block(identityOf(token).credential.principal.key, forMs, engine.options.clock.now()),
    setClockSkew: (skewMs) => {
      engine.state.skewMs = skewMs;
    },
    reset: (what = {}) => engine.reset(what.world ?? false),
  };
}

function originsOf(baseUrl: string): Origins {
  if (baseUrl === "https://api.github.com") {
    return {
      api: baseUrl,
      html: "https://github.com",
      uploads: "https://uploads.github.com",
      codeload: "https://codeload.github.com",
      raw: "https://raw.githubusercontent.com",
    };
  }
  const { protocol, host, origin } = new URL(baseUrl);
  return {
    api: baseUrl,
    html: origin,
    uploads: `${origin}/-uploads`,
    codeload: `${protocol}//codeload.${host}`,
    raw: `${protocol}//raw.${host}`,
  };
}
