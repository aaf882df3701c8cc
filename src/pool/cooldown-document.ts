import {
  type CooldownDocument,
  type CooldownRefusal,
  extendCooldown,
  parseCooldownDocument,
} from "../policy/cooldown.js";
import { unreadableDocument } from "../store/document.js";
import type { Changed } from "./documents.js";

/**
 * What one process makes of the stored document, by a refusal that it has not told yet; without any it is a reading.
 * Another version may own what this one cannot read, so that is left alone.
 *
 * @throws SquadRateError `SQUAD_RATE_STORE` when what is stored is no document that this version can read.
 */
export function changeCooldown(
  key: string,
  stored: unknown,
  refusal: CooldownRefusal | undefined,
  now: number,
): Changed<CooldownDocument | undefined> {
  const parsed = stored === undefined ? undefined : parseCooldownDocument(stored, now);
  if (parsed?.kind === "unreadable") throw unreadableDocument(key, parsed.why);
  const doc = parsed?.doc;
  if (refusal === undefined || refusal.until <= now) return { doc: undefined, result: doc };
  const next = extendCooldown(doc, refusal, now);
  return { doc: next === doc ? undefined : next, result: next };
}
