import {
  type Amendment,
  amendContent,
  type ContentAsk,
  type ContentDocument,
  type ContentLimits,
  type ContentReservation,
  parseContentDocument,
  reserveContent,
} from "../policy/content-writes.js";
import { unreadableDocument } from "../store/document.js";
import type { Changed } from "./documents.js";

/** What a process has to tell the others, and what it wants of them. */
export interface ContentTerms {
  readonly amendments: readonly Amendment[];
  readonly ask: ContentAsk;
  readonly limits: ContentLimits;
  /** GitHub's time. */
  readonly now: number;
}

/** What came of it, and what was asked for. */
export interface MadeContentUpdate extends ContentReservation {
  readonly ask: ContentAsk;
}

/**
 * The stored document after one process's turn. A store that has lost its document, or went back to an older copy, is
 * reminded by whoever `remembered` more of it: an empty one would be a fresh budget.
 *
 * @throws SquadRateError `SQUAD_RATE_STORE` when what is stored is no document that this version can read.
 */
export function updateContent(
  key: string,
  stored: unknown,
  remembered: ContentDocument | undefined,
  { amendments, ask, limits, now }: ContentTerms,
): Changed<MadeContentUpdate> {
  const found = stored === undefined ? undefined : parseContentDocument(stored, now);
  if (found?.kind === "unreadable") throw unreadableDocument(key, found.why);
  const isForgotten = remembered !== undefined && remembered.revision > (found?.doc.revision ?? 0);
  const before = isForgotten ? remembered : found?.doc;
  const amended = amendContent(before, ask.spender, amendments, now);
  const made = reserveContent(amended, ask, limits, now);
  const isChanged = made.doc.revision > (found?.doc.revision ?? 0);
  return { doc: isChanged ? made.doc : undefined, result: { ...made, ask } };
}
