import { Octokit } from "@octokit/rest";
import { describe, expect, it } from "vitest";
import { API, createTestGitHub, TOKEN } from "./world-fixture.js";

const on = { owner: "acme", repo: "app" } as const;

describe("pages", () => {
  it("are thirty items long, a hundred at most, and linked by the repository's id", async () => {
    const { send, github } = createTestGitHub();
    for (let count = 0; count < 120; count++) github.world.addIssue({ ...on, title: `Issue ${count}` });
    const first = await send("/repos/acme/app/issues");
    expect(await first.json()).toHaveLength(30);
    expect(first.headers.get("link")).toMatch(
      /^<https:\/\/api\.github\.com\/repositories\/\d+\/issues\?page=2>; rel="next", <.*page=4>; rel="last"$/,
    );
    const long = await send("/repos/acme/app/issues?per_page=500&page=2");
    expect(await long.json()).toHaveLength(20);
    expect(long.headers.get("link")).toMatch(/rel="prev".*rel="first"$/);
  });

  it("have no Link when there is one only", async () => {
    const { send } = createTestGitHub();
    expect((await send("/repos/acme/app/issues")).headers.get("link")).toBeNull();
  });

  it("of search end at the thousandth result", async () => {
    const { send, github } = createTestGitHub();
    for (let count = 0; count < 1_050; count++) github.world.addIssue({ ...on, title: "needle" });
    const last = await send("/search/issues?q=needle&per_page=100&page=10");
    expect(await last.json()).toMatchObject({ total_count: 1_050, items: { length: 100 } });
    expect(last.headers.get("link")).not.toContain('rel="next"');
    expect((await send("/search/issues?q=needle&per_page=100&page=11")).status).toBe(422);
  });

  it("of the audit log go by cursor", async () => {
    const { send, github } = createTestGitHub();
    for (let count = 0; count < 3; count++) github.world.addIssue({ ...on, title: `Issue ${count}` });
    const seen: string[] = [];
    for (let url: string | undefined = "/orgs/acme/audit-log?per_page=2"; url !== undefined; ) {
      const page: Response = await send(url);
      expect(page.headers.get("x-ratelimit-resource")).toBe("audit_log");
      seen.push(...(await page.json()).map((one: { _document_id: string }) => one._document_id));
      url = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(new Set(seen).size).toBe(4);
  });
});

describe("review comments of a repository", () => {
  it("come by id, or newest first, or only since a moment", async () => {
    const { send, github, clock } = createTestGitHub();
    const numbers = ["One", "Two"].map((title) => github.world.addPullRequest({ ...on, title }).number);
    for (const [index, body] of ["a", "b", "c"].entries()) {
      github.world.addReviewComment({ ...on, number: numbers[(index + 1) % 2] as number, body });
      await clock.advance(1_000);
    }
    const bodies = async (query: string): Promise<string> => {
      const comments = await (await send(`/repos/acme/app/pulls/comments${query}`)).json();
      return comments.map(({ body }: { readonly body: string }) => body).join("");
    };
    expect(await bodies("")).toBe("abc");
    expect(await bodies("?direction=desc")).toBe("abc");
    expect(await bodies("?sort=updated&direction=desc")).toBe("cba");
    expect(await bodies("?sort=created&direction=asc&per_page=2&page=2")).toBe("c");
    const since = new Date(clock.now() - 2_000).toISOString();
    expect(await bodies(`?since=${since}`)).toBe("bc");
  });
});

describe("bodies", () => {
  it("of lists are as long as GitHub's", async () => {
    const { send, github } = createTestGitHub();
    for (let count = 0; count < 30; count++) github.world.addIssue({ ...on, title: `Issue ${count}`, labels: ["bug"] });
    for (let count = 0; count < 25; count++) github.world.addPullRequest({ ...on, title: `Change ${count}` });
    const length = async (path: string) => (await (await send(path)).text()).length;
    expect(await length("/repos/acme/app/issues")).toBeGreaterThan(50_000);
    expect(await length("/repos/acme/app/pulls")).toBeGreaterThan(250_000);
  });
});

describe("files", () => {
  it("come as JSON, raw, in folders, and keep every byte", async () => {
    const { send, github } = createTestGitHub();
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    github.world.setFile("acme", "app", "assets/all.bin", bytes);
    const raw = await send("/repos/acme/app/contents/assets/all.bin", {
      headers: { accept: "application/vnd.github.raw" },
    });
    expect(new Uint8Array(await raw.arrayBuffer())).toEqual(bytes);
    expect(raw.headers.get("content-type")).toBe("application/vnd.github.v3.raw; charset=utf-8");
    const json = await (await send("/repos/acme/app/contents/assets/all.bin")).json();
    expect(new Uint8Array(Buffer.from(json.content, "base64"))).toEqual(bytes);
    expect(await (await send("/repos/acme/app/contents/assets")).json()).toMatchObject([
      { type: "file", path: "assets/all.bin" },
    ]);
    const object = await send("/repos/acme/app/contents/assets", {
      headers: { accept: "application/vnd.github.object+json" },
    });
    expect(await object.json()).toMatchObject({ type: "dir", entries: [{ name: "all.bin" }] });
    expect((await send(json.download_url)).status).toBe(200);
  });

  it("uploaded to a release come back from another origin", async () => {
    const { send, github } = createTestGitHub();
    const { id } = github.world.addRelease({ ...on, tagName: "v1" });
    const uploaded = await send(`https://uploads.github.com/repos/acme/app/releases/${id}/assets?name=a.json`, {
      method: "POST",
      json: { a: 1 },
    });
    const { url } = await uploaded.json();
    const download = await send(url, { headers: { accept: "application/octet-stream" } });
    expect([await download.text(), download.redirected]).toEqual(['{"a":1}', true]);
  });
});

describe("errors", () => {
  it.each([
    ["/nothing/at/all", {}, 404, "Not Found"],
    ["/repos/acme/app/issues/99", {}, 404, "Not Found"],
    ["/repos/acme/app/labels", { method: "POST", json: { name: "bug", color: "ffffff" } }, 422, "Validation Failed"],
    ["/repos/acme/app", { method: "PATCH", json: { name: "new" } }, 403, "Must have admin rights to Repository."],
  ])("of %s", async (path, init, status, message) => {
    const { send } = createTestGitHub();
    const response = await send(path, init);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      message,
      documentation_url: expect.stringContaining("https://docs.github.com/rest"),
      status: String(status),
    });
  });

  it("are 410 for issues that are switched off, 401 for anonymous writes, 400 for broken JSON", async () => {
    const { clock, send, github } = createTestGitHub();
    const post = (headers: Record<string, string>, body: string) =>
      clock.settle(github.fetch(`${API}/repos/acme/app/issues`, { method: "POST", headers, body }));
    expect((await post({}, '{"title":"x"}')).status).toBe(401);
    expect((await post({ authorization: `token ${TOKEN}` }, "{")).status).toBe(400);
    github.world.updateRepository(on, { hasIssues: false });
    expect((await send("/repos/acme/app/issues")).status).toBe(410);
  });
});

