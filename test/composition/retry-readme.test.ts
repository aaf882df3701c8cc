import type { Octokit as Core } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { describe, expect, it } from "vitest";
import { squadRate } from "../../src/index.js";
import { type Composed, compose, failureOf, REPO, type Settings } from "./compose.js";
import { EITHER, type HostClass, hostOf, INSIDE, OUTSIDE } from "./compositions.js";

/** plugin-retry's README, sentence by sentence. */

const either = Object.entries(EITHER);
const inside = Object.entries(INSIDE);
const outside = Object.entries(OUTSIDE);

async function composeFailing(Class: HostClass, status: number, settings: Settings = {}) {
  const composed = await compose(Class, settings);
  const failing = { status, json: { message: "No" } };
  for (const path of ["/repos/mona/hello", "/repos/mona/hello/subscription"]) composed.github.route(path, failing);
  return composed;
}

const get = ({ time, octokit }: Composed, request: object = {}): Promise<unknown> =>
  failureOf(time.settle(octokit.rest.repos.get({ ...REPO, request })));
const put = ({ time, octokit }: Composed, request: object = {}): Promise<unknown> =>
  failureOf(time.settle(octokit.rest.activity.setRepoSubscription({ ...REPO, request })));

function seconds({ sent }: Composed): number[] {
  return sent.slice(1).map(({ atMs }, index) => Math.round((atMs - (sent[index]?.atMs ?? 0)) / 1_000));
}

describe.each(either)("holds with plugin-retry %s:", (_composition, Class) => {
  it.each([500, 502, 503])("requests are retried up to 3 times for server response %d", async (status) => {
    const composed = await composeFailing(Class, status);
    expect(await get(composed)).toMatchObject({ status });
    expect(composed.sent).toHaveLength(4);
  });

  it.each([400, 401, 404, 410, 422, 451])("except %d", async (status) => {
    const composed = await composeFailing(Class, status);
    expect(await get(composed)).toMatchObject({ status });
    expect(composed.sent).toHaveLength(1);
  });

  it("except a 403 that no limit explains", async () => {
    const composed = await composeFailing(Class, 403);
    expect(await get(composed)).toMatchObject({ status: 403 });
    expect(composed.sent).toHaveLength(1);
  });

  it("error.request.request.retryCount says how often", async () => {
    const composed = await composeFailing(Class, 500);
    expect(await get(composed)).toMatchObject({ request: { request: { retryCount: 3 } } });
  });

  it("{ request: { retries: 1 } } in the constructor overrides the number", async () => {
    const composed = await composeFailing(Class, 500, { options: { request: { retries: 1 } } });
    expect(await get(composed)).toMatchObject({ request: { request: { retryCount: 1, retries: 1 } } });
    expect(composed.sent).toHaveLength(2);
  });

  it("{ request: { retries: 0 } } means none", async () => {
    const composed = await composeFailing(Class, 500);
    expect(await get(composed, { retries: 0 })).toMatchObject({ status: 500 });
    expect(composed.sent).toHaveLength(1);
  });

  it.each([
    ["a read", 404, get],
    ["a read", 500, get],
    ["a write", 404, put],
    ["a write", 500, put],
  ])(
    "{ request: { retries, retryAfter } } asks for retries by hand, no matter the response: %s, %d",
    async (_, status, call) => {
      const composed = await composeFailing(Class, status);
      const error = await call(composed, { retries: 2, retryAfter: 3 });
      expect(error).toMatchObject({ status, request: { request: { retryCount: 2, retries: 2 } } });
      // For statuses outside doNotRetry plugin-retry puts its own times in the place of the caller's.
      expect(seconds(composed)).toEqual(status === 404 ? [3, 3] : [1, 4]);
      expect(composed.octokit.squad.status().counters.retried).toBe(0);
    },
  );

  it("{ retry: { enabled: false } } disables it; ours has a switch of its own", async () => {
    const options = { retry: { enabled: false } };
    const composed = await composeFailing(Class, 500, { options, squad: { retry: false } });
    expect(await get(composed)).toMatchObject({ status: 500 });
    expect(composed.sent).toHaveLength(1);
  });

  it("{ retry: { enabled: false } } leaves failures to ours", async () => {
    const composed = await composeFailing(Class, 500, { options: { retry: { enabled: false } } });
    expect(await get(composed)).toMatchObject({ status: 500 });
    expect(composed.sent).toHaveLength(4);
    expect(composed.octokit.squad.status().counters.retried).toBe(3);
  });

  it("octokit.retry.retryRequest is there, and marks an error", async () => {
    const { octokit } = await compose(Class);
    const { retryRequest } = octokit.retry;
    const error = Object.assign(new Error("again"), { request: { request: {} } });
    const marked = retryRequest(error as unknown as Parameters<typeof retryRequest>[0], 2, 7);
    expect(marked).toBe(error);
    expect(error.request.request).toEqual({ retries: 2, retryAfter: 7 });
  });
});

