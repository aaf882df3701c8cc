import { LRUCache } from "lru-cache";
import type { Engine } from "../pipeline/engine.js";
import type { Flight } from "./flight.js";
import type { GuardClient, GuardRequest } from "./look.js";
import { RememberedValues } from "./remembered-values.js";
import { SharedValues } from "./shared-values.js";

/** What the guards of one squad have in common. */
export interface GuardRoom {
  readonly engine: Engine;
  readonly values: RememberedValues;
  /** Undefined: values stay in this process. */
  readonly shared: SharedValues | undefined;
  /** By key, the value that is being produced or waited for. */
  readonly flights: Map<string, Flight>;
  /** By guard, the source of its `produce`. */
  readonly sources: LRUCache<string, string>;
  octokits: number;
}

/** Guards are few: they are written, and their parameters name what a program works on. */
const MAX_SOURCES = 2_000;

/** One for each squad, which outlives the Octokits that an app makes for each event. */
export function roomOf(engine: Engine): GuardRoom {
  return engine.kept.of(engine, newRoom);
}

function newRoom(engine: Engine): GuardRoom {
  return {
    engine,
    values: new RememberedValues(engine.clock),
    shared: sharedValues(engine),
    flights: new Map(),
    sources: new LRUCache({ max: MAX_SOURCES }),
    octokits: 0,
  };
}

export function newClient(room: GuardRoom, request: GuardRequest): GuardClient {
  return { request, number: room.octokits++, owner: undefined };
}

/** What is made of private answers goes where they go. */
function sharedValues({ store, options: { cache } }: Engine): SharedValues | undefined {
  if (store === undefined || cache === false || !cache.store) return undefined;
  return new SharedValues({ open: () => store.open(), maxTtlMs: cache.storeTtlMs });
}
