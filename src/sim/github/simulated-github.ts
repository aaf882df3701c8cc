import { checkAtLeast, checkFinite, checkOneOf } from "./check-input.js";
import { createControlApi } from "./control-api.js";
import { Engine } from "./engine.js";
import { listen } from "./http-server.js";
import { identify, quotaOf } from "./identify.js";
import { createInProcessFetch } from "./in-process-fetch.js";
import { resolveOptions, type SimulatedGitHubOptions } from "./options.js";
import { RESOURCE_NAMES, type ResourceName } from "./resource.js";
import type { SimulatedGitHub } from "./surface.js";
import type { Quota } from "./windows.js";
import type { GitHubHost, Origins } from "./wire.js";
import { createWorld } from "./world/world.js";

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

  const principalQuota = (who: string, resource: ResourceName): Quota | undefined => {
    const kind = /^(user|installation|actions|address):/.exec(who)?.[1];
    if (kind === undefined) return undefined;
    const { limit, unauthenticatedLimit, windowMs } = engine.options.limits[resource];
    return { principal: who, resource, limit: kind === "address" ? unauthenticatedLimit : limit, windowMs };
  };

  const github: SimulatedGitHub = {
    fetch: fetchFrom(DEFAULT_ADDRESS),
    fetchFrom,
    world: createWorld(engine.state),
    get log() {
      return engine.log.exchanges;
    },
    ledger: (principal) => engine.ledger.entries(principal),
    usage: (who, resource = "core") => {
      checkOneOf("usage", "resource", resource, RESOURCE_NAMES);
      const quota =
        principalQuota(who, resource) ?? quotaOf(identityOf(who).credential, resource, engine.options, engine.state);
      const { limit, used, remaining, resetAt } = engine.windows.read(quota, engine.state.now(), 0);
      return { limit, used, remaining, resetAt };
    },
    secondaryPeaks: (token, { restart = false } = {}) =>
      engine.secondary.peaks(identityOf(token).credential.principal.key, restart),
    consume: (token, resource, units) => {
      checkOneOf("consume", "resource", resource, RESOURCE_NAMES);
      engine.consume(identityOf(token), resource, checkAtLeast("consume", "units", units, 0));
    },
    fault: (script) => engine.faults.add(script),
    block: (token, forMs) =>
      engine.secondary.block(
        identityOf(token).credential.principal.key,
        checkAtLeast("block", "forMs", forMs, 0),
        engine.options.clock.now(),
      ),
    setClockSkew: (skewMs) => {
      engine.state.skewMs = checkFinite("setClockSkew", "skewMs", skewMs);
    },
    reset: (what = {}) => engine.reset(what.world ?? false),
    listen: (where = {}) => listen(engine, createControlApi(github), origins, where),
  };
  return github;
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
