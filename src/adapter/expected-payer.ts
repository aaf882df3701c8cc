import type { Call } from "../pipeline/call.js";
import type { Engine } from "../pipeline/engine.js";
import { whoseQuota } from "../pipeline/whose-quota.js";

/** Who pays for an Octokit's calls, as far as that is known outside auth. */
export class ExpectedPayer {
  readonly #authorization: string | undefined;
  #last: { readonly host: string; readonly id: string } | undefined;

  /** @param auth - the constructor's option: a token, or what an authentication strategy takes */
  constructor(auth: unknown) {
    if (typeof auth !== "string") return;
    // As @octokit/auth-token writes it.
    const token = auth.replace(/^(?:token|bearer) +/i, "");
    this.#authorization = `${token.split(".").length === 3 ? "bearer" : "token"} ${token}`;
  }

  /** A call is over, and auth has shown whose it was. */
  learn({ principal, facts }: Call): void {
    if (principal === undefined || facts.exempt) return;
    if (this.#last?.id === principal.id && this.#last.host === principal.host) return;
    this.#last = { host: principal.host, id: principal.id };
  }

  /** Names the principal that a call will probably count against; `false` when nobody knows. */
  name(engine: Engine, call: Call): boolean {
    const { host } = call.facts;
    if (this.#last?.host === host) call.principal = engine.quota.principal(host, this.#last.id);
    else if (this.#authorization !== undefined) call.principal = whoseQuota(engine, call, this.#authorization);
    else if (call.source.installation !== undefined)
      call.principal = engine.quota.principal(host, call.source.installation);
    return call.principal !== undefined;
  }
}
