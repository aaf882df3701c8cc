import { RequestError } from "@octokit/request-error";
import { RequestError as WholeRequestError } from "octokit";
import { describe, expect, it } from "vitest";
import { squadRequest } from "../../src/index.js";
import { compose, failureOf, REPO } from "./compose.js";
import { INSIDE } from "./compositions.js";
import { crossed, type Limit } from "./limits.js";

const HOUR = 3_600_000;
/** Bottleneck takes a millisecond for what it does at once. */
const AT_ONCE_MS = 10;

const SWITCHED_OFF = { throttle: { enabled: false }, retry: { enabled: false } };

/** Of the plain class and ours alike; the name of the client is not. */
function withoutClient<E extends { readonly request: { readonly headers: object } }>(error: E) {
  const { headers, ...request } = error.request;
  return { ...request, headers: { ...headers, "user-agent": "" } };
}

describe.each(crossed(INSIDE))("with the host's plugins %s, %s", (_composition, _limit, Class, limit) => {
  it("is waited out by ours: nobody inside waits, asks or tries again", async () => {
    const { time, github, octokit, sent, asked } = await compose(Class, { squad: { maxWaitMs: HOUR } });
    github.route("/repos/mona/hello", { json: { name: "hello" } });
    github.route("/graphql", { json: { data: { viewer: { login: "mona" } } }, etag: "none" });
    github.once(limit.answer());
    const call = limit.call(octokit);
    await time.advance(1_000);
    expect(octokit.squad.status().waiting).toMatchObject([{ agent: "ralph", priority: 1 }]);
    await time.settle(call);
    expect(asked).toEqual([]);
    expect(sent).toHaveLength(2);
    const waitedMs = (sent[1]?.atMs ?? 0) - (sent[0]?.atMs ?? 0);
    // P1's window after a release: 5 to 30 s.
    expect(waitedMs).toBeGreaterThanOrEqual(limit.waitS * 1_000 + 5_000 - AT_ONCE_MS);
    expect(waitedMs).toBeLessThanOrEqual(limit.waitS * 1_000 + 32_000);
    expect(octokit.squad.status().counters).toMatchObject({ calls: 1, retried: 1, refusedByGithub: 1 });
  });

  it("that does not end is met with four requests in all, whatever the plugins inside would make of it", async () => {
    const { time, github, octokit, sent, asked } = await compose(Class, {
      squad: { maxWaitMs: 24 * HOUR },
      wants: () => true,
      options: { retry: { retryAfterBaseValue: 1 }, throttle: { retryAfterBaseValue: 1 } },
    });
    github.route("/repos/mona/hello", limit.answer);
    github.route("/graphql", limit.answer);
    await failureOf(time.settle(limit.call(octokit)));
    expect(sent).toHaveLength(4);
    expect(asked).toEqual([]);
  });

  const givingUp: Readonly<Record<string, object>> = {
    "may not wait as long": { request: { squad: squadRequest({ maxWaitMs: 1_000 }) } },
    "is told request.retries 0": { request: { retries: 0 } },
    "is told to retry never": { squad: { retry: { limit: 0 } } },
    "is told so by squadRequest": { request: { squad: squadRequest({ retries: 0 }) } },
  };
  it.each(Object.entries(givingUp))(
    "reaches the caller at once as plain Octokit's error if ours %s",
    async (_, how) => {
      const { squad, request } = how as { squad?: object; request?: object };
      const { time, github, octokit, another, sent, asked } = await compose(Class, { squad: squad ?? {} });
      const plain = another(Class, { squad: { enabled: false }, options: SWITCHED_OFF });
      github.once(limit.answer());
      github.once(limit.answer());
      const ours = await failureOf(time.settle(limit.call(octokit, request)));
      expect(time.passedMs).toBeLessThan(AT_ONCE_MS);
      const theirs = await failureOf(time.settle(limit.call(plain, request)));
      expect(sent).toHaveLength(2);
      expect(asked).toEqual([]);
      isAs(ours, theirs, limit);
    },
  );
});

