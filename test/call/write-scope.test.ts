import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readScope, writeScope } from "../../src/call/write-scope.js";

const host = { kind: "host" };
const hello = { kind: "repository", name: "/repos/octo-org/hello" };

describe("readScope and writeScope", () => {
  it.each([
    "/repos/octo-org/hello/issues/1",
    "/repos/Octo-Org/HELLO/issues",
    "/repos/octo-org/hello/issues?per_page=100#x",
    "//repos//octo-org/hello/issues/",
    "/api/v3/repos/octo-org/hello/pulls",
    "https://api.github.com/repos/octo-org/hello/pulls?page=2",
    "https://ghe.example.test/api/v3/repos/octo-org/hello/pulls",
    "/repos/octo%2Dorg/h%65llo/pulls",
  ])("is the repository for %s", (path) => {
    expect(readScope(path)).toEqual(hello);
    expect(writeScope(path)).toEqual(hello);
  });

  it.each([
    "/",
    "",
    "/user",
    "/user/repos",
    "/search/issues?q=repo:octo-org/hello",
    "/repositories/123/issues",
    "/orgs/octo-org/repos",
    "/graphql",
    "/api/graphql",
    "/repos",
    "/repos/octo-org",
    "/users/repos/o/r",
    "/repos/{owner}/{repo}/issues",
    "/repos/octo-org/../../user",
    "/repos/octo-org/hello/%2e%2e/other",
    "/repos/octo-org%2Fhello/issues/1",
  ])("is the host for %s", (path) => {
    expect(readScope(path)).toEqual(host);
    expect(writeScope(path)).toEqual(host);
  });

  it("takes a write that may rename a repository to concern the whole host", () => {
    expect(readScope("/repos/octo-org/hello")).toEqual(hello);
    expect(writeScope("/repos/octo-org/hello")).toEqual(host);
    expect(writeScope("/repos/octo-org/hello/transfer")).toEqual(host);
  });

  it("gives a read inside a repository the scope of a write inside it, however both are written", () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
    const path = fc
      .array(fc.webSegment(), { minLength: 1, maxLength: 4 })
      .filter((segments) => segments[0] !== "" && !segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment)));
    fc.assert(
      fc.property(name, name, path, path, (owner, repo, read, write) => {
        fc.pre(write[0]?.toLowerCase() !== "transfer");
        const wrote = writeScope(`/repos/${owner}/${repo}/${write.join("/")}`);
        expect(readScope(`/REPOS/${owner.toUpperCase()}/${repo.toLowerCase()}/${read.join("/")}?a=b`)).toEqual(wrote);
        expect(wrote.kind).toBe("repository");
      }),
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (path) => {
        expect(["host", "repository"]).toContain(readScope(path).kind);
        expect(["host", "repository"]).toContain(writeScope(path).kind);
      }),
    );
  });
});
