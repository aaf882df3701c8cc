import type { Octokit as Core } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit as Rest } from "@octokit/rest";
import { describe, expect, it } from "vitest";
import { squadRate, squadRequest } from "../../src/index.js";
import { compose, failureOf, REPO, TOKEN } from "./compose.js";
import { EITHER, type HostClass, hostOf, INSIDE } from "./compositions.js";
import { LIMITS, type Limit } from "./limits.js";

const DAY = 86_400_000;

/** Writes down what each kind of hook sees. */
function watch(octokit: Core, seen: string[]): void {
  const inWords = (error: unknown): string => {
    const { name, status, message } = error as { name: string; status?: number; message: string };
    return `${name} ${status} ${message.slice(0, 60)}`;
  };
  octokit.hook.before("request", ({ method, url }) => void seen.push(`before ${method} ${url}`));
  octokit.hook.after("request", ({ status }) => void seen.push(`after ${status}`));
  octokit.hook.error("request", (error) => {
    seen.push(`error ${inWords(error)}`);
    throw error;
  });
  octokit.hook.wrap("request", async (request, options) => {
    try {
      const response = await request(options);
      seen.push(`wrap ${response.status}`);
      return response;
    } catch (error) {
      seen.push(`wrap ${inWords(error)}`);
      throw error;
    }
  });
}

/** A call, what GitHub does to it, and what a hook outside ours sees of it. */
const calls: Readonly<
  Record<
    string,
    {
      readonly before: (limit: Limit) => object[];
      readonly write: boolean;
      readonly sends: number;
      readonly ok: boolean;
    }
  >
> = {
  "a read that is refused and waited out": { before: (limit) => [limit.answer()], write: false, sends: 2, ok: true },
  "a write that is refused and waited out": { before: (limit) => [limit.answer()], write: true, sends: 2, ok: true },
  "a write that needs its permit first": { before: () => [], write: true, sends: 1, ok: true },
  "a read that is refused to the end": {
    before: (limit) => Array(4).fill(limit.answer()),
    write: false,
    sends: 4,
    ok: false,
  },
};

describe.each(Object.entries(EITHER))("hooks of the user, with the host's plugins %s, see once", (_c, Class) => {
  it.each(Object.entries(calls))("%s", async (_, { before, write, sends, ok }) => {
    const { time, github, octokit, sent } = await compose(Class, { squad: { maxWaitMs: DAY } });
    github.route("/repos/mona/hello", { json: { name: "hello" } });
    github.route("/repos/mona/hello/subscription", { json: {} });
    for (const answer of before(LIMITS["a secondary limit with retry-after"] as Limit)) github.once(answer);
    const seen: string[] = [];
    watch(octokit, seen);
    const call: Promise<unknown> = write
      ? octokit.rest.activity.setRepoSubscription(REPO)
      : octokit.rest.repos.get(REPO);
    await time.settle(call.catch(() => undefined));
    expect(sent).toHaveLength(sends);
    const route = write ? "PUT /repos/{owner}/{repo}/subscription" : "GET /repos/{owner}/{repo}";
    const end = "HttpError 403 You have exceeded a secondary rate limit. Please wait a few ";
    expect(seen).toEqual([`before ${route}`, ...(ok ? ["after 200", "wrap 200"] : [`error ${end}`, `wrap ${end}`])]);
  });
});

describe.each(Object.entries(INSIDE))("hooks of the user, with the host's plugins %s, see once", (_c, Class) => {
  it("a read that fails and is tried again", async () => {
    const { time, github, octokit } = await compose(Class);
    github.route("/repos/mona/hello", { json: { name: "hello" } });
    for (let time = 0; time < 3; time++) github.once({ status: 502, json: {} });
    const seen: string[] = [];
    watch(octokit, seen);
    await time.settle(octokit.rest.repos.get(REPO));
    expect(seen).toEqual(["before GET /repos/{owner}/{repo}", "after 200", "wrap 200"]);
  });
});

/** A class in which a plugin with hooks of its own is inside ours, beside the host's plugins if `host`. */
function watchedInside(seen: string[], host: boolean): HostClass {
  const watching = (octokit: Core): Record<string, never> => {
    watch(octokit, seen);
    return {};
  };
  return host ? hostOf(watching, retry, throttling, squadRate) : hostOf(watching, squadRate);
}

