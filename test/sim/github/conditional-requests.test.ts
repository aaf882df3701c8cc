import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestGitHub, TOKEN } from "./world-fixture.js";

describe("conditional requests", () => {
  it("tag a 200 by the formula over Accept, Authorization and the body", async () => {
    const { send } = createTestGitHub({ gzip: "never" });
    const response = await send("/repos/acme/app");
    const body = await response.text();
    const expected = createHash("sha256").update(`*/*:token ${TOKEN}:${body}`).digest("hex");
    expect(response.headers.get("etag")).toBe(`"${expected}"`);
  });

  it("weaken the tag of a compressed 200, and strengthen it on the 304", async () => {
    const { send } = createTestGitHub();
    const response = await send("/repos/acme/app");
    const etag = response.headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"[\da-f]{64}"$/);
    const again = await send("/repos/acme/app", { headers: { "if-none-match": etag } });
    expect([again.status, again.headers.get("etag"), again.headers.get("content-type")]).toEqual([
      304,
      etag.slice(2),
      null,
    ]);
    expect(again.headers.get("x-ratelimit-used")).toBe("1");
  });

  it("give the same body another tag for another token", async () => {
    const { send, github } = createTestGitHub();
    github.world.addToken("ghp_rotated", "mona");
    const one = await send("/repos/acme/app");
    const two = await send("/repos/acme/app", { headers: { authorization: "token ghp_rotated" } });
    expect(await one.text()).toBe(await two.text());
    expect(one.headers.get("etag")).not.toBe(two.headers.get("etag"));
  });

  it("answer 200 with a new tag after a change", async () => {
    const { send, github } = createTestGitHub();
    const etag = (await send("/repos/acme/app/issues")).headers.get("etag") ?? "";
    github.world.addIssue({ owner: "acme", repo: "app", title: "New" });
    const changed = await send("/repos/acme/app/issues", { headers: { "if-none-match": etag } });
    expect(changed.status).toBe(200);
    expect(github.log.map((one) => one.conditional)).toEqual(["none", "miss"]);
  });

  it("leave page 1's tag as it was when the list grows past it", async () => {
    const { send, github } = createTestGitHub();
    for (let count = 0; count < 2; count++)
      github.world.addIssue({ owner: "acme", repo: "app", title: `Issue ${count}` });
    const path = "/repos/acme/app/issues?per_page=2&direction=asc";
    const first = await send(path);
    expect(first.headers.get("link")).toBeNull();
    github.world.addIssue({ owner: "acme", repo: "app", title: "Beyond" });
    const again = await send(path, { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
    expect((await send(path)).headers.get("link")).toContain('rel="next"');
  });

  it("indent JSON for curl while the tag covers the compact form", async () => {
    const { send } = createTestGitHub();
    const compact = await send("/repos/acme/app");
    const pretty = await send("/repos/acme/app", { headers: { "user-agent": "curl/8.5.0" } });
    expect(pretty.headers.get("etag")).toBe(compact.headers.get("etag"));
    const text = await pretty.text();
    expect(text).toContain('\n  "id": ');
    expect(JSON.parse(text)).toEqual(await compact.json());
  });

  it("carry Vary and Cache-Control as measured", async () => {
    const { send, github } = createTestGitHub();
    const known = await send("/repos/acme/app");
    expect(known.headers.get("vary")).toBe(
      "Accept, Authorization, Cookie, X-GitHub-OTP, Accept-Encoding, Accept, X-Requested-With",
    );
    expect(known.headers.get("cache-control")).toBe("private, max-age=60, s-maxage=60");
    const anonymous = await github.fetch("https://api.github.com/repos/acme/app");
    expect(anonymous.headers.get("cache-control")).toBe("public, max-age=60, s-maxage=60");
  });

  it.each(["/search/issues?q=x", "/rate_limit", "/zen"])("give %s no tag", async (path) => {
    const { send } = createTestGitHub();
    expect((await send(path)).headers.get("etag")).toBeNull();
  });

  it("heed If-Modified-Since, to the second, unless there is an If-None-Match", async () => {
    const { send } = createTestGitHub();
    const since = (await send("/repos/acme/app")).headers.get("last-modified") ?? "";
    expect((await send("/repos/acme/app", { headers: { "if-modified-since": since } })).status).toBe(304);
    const both = { "if-modified-since": since, "if-none-match": '"other"' };
    expect((await send("/repos/acme/app", { headers: both })).status).toBe(200);
  });

  it("follow no formula when tags are opaque, and still work", async () => {
    const { send } = createTestGitHub({ etagFormula: "opaque", gzip: "never" });
    const response = await send("/repos/acme/app");
    const etag = response.headers.get("etag") ?? "";
    expect(etag).not.toContain(
      createHash("sha256")
        .update(`*/*:token ${TOKEN}:${await response.text()}`)
        .digest("hex"),
    );
    expect((await send("/repos/acme/app", { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  it("show each user what that user may see", async () => {
    const { send, github } = createTestGitHub();
    github.world.addToken("ghp_stranger", "hubot");
    github.world.addRepository({ owner: "acme", name: "secret", private: true, visibleTo: ["mona"] });
    const stranger = { headers: { authorization: "token ghp_stranger" } };
    expect((await send("/repos/acme/secret")).status).toBe(200);
    expect((await send("/repos/acme/secret", stranger)).status).toBe(404);
    expect((await (await send("/user", stranger)).json()).login).toBe("hubot");
    expect((await (await send("/repos/acme/app", stranger)).json()).permissions.push).toBe(false);
  });
});
