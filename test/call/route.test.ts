import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { restEndpointMethods } from "@octokit/plugin-rest-endpoint-methods";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRouteLabel } from "../../src/call/route.js";
import { ROUTE_TEMPLATES } from "../../src/call/route-templates.js";
import { parseRouteTree, type RouteNode, vocabularyOf } from "../../src/call/route-tree.js";

const routeLabel = createRouteLabel();
const tree = parseRouteTree(ROUTE_TEMPLATES);
const vocabulary = vocabularyOf(tree);

function templatesBelow(node: RouteNode): readonly { template: string; slashes: boolean }[] {
  return [...node.words.values(), ...node.parameters].flatMap((child) => [
    ...(child.template === undefined ? [] : [{ template: child.template, slashes: child.holdsSlashes }]),
    ...templatesBelow(child),
  ]);
}
const templates = templatesBelow(tree);

describe("a route label", () => {
  it.each([
    ["/repos/octocat/hello/pulls", "/repos/{owner}/{repo}/pulls"],
    ["https://api.github.com/repos/octocat/hello/pulls?page=2#top", "/repos/{owner}/{repo}/pulls"],
    ["https://ghe.example.test/api/v3/repos/octocat/hello/pulls", "/repos/{owner}/{repo}/pulls"],
    [
      "https://ghe.example.test/api/uploads/repos/o/r/releases/1/assets",
      "/repos/{owner}/{repo}/releases/{release_id}/assets",
    ],
    [
      "https://uploads.github.com/repos/o/r/releases/1/assets{?name,label}",
      "/repos/{owner}/{repo}/releases/{release_id}/assets",
    ],
    ["/graphql", "/graphql"],
    ["/api/graphql", "/graphql"],
    ["https://ghe.example.test/api/graphql", "/graphql"],
    ["//repos//octocat/hello///pulls//", "/repos/{owner}/{repo}/pulls"],
    ["/REPOS/octocat/hello/Pulls", "/repos/{owner}/{repo}/pulls"],
    ["/repos/%zz/%E0%A4%A/p%75lls", "/repos/{owner}/{repo}/pulls"],
    ["/repos/octocat/hello/issues/1347/comments", "/repos/{owner}/{repo}/issues/{issue_number}/comments"],
    ["/repos/octocat/hello/issues/comments", "/repos/{owner}/{repo}/issues/comments"],
    ["/repos/octocat/hello/releases/latest", "/repos/{owner}/{repo}/releases/latest"],
    ["/repos/octocat/hello/releases/77", "/repos/{owner}/{repo}/releases/{release_id}"],
    ["/repos/issues/pulls/issues", "/repos/{owner}/{repo}/issues"],
    ["/", "/"],
    ["", "/"],
    ["https://api.github.com", "/"],
  ])("of %s is %s", (url, route) => {
    expect(routeLabel("GET", url)).toBe(`GET ${route}`);
  });

  it.each([
    ["/repos/o/r/contents/src/deep/down/file.ts", "/repos/{owner}/{repo}/contents/{path}"],
    ["/repos/o/r/git/ref/heads/feature/a", "/repos/{owner}/{repo}/git/ref/{ref}"],
    ["/repos/o/r/commits/heads/feature/a", "/repos/{owner}/{repo}/commits/{ref}"],
    ["/repos/o/r/commits/heads/feature/a/status", "/repos/{owner}/{repo}/commits/{ref}/status"],
    ["/repos/o/r/commits/status/status", "/repos/{owner}/{repo}/commits/{ref}/status"],
    ["/repos/o/r/commits/6dcb09b/comments", "/repos/{owner}/{repo}/commits/{commit_sha}/comments"],
    ["/repos/o/r/compare/main...me:topic/a", "/repos/{owner}/{repo}/compare/{basehead}"],
    ["/repos/o/r/branches/feature/a/protection", "/repos/{owner}/{repo}/branches/{branch}/protection"],
  ])("lets a parameter hold slashes: %s", (url, route) => {
    expect(routeLabel("GET", url)).toBe(`GET ${route}`);
  });

  it.each([
    ["/repos/:owner/:repo/issues/:issue_number", "/repos/{owner}/{repo}/issues/{issue_number}"],
    ["/repos/{owner}/{repo}/compare/{base}...{head}", "/repos/{owner}/{repo}/compare/{basehead}"],
    ["/search/code{?q,page}", "/search/code"],
    ["/repos/{owner}/{repo}/contents{/path}", "/repos/{owner}/{repo}/contents/{path}"],
    ["/repos/{owner}/{repo}/contents/{+path}", "/repos/{owner}/{repo}/contents/{path}"],
    ["/repos/{o}/{r}/issues?state=open", "/repos/{owner}/{repo}/issues"],
    ["/repos/octocat/{repo}/issues", "/repos/{owner}/{repo}/issues"],
    ["/repos/{owner}/{repo}/brand-new/{thing_id}", "/repos/{owner}/{repo}/brand-new/{thing_id}"],
    ["/repos/octocat/{repo}/brand-new/{thing_id}", "/repos/{owner}/{repo}/brand-new/{thing_id}"],
  ])("of the template %s is %s", (url, route) => {
    expect(routeLabel("GET", url)).toBe(`GET ${route}`);
  });

  it.each([
    ["https://api.github.com/repositories/1300192/issues?page=2", "/repos/{owner}/{repo}/issues"],
    ["/repositories/1300192", "/repos/{owner}/{repo}"],
    ["/repositories", "/repositories"],
    ["/organizations/9919/repos?page=2", "/orgs/{org}/repos"],
    ["/user/583231/repos?page=2", "/users/{username}/repos"],
    ["/user/repos", "/user/repos"],
  ])("of a later page is that of the first: %s", (url, route) => {
    expect(routeLabel("GET", url)).toBe(`GET ${route}`);
  });

  it.each([
    ["/octo-org/secret-project", "/{}/{}"],
    ["/repos/octocat/hello/brand-new/7", "/repos/{owner}/{repo}/{}/{}"],
    ["/repos/octocat/hello/brand-new/7/comments", "/repos/{owner}/{repo}/{}/{}/comments"],
    ["/a/b/c/d/e/f/g/h/i/j/k/l/m/n", "/{}/{}/{}/{}/{}/{}/{}/{}/{}/{}/{}/{}/…"],
    ["https://api.github.com/repos/o/r/brand-new/{x}/secret", "/repos/{owner}/{repo}/{}/{}/{}"],
  ])("of an unknown path is its shape: %s -> %s", (url, route) => {
    expect(routeLabel("GET", url)).toBe(`GET ${route}`);
  });

  it("has the method in capitals, and one name for methods that GitHub has no use for", () => {
    expect(routeLabel("delete", "/user/following/x")).toBe("DELETE /user/following/{username}");
    expect(routeLabel("POST", "/graphql")).toBe("POST /graphql");
    expect(routeLabel("x-secret", "/user")).toBe("OTHER /user");
  });

  it("is the template itself for every template it knows", () => {
    expect(templates.length).toBeGreaterThan(1_000);
    for (const { template } of templates) expect(routeLabel("GET", template)).toBe(`GET ${template}`);
  });

  it("recognises every route of plugin-rest-endpoint-methods", () => {
    const routes: string[] = [];
    const request = { defaults: () => () => {}, endpoint: {} };
    Object.assign(request, { defaults: (route: { url: string }) => Object.assign(() => {}, { route }) });
    const octokit = { request, hook: {}, log: {} };
    const methods = restEndpointMethods(octokit as never);
    for (const scope of Object.values(methods.rest)) {
      for (const name of Object.keys(scope)) {
        const method = (scope as unknown as Record<string, { route?: { url: string } }>)[name];
        if (method?.route !== undefined) routes.push(method.route.url);
      }
    }
    const names = /\{[^}]*\}/g;
    const shape = (route: string): string =>
      route
        .replace("{base}...{head}", "{}")
        .replace(/\{\?.*/, "")
        .replace(names, "{}");
    expect(routes.length).toBeGreaterThan(500);
    for (const url of routes) expect(shape(routeLabel("GET", url))).toBe(`GET ${shape(url)}`);
  });

  it("of a known route with any values is its template", () => {
    // Values that are no words of GitHub's: those are read as such, as GitHub does.
    const value = fc.stringMatching(/^[A-Za-z0-9._~%+@-]{1,12}$/).map((text) => `zz${text}`);
    fc.assert(
      fc.property(
        fc.constantFrom(...templates),
        fc.infiniteStream(value),
        fc.boolean(),
        ({ template, slashes }, values, deep) => {
          const filled = template.replace(/\{[^}]+\}/g, () => values.next().value);
          const url = slashes && deep ? `${filled}/${values.next().value}` : filled;
          expect(routeLabel("GET", `https://api.github.com${url}?page=2`)).toBe(`GET ${template}`);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("never contains an identifier of the path", () => {
    const identifier = fc
      .string({ unit: "binary", minLength: 1, maxLength: 12 })
      .map((text) => `Zq${encodeURIComponent(text.replace(/[\ud800-\udfff]/g, ""))}qZ`);
    const word = fc.constantFrom(...vocabulary, "api", "v3", "repos", "repositories", "{owner}", "..", "{", ":x", "");
    const path = fc.array(
      fc.oneof(
        identifier,
        fc.nat().map((n) => `900${n}`),
        word,
      ),
      { maxLength: 14 },
    );
    // With braces in it, what starts with a slash is a template: the programmer's own words.
    const origin = fc.constantFrom("https://api.github.com/", "https://ghe.example.test/api/v3/", "//", "/", "");
    const tail = fc.constantFrom("", "?q=Zqx", "#Zqx", "/");
    fc.assert(
      fc.property(origin, path, tail, (before, segments, after) => {
        fc.pre(!(before.startsWith("/") && segments.some((segment) => segment.includes("{"))));
        const label = routeLabel("GET", before + segments.join("/") + after);
        expect(label).not.toMatch(/zq|900/i);
        for (const part of label.slice("GET /".length).split("/")) {
          expect(
            part === "" ||
              part === "…" ||
              part === "graphql" ||
              /^\{[\w-]*\}$/.test(part) ||
              vocabulary.has(part.toLowerCase()),
          ).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("never throws, and stays short", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.string(), (url, method) => {
        expect(routeLabel(method, url).length).toBeLessThan(500);
      }),
    );
    const long = `/repos/o/r/commits/${"status/".repeat(2_000)}x`;
    expect(routeLabel("GET", long)).toBe("GET /repos/{owner}/{repo}/commits/{ref}");
    expect(routeLabel("GET", "{?".repeat(8_000)).length).toBeLessThan(500);
  });
});

describe("the list of templates", () => {
  it("is what the script makes of the installed OpenAPI description", () => {
    const script = fileURLToPath(new URL("../../scripts/generate-route-templates.mjs", import.meta.url));
    const file = fileURLToPath(new URL("../../src/call/route-templates.ts", import.meta.url));
    const printed = execFileSync(process.execPath, [script, "--print"], { encoding: "utf8", maxBuffer: 2 ** 24 });
    expect(printed).toBe(readFileSync(file, "utf8"));
  });

  it("holds only words and parameters, and no address", () => {
    expect(ROUTE_TEMPLATES).toMatch(/^[\w{}(),!*.-]+$/);
  });
});
