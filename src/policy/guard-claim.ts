import type { GuardDocument, GuardedValue } from "./guard-document.js";
import { DOCUMENT_VERSION } from "./share/quota-document.js";

/** How long others believe that a producer lives which says nothing. */
export const LEASE_MS = 10_000;
/** GitHub tells its time by the second, so two processes may take it for times that are so far apart. */
const CLOCK_ERROR_MS = 1_000;
/** Times of two machines differ by less; what is further in the future was written by a wrong clock, or forged. */
const AHEAD_MS = 60_000;

/** Milliseconds since it was produced; of two machines one may believe that it will be in a moment. */
export function ageOf({ producedAt }: GuardedValue, now: number): number {
  return Math.max(0, now - producedAt);
}

/** Whether `value` is younger than `maxAgeMs`. `now` is GitHub's time. */
export function isYoung(value: GuardedValue, maxAgeMs: number, now: number): boolean {
  return ageOf(value, now) < maxAgeMs && value.producedAt <= now + AHEAD_MS;
}

/** The document's value, if it was produced when the reads said what they say now, is young enough, and is JSON. */
export function currentValue(
  doc: GuardDocument | undefined,
  signature: string,
  maxAgeMs: number,
  now: number,
): GuardedValue | undefined {
  const value = doc?.value;
  if (value?.signature !== signature || !isYoung(value, maxAgeMs, now)) return undefined;
  return isJson(value) ? value : undefined;
}

/** The document's value, whatever the reads say now, if it is young enough and JSON. */
export function lastValue(doc: GuardDocument | undefined, maxAgeMs: number, now: number): GuardedValue | undefined {
  const value = doc?.value ?? undefined;
  return value !== undefined && isYoung(value, maxAgeMs, now) && isJson(value) ? value : undefined;
}

/** Whether somebody produces now. */
export function isClaimed(doc: GuardDocument | undefined, now: number): boolean {
  const until = doc?.producer?.until ?? 0;
  return until > now && until <= now + LEASE_MS + AHEAD_MS;
}

/** What whoever wants to produce says. */
export interface Claim {
  /** Names this production, and no other. */
  readonly id: string;
  readonly signature: string;
  readonly maxAgeMs: number;
  /** When the reads began: what was produced later may have seen more. Epoch milliseconds on GitHub's clock. */
  readonly lookedAt: number;
  /** The value that whoever asks knew when it made the reads. */
  readonly known: GuardedValue | undefined;
  /** Whoever has the claim was waited for long enough. */
  readonly takesOver: boolean;
}

/**
 * What comes of a claim: it is granted, and `doc` is to be stored; or there is a value; or somebody else produces; or the
 * reads are to be made again, because a value for another answer has come meanwhile.
 */
export type Claimed =
  | { readonly kind: "granted"; readonly doc: GuardDocument }
  | { readonly kind: "there"; readonly value: GuardedValue }
  | { readonly kind: "taken"; readonly last: GuardedValue | undefined }
  | { readonly kind: "overtaken"; readonly last: GuardedValue };

/** Decides who produces. `now` is GitHub's time, epoch milliseconds. */
export function claim(
  doc: GuardDocument | undefined,
  { id, signature, maxAgeMs, lookedAt, known, takesOver }: Claim,
  now: number,
): Claimed {
  const value = currentValue(doc, signature, maxAgeMs, now);
  if (value !== undefined) return { kind: "there", value };
  const last = lastValue(doc, maxAgeMs, now);
  if (isClaimed(doc, now) && !takesOver) return { kind: "taken", last };
  const isNews = last !== undefined && last.producedAt + CLOCK_ERROR_MS > lookedAt && !isSame(last, known);
  if (isNews && !takesOver) return { kind: "overtaken", last };
  // The last value is of use when reads fail; nobody wants one that is too old even for that.
  return { kind: "granted", doc: document(last ?? null, { id, until: now + LEASE_MS }) };
}

/** The document with the claim of `id` prolonged; undefined when somebody else has it. */
export function renew(doc: GuardDocument | undefined, id: string, now: number): GuardDocument | undefined {
  if (doc?.producer?.id !== id) return undefined;
  return document(doc.value, { id, until: now + LEASE_MS });
}

/** The document without the claim of `id`; undefined when it has none. */
export function release(doc: GuardDocument | undefined, id: string): GuardDocument | undefined {
  return doc?.producer?.id === id ? document(doc.value, null) : undefined;
}

/**
 * The document with the value that `id` began to produce at `beganAt`; undefined when a later production has overtaken it,
 * which has heard later news.
 */
export function land(
  doc: GuardDocument | undefined,
  id: string,
  value: GuardedValue,
  beganAt: number,
): GuardDocument | undefined {
  const producer = doc?.producer ?? null;
  const isOvertaken = producer?.id !== id && (doc?.value?.producedAt ?? 0) > beganAt;
  return isOvertaken ? undefined : document(value, producer?.id === id ? null : producer);
}

function document(value: GuardDocument["value"], producer: GuardDocument["producer"]): GuardDocument {
  return { kind: "guard", version: DOCUMENT_VERSION, value, producer };
}

/** Whether it is one and the same production. */
export function isSame(one: GuardedValue, other: GuardedValue | undefined): boolean {
  return one.signature === other?.signature && one.producedAt === other.producedAt;
}

function isJson({ text }: GuardedValue): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
