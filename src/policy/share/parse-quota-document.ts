import type { Priority } from "../light.js";
import {
  type Allocation,
  type ClassAllocation,
  DOCUMENT_VERSION,
  MAX_SPENDERS,
  type PerClass,
  PRIORITIES,
  type QuotaDocument,
} from "./quota-document.js";
import { kindOf, Reader, Unreadable } from "./read-json.js";

/** A document, or why what the store holds is none. An unreadable pool is a lost store, never a fresh budget. */
export type ParsedDocument<Document> =
  | { readonly kind: "ok"; readonly doc: Document }
  | { readonly kind: "unreadable"; readonly why: string };

/** Clocks agree better than this once they are set; a document further ahead was written by one that is wrong. */
const AHEAD_MS = 5 * 60_000;

const MAX_WINDOW_MS = 24 * 3_600_000;
const MAX_BLOCKED_MS = 24 * 3_600_000;

/** Sums and differences of shares of units are not whole; two that should be equal may differ by this. */
const ROUNDING = 1e-6;

/**
 * Checks a value from the store. Torn, foreign, negative, enormous or contradictory: `unreadable`, with the place and the
 * reason. `now` is GitHub's time, epoch milliseconds. A clock that nobody has set (`clockKnown` false) may be behind, and
 * cannot tell what was written in the future; what a document says of times ahead must fit with when it was written all the
 * same. Unknown keys are tolerated.
 */
export function parseQuotaDocument(value: unknown, now: number, clockKnown = true): ParsedDocument<QuotaDocument> {
  return parse(() => readQuota(value, now, clockKnown));
}

/** Runs a reader, and turns what it complains of into a value. */
export function parse<Document>(read: () => Document): ParsedDocument<Document> {
  try {
    return { kind: "ok", doc: read() };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: "unreadable", why: error.message };
    throw error;
  }
}

/** Checks version and age, which every document of the pool has. */
export function readHead(reader: Reader, now: number): { readonly revision: number; readonly updatedAt: number } {
  const version = reader.get("version");
  if (version !== DOCUMENT_VERSION) {
    throw new Unreadable(`document.version is ${kindOf(version)}; this reads version ${DOCUMENT_VERSION}`);
  }
  const updatedAt = reader.time("updatedAt");
  if (updatedAt > now + AHEAD_MS) {
    throw new Unreadable(`document.updatedAt is ${Math.round((updatedAt - now) / 1_000)} s in the future`);
  }
  return { revision: reader.whole("revision", Number.MAX_SAFE_INTEGER), updatedAt };
}

function readQuota(value: unknown, now: number, clockKnown: boolean): QuotaDocument {
  const reader = new Reader(value, "document");
  const { revision, updatedAt } = readHead(reader, clockKnown ? now : Number.POSITIVE_INFINITY);
  const latest = Math.max(now, updatedAt);
  const windowMs = reader.number("windowMs", MAX_WINDOW_MS);
  if (windowMs < 1) throw new Unreadable(`document.windowMs is ${windowMs}, less than 1`);
  const resetAt = reader.timeOrNull("resetAt");
  if (resetAt !== null && resetAt > latest + windowMs + AHEAD_MS) {
    throw new Unreadable("document.resetAt is more than a window ahead");
  }
  const previousResetAt = reader.time("previousResetAt");
  // A fast clock may have ended a window that goes on; whoever knows better takes that back.
  if (previousResetAt > latest + windowMs + AHEAD_MS) {
    throw new Unreadable("document.previousResetAt is more than a window ahead");
  }
  const usedAt = reader.time("usedAt");
  if (usedAt > Math.max((clockKnown ? now : latest) + AHEAD_MS, previousResetAt))
    throw new Unreadable("document.usedAt is in the future");
  const blockedUntil = reader.time("blockedUntil");
  if (blockedUntil > latest + MAX_BLOCKED_MS + AHEAD_MS)
    throw new Unreadable("document.blockedUntil is more than a day ahead");
  return {
    version: DOCUMENT_VERSION,
    revision,
    updatedAt,
    totalLimit: reader.units("totalLimit"),
    windowMs,
    window: reader.whole("window", Number.MAX_SAFE_INTEGER),
    resetAt,
    previousResetAt,
    used: reader.units("used"),
    usedAt,
    countedAt: reader.time("countedAt"),
    usedBefore: reader.units("usedBefore"),
    watchedSince: reader.time("watchedSince"),
    hiddenPerHour: reader.units("hiddenPerHour"),
    probedAt: reader.time("probedAt"),
    blockedUntil,
    retired: readRetired(reader.get("retired")),
    writtenOff: reader.units("writtenOff"),
    allocations: readAllocations(reader.get("allocations")),
  };
}

function readRetired(value: unknown): PerClass<number> {
  if (!Array.isArray(value) || value.length !== PRIORITIES.length) {
    throw new Unreadable(`document.retired is ${kindOf(value)}, not a number for each class`);
  }
  const reader = new Reader({ ...value }, "document.retired");
  return [reader.units("0"), reader.units("1"), reader.units("2")];
}

function readAllocations(value: unknown): Readonly<Record<string, Allocation>> {
  const entries = new Reader(value, "document.allocations").entries();
  if (entries.length > MAX_SPENDERS) throw new Unreadable(`document.allocations holds ${entries.length} spenders`);
  return Object.fromEntries(
    entries.map(([, of], index) => [entries[index]?.[0], readAllocation(of, `document.allocations[${index}]`)]),
  );
}

function readAllocation(value: unknown, path: string): Allocation {
  const reader = new Reader(value, path);
  const allocated = reader.units("allocated");
  const used = reader.units("used");
  const classes = readClasses(reader.get("classes"), `${path}.classes`);
  const sums = PRIORITIES.map((priority) => classes[priority]);
  const differs = (sum: number, of: number): boolean => Math.abs(sum - of) > ROUNDING * (1 + of);
  if (
    differs(
      sums.reduce((sum, of) => sum + (of?.allocated ?? 0), 0),
      allocated,
    ) ||
    differs(
      sums.reduce((sum, of) => sum + (of?.used ?? 0), 0),
      used,
    )
  ) {
    throw new Unreadable(`${path} is not the sum of its classes`);
  }
  return {
    priority: reader.whole("priority", 2) as Priority,
    allocated,
    used,
    leaseExpiry: reader.time("leaseExpiry"),
    spendUntil: reader.time("spendUntil"),
    reportedAt: reader.time("reportedAt"),
    stint: reader.whole("stint", Number.MAX_SAFE_INTEGER),
    limit: reader.units("limit"),
    requestTimeoutMs: reader.number("requestTimeoutMs", MAX_WINDOW_MS),
    writtenOff: reader.units("writtenOff"),
    classes,
  };
}

function readClasses(value: unknown, path: string): Allocation["classes"] {
  const reader = new Reader(value, path);
  const classes: { [P in Priority]?: ClassAllocation } = {};
  for (const priority of PRIORITIES) {
    const of = reader.get(`${priority}`);
    if (of !== undefined) classes[priority] = readClass(of, `${path}.${priority}`);
  }
  return classes;
}

function readClass(value: unknown, path: string): ClassAllocation {
  const reader = new Reader(value, path);
  const of = {
    allocated: reader.units("allocated"),
    used: reader.units("used"),
    inFlight: reader.units("inFlight"),
    soon: reader.units("soon"),
    wantPerHour: reader.units("wantPerHour"),
    waiting: reader.units("waiting"),
  };
  if (of.used > of.allocated + ROUNDING || of.inFlight > of.used + ROUNDING) {
    throw new Unreadable(`${path} has used more than it was allocated`);
  }
  return of;
}
