import { isSquadRateError, SquadRateError } from "../errors.js";

/** What may stand in a document. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * A JSON object that processes share under one key. `revision` counts the changes made to it, from 1. A change that
 * returns a higher revision than is due is believed: it writes again what the store has lost, and the count goes on.
 */
export interface Document {
  readonly [name: string]: unknown;
  readonly revision?: number;
}

/** A document as it was found, with what its successor needs to know. */
export interface StoredDocument {
  /** Undefined when there is none, or when its time to live is over. */
  readonly document: Document | undefined;
  /** The revision found, 0 when there is none; it goes on counting when a document has expired. */
  readonly revision: number;
}

/** 500 agents with their classes take about 140 KB; whatever is this long is not one of ours. */
const MAX_DOCUMENT_CHARACTERS = 4_000_000;
/** Far above any real count, and far enough below 2^53 that counting on from it stays exact. */
const MAX_REVISION = 2 ** 52;

/** Registered, so that two copies of this package in one process recognise each other's errors. */
const unreadable: unique symbol = Symbol.for("octokit-plugin-squad-rate.unreadable-document") as never;

const REMEDY = "Find out who else writes under this key; delete it once nobody spends by it, and a new one is begun.";

/**
 * The error for a document that is there but cannot be used. It is never treated as an absent one: to a quota pool that
 * would read like a fresh budget.
 */
export function unreadableDocument(key: string, why: string, remedy: string = REMEDY): SquadRateError {
  const message = `The document ${key} in the store is unreadable: ${why}.`;
  return Object.defineProperty(new SquadRateError("SQUAD_RATE_STORE", message, { remedy }), unreadable, {
    value: true,
  });
}

/** Whether `error` tells of a document that cannot be used, in a store that has answered. */
export function isUnreadableDocument(error: unknown): error is SquadRateError {
  return isSquadRateError(error) && (error as { readonly [unreadable]?: unknown })[unreadable] === true;
}

/**
 * Reads the text of a document as Keyv lays values down: `{"value": …, "expires": …}`.
 *
 * @throws SquadRateError `SQUAD_RATE_STORE` when it is torn, foreign or too long.
 */
export function decodeDocument(key: string, text: string | undefined, now: number): StoredDocument {
  if (text === undefined) return { document: undefined, revision: 0 };
  if (text.length > MAX_DOCUMENT_CHARACTERS) throw unreadableDocument(key, `it has ${text.length} characters`);
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which may be anybody's.
    throw unreadableDocument(key, "it is not JSON");
  }
  if (!isRecord(stored) || !isRecord(stored.value)) throw unreadableDocument(key, "it is not a document of ours");
  const { value, expires } = stored;
  if (!isRevision(value.revision)) throw unreadableDocument(key, "it carries no valid revision");
  if (expires !== undefined && expires !== null && !Number.isFinite(expires)) {
    throw unreadableDocument(key, "its expiry is not a number");
  }
  const expired = typeof expires === "number" && expires <= now;
  return { document: expired ? undefined : (value as Document), revision: value.revision };
}

/** The text of `document`, as Keyv would lay it down. Expiry is in epoch milliseconds. */
export function encodeDocument(document: Document, expiresAt: number | undefined): string {
  return JSON.stringify({ value: document, expires: expiresAt });
}

/**
 * The revision of the document that a change returned: one more than the `current` one (0 when there is none), or the
 * `returned` one if that is a higher whole number of at most 2^52. So whoever remembers a document that the store has lost
 * or rolled back, and writes it again, goes on counting from there.
 *
 * @throws SquadRateError `SQUAD_RATE_STORE` when nothing comes after `current`.
 */
export function nextRevision(key: string, current: number, returned: unknown): number {
  const next = Math.max(current + 1, isRevision(returned) ? returned : 0);
  if (!isRevision(next)) throw unreadableDocument(key, "its revision cannot grow any more");
  return next;
}

/** Whether `value` can be the revision of a document. */
function isRevision(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MAX_REVISION;
}

/** Whether `value` is an object that JSON writes with braces. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
