import { throttling } from "@octokit/plugin-throttling";
import { describe, expect, it } from "vitest";
import { Identifier } from "../../../src/call/identify.js";
import { createRouteLabel } from "../../../src/call/route.js";
import { laneOf, lanePath } from "../../../src/pipeline/lanes/lane-of.js";

const API = "https://api.github.com";
const ENTERPRISE = "https://ghe.example/api/v3";

const identifier = new Identifier(createRouteLabel());

function lane(method: string, url: string, document?: string): string {
  const graphql = document === undefined ? undefined : { document, operationName: undefined };
  const facts = identifier.identify({ method, url, baseUrl: API, graphql });
  return laneOf(facts, url, throttling.triggersNotification);
}

describe("laneOf", () => {
  it.each([
    ["GET", "/repos/{owner}/{repo}/issues"],
    ["HEAD", "/repos/mona/hello"],
    ["GET", "/rate_limit"],
    ["GET", "/repos/mona/search/contents/search"],
    ["GET", "/search"],
  ])("sends the read %s %s direct", (method, url) => {
    expect(lane(method, url)).toBe("direct");
  });

  it.each([
    ["GET", "/search/issues{?q,sort,order,per_page,page}"],
    ["get", "/search/code"],
    ["GET", `${API}/search/commits?q=fix&page=2`],
    ["GET", `${ENTERPRISE}/search/repositories?q=hello`],
  ])("paces %s %s as a search", (method, url) => {
    expect(lane(method, url)).toBe("search");
  });

  it.each([
    ["PATCH", "/repos/{owner}/{repo}/issues/{issue_number}"],
    ["PUT", "/repos/{owner}/{repo}/contents/{path}"],
    ["DELETE", `${API}/repos/mona/hello/git/refs/heads/topic`],
    ["POST", `${ENTERPRISE}/repos/mona/hello/git/blobs`],
    ["POST", "https://uploads.github.com/repos/mona/hello/releases/1/assets{?name,label}"],
    ["POST", "https://ghe.example/api/uploads/repos/mona/hello/releases/1/assets?name=a.zip"],
    ["POST", "/search/issues"],
  ])("paces %s %s as a write", (method, url) => {
    expect(lane(method, url)).toBe("write");
  });

  it.each([
    ["POST", "/repos/{owner}/{repo}/issues"],
    ["POST", `${API}/repos/mona/hello/issues/5/comments`],
    ["PUT", `${ENTERPRISE}/repos/mona/hello/pulls/5/merge`],
    ["POST", "/api/v3/repos/mona/hello/pulls"],
    ["post", "/repos/mona/hello/releases?x=1"],
  ])("paces %s %s as a write that notifies people", (method, url) => {
    expect(lane(method, url)).toBe("notification");
  });

  it.each([
    ["POST", "/app/installations/{installation_id}/access_tokens"],
    ["POST", "https://github.com/login/oauth/access_token"],
    ["POST", "/applications/{client_id}/token"],
    ["PATCH", `${ENTERPRISE}/applications/1/token/scoped`],
  ])("sends %s %s direct, since it happens inside a call that has waited", (method, url) => {
    expect(lane(method, url)).toBe("direct");
  });

  it.each([
    ["/graphql", "{ viewer { login } }", "direct"],
    ["/graphql", "mutation { closeIssue(input: {}) { clientMutationId } }", "write"],
    ["https://ghe.example/api/graphql", "query { viewer { login } }", "direct"],
    ["https://ghe.example/api/graphql", "mutation { closeIssue(input: {}) { clientMutationId } }", "write"],
    ["/graphql", undefined, "write"],
  ])("sends GraphQL to %s by what %j does", (url, document, expected) => {
    expect(lane("POST", url, document)).toBe(expected);
  });

  it("asks the table about writes only, so that reads need not load it", () => {
    const never = (): boolean => {
      throw new Error("asked");
    };
    for (const url of ["/search/issues", "/user", "/repos/mona/hello/issues"]) {
      const facts = identifier.identify({ method: "GET", url, baseUrl: API });
      expect(() => laneOf(facts, url, never)).not.toThrow();
    }
  });
});

describe("lanePath", () => {
  it("is the path below the API's root, whatever stands before and behind it", () => {
    const path = "/repos/mona/hello/issues";
    for (const url of [
      path,
      `${path}{?state}`,
      `${API}${path}?state=open#top`,
      `${ENTERPRISE}${path}`,
      `/api/v3${path}/`,
    ]) {
      expect(lanePath(url)).toBe(path);
    }
    expect(lanePath("https://ghe.example/api/graphql")).toBe("/graphql");
    expect(lanePath("")).toBe("/");
  });
});
