import type { QuotaDocument } from "../policy/share/quota-document.js";
import { processesIn } from "../pool/processes-in.js";
import type { TrackedWindow } from "./principal.js";

/**
 * Takes in how many processes share a quota, between which secondary limits are divided: GitHub counts them for all
 * processes together, and tells nobody.
 */
export function hearFleet({ principal, spender }: TrackedWindow, { allocations }: QuotaDocument): void {
  const isListed = spender !== undefined && Object.hasOwn(allocations, spender.state.spender);
  const listed = Object.keys(allocations).length + (isListed ? 0 : 1);
  principal.secondary.processes = Math.max(listed, processesIn(principal.pool?.membership.members() ?? []));
}
