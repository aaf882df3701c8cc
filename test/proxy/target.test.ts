import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KnownGitHub, knownGitHub } from "../../src/proxy/known-github.js";
import { type Asked, type Target, targetOf } from "../../src/proxy/target.js";

const DOT_COM = knownGitHub("github.com");
const SERVER = knownGitHub("github.example.com");

const nobody = () => false;

function onSocket(target: string, host = "api.github.com", github: KnownGitHub = DOT_COM): Target {
  const asked: Asked = { target, hosts: [host], httpVersion: "1.1", via: "socket" };
  return targetOf(asked, { github, standIn: undefined, isAlsoHost: nobody });
}

function atBaseUrl(target: string, github: KnownGitHub = DOT_COM): Target {
  const asked: Asked = { target, hosts: ["127.0.0.1:4100"], httpVersion: "1.1", via: "base-url" };
  return targetOf(asked, { github, standIn: undefined, isAlsoHost: nobody });
}

const api = (path: string, host = "api.github.com"): Target => ({
  kind: "api",
  url: `https://${host}${path}`,
  host,
  path,
});

describe("a request on a socket", () => {
  it("is for the host that it names", () => {
    expect(onSocket("/user?a=b")).toEqual(api("/user?a=b"));
    expect(onSocket("/graphql", "API.GitHub.com:443")).toEqual(api("/graphql"));
    expect(onSocket("/a", "uploads.github.com")).toEqual(api("/a", "uploads.github.com"));
    expect(onSocket("/o/r/zip", "codeload.github.com")).toEqual({
      kind: "other",
      host: "codeload.github.com",
      path: "/o/r/zip",
      role: "own",
    });
    expect(onSocket("/x", "productionresultssa19.blob.core.windows.net")).toMatchObject({ role: "storage" });
  });

  it("counts by the host in its target, if there is one", () => {
    expect(onSocket("https://uploads.github.com/a", "api.github.com")).toEqual(api("/a", "uploads.github.com"));
    expect(onSocket("http://api.github.com", "uploads.github.com")).toEqual(api("/"));
    expect(onSocket("http://api.github.com?q=1")).toEqual(api("/?q=1"));
  });

  it.each([
    "evil.example",
    "api.github.com.evil.example",
    "api.github.com.",
    "notgithub.com",
    "productionresultssa20.blob.core.windows.net",
    "other.blob.core.windows.net",
    "api.github.com:8443",
    "api.github.com/",
    "127.0.0.1:80",
    "github.example.com",
  ])("is turned away when that is no host of this GitHub: %s", (host) => {
    expect(onSocket("/user", host)).toMatchObject({ kind: "reject", status: 421 });
    expect(onSocket("/user", host)).toHaveProperty("message", expect.stringContaining("--also-host"));
  });

  it("repeats no host that is no name", () => {
    expect(onSocket("/user", '"><script>')).toHaveProperty("message", expect.stringContaining("the one asked for"));
  });

  it.each([
    ["x@api.github.com", "/user"],
    ["api.github.com", "http://api.github.com@evil.example/"],
    ["api.github.com", "http://api.github.com\\@evil.example/"],
    ["api.github.com", "user"],
    ["api.github.com", "*"],
    ["api.github.com", "api.github.com:443"],
    ["api.github.com", "ftp://api.github.com/"],
    ["api.github.com", "/a#b"],
    ["api.github.com", "/a b"],
    ["api.github.com", "/a\tb"],
    ["api.github.com", ""],
  ])("is turned away when it is none: Host %s, target %s", (host, target) => {
    expect(onSocket(target, host)).toMatchObject({ kind: "reject" });
  });

  it.each([
    ["//evil.example/a", "//evil.example/a"],
    ["/\\evil.example", "//evil.example"],
    ["/../../user", "/user"],
    ["/repos/a/%2e%2E/user", "/repos/user"],
    ["/@evil.example", "/@evil.example"],
    ["/a/./b", "/a/b"],
    ["/\xc3\xbc?q=\xc3\xbc", "/%C3%BC?q=%C3%BC"],
  ])("goes to the same host whatever its path: %s", (target, path) => {
    expect(onSocket(target)).toEqual(api(path));
  });

  it("never leaves its host, and is sent as it is looked up", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."/\\.@:%2eE?#[]azhtp-") }), (rest) => {
        const target = onSocket(`/${rest}`);
        if (target.kind === "reject") return;
        expect(target.host).toBe("api.github.com");
        const { host, pathname, search } = new URL(`https://api.github.com${target.path}`);
        expect([host, pathname + search]).toEqual(["api.github.com", target.path]);
        expect(target).toEqual(api(target.path));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a request at a base URL", () => {
  it("is for the API, whatever host it came by", () => {
    expect(atBaseUrl("/user")).toEqual(api("/user"));
    expect(atBaseUrl("//evil.example/user")).toEqual(api("//evil.example/user"));
    expect(atBaseUrl("/api/v3/user", SERVER)).toEqual(api("/api/v3/user", "github.example.com"));
  });
});

describe("an Enterprise Server", () => {
  it("has its API under a path, and the rest beside it", () => {
    expect(onSocket("/api/graphql", "github.example.com", SERVER)).toEqual(api("/api/graphql", "github.example.com"));
    expect(onSocket("/api/../login", "github.example.com", SERVER)).toMatchObject({ kind: "other", path: "/login" });
    expect(onSocket("/o/r/zip", "codeload.github.example.com", SERVER)).toMatchObject({ kind: "other", role: "own" });
    expect(onSocket("/user", "api.github.com", SERVER)).toMatchObject({ kind: "reject", status: 421 });
    expect(SERVER.apiPrefix).toBe("/api/v3");
  });
});

describe("an enterprise with data residency", () => {
  it.each(["octocorp.ghe.com", "api.octocorp.ghe.com"])("has hosts as github.com has: %s", (host) => {
    const github = knownGitHub(host);
    expect(github).toMatchObject({ host: "octocorp.ghe.com", apiHost: "api.octocorp.ghe.com", apiPrefix: "" });
    expect(onSocket("/user", "api.octocorp.ghe.com", github)).toEqual(api("/user", "api.octocorp.ghe.com"));
  });
});

describe("a server on this machine in GitHub's place", () => {
  it("may be called by its own name", () => {
    const standIn = { host: "127.0.0.1:9999", basePath: "/base" };
    const reach = { github: DOT_COM, standIn, isAlsoHost: nobody };
    const asked: Asked = { target: "/base/user", hosts: ["127.0.0.1:9999"], httpVersion: "1.1", via: "socket" };
    expect(targetOf(asked, reach)).toEqual(api("/user"));
  });
});
