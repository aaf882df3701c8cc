import {
  type MemberChange,
  type MembershipDocument,
  parseMembershipDocument,
  updateMembership,
} from "../policy/membership.js";
import { unreadableDocument } from "../store/document.js";
import type { Changed } from "./documents.js";

/**
 * What `changes` make of the stored list of members; `undefined` as the next document when they make nothing of it. Another
 * version may own what this one cannot read, so that is left alone.
 *
 * @throws SquadRateError `SQUAD_RATE_STORE` when what is stored is no list that this version can read.
 */
export function changeMembers(
  key: string,
  stored: unknown,
  changes: readonly MemberChange[],
  now: number,
): Changed<MembershipDocument | undefined> {
  const read = stored === undefined ? undefined : parseMembershipDocument(stored, now);
  if (read?.kind === "unreadable") throw unreadableDocument(key, read.why);
  const listed = read?.doc.members ?? {};
  if (changes.every(({ id, report }) => report === undefined && !Object.hasOwn(listed, id))) {
    return { doc: undefined, result: read?.doc };
  }
  const doc = updateMembership(read?.doc, changes, now);
  return { doc, result: doc };
}

/** A document of those members alone whose id ends so. */
export function onlyMembers(doc: MembershipDocument | undefined, idEnding: string): MembershipDocument | undefined {
  if (doc === undefined) return undefined;
  return {
    ...doc,
    members: Object.fromEntries(Object.entries(doc.members).filter(([id]) => id.endsWith(idEnding))),
  };
}
