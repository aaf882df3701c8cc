import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import type { ResourceName } from "../resource.js";
import type { RepositoryRecord, UserRecord } from "./entities.js";

/** Whose quota a request is charged to. */
export interface Principal {
  readonly kind: "user" | "installation" | "actions" | "app" | "address";
  /** GitHub's id, or the IP address. */
  readonly id: string;
  /** `kind:id`, unique. */
  readonly key: string;
}

/** What a request authenticated with, as the log tells it. */
export type CredentialKind = "none" | "user-token" | "installation-token" | "actions-token" | "app-jwt" | "bad";

/** An app's installation on one account. */
export interface InstallationRecord {
  readonly id: number;
  readonly appId: number;
  readonly account: UserRecord;
  /** The repositories it may see; `"all"` are those of the account. */
  readonly repositories: "all" | ReadonlySet<number>;
  /** How many repositories and users its limit is reckoned by. */
  readonly repositoryCount: number | undefined;
  readonly userCount: number;
  readonly enterprise: boolean;
  readonly createdAt: number;
}

/** A GitHub App. */
export interface AppRecord {
  readonly id: number;
  readonly slug: string;
  readonly owner: UserRecord;
  readonly publicKey: KeyObject | undefined;
  readonly createdAt: number;
}

/** What a known token stands for. */
export type TokenRecord =
  | { readonly kind: "user-token"; readonly user: UserRecord; readonly scopes: string; readonly limits: TokenLimits }
  | { readonly kind: "installation-token"; readonly installation: InstallationRecord; readonly expiresAt: number }
  | { readonly kind: "actions-token"; readonly repository: RepositoryRecord; readonly enterprise: boolean };

/** Limits of one credential that differ from those of its kind. */
export type TokenLimits = Readonly<Partial<Record<ResourceName, number>>>;

/** Who sent a request. */
export type Credential =
  | { readonly kind: "none"; readonly principal: Principal }
  | { readonly kind: "bad"; readonly principal: Principal }
  | (TokenRecord & { readonly principal: Principal })
  | { readonly kind: "app-jwt"; readonly app: AppRecord; readonly principal: Principal };

export function principalOf(kind: Principal["kind"], id: string | number): Principal {
  return { kind, id: String(id), key: `${kind}:${id}` };
}

/** The token within an Authorization value: `token x`, `Bearer x`, or the password of `Basic`. */
export function tokenOf(authorization: string): string | undefined {
  const match = /^\s*(token|bearer|basic)\s+(\S+)\s*$/i.exec(authorization);
  const value = match?.[2];
  if (value === undefined || match?.[1]?.toLowerCase() !== "basic") return value;
  const [user = "", password = ""] = Buffer.from(value, "base64").toString("utf8").split(":");
  return password === "" || password === "x-oauth-basic" ? user : password;
}

/** Tokens are kept by digest, so that neither log nor dump of the world can give one away. */
export function tokenDigest(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** Whether a value has the shape of a JSON web token. */
export function looksLikeJwt(token: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(token);
}

/** What is wrong with an app's JWT, in GitHub's words, or the app id it speaks for. */
export type JwtVerdict = { readonly appId: string } | { readonly problem: string };

/**
 * Reads an app's JWT; verifies the signature where the app's public key is known.
 *
 * @see https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/about-authentication-with-a-github-app
 */
export function readJwt(token: string, keyOf: (appId: string) => KeyObject | undefined, now: number): JwtVerdict {
  const [header = "", payload = "", signature = ""] = token.split(".");
  let alg: unknown;
  let claims: { readonly iss?: unknown; readonly iat?: unknown; readonly exp?: unknown };
  try {
    alg = (JSON.parse(Buffer.from(header, "base64url").toString("utf8")) as { alg?: unknown }).alg;
    claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return { problem: "A JSON web token could not be decoded" };
  }
  const { iss, iat, exp } = claims;
  if (alg !== "RS256") return { problem: "A JSON web token could not be decoded" };
  if (typeof exp !== "number") return { problem: "Missing 'expiration' claim ('exp') in assertion" };
  if (exp * 1_000 <= now)
    return {
      problem:
        "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    };
  if (exp * 1_000 > now + 660_000) return { problem: "'Expiration time' claim ('exp') is too far in the future" };
  if (typeof iat === "number" && iat * 1_000 > now + 60_000)
    return {
      problem: "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    };
  if (typeof iss !== "number" && typeof iss !== "string")
    return { problem: "Missing 'issuer' claim ('iss') in assertion" };
  const key = keyOf(String(iss));
  const valid =
    key === undefined ||
    verify("sha256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"));
  return valid ? { appId: String(iss) } : { problem: "A JSON web token could not be decoded" };
}

/** Reads a PEM public key, naming the option when it is none. */
export function parsePublicKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch (cause) {
    throw new TypeError("addApp: `publicKey` is not a PEM public key.", { cause });
  }
}
