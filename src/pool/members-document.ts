import {
  type MemberChange,
  type MembershipDocument,
  parseMembershipDocument,
  updateMembership,
} from "../policy/membership.js";
import type { ParsedDocument } from "../policy/share/parse-quota-document.js";
import type { Changed } from "./documents.js";

/**
 * What `changes` make of the stored list of members; `undefined` as the next document when they make nothing of it. Another
 * version may own what this one cannot read, so that is left alone.
 */
export function changeMembers(
  stored: unknown,
  changes: readonly MemberChange[],
  now: number,
): Changed<ParsedDocument<MembershipDocument | undefined>> {
  const read: ParsedDocument<MembershipDocument | undefined> =
    stored === undefined ? { kind: "ok", doc: undefined } : parseMembershipDocument(stored, now);
  if (read.kind === "unreadable") return { doc: undefined, result: read };
  const listed = read.doc?.members ?? {};
  if (changes.every(({ id, report }) => report === undefined && !Object.hasOwn(listed, id))) {
    return { doc: undefined, result: read };
  }
  const doc = updateMembership(read.doc, changes, now);
  return { doc, result: { kind: "ok", doc } };
}

/** A document of those members alone whose id ends so. */
export function onlyMembers(doc: MembershipDocument | undefined, idEnding: string): MembershipDocument | undefined {
  if (doc === undefined) return undefined;
  return {
    ...doc,
    members: Object.fromEntries(Object.entries(doc.members).filter(([id]) => id.endsWith(idEnding))),
  };
}
