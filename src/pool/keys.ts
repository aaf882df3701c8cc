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

/** What a key of this package that somebody has found in a store belongs to. */
export interface FoundKey {
  readonly kind: "quota" | "members" | "cooldown" | "content-writes" | "secondary-use" | "graphql-costs";
  readonly pool: PoolIdentity;
  /** Of a quota. */
  readonly resource: string | undefined;
}

const POOL_KEY =
  /^squad-rate:(quota|members|cooldown|content-writes|secondary-use|graphql-costs):([^:]+):([^:]+)(?::([^:]+))?$/;

/** Whose document lies under `key`; undefined for any other key. A name that was too long for it is told as it stands there. */
export function readKey(key: string): FoundKey | undefined {
  const [, kind, host, name, resource] = POOL_KEY.exec(key) ?? [];
  if (kind === undefined || host === undefined || name === undefined) return undefined;
  if ((kind === "quota") !== (resource !== undefined)) return undefined;
  const [hostText, nameText, resourceText] = [decoded(host), decoded(name), decoded(resource ?? "")];
  if (hostText === undefined || nameText === undefined || resourceText === undefined) return undefined;
  return {
    kind: kind as FoundKey["kind"],
    pool: { host: hostText, name: nameText },
    resource: resource === undefined ? undefined : resourceText,
  };
}

/** What {@link part} makes this very text of. */
function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    return part(plain) === text ? plain : undefined;
  } catch {
    return undefined;
  }
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
