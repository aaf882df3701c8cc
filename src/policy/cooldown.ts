import { type ParsedDocument, parse, readHead } from "./share/parse-quota-document.js";
import { DOCUMENT_VERSION } from "./share/quota-document.js";
import { Reader, Unreadable } from "./share/read-json.js";

/** What one secondary refusal of GitHub demands of everybody who shares its principal. */
export interface CooldownRefusal {
  /** Nothing is sent before. Epoch milliseconds on GitHub's clock. */
  readonly until: number;
  /** Short, and free of credentials: it is stored and shown. */
  readonly why: string;
  /** The name of the agent that was refused. */
  readonly by: string;
}

/** Until when everybody holds back: a document of its own, because it outlives windows and holds for all resources. */
export interface CooldownDocument extends CooldownRefusal {
  readonly version: typeof DOCUMENT_VERSION;
  readonly revision: number;
  readonly updatedAt: number;
}

/** GitHub asks for minutes, an hour at worst. Whatever is longer is a mistake, and must not stop a fleet for days. */
export const MAX_COOLDOWN_MS: number = 24 * 3_600_000;

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
  if (doc !== undefined && now < doc.until && until <= doc.until) return doc;
  return {
    version: DOCUMENT_VERSION,
    revision: (doc?.revision ?? 0) + 1,
    updatedAt: Math.max(doc?.updatedAt ?? 0, now),
    until,
    why: refusal.why.slice(0, MAX_WHY),
    by: refusal.by.slice(0, MAX_NAME),
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
    };
  });
}
