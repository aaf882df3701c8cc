import type { ResolvedOptions } from "./options.js";
import { GITHUB_LIMITS, type ResourceName } from "./resource.js";
import type { Quota } from "./windows.js";
import { type Credential, looksLikeJwt, principalOf, readJwt, tokenOf } from "./world/credentials.js";
import type { WorldState } from "./world/world-state.js";

/** Who sent a request, and why not when its credential is bad. */
export interface Identity {
  readonly credential: Credential;
  /** The 401's message. */
  readonly problem: string | undefined;
}

/** Reads the Authorization header. A bad credential is charged to the client's address, as is none. */
export function identify(authorization: string | undefined, address: string, state: WorldState): Identity {
  const anonymous = principalOf("address", address);
  if (authorization === undefined) return { credential: { kind: "none", principal: anonymous }, problem: undefined };
  const token = tokenOf(authorization);
  const bad = (problem: string): Identity => ({ credential: { kind: "bad", principal: anonymous }, problem });
  if (token === undefined) return bad("Bad credentials");
  const known = state.token(token);
  if (known !== undefined) return identifyToken(known, state) ?? bad("Bad credentials");
  if (!looksLikeJwt(token)) return bad("Bad credentials");
  const verdict = readJwt(token, (appId) => state.apps.get(Number(appId))?.publicKey, state.now());
  if ("problem" in verdict) return bad(verdict.problem);
  const app = state.apps.get(Number(verdict.appId));
  if (app === undefined) return bad("Integration not found");
  return { credential: { kind: "app-jwt", app, principal: principalOf("app", app.id) }, problem: undefined };
}

function identifyToken(token: NonNullable<ReturnType<WorldState["token"]>>, state: WorldState): Identity | undefined {
  switch (token.kind) {
    case "user-token":
      return { credential: { ...token, principal: principalOf("user", token.user.id) }, problem: undefined };
    case "actions-token":
      return { credential: { ...token, principal: principalOf("actions", token.repository.id) }, problem: undefined };
    case "installation-token":
      if (token.expiresAt <= state.now()) return undefined;
      return {
        credential: { ...token, principal: principalOf("installation", token.installation.id) },
        problem: undefined,
      };
  }
}

/** Units above the base that an installation gets for each repository and each user beyond twenty. */
const PER_EXTRA = 50;
const INCLUDED = 20;

/**
 * The quota that a credential sees of a resource.
 *
 * @see https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-primary-rate-limits
 */
export function quotaOf(
  credential: Credential,
  resource: ResourceName,
  options: ResolvedOptions,
  state: WorldState,
): Quota {
  const { windowMs } = options.limits[resource];
  return {
    principal: credential.principal.key,
    resource,
    limit: limitOf(credential, resource, options, state),
    windowMs,
  };
}

function limitOf(credential: Credential, resource: ResourceName, options: ResolvedOptions, state: WorldState): number {
  const { limit, unauthenticatedLimit } = options.limits[resource];
  if (credential.kind === "none" || credential.kind === "bad") return unauthenticatedLimit;
  if (credential.kind === "user-token") return credential.limits[resource] ?? limit;
  if (credential.kind === "app-jwt") return limit;
  const scaled = (resource === "core" || resource === "graphql") && !options.givenLimits.has(resource);
  if (!scaled) return limit;
  const enterpriseLimit = resource === "core" ? 15_000 : 10_000;
  if (credential.kind === "actions-token") return credential.enterprise ? enterpriseLimit : 1_000;
  const { installation } = credential;
  if (installation.enterprise) return enterpriseLimit;
  const repositories =
    installation.repositoryCount ?? visibleCount(installation.repositories, installation.account.id, state);
  const extra = Math.max(0, repositories - INCLUDED) + Math.max(0, installation.userCount - INCLUDED);
  return Math.min(12_500, GITHUB_LIMITS[resource].limit + PER_EXTRA * extra);
}

function visibleCount(repositories: "all" | ReadonlySet<number>, accountId: number, state: WorldState): number {
  if (repositories !== "all") return repositories.size;
  let count = 0;
  for (const repository of state.repositoriesById.values()) if (repository.owner.id === accountId) count++;
  return count;
}
