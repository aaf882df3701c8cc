import { describe, expect, it } from "vitest";
import { resourceOf } from "../../src/call/resource.js";

describe("resourceOf", () => {
  it.each([
    ["GET", "/search/code", "code_search"],
    ["GET", "/search/code?q=a", "code_search"],
    ["GET", "https://api.github.com/search/code{?q}", "code_search"],
    ["GET", "/search/issues", "search"],
    ["GET", "/search/repositories?q=code", "search"],
    ["POST", "/graphql", "graphql"],
    ["POST", "https://ghe.example.test/api/graphql", "graphql"],
    ["POST", "/app-manifests/{code}/conversions", "integration_manifest"],
    ["POST", "/app-manifests/abc/conversions", "integration_manifest"],
    ["PUT", "/repos/{owner}/{repo}/import", "source_import"],
    ["put", "/repos/o/r/import", "source_import"],
    ["GET", "/repos/o/r/import", "core"],
    ["PUT", "/repos/o/r/import/lfs", "core"],
    ["POST", "/repos/{owner}/{repo}/code-scanning/sarifs", "code_scanning_upload"],
    ["GET", "/repos/o/r/code-scanning/sarifs/1", "core"],
    ["GET", "/scim/v2/organizations/o/Users", "scim"],
    ["POST", "/repos/o/r/dependency-graph/snapshots", "dependency_snapshots"],
    ["GET", "/repos/{owner}/{repo}/dependency-graph/sbom", "dependency_sbom"],
    ["GET", "/repositories/123/dependency-graph/sbom", "dependency_sbom"],
    ["GET", "/repos/o/r/dependency-graph/compare/a...b", "core"],
    ["GET", "/orgs/{org}/audit-log", "audit_log"],
    ["GET", "/enterprises/e/audit-log?phrase=x", "audit_log"],
    ["GET", "/api/v3/orgs/o/audit-log", "audit_log"],
    ["GET", "/orgs/audit-log", "core"],
    ["GET", "/repos/o/audit-log", "core"],
    ["GET", "/repos/search/code/contents/graphql", "core"],
    ["GET", "/repos/o/r/contents/code-scanning/sarifs", "core"],
    ["GET", "/user", "core"],
    ["GET", "/", "core"],
    ["GET", "", "core"],
    ["GET", "/%E0%A4%A/x", "core"],
  ])("charges %s %s to %s", (method, path, resource) => {
    expect(resourceOf(method, path)).toBe(resource);
  });
});
