import type { CallSource } from "../pipeline/call.js";
import type { Engine } from "../pipeline/engine.js";
import type { KeptBytes } from "./kept-bytes.js";
import type { SlowClients } from "./slow-clients.js";
import type { Reach } from "./target.js";
import type { Upstream } from "./upstream.js";

/** What every request of a proxy is served with. */
export interface Desk {
  readonly engine: Engine;
  readonly source: CallSource;
  readonly reach: Reach;
  readonly upstream: Upstream;
  readonly slow: SlowClients;
  readonly kept: KeptBytes;
}
