import { SquadRateError } from "../../errors.js";

/** A `config.yml` for gh that sends everything through a socket. */
export interface SocketConfig {
  readonly text: string;
  /** The socket that the user's own configuration names, which is not used. */
  readonly replaced: string | undefined;
}

const OUR_KEY = /^(?:http_unix_socket|"http_unix_socket"|'http_unix_socket')\s*:(.*)$/;
/** A key, as against comments, directives, and the mark where a document begins. */
const FIRST_KEY = /^[^\s#%-]/;

/**
 * The user's `config.yml` with our socket in it, and all else as it was. It is edited as text, so that comments and keys of
 * newer versions stay.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` for one in braces, which gh never writes and text cannot be put into.
 */
export function withSocket(text: string | undefined, socketPath: string): SocketConfig {
  const lines = text ? text.replace(/\r?\n$/, "").split(/\r?\n/) : [];
  const first = lines.find((line) => FIRST_KEY.test(line));
  if (first?.startsWith("{") && !/^\{\s*\}\s*(#.*)?$/.test(first)) {
    throw new SquadRateError("SQUAD_RATE_OPTIONS", "gh's config.yml is written in braces.", {
      remedy: "Write it as gh does, one `key: value` a line.",
    });
  }
  const kept: string[] = [];
  let replaced: string | undefined;
  let inOurKey = false;
  for (const line of lines) {
    const value = OUR_KEY.exec(line)?.[1];
    if (value !== undefined) {
      replaced = plainScalar(value);
      inOurKey = true;
    } else if (!inOurKey || !/^(\s|$)/.test(line)) {
      inOurKey = false;
      if (!/^\{\s*\}/.test(line)) kept.push(line);
    }
  }
  const at = kept.findIndex((line) => FIRST_KEY.test(line));
  // A path in JSON's quotes is one in YAML's: https://yaml.org/spec/1.2.2/#732-double-quoted-style
  kept.splice(at < 0 ? kept.length : at, 0, `http_unix_socket: ${JSON.stringify(socketPath)}`);
  return { text: `${kept.join("\n")}\n`, replaced: replaced === "" ? undefined : replaced };
}

/** For comparing and showing. */
function plainScalar(text: string): string {
  const value = text.replace(/\s#.*$/, "").trim();
  // It goes on below.
  if (/^[>|]/.test(value)) return "…";
  const quoted = /^(["'])(.*)\1$/.exec(value);
  return quoted?.[2] ?? value;
}
