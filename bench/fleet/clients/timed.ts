import type { FleetSeat } from "../../../src/sim/fleet/client.js";
import type { Requester } from "./requester.js";

/** The same, with each call timed as one that a poll consists of. */
export function timedBy({ timed }: Pick<FleetSeat, "timed">, { request, graphql }: Requester): Requester {
  return {
    request: ((...args: Parameters<typeof request>) => timed(() => request(...args))) as typeof request,
    graphql: ((...args: Parameters<typeof graphql>) => timed(() => graphql(...args))) as typeof graphql,
  };
}
