import { randomUUID } from "node:crypto";
import { advisoryDocuments } from "./advisory-documents.js";
import { type CompareAndSet, compareAndSetDocuments } from "./compare-and-set.js";
import { encodeDocument, isRecord } from "./document.js";
import type { Documents, Surroundings } from "./documents.js";
import { memoryDocuments } from "./memory-documents.js";
import { isPostgresAdapter, postgresCompareAndSet } from "./postgres-documents.js";
import { isRedisAdapter, redisCompareAndSet } from "./redis-documents.js";
import type { StoreKeyv } from "./store.js";
import { unwrap } from "./unwrap.js";

/** The probe's own entries: they are deleted at once, and should that fail they do not stay. */
const PROBE_TTL_MS = 60_000;

/**
 * Finds out how documents can be changed atomically through this Keyv. Adapters are known by their shape, since their
 * names lie, and believed after a probe on a key of its own: set through Keyv and read natively, a wrong comparison
 * refused, a right one accepted, the result seen by Keyv. Whatever changes texts on the way (another serializer,
 * compression, encryption) fails it, and rightly so.
 *
 * @throws when the store fails; nothing is concluded then.
 */
export async function proveDocuments(keyv: StoreKeyv, surroundings: Surroundings): Promise<Documents> {
  const { adapters, names } = unwrap(keyv);
  const key = `squad-rate:probe:${randomUUID()}`;
  try {
    if ((await keyv.set(key, { revision: 1 }, PROBE_TTL_MS)) === false) throw new Error("the adapter refused a write");
    for (const adapter of adapters) {
      const candidate = candidateOf(adapter, keyv, surroundings);
      if (candidate === undefined) continue;
      for (const [index, native] of names(key).entries()) {
        if (await candidate.holds(native, key)) return candidate.documents((each) => names(each)[index] ?? each);
      }
    }
    // Either this adapter has nothing to offer, or it swallows errors and is down: only the first is for good.
    const seen = await keyv.get(key);
    if (!isRecord(seen) || typeof seen.revision !== "number") throw new Error("what was written is not there");
    return advisoryDocuments(keyv, surroundings);
  } finally {
    await keyv.delete(key).catch(() => undefined);
  }
}

interface Candidate {
  /** Whether the adapter's own entry `native` is Keyv's entry `key`, and can be changed atomically. */
  holds(native: string, key: string): Promise<boolean>;
  documents(nativeKey: (key: string) => string): Documents;
}

function candidateOf(adapter: object, keyv: StoreKeyv, surroundings: Surroundings): Candidate | undefined {
  const native = isRedisAdapter(adapter)
    ? redisCompareAndSet(adapter)
    : isPostgresAdapter(adapter)
      ? postgresCompareAndSet(adapter)
      : undefined;
  if (native !== undefined) {
    return {
      holds: (name, key) => swaps(native, name, key, keyv),
      documents: (nativeKey) => compareAndSetDocuments(native, nativeKey, surroundings),
    };
  }
  if (!(adapter instanceof Map)) return undefined;
  // Keyv 6 has an adapter of its own around the Map, which keeps the expiry beside the text.
  const layout = (keyv as { readonly store?: unknown }).store === adapter ? "text" : "boxed";
  return {
    async holds(name, key) {
      if (!adapter.has(name)) return false;
      const documents = memoryDocuments(adapter, layout, () => name);
      const before = await documents.read(key).catch(() => undefined);
      if (before === undefined || revisionIn(before) !== 1) return false;
      await documents.update(
        key,
        () => ({ text: successor(), ttlMs: undefined }),
        () => false,
      );
      return isRecordWith(await keyv.get(key), 2);
    },
    documents: (nativeKey) => memoryDocuments(adapter, layout, nativeKey),
  };
}

async function swaps(native: CompareAndSet, name: string, key: string, keyv: StoreKeyv): Promise<boolean> {
  const text = await native.read(name);
  if (text === undefined || revisionIn(text) !== 1) return false;
  const next = { text: successor(), ttlMs: PROBE_TTL_MS };
  if ((await native.swap(name, `${text} `, next)).kind === "done") return false;
  if ((await native.swap(name, undefined, next)).kind === "done") return false;
  if ((await native.swap(name, text, next)).kind !== "done") return false;
  return isRecordWith(await keyv.get(key), 2);
}

function successor(): string {
  return encodeDocument({ revision: 2 }, undefined);
}

function revisionIn(text: string): unknown {
  try {
    const stored: unknown = JSON.parse(text);
    return isRecord(stored) && isRecord(stored.value) ? stored.value.revision : undefined;
  } catch {
    return undefined;
  }
}

function isRecordWith(value: unknown, revision: number): boolean {
  return isRecord(value) && value.revision === revision;
}
