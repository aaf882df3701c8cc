import { type ParsedDocument, parse, readHead } from "./share/parse-quota-document.js";
import { DOCUMENT_VERSION } from "./share/quota-document.js";
import { Reader, Unreadable } from "./share/read-json.js";

/** What an operator has ended: the refusals that had begun by `startedAt`, and asked for no longer than until `until`. */
export type ClearedRefusals = Pick<CooldownRefusal, "startedAt" | "until">;

/** What one secondary refusal of GitHub demands of everybody who shares its principal. */
export interface CooldownRefusal {
  /** Nothing is sent before. Epoch milliseconds on GitHub's clock. */
  readonly until: number;
  /** Short, and free of credentials: it is stored and shown. */
  readonly why: string;
  /** The name of the agent that was refused. */
  readonly by: string;
  /** When the first refusal of this run of them came, which those of requests then in flight belong to. */
  readonly startedAt: number;
  /** How many runs of refusals came before this one, each soon after the last. */
  readonly repeats: number;
  /** Nothing that the refused process counts was near its limit: what is believed of the limits is too much. */
  readonly unexplained: boolean;
}

/** GitHub's word to one request that a secondary limit refused. Times are epoch milliseconds on GitHub's clock. */
export interface RefusedRequest {
  readonly sentAt: number;
  /** How long GitHub asks to wait; `undefined` when it does not say. */
  readonly retryAfterMs: number | undefined;
}

/** How long to hold back when GitHub does not say; doubled at each repeat. https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#handle-rate-limit-errors-appropriately */
const UNSAID_MS = 60_000;
const LONGEST_UNSAID_MS = 15 * 60_000;

/** How long to hold back after a refusal that does not say, when so many came soon before it: a minute, doubled each time, at most 15. */
export function unsaidWaitMs(repeats: number): number {
  return Math.min(LONGEST_UNSAID_MS, UNSAID_MS * 2 ** Math.min(repeats, MAX_REPEATS));
}

/** By as much the first answer after a cooldown may set the clock back, and its request seem to have been sent before the end. */
const CLOCK_ERROR_MS = 1_000;

/** A refusal this long after the last cooldown is a new story, unless that one lasted longer. */
const FORGET_MS = 2 * 60_000;

/**
 * Until when to hold back after a refusal: as long as GitHub asks; if it does not, or asks for nothing at all, a minute,
 * doubled for each time that this happened again within two minutes of a cooldown, or as long as that had lasted, up to 15.
 * Requests that were sent before the cooldown was over, in flight mostly, are refused for the same reason and repeat nothing.
 */
export function cooldownAfter(
  doc: CooldownDocument | undefined,
  { sentAt, retryAfterMs }: RefusedRequest,
  now: number,
): Pick<CooldownRefusal, "until" | "startedAt" | "repeats"> {
  const forgetMs = doc === undefined ? 0 : Math.max(FORGET_MS, doc.until - doc.startedAt);
  const last = doc !== undefined && now - doc.until < forgetMs ? doc : undefined;
  // Who is refused after an operator has ended the cooldown was sent by that word, and is refused anew.
  const isSame = last !== undefined && !isCleared(last, last.cleared) && sentAt < last.until - CLOCK_ERROR_MS;
  const repeats = last === undefined ? 0 : isSame ? last.repeats : last.repeats + 1;
  // To be refused and told to come back at once makes no sense.
  if (isSame) return { until: retryAfterMs ? now + retryAfterMs : last.until, startedAt: last.startedAt, repeats };
  return { until: now + (retryAfterMs || unsaidWaitMs(repeats)), startedAt: now, repeats };
}

/** Until when everybody holds back: a document of its own, because it outlives windows and holds for all resources. */
export interface CooldownDocument extends CooldownRefusal {
  readonly version: typeof DOCUMENT_VERSION;
  readonly revision: number;
  readonly updatedAt: number;
  /** Nobody need hold back for these any more; undefined while no operator has said so. */
  readonly cleared?: ClearedRefusals | undefined;
}

