import { redact } from "../call/redact.js";
import { isSquadRateError, SquadRateError } from "../errors.js";

/**
 * What a store's driver threw, as an error of ours. Message and cause are cleared of credentials: drivers quote
 * connection strings, and Node's own URL errors carry the whole URL as a property.
 */
export function storeError(where: string, doing: string, cause: unknown): SquadRateError {
  if (isSquadRateError(cause)) return cause;
  const reason = reasonOf(cause);
  return new SquadRateError("SQUAD_RATE_STORE", `The store ${where} failed to ${doing}: ${reason}`, {
    cause: plainCause(cause, reason),
    remedy: "Calls go on without it; look at the store's server, its address and its credentials.",
  });
}

function reasonOf(cause: unknown): string {
  // A refused connection to a name with several addresses is an AggregateError without a message of its own.
  if (cause instanceof AggregateError && cause.message === "") return cause.errors.map(reasonOf).join("; ");
  const message = cause instanceof Error ? cause.message || codeOf(cause) || cause.name : String(cause);
  return redact(message);
}

/** Driver errors hold clients, sockets and options, with passwords among them: only the words and the code are kept. */
function plainCause(cause: unknown, reason: string): Error {
  const plain = new Error(reason);
  if (cause instanceof Error) plain.name = cause.name;
  const code = cause instanceof Error ? codeOf(cause) : undefined;
  return code === undefined ? plain : Object.assign(plain, { code });
}

function codeOf(error: Error): string | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" ? code : undefined;
}
