import { type ParsedDocument, parse, readHead } from "../share/parse-quota-document.js";
import { DOCUMENT_VERSION, type PerClass } from "../share/quota-document.js";
import { kindOf, Reader, Unreadable } from "../share/read-json.js";
import { type ContentDocument, type ContentSpender, RESERVED_FOR_MS, type SentBy } from "./document.js";
import { WAITS_AT_MOST_MS } from "./waits.js";

/** No limit comes near this. */
const MAX_WRITES = 1e9;
/** Far more than are written; a newer minor version may list more. */
const MAX_ENTRIES = 1_000;

/**
 * Checks a value from the store, as `parseQuotaDocument` does: what cannot be read is `unreadable`, never a fresh budget.
 * `now` is GitHub's time, epoch milliseconds. Unknown keys are tolerated.
 */
export function parseContentDocument(value: unknown, now: number): ParsedDocument<ContentDocument> {
  return parse(() => {
    const reader = new Reader(value, "document");
    const head = readHead(reader, now);
    return {
      version: DOCUMENT_VERSION,
      ...head,
      sent: readSent(reader.get("sent"), head.updatedAt),
      spenders: readSpenders(reader.get("spenders"), head.updatedAt),
    };
  });
}

function readSent(value: unknown, updatedAt: number): readonly SentBy[] {
  let before = -1;
  return readList(value, "document.sent", MAX_ENTRIES).map((entry, index) => {
    const path = `document.sent[${index}]`;
    const reader = new Reader({ ...readList(entry, path, 2) }, path);
    const at = reader.time("0");
    if (at <= before) throw new Unreadable(`${path} is not later than the entry before it`);
    checkAhead(at, updatedAt + RESERVED_FOR_MS, path);
    before = at;
    return [at, reader.whole("1", MAX_WRITES)] as const;
  });
}

function readSpenders(value: unknown, updatedAt: number): ContentDocument["spenders"] {
  const entries = new Reader(value, "document.spenders").entries();
  if (entries.length > MAX_ENTRIES) throw new Unreadable(`document.spenders holds ${entries.length} processes`);
  return Object.fromEntries(
    entries.map(([name, of], index) => [name, readSpender(of, `document.spenders[${index}]`, updatedAt)]),
  );
}

function readSpender(value: unknown, path: string, updatedAt: number): ContentSpender {
  const reader = new Reader(value, path);
  const waitsUntil = reader.time("waitsUntil");
  checkAhead(waitsUntil, updatedAt + WAITS_AT_MOST_MS, `${path}.waitsUntil`);
  const tookAt = reader.time("tookAt");
  checkAhead(tookAt, updatedAt, `${path}.tookAt`);
  return {
    waiting: readWaiting(reader.get("waiting"), `${path}.waiting`),
    waitsUntil,
    took: reader.number("took", MAX_WRITES),
    tookAt,
  };
}

function readWaiting(value: unknown, path: string): PerClass<number> {
  const reader = new Reader({ ...readList(value, path, 3) }, path);
  return [reader.whole("0", MAX_WRITES), reader.whole("1", MAX_WRITES), reader.whole("2", MAX_WRITES)];
}

function readList(value: unknown, path: string, maxLength: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unreadable(`${path} is ${kindOf(value)}, not an array`);
  if (value.length > maxLength) throw new Unreadable(`${path} has ${value.length} entries, more than ${maxLength}`);
  return value;
}

/** Measured from the time of writing, which is checked already, so that what a writer may write is readable to everybody. */
function checkAhead(at: number, latest: number, path: string): void {
  if (at > latest) throw new Unreadable(`${path} is ${Math.ceil((at - latest) / 1_000)} s too far in the future`);
}