describe.each(outside)("holds with plugin-retry %s:", (_composition, Class) => {
  it("other 4xx responses are retried", async () => {
    const composed = await composeFailing(Class, 409);
    expect(await get(composed)).toMatchObject({ status: 409 });
    expect(seconds(composed)).toEqual([1, 4, 9]);
  });

  it("{ retry: { doNotRetry } } overrides the list", async () => {
    const composed = await composeFailing(Class, 500, { options: { retry: { doNotRetry: [500] } } });
    expect(await get(composed)).toMatchObject({ status: 500 });
    expect(composed.sent).toHaveLength(1);
  });

  it("writes are retried like reads", async () => {
    const composed = await composeFailing(Class, 500);
    expect(await put(composed)).toMatchObject({ status: 500 });
    expect(composed.sent).toHaveLength(4);
  });
});

describe.each(inside)("is replaced by ours with plugin-retry %s:", (_composition, Class) => {
  it("other 4xx responses are not retried: the same request would be turned down again", async () => {
    const composed = await composeFailing(Class, 409);
    expect(await get(composed)).toMatchObject({ status: 409 });
    expect(composed.sent).toHaveLength(1);
  });

  it("{ retry: { doNotRetry } } changes nothing; request.retries does", async () => {
    const options = { retry: { doNotRetry: [500] } };
    const composed = await composeFailing(Class, 500, { options });
    expect(await get(composed)).toMatchObject({ status: 500 });
    expect(composed.sent).toHaveLength(4);
  });

  it("writes are not retried, because they may have been done", async () => {
    const composed = await composeFailing(Class, 500);
    expect(await put(composed)).toMatchObject({ status: 500 });
    expect(composed.sent).toHaveLength(1);
  });

  it("the times between tries are those of the call's priority", async () => {
    const composed = await composeFailing(Class, 500);
    await get(composed);
    expect(seconds(composed)).toEqual([3, 5, 9]);
  });

  it("all of it holds again with ours switched off: squad.retry false", async () => {
    const composed = await composeFailing(Class, 409, { squad: { retry: false } });
    expect(await get(composed)).toMatchObject({ status: 409, request: { request: { retryCount: 3 } } });
    expect(seconds(composed)).toEqual([1, 4, 9]);
  });
});

describe("retryRequest", () => {
  it("called by a plugin inside ours has the request made again by plugin-retry, through our gates", async () => {
    const marking = (octokit: Core): Record<string, never> => {
      octokit.hook.error("request", (error) => {
        if ((error as { status?: number }).status !== 404) throw error;
        const { retryRequest } = (octokit as unknown as { retry: ReturnType<typeof retry>["retry"] }).retry;
        throw retryRequest(error as unknown as Parameters<typeof retryRequest>[0], 1, 2);
      });
      return {};
    };
    const composed = await composeFailing(hostOf(marking, retry, throttling, squadRate), 404);
    expect(await get(composed)).toMatchObject({ status: 404 });
    expect(seconds(composed)).toEqual([2]);
    expect(composed.octokit.squad.status().counters).toMatchObject({ exchanges: 2, calls: 1 });
  });
});

describe.each(inside)("a refusal with retries asked for by hand, plugin-retry %s", (_composition, Class) => {
  it("is still ours, and is not tried again twice over", async () => {
    const composed = await compose(Class, { squad: { maxWaitMs: 86_400_000 } });
    const headers = { "retry-after": "20" };
    composed.github.route("/repos/mona/hello", { status: 429, json: { message: "No" }, headers, unlimited: true });
    expect(await get(composed, { retries: 2, retryAfter: 1 })).toMatchObject({ status: 429 });
    expect(composed.sent).toHaveLength(3);
    expect(Math.min(...seconds(composed))).toBeGreaterThanOrEqual(20);
  });
});
