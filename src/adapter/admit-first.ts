import { waitForPermit } from "../pipeline/admit.js";
import type { Call } from "../pipeline/call.js";
import type { Engine } from "../pipeline/engine.js";
import type { ExpectedPayer } from "./expected-payer.js";

/**
 * Admits a call before plugins inside ours see it, where it would be sent back for its permit in any case: calls with a
 * pace, and GraphQL where plugin-throttling is inside. The way through plugin-throttling costs a place in its queue, a
 * second or more; and plugins that write down errors, as `@octokit/rest` has one, would write one down for each of them.
 * Whether it was known who pays is told at the fetch seam; if not, the call comes back after all.
 *
 * @throws SquadRateError as `waitForPermit` does.
 */
export async function admitFirst(engine: Engine, call: Call, payer: ExpectedPayer): Promise<boolean> {
  const { lane, facts, permit, attempts, source } = call;
  if (permit !== undefined || attempts > 0 || facts.exempt) return false;
  if (lane === "direct" && !(source.inside.throttling && facts.api === "graphql")) return false;
  if (mayBeRemembered(engine, call) || !payer.name(engine, call)) return false;
  await waitForPermit(engine, call);
  return true;
}

/** Whether the cache may answer it without a permit. */
function mayBeRemembered({ cache }: Engine, { facts, request }: Call): boolean {
  if (cache === undefined || facts.kind === "write" || facts.api === "graphql") return false;
  return request.cache.freshForMs > 0 || request.cache.maxStaleMs > 0;
}
