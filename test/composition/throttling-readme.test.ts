import { throttling } from "@octokit/plugin-throttling";
import Bottleneck from "bottleneck/light.js";
import { describe, expect, it } from "vitest";
import { squadRequest } from "../../src/index.js";
import { type Composed, compose, failureOf, REPO } from "./compose.js";
import { EITHER, type Host, type HostClass, INSIDE, OUTSIDE } from "./compositions.js";
import { LIMITS, type Limit } from "./limits.js";

/** plugin-throttling's README, sentence by sentence. What it does after a refusal is in `retry-off.test.ts`. */

const either = Object.entries(EITHER);

type Call = (octokit: Host, request?: object) => Promise<unknown>;
const READ: Call = (octokit, request = {}) => octokit.rest.repos.get({ ...REPO, request });
const WRITE: Call = (octokit, request = {}) => octokit.rest.activity.setRepoSubscription({ ...REPO, request });
const NOTIFY: Call = (octokit, request = {}) => octokit.rest.issues.create({ ...REPO, title: "Hello", request });
const SEARCH: Call = (octokit, request = {}) => octokit.request("GET /search/repositories", { q: "x", request });
const QUERY: Call = (octokit, request = {}) => octokit.graphql("{ viewer { login } }", { request });

async function composeAnswering(...given: Parameters<typeof compose>) {
  const composed = await compose(...given);
  const { github } = composed;
  github.route("/repos/mona/hello", { json: { name: "hello" }, etag: "none" });
  github.route("/repos/mona/hello/subscription", { json: {} });
  github.route("/repos/mona/hello/issues", { status: 201, json: {} });
  github.route("/search/repositories", { json: { items: [] }, etag: "none" });
  github.route("/graphql", { json: { data: { viewer: { login: "mona" } } }, etag: "none" });
  return composed;
}

/** When requests went out, in whole tenths of a second. */
function times({ sent }: Composed): number[] {
  return sent.map(({ atMs }) => Math.round(atMs / 100) / 10);
}

describe.each(either)("holds with plugin-throttling %s:", (_composition, Class) => {
  it("both handlers are required", async () => {
    const { another } = await compose(Class);
    const throttle = { onRateLimit: undefined, onSecondaryRateLimit: undefined };
    expect(() => another(Class, { options: { throttle: throttle as never } })).toThrow(/onSecondaryRateLimit/);
  });

  it.each([
    ["writes are a second apart", WRITE, [0, 1, 2]],
    ["writes that notify people are three seconds apart", NOTIFY, [0, 3, 6]],
    ["searches are two seconds apart", SEARCH, [0, 2, 4]],
    ["GraphQL queries are a second apart", QUERY, [0, 1, 2]],
    ["reads go as they come", READ, [0, 0, 0]],
  ])("%s, at once or one after the other, and not twice as far for the two of us", async (_, call, apart) => {
    const atOnce = await composeAnswering(Class);
    const calls = [1, 2, 3].map(() => call(atOnce.octokit, { squad: squadRequest({ cache: "bypass" }) }));
    await atOnce.time.settle(Promise.all(calls));
    expect(times(atOnce)).toEqual(apart);
    await atOnce.time.advance(10_000);
    const startedAt = atOnce.time.passedMs;
    for (let round = 0; round < 3; round++) await atOnce.time.settle(call(atOnce.octokit));
    const later = atOnce.sent.slice(3).map(({ atMs }) => Math.round((atMs - startedAt) / 100) / 10);
    expect(later).toEqual(apart);
  });

  it("all Octokits with the same id share the throttling, whatever their tokens are", async () => {
    const composed = await composeAnswering(Class);
    const of = (auth: string, id: string): Host =>
      composed.another(Class, { options: { auth, throttle: { id } } as object });
    const calls = [WRITE(of("ghp_one", "together")), WRITE(of("ghp_two", "together")), WRITE(of("ghp_three", "apart"))];
    await composed.time.settle(Promise.all(calls));
    expect(times(composed).sort()).toEqual([0, 0, 1]);
  });

  it("the Bottleneck that is passed is used, with its connection's groups", async () => {
    let made = 0;
    class Counted extends Bottleneck {
      constructor(...given: ConstructorParameters<typeof Bottleneck>) {
        super(...given);
        made++;
      }
    }
    const composed = await composeAnswering(Class, { options: { throttle: { Bottleneck: Counted } as object } });
    await composed.time.settle(READ(composed.octokit));
    expect(made).toBeGreaterThan(0);
  });

  it("{ throttle: { enabled: false } } disables it: GraphQL goes as it comes, and nobody is asked", async () => {
    const composed = await composeAnswering(Class, {
      options: { throttle: { enabled: false } },
      squad: { retry: false },
    });
    await composed.time.settle(
      Promise.all([QUERY(composed.octokit), QUERY(composed.octokit), QUERY(composed.octokit)]),
    );
    expect(times(composed)).toEqual([0, 0, 0]);
    composed.github.once((LIMITS["a secondary limit with retry-after"] as Limit).answer());
    await failureOf(composed.time.settle(READ(composed.octokit)));
    expect(composed.asked).toEqual([]);
  });

  it("{ throttle: { enabled: false } } leaves the pace of writes to ours, which pacing: false disables", async () => {
    const options = { throttle: { enabled: false } };
    const composed = await composeAnswering(Class, { options });
    await composed.time.settle(Promise.all([WRITE(composed.octokit), WRITE(composed.octokit)]));
    expect(times(composed)).toEqual([0, 1]);
    const unpaced = composed.another(Class, { options, squad: { pacing: false } });
    const startedAt = composed.time.passedMs;
    await composed.time.settle(Promise.all([WRITE(unpaced), WRITE(unpaced)]));
    expect(composed.sent.slice(2).map(({ atMs }) => Math.round((atMs - startedAt) / 100))).toEqual([0, 0]);
  });

  it("throttling.triggersNotification still tells which writes notify people", async () => {
    const { triggersNotification } = throttling;
    const composed = await composeAnswering(Class);
    await composed.time.settle(NOTIFY(composed.octokit));
    expect(throttling.triggersNotification).toBe(triggersNotification);
    expect(triggersNotification("/repos/mona/hello/issues")).toBe(true);
    expect(triggersNotification("/repos/mona/hello/subscription")).toBe(false);
  });
});