describe("hooks of a plugin inside ours see every request", () => {
  it.each([
    [
      "without the host's plugins, GitHub's refusal as it is",
      false,
      "HttpError 403 You have exceeded a secondary rate limit. Please wait a few ",
    ],
    [
      "with the host's plugins inside, our word in its place",
      true,
      "HttpError 500 squad-rate: a limit refused this; when to try again is being",
    ],
  ])("%s", async (_, host, refusal) => {
    const seen: string[] = [];
    const { time, github, octokit } = await compose(watchedInside(seen, host), { squad: { maxWaitMs: DAY } });
    github.route("/repos/mona/hello", { json: { name: "hello" } });
    github.once((LIMITS["a secondary limit with retry-after"] as Limit).answer());
    await time.settle(octokit.rest.repos.get(REPO));
    const before = "before GET /repos/{owner}/{repo}";
    expect(seen).toEqual([before, `error ${refusal}`, `wrap ${refusal}`, before, "after 200", "wrap 200"]);
  });

  it.each([false, true])("a failure as it is, each time; the host's plugins inside: %s", async (host) => {
    const seen: string[] = [];
    const { time, github, octokit } = await compose(watchedInside(seen, host));
    github.route("/repos/mona/hello", { json: { name: "hello" } });
    github.once({ status: 502, json: { message: "Server Error" } });
    await time.settle(octokit.rest.repos.get(REPO));
    const failure = "HttpError 502 Server Error";
    const before = "before GET /repos/{owner}/{repo}";
    expect(seen).toEqual([before, `error ${failure}`, `wrap ${failure}`, before, "after 200", "wrap 200"]);
  });

  it("a read that has to wait, first as our word that it must", async () => {
    const seen: string[] = [];
    const { time, github, octokit } = await compose(watchedInside(seen, false), { squad: { maxWaitMs: DAY } });
    github.route("/repos/mona/hello", { json: { name: "hello" } });
    github.once({ json: {}, headers: { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "500" } });
    await time.settle(octokit.request("GET /meta"));
    seen.length = 0;
    await time.settle(octokit.rest.repos.get(REPO));
    const word = "HttpError 500 squad-rate: this call has to wait for a permit first";
    const before = "before GET /repos/{owner}/{repo}";
    expect(seen).toEqual([before, `error ${word}`, `wrap ${word}`, before, "after 200", "wrap 200"]);
  });

  it.each([false, true])("a write once: it has its permit by then; the host's plugins inside: %s", async (host) => {
    const seen: string[] = [];
    const { time, github, octokit } = await compose(watchedInside(seen, host));
    github.route("/repos/mona/hello/subscription", { json: {} });
    for (let round = 0; round < 2; round++) await time.settle(octokit.rest.activity.setRepoSubscription(REPO));
    const write = ["before PUT /repos/{owner}/{repo}/subscription", "after 200", "wrap 200"];
    expect(seen).toEqual([...write, ...write]);
  });

  it("a retry of theirs that succeeds is what the caller gets, whatever was refused before", async () => {
    const stubborn = (octokit: Core): Record<string, never> => {
      octokit.hook.wrap("request", async (request, options) => {
        try {
          return await request(options);
        } catch {
          return request(options);
        }
      });
      return {};
    };
    const Class = hostOf(stubborn, retry, throttling, squadRate);
    const { time, github, octokit, sent } = await compose(Class, { squad: { maxWaitMs: DAY } });
    github.route("/repos/mona/hello", { json: { name: "hello" } });
    github.once((LIMITS["a secondary limit with retry-after"] as Limit).answer());
    const { data } = await time.settle(octokit.rest.repos.get(REPO));
    expect(data).toMatchObject({ name: "hello" });
    expect(sent).toHaveLength(2);
    expect((sent[1]?.atMs ?? 0) - (sent[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(20_000);
  });
});

describe("@octokit/rest, which logs every request inside ours,", () => {
  it("logs no error for writes that succeed, searches among them", async () => {
    const { time, github, another, logged } = await compose(Rest.plugin(squadRate) as unknown as HostClass);
    github.route("/repos/mona/hello/issues", { status: 201, json: {} });
    github.route("/search/repositories", { json: { items: [] } });
    const octokit = another(Rest.plugin(squadRate) as unknown as HostClass);
    const calls = [
      octokit.rest.issues.create({ ...REPO, title: "One" }),
      octokit.rest.issues.create({ ...REPO, title: "Two" }),
      octokit.rest.search.repos({ q: "x" }),
      octokit.rest.search.repos({ q: "y" }),
    ];
    await time.settle(Promise.all(calls));
    expect(logged.filter((line) => !line.startsWith("info"))).toEqual([]);
    expect(logged.filter((line) => line.includes("POST /repos/mona/hello/issues - 201"))).toHaveLength(2);
  });

  // It comes back from the fetch seam to wait outside auth; a plugin inside ours takes that for a failure.
  it.fails("logs no error for a read that has to wait and succeeds", async () => {
    const Class = Rest.plugin(squadRate) as unknown as HostClass;
    const { time, github, octokit, logged } = await compose(Class, { squad: { maxWaitMs: DAY } });
    github.route("/repos/mona/hello", { json: { name: "hello" } });
    github.once({ json: {}, headers: { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "500" } });
    await time.settle(octokit.request("GET /meta"));
    await time.settle(octokit.rest.repos.get(REPO));
    expect(logged.filter((line) => !line.startsWith("info"))).toEqual([]);
  });
});

describe("the request that an error shows", () => {
  it.each(Object.entries(EITHER))("can be sent again, host's plugins %s", async (_, Class) => {
    const { time, github, octokit, sent } = await compose(Class);
    github.once({ status: 404, json: { message: "Not Found" } });
    github.route("/repos/mona/hello", { json: { name: "hello" } });
    const error = (await failureOf(time.settle(octokit.rest.repos.get(REPO)))) as { request: { url: string } };
    const again = { ...error.request, headers: { authorization: `token ${TOKEN}` } };
    const { data } = await time.settle(octokit.request(again as unknown as Parameters<typeof octokit.request>[0]));
    expect(data).toMatchObject({ name: "hello" });
    expect(sent).toHaveLength(2);
    expect(octokit.squad.status().counters).toMatchObject({ calls: 2, exchanges: 2 });
  });

  it.each(Object.entries(EITHER))("holds what the caller set, host's plugins %s", async (_, Class) => {
    const { time, github, octokit } = await compose(Class);
    github.route("/repos/mona/hello", { status: 404, json: { message: "Not Found" } });
    const fetch = github.fetch;
    const squad = squadRequest({ priority: 0 });
    const request = { fetch, squad, mine: true };
    const error = await failureOf(time.settle(octokit.rest.repos.get({ ...REPO, request })));
    expect(error).toMatchObject({ request: { request: { fetch, squad, mine: true } } });
    expect((error as { request: { request: object } }).request.request).not.toHaveProperty("retries");
  });
});
