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
/** Blank, a comment, a directive, or such a mark by itself. */
const SAYS_NOTHING = /^(?:\s*(?:#.*)?|%.*|---\s*(?:#.*)?)$/;
/** A key beside which text can be put: not indented, not in braces that hold something, not behind a document's mark. */
const PLAIN_KEY = /^(?:[^\s#%{-]|\{\s*\}\s*(?:#.*)?$)/;

/**
 * The user's `config.yml` with our socket in it, and all else as it was. It is edited as text, so that comments and keys of
 * newer versions stay.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` for one in braces or indented, which gh never writes: a socket beside it would
 * not count, and gh would go to GitHub by itself.
 */
export function withSocket(text: string | undefined, socketPath: string): SocketConfig {
  // A byte order mark belongs to the file, and not to its first key.
  const lines = text ? text.replace(/^\uFEFF|\r?\n$/g, "").split(/\r?\n/) : [];
  const first = lines.find((line) => !SAYS_NOTHING.test(line));
  if (first !== undefined && !PLAIN_KEY.test(first)) {
    throw new SquadRateError("SQUAD_RATE_OPTIONS", "gh's config.yml is in braces, or its keys are indented.", {
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
