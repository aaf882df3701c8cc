import { PRIORITIES, type QuotaDocument } from "../policy/share/quota-document.js";
import { processesIn } from "../pool/processes-in.js";
import type { TrackedWindow } from "./principal.js";

/** Who has not been seen wanting anything still has so much of an even part, so that its first calls are not stopped. */
const EVEN_PART = 0.1;

/**
 * Takes in how many processes share a quota, and how much of the fleet's demand is this one's: secondary limits are
 * divided by that. GitHub counts them for all processes together, and tells nobody.
 */
export function hearFleet(tracked: TrackedWindow, { allocations }: QuotaDocument): void {
  const { principal, spender } = tracked;
  const wants = Object.entries(allocations).map(([name, { classes }]) => ({
    own: name === spender?.state.spender,
    perHour: PRIORITIES.reduce<number>((sum, priority) => sum + (classes[priority]?.wantPerHour ?? 0), 0),
  }));
  const listed = wants.length + (wants.some(({ own }) => own) ? 0 : 1);
  principal.secondary.processes = Math.max(listed, processesIn(principal.pool?.membership.members() ?? []));
  const total = wants.reduce((sum, { perHour }) => sum + perHour, 0);
  const own = wants.find((want) => want.own)?.perHour ?? 0;
  const evenPart = total === 0 ? 1 : (EVEN_PART * total) / listed;
  tracked.share = (own + evenPart) / (total + evenPart * listed);
}
