import { fingerprint } from "../../../call/fingerprint.js";
import type { Clock } from "../../../clock.js";
import { type FoundPool, findPools, USUAL_RESOURCES } from "../../../pool/outside/find-pools.js";
import { type PoolView, poolView } from "../../../pool/outside/pool-view.js";
import { readPool } from "../../../pool/outside/read-pool.js";
import { printable } from "../../../report/printable.js";
import type { Store } from "../../../store/store.js";
import { CommandEnd } from "../../command-end.js";
import type { Settings } from "../../config.js";
import type { CommandContext } from "../../context.js";
import { EXIT } from "../../exit-code.js";

/** The pools that are meant, and how many more there are. */
export interface ChosenPools {
  readonly pools: readonly FoundPool[];
  readonly others: number;
  /** Whether all keys of the store were looked at. */
  readonly complete: boolean;
}

export interface PoolChoice {
  readonly env: CommandContext["env"];
  readonly settings: Pick<Settings, "pool" | "host">;
  /** Whatever else the store has is meant too. */
  readonly all?: boolean | undefined;
}

const API = "api.github.com";

/**
 * Which pools of a store a command is about: those of the name in the settings, or of whose id it is the beginning; else that
 * of the token in the environment, if there is one; else all.
 */
export async function choosePools(store: Store, clock: Clock, choice: PoolChoice): Promise<ChosenPools> {
  const { settings, env, all = false } = choice;
  const ofToken = tokenIn(env) === undefined ? undefined : fingerprint(tokenIn(env) ?? "");
  const found = await findPools(store, { clock });
  if (found.kind === "unlistable") return unlisted(settings.pool ?? ofToken, settings.host);
  const onHost = found.pools.filter(({ host }) => isHost(host, settings.host));
  const meant = all ? onHost : meantOf(onHost, settings.pool, ofToken);
  return { pools: meant, others: found.pools.length - meant.length, complete: found.complete };
}

/**
 * For commands that change one: a name that no pool has is a mistake, and not a pool in which there is nothing to change.
 *
 * @throws CommandEnd `EXIT.found` if a pool was named, and there is none of that name.
 */
export function checkNamedPool({ pools }: ChosenPools, { pool }: Pick<Settings, "pool">, where: string): void {
  if (pool === undefined || pools.length > 0) return;
  throw new CommandEnd(EXIT.found, {
    message: `no pool ${printable(pool)} in ${where}`,
    remedy: "squad-rate status --all shows those that there are",
  });
}

/** What lies in the store of these pools. */
export async function readPools(store: Store, pools: readonly FoundPool[], clock: Clock): Promise<readonly PoolView[]> {
  return Promise.all(pools.map(async (pool) => poolView(await readPool(store, pool, clock.now()), clock.now())));
}

/** The token that a squad would use here, if the environment has it. Never to be shown. */
export function tokenIn(env: CommandContext["env"]): string | undefined {
  return env.GH_TOKEN || env.GITHUB_TOKEN || undefined;
}

/** How a pool is called on a screen: a name as it is, of an id the beginning. */
export function shownName(name: string): string {
  return /^[0-9a-f]{32}$/.test(name) ? name.slice(0, 8) : name;
}

function meantOf(
  pools: readonly FoundPool[],
  name: string | undefined,
  ofToken: string | undefined,
): readonly FoundPool[] {
  if (name !== undefined) {
    const exact = pools.filter((pool) => pool.name === name);
    return exact.length > 0 ? exact : pools.filter((pool) => pool.name.startsWith(name));
  }
  const own = pools.filter((pool) => pool.name === ofToken);
  return own.length > 0 ? own : pools;
}

function unlisted(name: string | undefined, host: string | undefined): ChosenPools {
  if (name === undefined) {
    throw new CommandEnd(EXIT.usage, {
      message: "the store cannot list its pools",
      remedy: "name one with --pool, or set GITHUB_TOKEN to see that token's",
    });
  }
  const pool = { host: host === undefined || host === "github.com" ? API : host, name, resources: USUAL_RESOURCES };
  return { pools: [pool], others: 0, complete: true };
}

/** github.com is asked at api.github.com, an Enterprise Server at its own name. */
function isHost(host: string, wanted: string | undefined): boolean {
  return wanted === undefined || host === wanted || host === `api.${wanted}`;
}
