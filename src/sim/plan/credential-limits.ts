import { GITHUB_LIMITS, type ResourceName } from "../github/resource.js";

/**
 * Whose quota it is:
 * - `"user"`: a personal or OAuth token, 5,000 units an hour, whatever the number of tokens;
 * - `"enterprise-app"`: through a GitHub App that a GitHub Enterprise Cloud organisation owns, 15,000 (GraphQL 10,000);
 * - `"actions"`: the `GITHUB_TOKEN` of a workflow, 1,000 for its one repository;
 * - `"anonymous"`: 60 for an IP address, and no GraphQL;
 * - an installation of a GitHub App: 5,000, and 50 more for each repository and each user beyond 20, up to 12,500.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 * @see https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
export type PlanCredential =
  | "user"
  | "enterprise-app"
  | "actions"
  | "anonymous"
  | { readonly kind: "installation"; readonly repositories: number; readonly users?: number };

/** The credentials that are said by a word. */
export const CREDENTIALS: readonly Extract<PlanCredential, string>[] = [
  "user",
  "enterprise-app",
  "actions",
  "anonymous",
];

const INCLUDED = 20;
const PER_EXTRA = 50;
const INSTALLATION_MOST = 12_500;

/** Units of a resource in one window of it. */
export function limitOf(credential: PlanCredential, resource: ResourceName): number {
  const { limit, unauthenticatedLimit } = GITHUB_LIMITS[resource];
  if (credential === "anonymous") return unauthenticatedLimit;
  // The limits that depend on the credential are those of the two resources that everything draws on.
  if (resource !== "core" && resource !== "graphql") return limit;
  if (credential === "user") return limit;
  if (credential === "enterprise-app") return resource === "core" ? 15_000 : 10_000;
  if (credential === "actions") return 1_000;
  const { repositories, users = 0 } = credential;
  const extra = Math.max(0, repositories - INCLUDED) + Math.max(0, users - INCLUDED);
  return Math.min(INSTALLATION_MOST, limit + PER_EXTRA * extra);
}
