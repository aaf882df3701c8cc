import { pathSegments, wordOf } from "./path.js";

/** GitHub's name of a bucket of primary quota, as in `x-ratelimit-resource`. New ones may appear at any time. */
export type Resource =
  | "core"
  | "search"
  | "code_search"
  | "graphql"
  | "integration_manifest"
  | "source_import"
  | "code_scanning_upload"
  | "dependency_snapshots"
  | "dependency_sbom"
  | "scim"
  | "audit_log"
  | (string & {});

/**
 * The bucket that a request will probably be charged to, from its method and its path or route template. It is a guess
 * for the time before the answer, whose `x-ratelimit-resource` is the last word.
 *
 * @see https://docs.github.com/en/rest/rate-limit/rate-limit
 */
export function resourceOf(method: string, path: string): Resource {
  const segments = pathSegments(path);
  const word = (index: number): string | undefined => {
    const segment = segments[index];
    return segment === undefined ? undefined : wordOf(segment);
  };
  switch (word(0)) {
    case "graphql":
      return segments.length === 1 ? "graphql" : "core";
    case "search":
      return word(1) === "code" ? "code_search" : "search";
    case "scim":
      return "scim";
    case "orgs":
    case "enterprises":
      return word(2) === "audit-log" && segments.length === 3 ? "audit_log" : "core";
    case "app-manifests":
      return isPost(method) && word(2) === "conversions" ? "integration_manifest" : "core";
    case "repos":
      return repositoryResource(method, word(3), word(4), segments.length - 3);
    case "repositories": // /repositories/{id}/…, as in Link headers
      return repositoryResource(method, word(2), word(3), segments.length - 2);
    default:
      return "core";
  }
}

function repositoryResource(
  method: string,
  area: string | undefined,
  thing: string | undefined,
  depth: number,
): Resource {
  switch (area) {
    case "import":
      return method.toUpperCase() === "PUT" && depth === 1 ? "source_import" : "core";
    case "code-scanning":
      return isPost(method) && thing === "sarifs" && depth === 2 ? "code_scanning_upload" : "core";
    case "dependency-graph":
      if (thing === "snapshots" && isPost(method)) return "dependency_snapshots";
      return thing === "sbom" ? "dependency_sbom" : "core";
    default:
      return "core";
  }
}

function isPost(method: string): boolean {
  return method.toUpperCase() === "POST";
}
