import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createTestGitHub, type TestGitHub } from "./world-fixture.js";

/** One recorded exchange of @octokit/fixtures: ids, dates and tags are normalised there, so their values say nothing. */
interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly response: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const recorded = (scenario: string, index: number): Recorded => {
  const file = `../../../node_modules/@octokit/fixtures/scenarios/api.github.com/${scenario}/normalized-fixture.json`;
  return JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"))[index];
};

/** Headers of HTTP/1.1 or of the proxy that recorded; `server` and `vary` were cut from the recordings. */
const NOT_RECORDED = new Set(["server", "vary", "content-encoding", "last-modified"]);
const NOT_SIMULATED = new Set(["connection", "content-length", "last-modified", "expires"]);
/** Added to bodies by GitHub after the recordings were made. */
const NEWER_KEYS = new Set(["status", "updated_at", "has_discussions", "verified_at"]);

interface Case {
  readonly scenario: string;
  readonly index: number;
  readonly send: (test: TestGitHub) => Promise<Response>;
}

const at = "/repos/acme/app";
const cases: readonly Case[] = [
  { scenario: "get-repository", index: 0, send: ({ send }) => send(at) },
  { scenario: "get-root", index: 0, send: ({ send }) => send("/") },
  { scenario: "get-organization", index: 0, send: ({ send }) => send("/orgs/acme") },
  { scenario: "paginate-issues", index: 1, send: ({ send }) => send(`${at}/issues?per_page=3&page=2`) },
  { scenario: "labels", index: 0, send: ({ send }) => send(`${at}/labels`) },
  {
    scenario: "labels",
    index: 1,
    send: ({ send }) => send(`${at}/labels`, { method: "POST", json: { name: "x", color: "663399" } }),
  },
  { scenario: "labels", index: 4, send: ({ send }) => send(`${at}/labels/bug`, { method: "DELETE" }) },
  {
    scenario: "errors",
    index: 0,
    send: ({ send }) => send(`${at}/labels`, { method: "POST", json: { name: "x", color: "invalid" } }),
  },
  {
    scenario: "add-labels-to-issue",
    index: 0,
    send: ({ send }) => send(`${at}/issues`, { method: "POST", json: { title: "x" } }),
  },
  {
    scenario: "add-labels-to-issue",
    index: 1,
    send: ({ send }) => send(`${at}/issues/1/labels`, { method: "POST", json: ["bug"] }),
  },
  { scenario: "lock-issue", index: 0, send: ({ send }) => send(`${at}/issues/1/lock`, { method: "PUT" }) },
  {
    scenario: "create-file",
    index: 0,
    send: ({ send }) => send(`${at}/contents/test.txt`, { method: "PUT", json: { message: "x", content: "eA==" } }),
  },
  { scenario: "get-content", index: 0, send: ({ send }) => send(`${at}/contents/`) },
  {
    scenario: "get-content",
    index: 1,
    send: ({ send }) => send(`${at}/contents/README.md`, { headers: { accept: "application/vnd.github.v3.raw" } }),
  },
  { scenario: "git-refs", index: 0, send: ({ send }) => send(`${at}/git/refs/`) },
  { scenario: "search-issues", index: 0, send: ({ send }) => send("/search/issues?q=issue%20repo%3Aacme%2Fapp") },
  {
    scenario: "markdown",
    index: 0,
    send: ({ send }) => send("/markdown", { method: "POST", json: { text: "### Hello" } }),
  },
  { scenario: "mark-notifications-as-read", index: 0, send: ({ send }) => send("/notifications", { method: "PUT" }) },
  {
    scenario: "create-status",
    index: 0,
    send: async ({ send, github }) => {
      const { sha } = github.world.pushCommit({ owner: "acme", repo: "app", message: "x" });
      return send(`${at}/statuses/${sha}`, { method: "POST", json: { state: "failure" } });
    },
  },
  {
    scenario: "create-status",
    index: 3,
    send: async ({ send, github }) => {
      const { sha } = github.world.pushCommit({ owner: "acme", repo: "app", message: "x" });
      github.world.addStatus({ owner: "acme", repo: "app", sha, state: "success" });
      return send(`${at}/commits/${sha}/status`);
    },
  },
  {
    scenario: "release-assets",
    index: 0,
    send: async ({ send, github }) => {
      github.world.addRelease({ owner: "acme", repo: "app", tagName: "v1.0.0" });
      return send(`${at}/releases/tags/v1.0.0`);
    },
  },
  {
    scenario: "release-assets",
    index: 1,
    send: async ({ send, github }) => {
      const { id } = github.world.addRelease({ owner: "acme", repo: "app", tagName: "v1.0.0" });
      return send(`https://uploads.github.com${at}/releases/${id}/assets?name=a.txt`, { method: "POST", json: "x" });
    },
  },
];

describe.each(cases)("$scenario, exchange $index", ({ scenario, index, send }) => {
  const play = async () => {
    const test = createTestGitHub({ gzip: "never" });
    test.github.world.setCollaborator({ owner: "acme", repo: "app" }, "mona", "admin");
    for (let count = 0; count < 13; count++)
      test.github.world.addIssue({ owner: "acme", repo: "app", title: `Issue ${count}`, user: "mona" });
    return { recording: recorded(scenario, index), response: await send(test) };
  };

  it("has the recorded status and content type", async () => {
    const { recording, response } = await play();
    expect(response.status).toBe(recording.status);
    expect(response.headers.get("content-type")).toBe(recording.headers["content-type"] ?? null);
  });

  it("has the recorded headers and no others", async () => {
    const { recording, response } = await play();
    const names = (all: Iterable<string>, without: ReadonlySet<string>) =>
      [...all].filter((name) => !without.has(name)).sort();
    expect(names(response.headers.keys(), NOT_RECORDED)).toEqual(names(Object.keys(recording.headers), NOT_SIMULATED));
    for (const name of ["cache-control", "x-github-media-type", "x-poll-interval", "x-ratelimit-resource"]) {
      expect(response.headers.get(name)).toBe(recording.headers[name] ?? null);
    }
    const form = (etag: string | null | undefined) => etag?.replace(/[\da-f]+/, "");
    expect(form(response.headers.get("etag")) ?? null).toBe(form(recording.headers.etag) ?? null);
  });

  it("has no key that the recorded body lacks", async () => {
    const { recording, response } = await play();
    if (!response.headers.get("content-type")?.includes("json")) return;
    expect(strangeKeys(await response.json(), recording.response)).toEqual([]);
  });
});

/** Paths of keys in `value` that `model` does not have; the first item of a list is the model of all. */
function strangeKeys(value: unknown, model: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null || typeof model !== "object" || model === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => strangeKeys(item, (model as unknown[])[0], `${path}[]`));
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!(key in model)) return NEWER_KEYS.has(key) ? [] : [`${path}.${key}`];
    return strangeKeys(inner, (model as Record<string, unknown>)[key], `${path}.${key}`);
  });
}
