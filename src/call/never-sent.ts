/**
 * Codes of errors that come before a request is sent: the name was not found, or no connection was made.
 *
 * https://nodejs.org/api/errors.html#common-system-errors, https://undici.nodejs.org/#/docs/api/Errors
 */
const UNREACHED: ReadonlySet<string> = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "EAI_NONAME",
  "ECONNREFUSED",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/**
 * The other end is not who it should be, or the request is none that could be sent; and that will be so the next time.
 *
 * https://nodejs.org/api/tls.html#x509-certificate-error-codes
 */
const IMPOSSIBLE: ReadonlySet<string> = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REJECTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "ERR_INVALID_URL",
  "UND_ERR_INVALID_ARG",
]);

/** Of a connection that was made, the same codes say that it was lost. */
const CONNECTED: ReadonlySet<unknown> = new Set(["read", "write", "shutdown"]);

/** `fetch` wraps what happened once or twice; a chain of causes may be a circle. */
const MAX_CAUSES = 8;

/**
 * Whether a request that failed with `error` was certainly not sent, by the code of any error among its causes. Of every
 * other failure nobody knows.
 *
 * A redirect that leads to a host that cannot be reached looks the same, though the first request was answered.
 *
 * @example
 * ```ts
 * await fetch("https://api.gihub.com/user").catch((error) => wasNeverSent(error)); // true: ENOTFOUND
 * ```
 */
export function wasNeverSent(error: unknown): boolean {
  return hasCode(error, (code, syscall) => IMPOSSIBLE.has(code) || (UNREACHED.has(code) && !CONNECTED.has(syscall)));
}

/** Whether a request that failed with `error` cannot be sent at all, so that there is no use in trying again. */
export function cannotBeSent(error: unknown): boolean {
  return hasCode(error, (code) => IMPOSSIBLE.has(code));
}

function hasCode(error: unknown, isIt: (code: string, syscall: unknown) => boolean): boolean {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof cause === "object" && cause !== null; depth++) {
    const { code, syscall, cause: next } = cause as { code?: unknown; syscall?: unknown; cause?: unknown };
    if (typeof code === "string" && isIt(code, syscall)) return true;
    cause = next;
  }
  return false;
}