/** As `@octokit/graphql` throws it. */
interface GraphqlError extends Error {
  readonly errors: readonly unknown[];
  readonly data: unknown;
  readonly response: unknown;
  readonly headers: object;
}

function isAs(ours: unknown, theirs: unknown, limit: Limit): void {
  expect((ours as object).constructor).toBe((theirs as object).constructor);
  if (theirs instanceof Error && theirs.name === "GraphqlResponseError") {
    const shown = ({ name, message, errors, data, response, headers }: GraphqlError) => {
      return { name, message, errors, data, response, headers };
    };
    expect(shown(ours as GraphqlError)).toEqual(shown(theirs as GraphqlError));
    expect((theirs as GraphqlError).errors).toHaveLength(1);
    return;
  }
  expect(ours).toBeInstanceOf(RequestError);
  expect(ours).toBeInstanceOf(WholeRequestError);
  const error = ours as RequestError;
  const plain = theirs as RequestError;
  expect([error.name, error.status, error.message]).toEqual([plain.name, limit.answer().status, plain.message]);
  expect(error.response).toEqual(plain.response);
  expect(error.cause).toBeUndefined();
  const { request: settings, ...request } = withoutClient(error) as { request?: Record<string, unknown> };
  const { request: plainSettings, ...plainRequest } = withoutClient(plain) as { request?: Record<string, unknown> };
  expect(request).toEqual(plainRequest);
  expect({ ...settings, hook: undefined }).toEqual({ ...plainSettings, hook: undefined });
}

describe.each(Object.entries(INSIDE))("with the host's plugins %s, a failure", (_composition, Class) => {
  it("of the server is met with four requests in all, not with four times four", async () => {
    const { time, github, octokit, sent } = await compose(Class, { options: { retry: { retryAfterBaseValue: 1 } } });
    github.route("/repos/mona/hello", { status: 502, json: { message: "Server Error" } });
    const error = await failureOf(time.settle(octokit.rest.repos.get(REPO)));
    expect(error).toMatchObject({ name: "HttpError", status: 502, message: "Server Error" });
    expect(sent).toHaveLength(4);
  });

  it("of the network is met with four requests in all", async () => {
    let tries = 0;
    const fetch = async (): Promise<Response> => {
      tries++;
      throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
    };
    const { time, octokit } = await compose(Class, {
      options: { request: { fetch }, retry: { retryAfterBaseValue: 1 } },
    });
    const error = await failureOf(time.settle(octokit.rest.repos.get(REPO)));
    expect(error).toMatchObject({ name: "HttpError", status: 500, message: "read ECONNRESET" });
    expect(tries).toBe(4);
  });

  it("of GraphQL that may have cost units is tried again once", async () => {
    const { time, github, octokit, sent } = await compose(Class, { options: { retry: { retryAfterBaseValue: 1 } } });
    const message = "Something went wrong while executing your query. This may be the result of a timeout.";
    github.route("/graphql", { json: { data: null, errors: [{ message }] }, etag: "none" });
    const error = await failureOf(time.settle(octokit.graphql("{ viewer { login } }")));
    // plugin-retry makes a RequestError of it, as it does without ours.
    expect(error).toMatchObject({ name: "HttpError", status: 500, message });
    expect(sent).toHaveLength(2);
  });

  it("of a write is not met with another", async () => {
    const { time, github, octokit, sent } = await compose(Class, { options: { retry: { retryAfterBaseValue: 1 } } });
    github.route("/repos/mona/hello/issues", { status: 502, json: {} });
    const call = octokit.rest.issues.create({ ...REPO, title: "Hello" });
    expect(await failureOf(time.settle(call))).toMatchObject({ status: 502 });
    expect(sent).toHaveLength(1);
  });
});
