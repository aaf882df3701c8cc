import type { Call } from "../pipeline/call.js";

/** Whose values they are. */
export interface Owner {
  readonly name: string;
  /** By whose clock their age is told. */
  readonly host: string;
  /** Other processes may have values of the same owner. */
  readonly isShared: boolean;
}

/** Whoever has one of these may be anybody: two apps are both `app`, and one's values are not the other's. */
const NAMELESS: ReadonlySet<string> = new Set(["anonymous", "app", "unseen"]);

/**
 * Whose values are guarded by reads of which these are the calls; undefined when none of them got so far that it is known.
 * The values of the nameless are their Octokit's own, which `octokit` names in this process.
 */
export function ownerOf(calls: readonly (Call | undefined)[], octokit: number): Owner | undefined {
  const principals = calls.flatMap((call) => call?.principal ?? []);
  const [first] = principals;
  if (first === undefined) return undefined;
  const names = new Set(principals.map(({ host, id }) => `${host} ${id}`));
  const name = [...names].sort().join("\n");
  const isShared = principals.every(({ id }) => !NAMELESS.has(id));
  return { name: isShared ? name : `${name}\nOctokit ${octokit}`, host: first.host, isShared };
}

/** A test double that answers without a request shows nobody. */
export function unseenOwner(calls: readonly (Call | undefined)[], octokit: number): Owner {
  return { name: `Octokit ${octokit}`, host: calls[0]?.facts.host ?? "", isShared: false };
}
