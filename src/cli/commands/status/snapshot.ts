import { isSquadRateError } from "../../../errors.js";
import type { PoolView } from "../../../pool/outside/pool-view.js";
import { describeAddress, parseStoreAddress } from "../../../store/address.js";
import { CommandEnd } from "../../command-end.js";
import type { Settings } from "../../config.js";
import type { CommandContext } from "../../context.js";
import { choosePools, readPools } from "../pool/choose-pools.js";
import { withStore } from "../pool/with-store.js";
import { type ProxyView, seeProxies } from "./proxies.js";

/** What `status --json` prints. It grows by keys; what a key means changes with `version`. Times are epoch milliseconds. */
export interface StatusSnapshot {
  readonly version: 1;
  /** By this machine's clock. */
  readonly at: number;
  /** Null when no store is named. */
  readonly store: StoreSeen | null;
  readonly pools: readonly PoolView[];
  /** How many more pools the store has. */
  readonly otherPools: number;
  readonly proxies: readonly ProxyView[];
}

/** The store, and why it could not be looked into if that is so. */
export interface StoreSeen {
  /** Without user, password and parameters. */
  readonly uri: string;
  readonly problem: { readonly message: string; readonly remedy: string | undefined } | null;
  /** Whether all its keys were looked at. */
  readonly complete: boolean;
}

/** Looks at the store and the proxies once. What is wrong with the store is part of the picture. */
export async function takeSnapshot(
  context: CommandContext,
  settings: Settings,
  all: boolean | undefined,
): Promise<StatusSnapshot> {
  const { env, clock } = context;
  const [{ running }, seen] = await Promise.all([seeProxies(env, clock), seeStore(context, settings, all)]);
  return { version: 1, at: clock.now(), proxies: running, ...seen };
}

type StorePart = Pick<StatusSnapshot, "store" | "pools" | "otherPools">;

async function seeStore(context: CommandContext, settings: Settings, all: boolean | undefined): Promise<StorePart> {
  if (settings.store === undefined) return { store: null, pools: [], otherPools: 0 };
  const { clock, env } = context;
  try {
    return await withStore(context, settings, async (store) => {
      const { pools, others, complete } = await choosePools(store, clock, { env, settings, all });
      const views = await readPools(store, pools, clock);
      return { store: { uri: store.describe().uri, problem: null, complete }, pools: views, otherPools: others };
    });
  } catch (error) {
    if (!(error instanceof CommandEnd) && !isSquadRateError(error)) throw error;
    const { message, remedy } = error;
    return {
      store: { uri: shown(settings.store), problem: { message, remedy }, complete: false },
      pools: [],
      otherPools: 0,
    };
  }
}

function shown(uri: string): string {
  return describeAddress(parseStoreAddress(uri));
}
