import { parseMembershipDocument, updateMembership } from "../../policy/membership.js";
import { type EndedLease, evict } from "../../policy/share/evict.js";
import { parseQuotaDocument } from "../../policy/share/parse-quota-document.js";
import { unreadableDocument } from "../../store/document.js";
import type { PoolDocuments } from "../documents.js";
import { membersKey, type PoolIdentity, quotaKey } from "../keys.js";
import type { Eviction } from "./choose-evicted.js";
import { updateOnce } from "./update-once.js";

/** A lease that was ended, and of what. */
export interface EvictedLease extends EndedLease {
  readonly resource: string;
}

/** What an eviction has changed. */
export interface Evicted {
  /** How many were taken off the list of agents. */
  readonly members: number;
  readonly leases: readonly EvictedLease[];
}

/**
 * Takes agents off the list, and ends leases, each document in one atomic step. What is done already is done again without
 * harm; whoever lives after all comes back with its next report. `now` is GitHub's time, as far as it is known.
 *
 * @throws SquadRateError `SQUAD_RATE_STORE` when the store does not take it, or a document cannot be read.
 */
export async function evictFromPool(
  documents: PoolDocuments,
  pool: PoolIdentity,
  eviction: Eviction,
  now: number,
): Promise<Evicted> {
  // Leases first: who is off the list before is not found by name when this has to be done again.
  const leases: EvictedLease[] = [];
  for (const [resource, spenders] of eviction.spenders) {
    const ended = await endLeases(documents, quotaKey(pool, resource), spenders, now);
    leases.push(...ended.map((lease) => ({ resource, ...lease })));
  }
  const ids = eviction.members.map(({ id }) => id);
  return { members: await takeOff(documents, membersKey(pool), ids), leases };
}

function endLeases(
  documents: PoolDocuments,
  key: string,
  spenders: ReadonlySet<string>,
  now: number,
): Promise<readonly EndedLease[]> {
  return updateOnce(documents, key, (stored) => {
    if (stored === undefined) return { doc: undefined, result: [] };
    const parsed = parseQuotaDocument(stored, now, false);
    if (parsed.kind === "unreadable") throw unreadableDocument(key, parsed.why);
    const { doc, ended } = evict(parsed.doc, spenders);
    return { doc: doc === parsed.doc ? undefined : doc, result: ended };
  });
}

function takeOff(documents: PoolDocuments, key: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return Promise.resolve(0);
  return updateOnce(documents, key, (stored) => {
    if (stored === undefined) return { doc: undefined, result: 0 };
    const parsed = parseMembershipDocument(stored, Number.POSITIVE_INFINITY);
    if (parsed.kind === "unreadable") throw unreadableDocument(key, parsed.why);
    const listed = ids.filter((id) => Object.hasOwn(parsed.doc.members, id));
    if (listed.length === 0) return { doc: undefined, result: 0 };
    const changes = listed.map((id) => ({ id, report: undefined }));
    // By nobody's clock: whose lease has ended is for those to say whom an answer has told the time.
    return { doc: updateMembership(parsed.doc, changes, 0, false), result: listed.length };
  });
}