describe("polled endpoints", () => {
  it.each([
    ["/repos/acme/app/events", "60"],
    ["/notifications", "60"],
    ["/repos/acme/app/git/ref/heads/main", "300"],
    ["/repos/acme/app/git/matching-refs/heads", "300"],
  ])("%s asks for %s s between polls", async (path, seconds) => {
    const { send } = createTestGitHub();
    expect((await send(path)).headers.get("x-poll-interval")).toBe(seconds);
  });
});

describe("Octokit on it", () => {
  it("works a pull request from branch to merge", async () => {
    const { clock, github } = createTestGitHub();
    const octokit = new Octokit({ auth: TOKEN, request: { fetch: github.fetch } });
    const play = async () => {
      const { data: main } = await octokit.rest.git.getRef({ ...on, ref: "heads/main" });
      await octokit.rest.git.createRef({ ...on, ref: "refs/heads/topic", sha: main.object.sha });
      await octokit.rest.repos.createOrUpdateFileContents({
        ...on,
        path: "a.txt",
        message: "Add a",
        content: "YQ==",
        branch: "topic",
      });
      const { data: pull } = await octokit.rest.pulls.create({ ...on, head: "topic", base: "main", title: "Add a" });
      await octokit.rest.repos.createCommitStatus({ ...on, sha: pull.head.sha, state: "success" });
      const { data: status } = await octokit.rest.repos.getCombinedStatusForRef({ ...on, ref: "topic" });
      await octokit.rest.issues.createComment({ ...on, issue_number: pull.number, body: "Nice" });
      await octokit.rest.pulls.merge({ ...on, pull_number: pull.number });
      const { data: merged } = await octokit.rest.pulls.get({ ...on, pull_number: pull.number });
      return { state: status.state, merged: merged.merged, comments: merged.comments };
    };
    expect(await clock.settle(play())).toEqual({ state: "success", merged: true, comments: 1 });
  });

  it("pages through a list", async () => {
    const { clock, github } = createTestGitHub();
    for (let count = 0; count < 70; count++) github.world.addIssue({ ...on, title: `Issue ${count}` });
    const octokit = new Octokit({ auth: TOKEN, request: { fetch: github.fetch } });
    expect(await clock.settle(octokit.paginate(octokit.rest.issues.listForRepo, on))).toHaveLength(70);
  });
});
