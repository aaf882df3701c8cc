import type { Call } from "../pipeline/call.js";
import type { Engine } from "../pipeline/engine.js";
import type { Principal } from "../pipeline/principal.js";
import { whoseQuota } from "../pipeline/whose-quota.js";

/** What an Octokit with this token sends as Authorization, as `@octokit/auth-token` writes it; undefined for other auth. */
export function authorizationOf(auth: unknown): string | undefined {
  if (typeof auth !== "string") return undefined;
  const token = auth.replace(/^(?:token|bearer) +/i, "");
  return `${token.split(".").length === 3 ? "bearer" : "token"} ${token}`;
}

/**
 * Who pays for a call where that is certain outside auth: the constructor's options have named a token or an
 * installation. Who paid last is no answer, because a program's own auth may have another token by now, and a call must
 * not wait for a quota that is not its own.
 */
export function knownPayer(engine: Engine, call: Call, authorization: string | undefined): Principal | undefined {
  if (authorization !== undefined) return whoseQuota(engine, call, authorization);
  const { installation } = call.source;
  return installation === undefined ? undefined : engine.quota.principal(call.facts.host, installation);
}
