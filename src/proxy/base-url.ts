import { createHash, randomBytes } from "node:crypto";
import type { KnownGitHub } from "./known-github.js";

/** 256 bits, as 43 letters, digits, `-` and `_`. */
const SECRET: RegExp = /^[\w-]{43}$/;
/** Marks, below the secret, the root of clients that follow addresses in bodies. */
const ROOTED = "/rooted";

export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

export function isSecret(value: string): boolean {
  return SECRET.test(value);
}

/** What a secret is looked up by: how long a look takes tells nothing of it then. */
export function secretId(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** The addresses of one client. */
export interface BaseUrls {
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  readonly rootedApiUrl: string;
}

export function baseUrlsOf(origin: string, secret: string, { apiPrefix }: KnownGitHub): BaseUrls {
  const root = `${origin}/${secret}`;
  return {
    apiUrl: `${root}${apiPrefix}`,
    graphqlUrl: `${root}${apiPrefix === "" ? "" : "/api"}/graphql`,
    rootedApiUrl: `${root}${ROOTED}${apiPrefix}`,
  };
}

/** A target that came by a base URL, taken apart. */
export interface BaseTarget {
  readonly secret: string;
  readonly rooted: boolean;
  /** What it asks for, without all that. */
  readonly target: string;
}

/** Undefined where there is no secret where one belongs. */
export function readBaseTarget(raw: string): BaseTarget | undefined {
  // Some clients write the whole address, as to a proxy; the secret is the lock, whatever name this machine is called by.
  const target = raw.replace(/^http:\/\/[^/?#\\@]*/i, "");
  const [, secret, rest = ""] = /^\/([\w-]{43})((?:[/?].*)?)$/s.exec(target) ?? [];
  if (secret === undefined) return undefined;
  const rooted = rest.startsWith(ROOTED) && /^[/?]?$/.test(rest.charAt(ROOTED.length));
  const left = rooted ? rest.slice(ROOTED.length) : rest;
  return { secret, rooted, target: left.startsWith("/") ? left : `/${left}` };
}
