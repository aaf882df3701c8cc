/**
 * GitHub's buckets of primary quota.
 *
 * @see https://docs.github.com/rest/rate-limit/rate-limit
 */
export type ResourceName =
  | "core"
  | "search"
  | "code_search"
  | "graphql"
  | "integration_manifest"
  | "source_import"
  | "code_scanning_upload"
  | "code_scanning_autofix"
  | "actions_runner_registration"
  | "scim"
  | "dependency_snapshots"
  | "dependency_sbom"
  | "audit_log"
  | "audit_log_streaming";

/** One resource's quota. */
export interface ResourceLimit {
  /** Units per window for an authenticated credential. */
  readonly limit: number;
  /** Units per window for a client without credential; 0 refuses every request. */
  readonly unauthenticatedLimit: number;
  /** Length of a window in milliseconds. */
  readonly windowMs: number;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** GitHub's published limits of a user's credential. */
export const GITHUB_LIMITS: Readonly<Record<ResourceName, ResourceLimit>> = {
  core: { limit: 5_000, unauthenticatedLimit: 60, windowMs: HOUR_MS },
  search: { limit: 30, unauthenticatedLimit: 10, windowMs: MINUTE_MS },
  code_search: { limit: 10, unauthenticatedLimit: 0, windowMs: MINUTE_MS },
  graphql: { limit: 5_000, unauthenticatedLimit: 0, windowMs: HOUR_MS },
  integration_manifest: { limit: 5_000, unauthenticatedLimit: 5_000, windowMs: HOUR_MS },
  source_import: { limit: 100, unauthenticatedLimit: 5, windowMs: MINUTE_MS },
  code_scanning_upload: { limit: 1_000, unauthenticatedLimit: 0, windowMs: HOUR_MS },
  code_scanning_autofix: { limit: 10, unauthenticatedLimit: 0, windowMs: MINUTE_MS },
  actions_runner_registration: { limit: 10_000, unauthenticatedLimit: 0, windowMs: HOUR_MS },
  scim: { limit: 15_000, unauthenticatedLimit: 0, windowMs: HOUR_MS },
  dependency_snapshots: { limit: 100, unauthenticatedLimit: 0, windowMs: MINUTE_MS },
  dependency_sbom: { limit: 100, unauthenticatedLimit: 0, windowMs: MINUTE_MS },
  audit_log: { limit: 1_750, unauthenticatedLimit: 0, windowMs: HOUR_MS },
  audit_log_streaming: { limit: 15, unauthenticatedLimit: 0, windowMs: HOUR_MS },
};

export const RESOURCE_NAMES: readonly ResourceName[] = Object.keys(GITHUB_LIMITS) as ResourceName[];

/** The resource that a request is charged to. `path` is without the `/api/v3` prefix of GHES. */
export function resourceOf(method: string, path: string): ResourceName {
  if (path.startsWith("/repos/") || path.startsWith("/repositories/")) return repositoryResource(method, path);
  if (path === "/graphql") return "graphql";
  if (path.startsWith("/search/")) return path.startsWith("/search/code") ? "code_search" : "search";
  if (path.startsWith("/scim/")) return "scim";
  if (path.endsWith("/audit-log")) return "audit_log";
  if (method === "POST" && path.startsWith("/app-manifests/") && path.endsWith("/conversions")) {
    return "integration_manifest";
  }
  return "core";
}

function repositoryResource(method: string, path: string): ResourceName {
  if (path.endsWith("/code-scanning/sarifs")) return "code_scanning_upload";
  if (path.endsWith("/dependency-graph/sbom")) return "dependency_sbom";
  if (method === "POST" && path.endsWith("/dependency-graph/snapshots")) return "dependency_snapshots";
  if (method === "PUT" && path.endsWith("/import")) return "source_import";
  return "core";
}
