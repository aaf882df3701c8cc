import { UNNAMED_PRINCIPAL } from "../observed.js";

/** Whose quota it is. */
export interface QuotaOwner {
  /** Tells it from all others. */
  readonly key: string;
  /** As a report names it. */
  readonly name: string;
}

/**
 * Each host has quotas of its own. A fingerprint belongs to one host mostly, but an app's ids, `app` and `anonymous` are
 * found on several, and named with theirs.
 */
export function quotaOwner(principal: string | undefined, host: string): QuotaOwner {
  const who = principal ?? UNNAMED_PRINCIPAL;
  const tellsHost = principal !== undefined && (host === "api.github.com" || /^[0-9a-f]{32}$/.test(principal));
  return { key: `${who}\n${host}`, name: tellsHost ? who : `${who} ${host}`.trimEnd() };
}
