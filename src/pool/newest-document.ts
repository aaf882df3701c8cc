import { parseQuotaDocument } from "../policy/share/parse-quota-document.js";
import type { QuotaDocument } from "../policy/share/quota-document.js";
import { unreadableDocument } from "../store/document.js";

/**
 * The quota document to go on from. Usually the store's; but a store that was restarted without its data, or went back
 * to an older copy, has forgotten what is in spenders' hands. Whoever remembers more reminds it.
 *
 * @throws SquadRateError `SQUAD_RATE_STORE` when what is stored is no document that this version can read. Taken for an
 * absent one it would be a fresh budget.
 */
export function newestDocument(
  key: string,
  stored: unknown,
  remembered: QuotaDocument | undefined,
  now: number,
  clockKnown: boolean,
): QuotaDocument | undefined {
  if (stored === undefined) return remembered;
  const parsed = parseQuotaDocument(stored, now, clockKnown);
  if (parsed.kind === "unreadable") throw unreadableDocument(key, parsed.why);
  return remembered !== undefined && remembered.revision > parsed.doc.revision ? remembered : parsed.doc;
}
