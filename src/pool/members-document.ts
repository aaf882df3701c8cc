import {
  isDependedOn,
  type MemberChange,
  type MembershipDocument,
  parseMembershipDocument,
  updateMembership,
} from "../policy/membership.js";
import { unreadableDocument } from "../store/document.js";
import type { Changed } from "./documents.js";

/**
 * What `changes` make of the stored list of members; `undefined` as the next document when they make nothing of it that
 * anybody waits for. Without changes it is a reading. Another version may own what this one cannot read, so that is left
 * alone. A clock that nobody has set cannot tell what was written in the future.
 *
 * @throws SquadRateError `SQUAD_RATE_STORE` when what is stored is no list that this version can read.
 */
export function changeMembers(
  key: string,
  stored: unknown,
  changes: readonly MemberChange[],
  now: number,
  clockKnown: boolean,
): Changed<MembershipDocument | undefined> {
  const read =
    stored === undefined ? undefined : parseMembershipDocument(stored, clockKnown ? now : Number.POSITIVE_INFINITY);
  if (read?.kind === "unreadable") throw unreadableDocument(key, read.why);
  if (!changes.some((change) => matters(change, read?.doc, now))) return { doc: undefined, result: read?.doc };
  const doc = updateMembership(read?.doc, changes, now, clockKnown);
  return { doc, result: doc };
}

/** Leaving a list that one is not on changes nothing, and what nobody depends on can be told with the next renewal. */
function matters({ id, report, amends }: MemberChange, doc: MembershipDocument | undefined, now: number): boolean {
  const isListed = doc !== undefined && Object.hasOwn(doc.members, id);
  if (report === undefined) return isListed;
  return amends !== true || (isListed && isDependedOn(doc, report.agent, now));
}

/** A document of those members alone whose id ends so. */
export function onlyMembers(doc: MembershipDocument | undefined, idEnding: string): MembershipDocument | undefined {
  if (doc === undefined) return undefined;
  return {
    ...doc,
    members: Object.fromEntries(Object.entries(doc.members).filter(([id]) => id.endsWith(idEnding))),
  };
}
