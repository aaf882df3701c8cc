import { generateKeyPairSync } from "node:crypto";
import { createAppAuth } from "@octokit/auth-app";
import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { RequestError } from "@octokit/request-error";
import { Octokit as RestOctokit } from "@octokit/rest";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { replay } from "../../src/adapter/replay.js";
import { type Answering, answer, JSON_TYPE, json, SECONDARY } from "./replay/answers.js";
import { both, decideOutside, type Settings } from "./replay/both.js";
import { CASES, get, graphql, head, post, QUERY, REPO } from "./replay/cases.js";

describe("a replayed answer is what plain Octokit gives for", () => {
  it.each(CASES)("%s", async (_what, answering, call) => {
    const { plain, replayed, warnings } = await both(answering, call);
    expect(replayed).toStrictEqual(plain);
    expect(warnings[1]).toEqual(warnings[0]);
  });

  it.each(CASES)("%s, where bodies of successes are not parsed", async (_what, answering, call) => {
    const { plain, replayed } = await both(answering, call, { request: { parseSuccessResponseBody: false } });
    expect(replayed).toStrictEqual(plain);
  });

  it("a body that is cut off on its way", async () => {
    for (const status of [200, 403]) {
      const cut: Answering = (url, init) => {
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{"message":'));
          },
          pull: (controller) => controller.error(new TypeError("terminated")),
        });
        return answer(status, body, { "content-type": JSON_TYPE })(url, init);
      };
      const { plain, replayed } = await both(cut, get);
      expect(replayed).toStrictEqual(plain);
    }
  });

  it("any status, type and body", async () => {
    const body = fc.oneof(
      fc.json(),
      fc.string({ unit: "binary" }),
      fc
        .record({ message: fc.string(), errors: fc.json() }, { requiredKeys: [] })
        .map((value) => JSON.stringify(value)),
      fc.uint8Array().map((bytes) => new Uint8Array(bytes)),
    );
    const type = fc.constantFrom(
      undefined,
      JSON_TYPE,
      "application/scim+json",
      "text/plain",
      "application/octet-stream",
      "application/x; charset=utf-8",
      "application/zip",
      "?",
    );
    const status = fc.oneof(
      fc.constantFrom(200, 204, 205, 304, 401, 403, 404, 429, 500),
      fc.integer({ min: 200, max: 599 }),
    );
    await fc.assert(
      fc.asyncProperty(
        status,
        type,
        body,
        fc.constantFrom(get, post, head, graphql),
        async (code, kind, content, call) => {
          const hasNone = [204, 205, 304].includes(code) || call === head;
          const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
          const answering = answer(code, hasNone ? null : bytes, kind === undefined ? {} : { "content-type": kind });
          const { plain, replayed } = await both(answering, call);
          expect(replayed).toStrictEqual(plain);
        },
      ),
    );
  });
});

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

