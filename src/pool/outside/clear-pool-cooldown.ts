import { clearCooldown, heldUntil, parseCooldownDocument } from "../../policy/cooldown.js";
import { unreadableDocument } from "../../store/document.js";
import type { PoolDocuments } from "../documents.js";
import { cooldownKey, type PoolIdentity } from "../keys.js";
import { type CooldownView, cooldownView } from "./pool-view.js";
import { updateOnce } from "./update-once.js";

/** What came of it. */
export type ClearedCooldown =
  | { readonly kind: "cleared" }
  /** Nobody is held back any more. */
  | { readonly kind: "none" }
  /** GitHub has refused again, or asked for more, since the operator looked. */
  | { readonly kind: "newer"; readonly cooldown: CooldownView };

/**
 * Ends the cooldown that was `shown`, and no newer one. The document stays, and says that it is ended: processes that know of
 * it would otherwise go on, and write it again.
 *
 * @throws SquadRateError `SQUAD_RATE_STORE` when the store does not take it, or the document cannot be read.
 */
export function clearPoolCooldown(
  documents: PoolDocuments,
  pool: PoolIdentity,
  shown: CooldownView,
  now: number,
): Promise<ClearedCooldown> {
  const key = cooldownKey(pool);
  return updateOnce<ClearedCooldown>(documents, key, (stored) => {
    if (stored === undefined) return { doc: undefined, result: { kind: "none" } };
    const parsed = parseCooldownDocument(stored, Number.POSITIVE_INFINITY);
    if (parsed.kind === "unreadable") throw unreadableDocument(key, parsed.why);
    if (heldUntil(parsed.doc) <= now) return { doc: undefined, result: { kind: "none" } };
    const doc = clearCooldown(parsed.doc, shown);
    if (doc !== parsed.doc) return { doc, result: { kind: "cleared" } };
    const cooldown = cooldownView(doc, now);
    return { doc: undefined, result: cooldown === undefined ? { kind: "none" } : { kind: "newer", cooldown } };
  });
}
