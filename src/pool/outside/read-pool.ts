import { redact } from "../../call/redact.js";
import { type ContentDocument, parseContentDocument } from "../../policy/content-writes.js";
import { type CooldownDocument, parseCooldownDocument } from "../../policy/cooldown.js";
import { type MembershipDocument, parseMembershipDocument } from "../../policy/membership.js";
import { type OperationCostsDocument, parseOperationCosts } from "../../policy/operation-costs.js";
import { type ParsedDocument, parseQuotaDocument } from "../../policy/share/parse-quota-document.js";
import type { QuotaDocument } from "../../policy/share/quota-document.js";
import type { Store } from "../../store/store.js";
import { storeError } from "../../store/store-error.js";
import { contentWritesKey, cooldownKey, membersKey, operationCostsKey, type PoolIdentity, quotaKey } from "../keys.js";
import type { FoundPool } from "./find-pools.js";

/** One document as somebody found it who looked. */
export type Seen<Document> = { readonly kind: "none" } | ParsedDocument<Document>;

/** Everything that lies in the store of one pool. */
export interface PoolDocumentsSeen {
  readonly pool: PoolIdentity;
  /** By resource. */
  readonly quotas: ReadonlyMap<string, Seen<QuotaDocument>>;
  readonly members: Seen<MembershipDocument>;
  readonly cooldown: Seen<CooldownDocument>;
  readonly contentWrites: Seen<ContentDocument>;
  readonly operationCosts: Seen<OperationCostsDocument>;
}

/**
 * Reads all documents of a pool, without a lease, a report or any other write. What cannot be read is told with its reason,
 * and never taken for absent. No clock that GitHub has set is at hand, so nothing is held to be of the future.
 *
 * @throws SquadRateError `SQUAD_RATE_STORE` when the store does not answer.
 *
 * @example
 * ```ts
 * const seen = await readPool(store, pool, clock.now());
 * seen.members.kind; // "ok"
 * ```
 */
export async function readPool(store: Store, pool: FoundPool, now: number): Promise<PoolDocumentsSeen> {
  const { host, name, resources } = pool;
  const identity = { host, name };
  const quota = async (resource: string): Promise<[string, Seen<QuotaDocument>]> => [
    resource,
    await read(store, quotaKey(identity, resource), (value) => parseQuotaDocument(value, now, false)),
  ];
  const [quotas, members, cooldown, contentWrites, operationCosts] = await Promise.all([
    Promise.all(resources.map(quota)),
    read(store, membersKey(identity), (value) => parseMembershipDocument(value, ANY_TIME)),
    read(store, cooldownKey(identity), (value) => parseCooldownDocument(value, ANY_TIME)),
    read(store, contentWritesKey(identity), (value) => parseContentDocument(value, ANY_TIME)),
    read(store, operationCostsKey(identity), (value) => parseOperationCosts(value, ANY_TIME)),
  ]);
  return { pool: identity, quotas: new Map(quotas), members, cooldown, contentWrites, operationCosts };
}

const ANY_TIME = Number.POSITIVE_INFINITY;

async function read<Document>(
  store: Store,
  key: string,
  parse: (value: unknown) => ParsedDocument<Document>,
): Promise<Seen<Document>> {
  let value: unknown;
  try {
    value = await store.keyv.get(key);
  } catch (error) {
    // What no longer parses is the document's fault; what never came is the store's.
    if (!isTorn(error)) throw storeError(store.describe().uri, `read ${key}`, error);
    return { kind: "unreadable", why: "it is not JSON" };
  }
  if (value === undefined || value === null) return { kind: "none" };
  const parsed = parse(value);
  return parsed.kind === "unreadable" ? { kind: "unreadable", why: redact(parsed.why) } : parsed;
}

/** The file store moves such a file out of the way, for whoever reads it first. */
function isTorn(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Error && / was set aside /.test(error.message));
}
