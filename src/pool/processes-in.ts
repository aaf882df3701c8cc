import type { ListedMember } from "./membership.js";

/** How many processes are in a list of members, at least one: members of one process have one ending of their ids. */
export function processesIn(members: readonly ListedMember[]): number {
  return Math.max(1, new Set(members.map(({ id }) => id.slice(id.lastIndexOf("~")))).size);
}