/** Whether an operator has ended what this refusal demands. One that is known by hearsay alone has no beginning of its own. */
export function isCleared(
  { by, startedAt, until }: Pick<CooldownRefusal, "by" | "startedAt" | "until">,
  cleared: ClearedRefusals | undefined,
): boolean {
  return cleared !== undefined && until <= cleared.until && (by === "" || startedAt <= cleared.startedAt);
}

/** Until when the document holds everybody back, epoch milliseconds; 0 when an operator has ended that. */
export function heldUntil(doc: CooldownDocument): number {
  return isCleared(doc, doc.cleared) ? 0 : doc.until;
}

/**
 * The document after an operator has ended the cooldown that was `shown`. What has been refused since, or has come to ask for
 * more, stays: returns `doc` itself. The refusal is kept, because one that follows soon repeats it.
 */
export function clearCooldown(doc: CooldownDocument, shown: ClearedRefusals): CooldownDocument {
  const { startedAt, until } = doc;
  if (startedAt > shown.startedAt || until > shown.until || heldUntil(doc) === 0) return doc;
  return { ...doc, revision: doc.revision + 1, cleared: { startedAt, until } };
}

/** GitHub asks for minutes, an hour at worst. Whatever is longer is a mistake, and must not stop a fleet for days. */
export const MAX_COOLDOWN_MS: number = 24 * 3_600_000;

const MAX_REPEATS = 1_000;
const MAX_WHY = 300;
const MAX_NAME = 256;

/**
 * The document after one more refusal: the later `until` wins, and one that is past is over. Returns `doc` itself when it
 * lasts as long already. What is longer than a document may hold is cut. `now` is GitHub's time, epoch milliseconds.
 */
export function extendCooldown(
  doc: CooldownDocument | undefined,
  refusal: CooldownRefusal,
  now: number,
): CooldownDocument {
  const until = Math.min(refusal.until, now + MAX_COOLDOWN_MS);
  if (doc !== undefined && now < heldUntil(doc) && until <= doc.until) return doc;
  if (doc !== undefined && isCleared({ ...refusal, until }, doc.cleared)) return doc;
  return {
    version: DOCUMENT_VERSION,
    revision: (doc?.revision ?? 0) + 1,
    updatedAt: Math.max(doc?.updatedAt ?? 0, now),
    until,
    why: refusal.why.slice(0, MAX_WHY),
    by: refusal.by.slice(0, MAX_NAME),
    startedAt: refusal.startedAt,
    repeats: Math.min(refusal.repeats, MAX_REPEATS),
    unexplained: refusal.unexplained,
    ...(doc?.cleared === undefined ? {} : { cleared: doc.cleared }),
  };
}

/** Checks a value from the store, as `parseQuotaDocument` does. `now` is GitHub's time, epoch milliseconds. */
export function parseCooldownDocument(value: unknown, now: number): ParsedDocument<CooldownDocument> {
  return parse(() => {
    const reader = new Reader(value, "document");
    const head = readHead(reader, now);
    const until = reader.time("until");
    // Measured from the writer's clock where that is ahead, so that what it may write is readable to everybody.
    if (until > Math.max(now, head.updatedAt) + MAX_COOLDOWN_MS) {
      throw new Unreadable("document.until is more than 24 h ahead");
    }
    return {
      version: DOCUMENT_VERSION,
      ...head,
      until,
      why: reader.text("why", MAX_WHY),
      by: reader.text("by", MAX_NAME),
      startedAt: reader.time("startedAt"),
      repeats: reader.whole("repeats", MAX_REPEATS),
      unexplained: readUnexplained(reader),
      ...readCleared(reader.get("cleared")),
    };
  });
}

function readCleared(value: unknown): Pick<CooldownDocument, "cleared"> {
  if (value === undefined) return {};
  const reader = new Reader(value, "document.cleared");
  return { cleared: { startedAt: reader.time("startedAt"), until: reader.time("until") } };
}

function readUnexplained(reader: Reader): boolean {
  const unexplained = reader.get("unexplained");
  if (typeof unexplained !== "boolean") throw new Unreadable("document.unexplained is neither true nor false");
  return unexplained;
}
