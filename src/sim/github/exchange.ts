import type { FaultScript } from "./faults.js";
import type { Identity } from "./identify.js";
import type { ResolvedOptions } from "./options.js";
import type { PreparedGraphQL } from "./prepared-graphql.js";
import type { RenderedBodies } from "./rendered-bodies.js";
import type { ResourceName } from "./resource.js";
import type { RouteMatch } from "./rest/router.js";
import type { Quota, QuotaWindows, WindowReading } from "./windows.js";
import type { WireReply, WireRequest } from "./wire.js";
import type { Credential } from "./world/credentials.js";
import type { WorldState } from "./world/world-state.js";

/** One request on its way through the simulator. */
export interface Exchange {
  readonly id: number;
  readonly requestId: string;
  readonly request: WireRequest;
  /**
   * Without the prefix of GHES and without query. What belongs to other hosts than the API begins with `/-uploads`,
   * `/-codeload` or `/-raw`, which is also how a server with a single origin serves it.
   */
  readonly path: string;
  readonly identity: Identity;
  readonly kind: "rest" | "graphql";
  readonly resource: ResourceName;
  readonly quota: Quota;
  readonly region: number;
  readonly match: RouteMatch | undefined;
  readonly graphql: PreparedGraphQL | undefined;
  readonly fault: FaultScript | undefined;
  readonly startedAt: number;
}

/** What became of an exchange: the reply, and what it cost. */
export interface Outcome {
  readonly reply: WireReply;
  readonly units: number;
  /** The window it was booked in. */
  readonly reading: WindowReading;
  readonly refusedBy: "primary" | "secondary" | undefined;
}

/** What those who answer an exchange work with. */
export interface AnswerDesk {
  readonly options: ResolvedOptions;
  readonly state: WorldState;
  readonly windows: QuotaWindows;
  readonly bodies: RenderedBodies;
  /** Whether an exchange is under primary limits at all. */
  isMetered(exchange: Exchange): boolean;
  /** What `/rate_limit` tells a credential. */
  readings(credential: Credential, region: number): Record<string, unknown>;
}
