import { type ParsedDocument, parse, readHead } from "../share/parse-quota-document.js";
import { DOCUMENT_VERSION } from "../share/quota-document.js";
import { kindOf, Reader, Unreadable } from "../share/read-json.js";
import { MAX_COST_UNITS, type OperationCost } from "./cost.js";
import type { OperationCostsDocument } from "./document.js";

/** Far more than are written; a newer minor version may list more. */
const MAX_ENTRIES = 10_000;

const MAX_REPORT_ID = 64;

const COST_KEY = /^[0-9a-f]{32}$/;

/** Whether `key` can stand for an operation: 32 hex digits. With any other the document would be unreadable. */
export function isCostKey(key: string): boolean {
  return COST_KEY.test(key);
}

/**
 * Checks a value from the store, as `parseQuotaDocument` does: what cannot be read is `unreadable`, whole, and nothing of
 * it is believed. `now` is GitHub's time, epoch milliseconds; `Infinity` when that is not known. Unknown keys are tolerated.
 */
export function parseOperationCosts(value: unknown, now: number): ParsedDocument<OperationCostsDocument> {
  return parse(() => {
    const reader = new Reader(value, "document");
    const head = readHead(reader, now);
    return {
      version: DOCUMENT_VERSION,
      ...head,
      costs: readCosts(reader.get("costs"), head.updatedAt),
      reports: readReports(reader.get("reports")),
    };
  });
}

function readCosts(value: unknown, updatedAt: number): OperationCostsDocument["costs"] {
  const entries = new Reader(value, "document.costs").entries();
  if (entries.length > MAX_ENTRIES) throw new Unreadable(`document.costs holds ${entries.length} operations`);
  return Object.fromEntries(
    entries.map(([key, of], index) => {
      if (!isCostKey(key)) throw new Unreadable(`document.costs[${index}] stands under a key that is no digest`);
      return [key, readCost(of, `document.costs[${index}]`, updatedAt)];
    }),
  );
}

function readCost(value: unknown, path: string, updatedAt: number): OperationCost {
  const reader = new Reader(value, path);
  const seenAt = reader.time("seenAt");
  if (seenAt > updatedAt) throw new Unreadable(`${path}.seenAt is later than the document`);
  return {
    units: reader.number("units", MAX_COST_UNITS),
    lastUnits: reader.number("lastUnits", MAX_COST_UNITS),
    count: reader.whole("count", Number.MAX_SAFE_INTEGER),
    seenAt,
  };
}

function readReports(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new Unreadable(`document.reports is ${kindOf(value)}, not an array`);
  if (value.length > MAX_ENTRIES) throw new Unreadable(`document.reports has ${value.length} entries`);
  const reader = new Reader({ ...value }, "document.reports");
  return Array.from(value, (_, index) => reader.text(`${index}`, MAX_REPORT_ID));
}
