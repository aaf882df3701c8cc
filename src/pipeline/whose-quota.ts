import { isAppToken } from "../call/app-token.js";
import type { Call } from "./call.js";
import type { Engine } from "./engine.js";
import type { Principal } from "./principal.js";

/**
 * Who pays for a request with this Authorization header: an installation whose ids are known, else the token itself. Known
 * for certain only inside auth, and anew at each attempt, because tokens rotate.
 */
export function whoseQuota(engine: Engine, call: Call, authorization: string | undefined): Principal {
  return engine.quota.principal(call.facts.host, idOf(engine, call, authorization));
}

function idOf(engine: Engine, call: Call, authorization: string | undefined): string {
  if (authorization === undefined) return "anonymous";
  // An app speaks for itself here, with a token of a few minutes, on a quota that GitHub does not show.
  if (isAppToken(authorization)) return "app";
  return call.source.installation ?? engine.tokens.of(authorization);
}

/** The token alone: `token X` and `Bearer X` are one credential to GitHub. */
export function tokenOf(authorization: string): string {
  return authorization.replace(/^(?:token|bearer)\s+/i, "");
}
