import { createHash } from "node:crypto";

/** A pool's name and the host whose quota it is; two hosts never share a pool. */
export interface PoolIdentity {
  readonly host: string;
  /** The principal's id, or the name that joins several. */
  readonly name: string;
}

/** A readable key stays well below what every store takes; a longer name is told apart by its digest. */
const MAX_NAME_CHARACTERS = 100;

/** The key of the document that says how one resource's quota is shared. */
export function quotaKey(pool: PoolIdentity, resource: string): string {
  return `squad-rate:quota:${identityPart(pool)}:${part(resource)}`;
}

/** The key of the document that says who shares a pool. */
export function membersKey(pool: PoolIdentity): string {
  return `squad-rate:members:${identityPart(pool)}`;
}

/** The key of the document that says until when everybody holds back after a secondary refusal. */
export function cooldownKey(pool: PoolIdentity): string {
  return `squad-rate:cooldown:${identityPart(pool)}`;
}

/** The key of the document that says how many content writes were sent in the last hour, and who waits to send more. */
export function contentWritesKey(pool: PoolIdentity): string {
  return `squad-rate:content-writes:${identityPart(pool)}`;
}

/** The key of the document that says how much of the secondary limits each process uses. */
export function secondaryUseKey(pool: PoolIdentity): string {
  return `squad-rate:secondary-use:${identityPart(pool)}`;
}

/** The key of the document that says what GraphQL operations cost. */
export function operationCostsKey(pool: PoolIdentity): string {
  return `squad-rate:graphql-costs:${identityPart(pool)}`;
}

function identityPart({ host, name }: PoolIdentity): string {
  return `${part(host)}:${part(name)}`;
}

/** Printable, and without the colon that separates the parts. */
function part(text: string): string {
  const encoded = encodeURIComponent(text);
  if (encoded.length <= MAX_NAME_CHARACTERS) return encoded;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return `${encoded.slice(0, MAX_NAME_CHARACTERS - 33).replace(/%.?$/, "")}~${digest}`;
}