describe.each(Object.entries(INSIDE))("is replaced by ours with plugin-throttling %s:", (_composition, Class) => {
  it("nobody is asked whether to retry: ours waits until GitHub allows it, within maxWaitMs", async () => {
    const composed = await composeAnswering(Class, { wants: () => false });
    composed.github.once((LIMITS["a secondary limit with retry-after"] as Limit).answer());
    await composed.time.settle(READ(composed.octokit));
    expect(composed.asked).toEqual([]);
    expect(composed.sent).toHaveLength(2);
  });
});

/** Four writes wait, of an agent with time; then an urgent one comes. */
async function urgentWrite(Class: HostClass): Promise<number> {
  const composed = await composeAnswering(Class);
  const { octokit, time, github, sent } = composed;
  github.route("/user/starred/mona/hello", { status: 204, body: null });
  const patient = { squad: squadRequest({ priority: 2 }) };
  const calls: Promise<unknown>[] = [1, 2, 3, 4].map(() => WRITE(octokit, patient));
  await time.advance(100);
  const request = { squad: squadRequest({ priority: 0 }) };
  calls.push(octokit.rest.activity.starRepoForAuthenticatedUser({ ...REPO, request }));
  await time.settle(Promise.all(calls));
  return sent.findIndex(({ route }) => route.includes("starred"));
}

describe("an urgent write among others", () => {
  it.each(Object.entries(INSIDE))("goes next with plugin-throttling %s, since calls wait with us", async (_, Class) => {
    expect(await urgentWrite(Class)).toBe(1);
  });

  it.each(Object.entries(OUTSIDE))("goes last with plugin-throttling %s, where all wait in turn", async (_, Class) => {
    expect(await urgentWrite(Class)).toBe(4);
  });
});

describe.each(either)("the first write of an Octokit, plugin-throttling %s", (_composition, Class) => {
  it("has one place in the queue, although nobody has told yet whose quota it is", async () => {
    const composed = await composeAnswering(Class);
    const token = composed.another(Class, { options: { auth: "token ghp_other" } });
    await composed.time.settle(Promise.all([WRITE(token), WRITE(token)]));
    expect(times(composed)).toEqual([0, 1]);
  });
});
