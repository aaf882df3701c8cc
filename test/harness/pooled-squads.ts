import type { SquadOptions } from "../../src/options.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { createSquad, type Squad } from "../../src/squad.js";
import { readDocument } from "../../src/store/atomic-update.js";
import type { Document } from "../../src/store/document.js";
import { openStore } from "../../src/store/open-store.js";
import type { Store } from "../../src/store/store.js";
import { AS_IT_COMES } from "./octokit-in-squad.js";
import { createStubGithub, type StubGithub } from "./stub-github.js";

/** Squads that share a store in memory, on one virtual clock, before one stub of GitHub. */
export interface PooledSquads {
  readonly clock: VirtualClock;
  readonly github: StubGithub;
  readonly store: Store;
  squad(options?: SquadOptions): Squad;
  /** A charged read by `squad`; resolves to its status. */
  read(squad: Squad, path?: string, init?: RequestInit & { readonly squad?: object }): Promise<number>;
  /** The core quota's document of the one pool there is. */
  document(): Promise<Document | undefined>;
}

const API = "https://api.github.com";

export async function pooledSquads(): Promise<PooledSquads> {
  const clock = createVirtualClock();
  const github = createStubGithub({ clock });
  const store = await openStore("memory:", { clock });
  const squads: Squad[] = [];
  const document = async (): Promise<Document | undefined> => {
    const { principals } = (squads[0] as Squad).status();
    const pool = principals.find((principal) => principal.pool !== undefined);
    return readDocument(store, `squad-rate:quota:${pool?.host}:${pool?.pool?.name}:core`);
  };
  return {
    clock,
    github,
    store,
    document,
    squad(options) {
      const squad = createSquad({
        agent: "ralph",
        clock,
        fetch: github.fetch,
        cache: false,
        store,
        ...AS_IT_COMES,
        ...options,
      });
      squads.push(squad);
      return squad;
    },
    async read(squad, path = "/repos/o/r", init = {}) {
      const headers = { authorization: "token ghp_shared", ...(init.headers as Record<string, string> | undefined) };
      const response = await clock.settle(squad.fetch(API + path, { ...init, headers } as RequestInit));
      return response.status;
    },
  };
}
