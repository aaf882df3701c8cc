import type { Octokit } from "@octokit/core";
import type { OctokitOptions } from "@octokit/core/types";
import { LRUCache } from "lru-cache";
import { HOST_THROTTLING_WARNING, UNPACED_HOST_THROTTLING_WARNING } from "./adapter/host-plugins.js";
import { authorizationOf } from "./adapter/known-payer.js";
import { type OctokitRequestOptions, type OctokitSource, throughOctokit } from "./adapter/octokit.js";
import { pluginsAround } from "./adapter/plugins-around.js";
import { type Batch, batchFor } from "./batch.js";
import { type Guards, guardsFor } from "./guard.js";
import { IdentityNumbers, optionsKey, type SquadOptions } from "./options.js";
import type { Engine } from "./pipeline/engine.js";
import { asSeenBy, buildSquad, engineOf, resolveSquadOptions, type Squad } from "./squad.js";
import { VERSION } from "./version.js";

declare module "@octokit/core/types" {
  interface OctokitOptions {
    /** Options of octokit-plugin-squad-rate, or a squad made by `createSquad()`. */
    squad?: SquadOptions | Squad;
  }
}

/** A squad as one Octokit sees it: what needs a client is done by that Octokit, with its auth. */
export interface OctokitSquad extends Squad, Guards {
  readonly batch: Batch;
}

/** Options with a function made anew for each Octokit never meet again; their squads are forgotten, oldest first. */
const MAX_SQUADS = 500;

/** The squads of one Octokit class. */
interface Registry {
  readonly numbers: IdentityNumbers;
  readonly squads: LRUCache<string, Squad>;
}

/**
 * The one thing that outlives its caller: `App` and Probot make an Octokit per event, and each would start with an empty
 * cache if the squad were the instance's own. Same class and equal options: same squad.
 */
const registries = new WeakMap<object, Registry>();

/**
 * Lets all Octokits of one credential share quota, cache and attribution. Add it last, so that it is outermost.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS`, from the constructor, for a wrong or unknown option.
 *
 * @example
 * ```ts
 * import { Octokit } from "@octokit/core";
 * import { squadRate } from "octokit-plugin-squad-rate";
 *
 * const octokit = new (Octokit.plugin(squadRate))({ auth: process.env.GITHUB_TOKEN, squad: { agent: "ralph", priority: 2 } });
 * await octokit.request("GET /repos/{owner}/{repo}/pulls", { owner: "octokit", repo: "core.js" });
 * octokit.squad.status().principals;
 * ```
 */
export function squadRate(octokit: Octokit, options: OctokitOptions): { squad: OctokitSquad } {
  const shared = squadOf(octokit.constructor, options.squad);
  const engine = engineOf(shared) as Engine;
  const squad = asSeenBy(shared, {
    ...guardsFor(engine, (route, params) => octokit.request(route, params)),
    batch: batchFor(engine, (query, params) => octokit.graphql(query, params)),
  });
  if (engine.options.enabled === true) {
    const source = sourceOf(engine, octokit, options);
    octokit.hook.wrap("request", (request, requestOptions) =>
      throughOctokit(
        engine,
        source(),
        request as unknown as Parameters<typeof throughOctokit<Awaited<ReturnType<typeof request>>>>[2],
        requestOptions as OctokitRequestOptions,
      ),
    );
  }
  return { squad };
}

/** Octokit's plugins carry their version. */
export declare namespace squadRate {
  export const VERSION: string;
}
Object.defineProperty(squadRate, "VERSION", { value: VERSION, enumerable: true });

/** What an Octokit's calls have in common; made with the first one, when its other plugins are there. */
function sourceOf(engine: Engine, octokit: Octokit, options: OctokitOptions): () => OctokitSource {
  const around = pluginsAround(octokit, options, squadRate);
  let source: OctokitSource | undefined;
  return () => {
    if (source !== undefined) return source;
    const { inside, outside } = around();
    if (inside.throttling || outside.throttling) warnOfThrottling(engine);
    const { log, request } = octokit;
    source = {
      installation: installationOf(options),
      inside,
      outside,
      authorization: options.authStrategy === undefined ? authorizationOf(options.auth) : undefined,
      log,
      request: request as unknown as OctokitSource["request"],
    };
    return source;
  };
}

/** Once per squad: an app has an Octokit per event. */
function warnOfThrottling(engine: Engine): void {
  if (engine.toldOfThrottling) return;
  engine.toldOfThrottling = true;
  const paced = engine.options.pacing !== false;
  engine.warnings.push(paced ? HOST_THROTTLING_WARNING : UNPACED_HOST_THROTTLING_WARNING);
}

function squadOf(owner: object, given: SquadOptions | Squad | undefined): Squad {
  if (engineOf(given) !== undefined) return given as Squad;
  const options = resolveSquadOptions(given as SquadOptions | undefined);
  let registry = registries.get(owner);
  if (registry === undefined) {
    registry = { numbers: new IdentityNumbers(), squads: new LRUCache({ max: MAX_SQUADS }) };
    registries.set(owner, registry);
  }
  const key = optionsKey(options, registry.numbers);
  let squad = registry.squads.get(key);
  if (squad === undefined || engineOf(squad)?.closed === true) {
    squad = buildSquad(options);
    registry.squads.set(key, squad);
  }
  return squad;
}

/** An app's installation owns its quota, whatever token it has this hour; both ids are in the options of app auth. */
function installationOf({ authStrategy, auth }: OctokitOptions): string | undefined {
  if (authStrategy === undefined || typeof auth !== "object" || auth === null) return undefined;
  const { appId, installationId } = auth as { readonly appId?: unknown; readonly installationId?: unknown };
  const isId = (id: unknown): id is string | number =>
    /^[\w.-]{1,40}$/.test(String(id)) && (typeof id === "number" || typeof id === "string");
  return isId(appId) && isId(installationId) ? `app ${appId} installation ${installationId}` : undefined;
}
