import { checkPriority, checkRecord, optionError } from "../../options/check.js";
import { checkLabel } from "../../options/check-name.js";
import type { Priority } from "../../options.js";

/** Of what the command and the proxy say to each other. It changes when an old one would misunderstand a new one. */
export const PROTOCOL = 1;
/** The header that tells it, in requests and answers. */
export const PROTOCOL_HEADER = "squad-rate-protocol";

/** What asks for a client, as the body of `POST /clients`; see `ProxyClientOptions`. */
export interface Admission {
  readonly agent?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly session?: string | undefined;
  /** Never written anywhere. */
  readonly token?: string | undefined;
  /** The secret of another client, whose token is used: that of the command around this one. */
  readonly tokenOf?: string | undefined;
  /** Given to have an earlier socket again. */
  readonly socketPath?: string | undefined;
  /** Given to have an earlier base URL again. */
  readonly secret?: string | undefined;
}

/** The first line of the answer. The client lives as long as the answer goes on. */
export interface Admitted {
  readonly id: string;
  readonly secret: string;
  readonly socketPath: string;
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  readonly rootedApiUrl: string;
}

/** The body of an answer that is no success. */
export interface Refused {
  readonly message: string;
  readonly remedy: string;
}

const KEYS: readonly (keyof Admission)[] = ["agent", "priority", "session", "token", "tokenOf", "socketPath", "secret"];
const SECRET = /^[\w-]{43}$/;
/** What may stand in an authorization header, and is not absurdly long. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/**
 * Checks what a command asks for.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` that names the key, and never quotes a token or secret.
 */
export function readAdmission(body: unknown): Admission {
  const given = checkRecord("client", body, KEYS);
  return {
    agent: checkLabel("client.agent", given.agent, undefined),
    priority: given.priority === undefined ? undefined : checkPriority("client.priority", given.priority, 1),
    session: checkLabel("client.session", given.session, undefined),
    token: checkSecret("client.token", given.token, TOKEN, "a token: 1 to 4096 visible ASCII characters"),
    tokenOf: checkSecret("client.tokenOf", given.tokenOf, SECRET, "a secret of 43 characters"),
    socketPath: checkSecret("client.socketPath", given.socketPath, /^\/[^\0]+$/, "an absolute path"),
    secret: checkSecret("client.secret", given.secret, SECRET, "a secret of 43 characters"),
  };
}

function checkSecret(path: string, value: unknown, form: RegExp, rule: string): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && form.test(value)) return value;
  throw optionError(path, rule, typeof value === "string" ? { withheld: true } : value);
}
