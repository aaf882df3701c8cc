import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createsContent } from "../../src/call/creates-content.js";

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly description?: string }>>>>;
}

function documented(): readonly (readonly [method: string, path: string])[] {
  const file = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json");
  const { paths } = JSON.parse(readFileSync(file, "utf8")) as Description;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { description = "" }]) => /content too quickly using this endpoint/.test(description))
      .map(([method]) => [method, path] as const),
  );
}

describe("createsContent", () => {
  it.each([
    ["POST", "/repos/octo-org/hello/issues"],
    ["post", "https://api.github.com/repos/octo-org/hello/issues/1/comments"],
    ["POST", "/api/v3/repos/octo-org/hello/pulls"],
    ["POST", "/repos/octo-org/hello/git/blobs"],
    ["POST", "https://uploads.github.com/repos/octo-org/hello/releases/1/assets?name=a.zip"],
    ["PATCH", "/repos/octo-org/hello/issues/1"],
    ["PATCH", "/gists/{gist_id}"],
    ["PUT", "/repos/octo-org/hello/contents/docs/markdown"],
    ["PUT", "/repos/octo-org/hello/contents/hooks/1/pings"],
    ["PUT", "/repos/octo-org/hello/contents/notifications"],
    ["PUT", "/user/starred/octo-org/hello"],
    ["POST", "/repos/octo-org/hello/releases"],
    ["POST", "/orgs/octo-org/hooks"],
    ["POST", "/app-manifests/abc/conversions"],
    ["POST", "/an/endpoint/younger/than/this/package"],
    ["DELETE", "/repos/octo-org/hello/issues/1/sub_issue"],
  ])("counts %s %s", (method, path) => {
    expect(createsContent(method, path)).toBe(true);
  });

  it.each([
    ["GET", "/repos/octo-org/hello/issues"],
    ["HEAD", "/repos/octo-org/hello/issues"],
    ["OPTIONS", "/repos/octo-org/hello/issues"],
    ["DELETE", "/repos/octo-org/hello/issues/1/labels/bug"],
    ["DELETE", "/repos/octo-org/hello"],
    ["POST", "/markdown"],
    ["POST", "https://ghe.example.test/api/v3/markdown/raw"],
    ["POST", "/app/installations/1/access_tokens"],
    ["PATCH", "/app/hook/config"],
    ["POST", "/applications/Iv1.0123456789abcdef/token"],
    ["POST", "https://github.com/login/oauth/access_token"],
    ["POST", "/repos/{owner}/{repo}/releases/generate-notes"],
    ["POST", "/repos/octo-org/hello/actions/runners/registration-token"],
    ["POST", "/orgs/octo-org/actions/runners/remove-token"],
    ["POST", "/orgs/octo-org/attestations/bulk-list"],
    ["POST", "/repos/octo-org/hello/hooks/1/pings"],
    ["POST", "/orgs/octo-org/hooks/1/deliveries/2/attempts"],
    ["PUT", "/notifications"],
    ["PATCH", "/notifications/threads/1"],
    ["PUT", "/repos/octo-org/hello/notifications"],
  ])("does not count %s %s", (method, path) => {
    expect(createsContent(method, path)).toBe(false);
  });

  it.each([
    ["query", false],
    ["mutation", true],
    ["subscription", true],
    ["unknown", true],
    [undefined, true],
  ] as const)("counts a GraphQL operation of kind %s: %s", (kind, counts) => {
    expect(createsContent("POST", "/graphql", kind)).toBe(counts);
  });

  it("counts every endpoint of which GitHub's reference says that content must not be made with it too quickly", () => {
    const endpoints = documented();
    expect(endpoints.length).toBeGreaterThan(15);
    expect(endpoints.filter(([method, path]) => !createsContent(method, path))).toEqual([]);
  });

  it("says the same of a path, of its address here and on a server, and never throws", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("POST", "PATCH", "PUT", "DELETE", "GET"),
        fc.array(fc.oneof(fc.webSegment(), fc.constantFrom("repos", "hooks", "pings", "markdown", "app")), {
          maxLength: 6,
        }),
        (method, segments) => {
          const path = `/${segments.join("/")}`;
          const counts = createsContent(method, path);
          expect(createsContent(method, `https://api.github.com${path}?page=2`)).toBe(counts);
          expect(createsContent(method, `https://ghe.example.test/api/v3${path}`)).toBe(counts);
        },
      ),
    );
  });
});