describe("a replayed error is plain Octokit's", () => {
  const refusal = json(403, SECONDARY, { "retry-after": "60" });
  const rest = (call: (octokit: RestOctokit) => Promise<unknown>) => (octokit: Octokit) => call(octokit as RestOctokit);
  const other: Readonly<Record<string, readonly [Settings, (octokit: Octokit) => Promise<unknown>]>> = {
    "without a token": [{ options: {} }, get],
    "with a JWT": [{ options: { auth: "aaa.bbb.ccc" } }, get],
    "with an authorization of the caller's": [
      { options: {} },
      (octokit) => octokit.request("GET /user", { headers: { authorization: "Basic c2VjcmV0" } }),
    ],
    "with secrets in the address": [
      {},
      (octokit) =>
        octokit.request("GET /x{?client_secret,access_token}", { client_secret: "abc", access_token: "def" }),
    ],
    "for a media type and headers": [
      {},
      (octokit) =>
        octokit.request("GET /repos/{owner}/{repo}/readme", {
          ...REPO,
          mediaType: { format: "raw", previews: ["mercy"] },
          headers: { "X-Number": 1, accept: "application/vnd.github.v3+json,application/vnd.github.v3.star+json" },
        }),
    ],
    "of GraphQL with previews": [
      { options: { auth: "t", previews: ["nebula"] } },
      (octokit) => octokit.graphql(QUERY, { login: "x", mediaType: { previews: ["mercy"] } }),
    ],
    "of GraphQL at an Enterprise Server": [{ options: { auth: "t", baseUrl: "https://ghes.test/api/v3" } }, graphql],
    "of an address without a template": [
      {},
      (octokit) => octokit.request("https://api.github.com/user/issues?page=2&x=a%20b"),
    ],
    "of a write without a body": [{}, (octokit) => octokit.request("PUT /user/starred/{owner}/{repo}", REPO)],
    "of data of its own": [
      {},
      (octokit) => octokit.request("POST /markdown/raw", { data: "# né", headers: { "content-type": "text/plain" } }),
    ],
    "of derived defaults": [
      { options: { auth: "t", userAgent: "app/1", timeZone: "Europe/Berlin", previews: ["mercy"] } },
      (octokit) => octokit.request.defaults({ ...REPO, headers: { "x-mine": "1" } })("GET /repos/{owner}/{repo}"),
    ],
    "of a call with settings and a signal": [
      {},
      (octokit) =>
        octokit.request("GET /user", {
          request: { signal: new AbortController().signal, redirect: "manual", retries: 2, squad: { agent: "a" } },
        }),
    ],
    "of @octokit/rest, reading": [
      { Class: RestOctokit },
      rest((octokit) => octokit.rest.issues.listForRepo({ ...REPO, state: "open", mediaType: { format: "html" } })),
    ],
    "of @octokit/rest, writing": [
      { Class: RestOctokit },
      rest((octokit) => octokit.rest.issues.create({ ...REPO, title: "x", labels: ["a"] })),
    ],
    "of @octokit/rest, uploading": [
      { Class: RestOctokit },
      rest((octokit) =>
        octokit.rest.repos.uploadReleaseAsset({
          ...REPO,
          release_id: 1,
          name: "a.bin",
          data: Buffer.from("abc") as unknown as string,
        }),
      ),
    ],
    "of @octokit/rest, in pages": [
      { Class: RestOctokit },
      rest((octokit) => octokit.paginate(octokit.rest.issues.listForRepo, { ...REPO, per_page: 100 })),
    ],
    "of an app": [
      { options: { authStrategy: createAppAuth, auth: { appId: 1, privateKey } } },
      (octokit) => octokit.request("GET /app"),
    ],
  };

  it.each(Object.entries(other))("%s", async (_what, [settings, call]) => {
    const { plain, replayed } = await both(refusal, call, settings);
    expect(plain).toMatchObject({ class: RequestError, status: 403 });
    expect(replayed).toStrictEqual(plain);
  });

  it("of an app's installation, whose token is minted on the way", async () => {
    const minting: Answering = (url, init) =>
      url.endsWith("/access_tokens")
        ? json(201, {
            token: "ghs_secret",
            expires_at: "2100-01-01T00:00:00Z",
            permissions: {},
            repository_selection: "all",
          })(url, init)
        : refusal(url, init);
    const auth = { appId: 1, privateKey, installationId: 2 };
    const { plain, replayed } = await both(minting, get, { options: { authStrategy: createAppAuth, auth } });
    expect(plain).toMatchObject({ status: 403, request: { headers: { authorization: "token [REDACTED]" } } });
    expect(replayed).toStrictEqual(plain);
  });

  it("and holds no token anywhere", async () => {
    const { replayed } = await both(refusal, post);
    expect(JSON.stringify(replayed)).toContain("token [REDACTED]");
    expect(JSON.stringify(replayed)).not.toContain("secret");
  });
});

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    Object.values(value).map(frozen);
  }
  return value;
}

describe("replaying", () => {
  const refused = (): Response => json(403, SECONDARY)("https://api.github.com/user", {});
  const hookOptions = (octokit: Octokit) =>
    octokit.request.endpoint.merge("GET /users/{username}", { username: "mona", request: { retries: 7 } });

  it("writes neither to the options nor to the caller's settings", async () => {
    const octokit = new Octokit();
    const options = frozen(hookOptions(octokit));
    const error = await replay<never>(octokit.request, options, options.request, refused(), "token t").catch(
      (thrown) => thrown,
    );
    expect(error).toMatchObject({ status: 403, request: { url: "https://api.github.com/users/mona" } });
    // Retry plugins write to it.
    expect(error.request.request).toEqual(options.request);
    expect(error.request.request).not.toBe(options.request);
  });

  it("sends nothing, and passes no hook a second time", async () => {
    const fetch = vi.fn(async () => refused());
    const hook = vi.fn();
    const octokit = new (Octokit.plugin(retry))({ request: { fetch } });
    octokit.hook.before("request", hook);
    decideOutside(octokit);
    await expect(octokit.request("GET /user", { request: { retries: 0 } })).rejects.toMatchObject({ status: 403 });
    expect([fetch.mock.calls.length, hook.mock.calls.length]).toEqual([1, 1]);
  });

  it("leaves the caller's abort to others: the answer is there", async () => {
    const octokit = new Octokit();
    const given = { signal: AbortSignal.abort() };
    const replayed = replay<never>(octokit.request, hookOptions(octokit), given, refused(), undefined);
    await expect(replayed).rejects.toMatchObject({ status: 403, request: { request: given } });
  });

  it("needs no settings of the caller's", async () => {
    const octokit = new Octokit();
    const replayed = replay<never>(octokit.request, hookOptions(octokit), undefined, refused(), undefined);
    const error = await replayed.catch((thrown: unknown) => thrown as RequestError);
    expect([error.status, "request" in error.request]).toEqual([403, false]);
  });
});
