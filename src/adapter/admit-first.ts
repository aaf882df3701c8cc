import { waitForPermit } from "../pipeline/admit.js";
import type { Call } from "../pipeline/call.js";
import type { Engine } from "../pipeline/engine.js";
import type { Principal } from "../pipeline/principal.js";

/**
 * Whether a call is admitted before plugins inside ours see it, because it would be sent back for its permit in any case:
 * calls with a pace, and GraphQL where plugin-throttling is inside. The way through plugin-throttling costs a place in its
 * queue, a second or more; and plugins that write down errors, as `@octokit/rest` has one, would write one down for each.
 */
export function isAdmittedFirst(engine: Engine, call: Call): boolean {
  const { lane, facts, permit, attempts, source } = call;
  if (lane === "direct" && !(source.inside.throttling && facts.api === "graphql")) return false;
  return permit === undefined && attempts === 0 && !facts.exempt && !mayBeRemembered(engine, call);
}

/**
 * Admits a call that `payer` pays for.
 *
 * @throws SquadRateError as `waitForPermit` does.
 */
export async function admitFirst(engine: Engine, call: Call, payer: Principal): Promise<void> {
  call.principal = payer;
  await waitForPermit(engine, call);
}

/** Whether the cache may answer it without a permit. */
function mayBeRemembered({ cache }: Engine, { facts, request }: Call): boolean {
  if (cache === undefined || facts.kind === "write" || facts.api === "graphql") return false;
  return request.cache.freshForMs > 0 || request.cache.maxStaleMs > 0;
}
