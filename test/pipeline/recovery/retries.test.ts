import { describe, expect, it } from "vitest";
import type { StubAnswer } from "../../harness/stub-github.js";
import { HOUR_MS, MINUTE_MS, OK, PATIENT, REPO, recovery, SECONDARY, secondary, UNWELL } from "./bench.js";

const QUERY = "query { viewer { login } }";
const MUTATION = 'mutation { addStar(input: { starrableId: "x" }) { clientMutationId } }';
const reset = (): never => {
  throw Object.assign(new TypeError("fetch failed"), {
    cause: Object.assign(new Error("read"), { code: "ECONNRESET" }),
  });
};
const gaps = (sent: readonly { readonly at: number }[]): number[] =>
  sent.slice(1).map(({ at }, index) => at - (sent[index] as { readonly at: number }).at);

describe("a read", () => {
  it.each([
    ["500", UNWELL],
    ["502", { status: 502, body: "<html>502</html>" }],
    ["503", { status: 503, json: {} }],
    ["a broken connection", reset],
  ])("is tried again after %s, three times at most", async (_what, answer) => {
    const { github, clock, call, sent, squad } = recovery(PATIENT);
    github.route(REPO, answer as StubAnswer);
    const ended = call().then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
    const end = await clock.settle(ended);
    expect(sent).toHaveLength(4);
    expect(typeof end === "number" ? end >= 500 : end).toBeTruthy();
    expect(squad.status().counters).toMatchObject({ calls: 1, exchanges: 4, retried: 3, refused: 0 });
    expect([squad.status().waiting.length, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("gets the answer of the attempt that succeeds", async () => {
    const { github, clock, call, sent } = recovery(PATIENT);
    github.once(UNWELL);
    github.once(reset);
    const response = await clock.settle(call());
    expect([response.status, await response.json(), sent.length]).toEqual([200, { name: "hello" }, 3]);
  });

  it.each([400, 401, 403, 404, 410, 422, 451])("is not tried again after %i", async (status) => {
    const { github, clock, call, sent } = recovery(PATIENT);
    github.route(REPO, { status, json: { message: "No." } });
    expect([(await call()).status, sent.length, clock.pendingTimers]).toEqual([status, 1, 0]);
  });

  it.each([
    [0, [500, 5_000]],
    [1, [2_000, 30_000]],
    [2, [5_000, 60_000]],
  ] as const)("of P%i waits within its class's window, ever longer", async (priority, [from, to]) => {
    for (const chance of [0, 0.5, 0.999]) {
      const { github, clock, call, sent } = recovery({ ...PATIENT, random: () => chance });
      github.route(REPO, UNWELL);
      await clock.settle(call(REPO, { squad: { priority } }));
      const waits = gaps(sent);
      expect(waits).toHaveLength(3);
      for (const [index, wait] of waits.entries()) {
        expect(wait).toBeGreaterThanOrEqual(from);
        expect(wait).toBeLessThanOrEqual(Math.min(to, from * 2 ** (index + 1)));
      }
    }
  });

  it("of a window of a minute waits a tenth of that", async () => {
    const { github, clock, call, sent } = recovery({ ...PATIENT, pacing: false });
    github.route("/search/issues", UNWELL);
    await clock.settle(call("/search/issues?q=a", { squad: { priority: 2 } }));
    for (const wait of gaps(sent)) {
      expect(wait).toBeGreaterThanOrEqual(500);
      expect(wait).toBeLessThanOrEqual(6_000);
    }
  });

  it("waits as long as a failing server asks, and its own time on top", async () => {
    const { github, clock, call, sent } = recovery({ ...PATIENT, random: () => 0 });
    github.once({ ...UNWELL, status: 503, headers: { "retry-after": "20" } });
    expect((await clock.settle(call())).status).toBe(200);
    expect(gaps(sent)).toEqual([22_000]);
  });

  it("that cannot wait so long gets GitHub's own answer at once", async () => {
    const { github, clock, call, sent, squad } = recovery({ maxWaitMs: 30_000 });
    github.once({ status: 503, json: { message: "Later" }, headers: { "retry-after": "120" } });
    const response = await call();
    expect([response.status, await response.json()]).toEqual([503, { message: "Later" }]);
    expect([sent.length, clock.pendingTimers, clock.monotonic()]).toEqual([1, 0, 0]);
    expect(squad.status().counters.refused).toBe(0);
  });

  it("that may not wait at all gets a network's error as it was", async () => {
    const { github, call, sent, clock } = recovery({ maxWaitMs: 0 });
    github.once(reset);
    await expect(call()).rejects.toThrow("fetch failed");
    expect([sent.length, clock.pendingTimers]).toEqual([1, 0]);
  });

  it("spends one maxWaitMs on all its waits, and then gets the last answer", async () => {
    const { github, clock, call, sent } = recovery({ maxWaitMs: 10_000, random: () => 0.5 });
    let attempts = 0;
    github.route(REPO, () => ({ status: 500, json: { attempt: ++attempts } }));
    const response = await clock.settle(call());
    // 3 s and 5 s; the third would be 9 s more.
    expect([sent.map(({ at }) => at), await response.json()]).toEqual([[0, 3_000, 8_000], { attempt: 3 }]);
  });

  it("whose caller gives up is not tried again", async () => {
    const { github, clock, call, sent, squad } = recovery(PATIENT);
    const release = github.hold();
    const controller = new AbortController();
    const gone = expect(call(REPO, { signal: controller.signal })).rejects.toBe("enough");
    await clock.advance(100);
    controller.abort("enough");
    await gone;
    release();
    await clock.advance(MINUTE_MS);
    expect([sent.length, squad.status().counters.retried, clock.pendingTimers]).toEqual([1, 0, 0]);
  });
});

describe("how often", () => {
  it.each([
    ["retries: 0 for the call", PATIENT, { retries: 0 }, 1],
    ["retries: 1 for the call", PATIENT, { retries: 1 }, 2],
    ["retries: 5 for the call", PATIENT, { retries: 5 }, 6],
    ["retry: false", { ...PATIENT, retry: false }, {}, 1],
    ["retry: false, whatever the call says", { ...PATIENT, retry: false }, { retries: 3 }, 1],
    ["retry: { limit: 0 }", { ...PATIENT, retry: { limit: 0 } }, {}, 1],
    ["retry: { limit: 2 }", { ...PATIENT, retry: { limit: 2 } }, {}, 3],
  ] as const)("%s: %o %o makes %i requests", async (_what, options, squad, requests) => {
    const { github, clock, call, sent } = recovery(options);
    github.route(REPO, UNWELL);
    expect((await clock.settle(call(REPO, { squad }))).status).toBe(500);
    expect(sent).toHaveLength(requests);
  });

  it("at most a tenth of a process's calls, after a first ten", async () => {
    const { github, clock, call, sent, squad } = recovery(PATIENT);
    github.route(REPO, UNWELL);
    for (let round = 0; round < 300; round++) await clock.settle(call());
    expect(squad.status().counters.calls).toBe(300);
    const retries = sent.length - 300;
    expect(retries).toBeLessThanOrEqual(10 + 300 / 10);
    expect(retries).toBeGreaterThanOrEqual(300 / 10);
  });

  it("does not count what a limit refused against that tenth", async () => {
    const { github, clock, call, sent } = recovery({ ...PATIENT, secondary: { concurrent: 1_000 } });
    for (let index = 0; index < 40; index++) github.once(secondary("60"));
    await clock.settle(Promise.all(Array.from({ length: 40 }, () => call())));
    expect(sent).toHaveLength(80);
  });
});

describe("a write", () => {
  it.each([
    ["500", UNWELL],
    ["502", { status: 502, body: "<html>" }],
    ["a broken connection", reset],
  ])("is never repeated after %s", async (_what, answer) => {
    const { github, clock, call, sent } = recovery(PATIENT);
    github.route(REPO, answer as StubAnswer);
    await clock.settle(call(REPO, { method: "PATCH", body: "{}" }).catch(() => undefined));
    await clock.advance(10 * MINUTE_MS);
    expect(sent).toHaveLength(1);
  });

  it("is repeated when a limit refused it, body and all", async () => {
    const { github, clock, call, sent } = recovery(PATIENT);
    github.once(secondary("60"));
    const response = await clock.settle(call(REPO, { method: "PATCH", body: '{"private":true}' }));
    expect([response.status, sent.length]).toEqual([200, 2]);
    expect(github.requests.map(({ body }) => body)).toEqual(['{"private":true}', '{"private":true}']);
  });

  it.each<[string, () => BodyInit]>([
    ["bytes", () => new TextEncoder().encode("{}")],
    ["a blob", () => new Blob(["{}"])],
    ["form data", () => new URLSearchParams({ a: "b" })],
  ])("is repeated with a body of %s, which is there still", async (_what, body) => {
    const { github, clock, call, sent } = recovery(PATIENT);
    github.once(secondary("60"));
    const response = await clock.settle(call(REPO, { method: "PATCH", body: body() }));
    expect([response.status, sent.length]).toEqual([200, 2]);
    expect(github.requests[1]?.body).toBe(github.requests[0]?.body);
  });

  it("whose body was a stream is not, since that is spent: the caller gets GitHub's own answer", async () => {
    const { github, call, sent, squad, clock } = recovery(PATIENT);
    const stream = () => new Blob(["{}"]).stream();
    github.once(secondary("60"));
    const streamed = await call(REPO, { method: "PATCH", body: stream(), duplex: "half" } as object);
    await clock.advance(2 * MINUTE_MS);
    github.once(secondary("60"));
    const request = new Request(`https://api.github.com${REPO}`, { method: "PATCH", body: "{}" });
    const asked = await squad.fetch(request, { headers: { authorization: "token ghp_alice" } });
    expect([streamed.status, asked.status, sent.length]).toEqual([403, 403, 2]);
    expect(await asked.json()).toMatchObject({ message: expect.stringContaining("exceeded a secondary") });
  });

  it("is repeated when the primary limit refused it, after the reset", async () => {
    const { github, clock, call, sent } = recovery(PATIENT);
    Object.assign(github.quota("token ghp_alice"), { used: 5_000 });
    const { resetAt } = github.quota("token ghp_alice");
    const response = await clock.settle(call(REPO, { method: "PATCH", body: "{}" }));
    expect([response.status, sent.length]).toEqual([200, 2]);
    expect(clock.now()).toBeGreaterThan(resetAt);
    expect(clock.now()).toBeLessThan(resetAt + MINUTE_MS);
  });
});

describe("GraphQL", () => {
  it.each([
    ["500", UNWELL],
    ["a broken connection", reset],
  ])("queries are tried again after %s, three times", async (_what, answer) => {
    const { github, clock, graphql, sent } = recovery(PATIENT);
    github.route("/graphql", answer as StubAnswer);
    await clock.settle(graphql(QUERY).catch(() => undefined));
    expect(sent).toHaveLength(4);
  });

  it.each([
    ["502", { status: 502, body: "<html>502</html>" }],
    ["504", { status: 504, body: "<html>504</html>" }],
    ["its words", { json: { data: null, errors: [{ message: "Something went wrong while executing your query." }] } }],
  ])("queries that time out (%s) are tried again once, however many retries are asked for", async (_what, answer) => {
    const { github, clock, graphql, sent } = recovery(PATIENT);
    github.route("/graphql", answer);
    await clock.settle(graphql(QUERY, { squad: { retries: 9 } }));
    expect(sent).toHaveLength(2);
  });

  it.each([
    ["500", UNWELL],
    ["502", { status: 502, body: "<html>502</html>" }],
    ["a broken connection", reset],
  ])("mutations are not, after %s", async (_what, answer) => {
    const { github, clock, graphql, sent } = recovery(PATIENT);
    github.route("/graphql", answer as StubAnswer);
    await clock.settle(graphql(MUTATION).catch(() => undefined));
    expect(sent).toHaveLength(1);
  });

  it("mutations are when a limit refused all of them", async () => {
    const { github, clock, graphql, sent } = recovery(PATIENT);
    github.route("/graphql", { json: { data: { addStar: {} } } });
    github.once({
      json: {
        data: { addStar: null },
        errors: [{ type: "UNPROCESSABLE", path: ["addStar"], message: "was submitted too quickly" }],
      },
    });
    const response = await clock.settle(graphql(MUTATION));
    expect([await response.json(), sent.length]).toEqual([{ data: { addStar: {} } }, 2]);
  });

  it("hands a partly refused answer over with its data, and starts the cooldown all the same", async () => {
    const { github, clock, graphql, call, sent, squad } = recovery(PATIENT);
    const half = {
      data: { first: { id: "1" }, second: null },
      errors: [{ type: "UNPROCESSABLE", path: ["second"], message: "was submitted too quickly" }],
    };
    github.once({ json: half });
    expect(await (await graphql(MUTATION)).json()).toEqual(half);
    expect(squad.status().principals[0]?.cooldownUntil).toBeGreaterThanOrEqual(clock.now() + MINUTE_MS);
    const later = call();
    await clock.advance(MINUTE_MS - 1);
    expect(sent).toHaveLength(1);
    await clock.settle(later);
    expect(sent).toHaveLength(2);
  });

  it("that is too large is not asked again", async () => {
    const { github, graphql, sent } = recovery(PATIENT);
    github.once({ json: { data: null, errors: [{ type: "MAX_NODE_LIMIT_EXCEEDED", message: "Too many." }] } });
    await graphql(QUERY);
    expect(sent).toHaveLength(1);
  });
});

describe("an older answer", () => {
  const cached = { ...PATIENT, cache: { maxStaleMs: HOUR_MS } };

  it.each([
    ["a server's failure", UNWELL],
    ["a broken connection", reset],
    ["a secondary limit", SECONDARY],
  ])("stands in for %s before any retry", async (_what, answer) => {
    const { github, clock, call, sent, squad } = recovery(cached);
    await call();
    github.once(answer as StubAnswer);
    const response = await call();
    expect([response.status, response.headers.get("x-squad-rate"), await response.json()]).toEqual([
      200,
      "stale",
      { name: "hello" },
    ]);
    expect([sent.length, squad.status().counters.retried, clock.monotonic()]).toEqual([2, 0, 0]);
  });

  it("stands in while everybody holds back", async () => {
    const { github, call, sent } = recovery(cached);
    await call();
    github.once(SECONDARY);
    await call();
    expect((await call()).headers.get("x-squad-rate")).toBe("stale");
    expect(sent).toHaveLength(2);
  });

  it("does not stand in for a search that only waits for its turn", async () => {
    const { github, clock, call } = recovery({ ...cached, maxWaitMs: MINUTE_MS });
    github.route("/search/issues", OK);
    await clock.settle(call("/search/issues?q=a"));
    const response = await clock.settle(call("/search/issues?q=a"));
    expect(response.headers.get("x-squad-rate")).toBe("revalidated");
  });
});

describe("a call that costs nothing", () => {
  it("is tried again in its class's time, too", async () => {
    const { github, clock, call, sent } = recovery(PATIENT);
    github.route("/rate_limit", UNWELL);
    await clock.settle(call("/rate_limit"));
    expect(sent).toHaveLength(4);
    for (const wait of gaps(sent)) expect(wait).toBeGreaterThanOrEqual(2_000);
  });

  it("and was refused by a limit waits for the end of the cooldown", async () => {
    const { github, clock, call, sent } = recovery(PATIENT);
    github.route("/rate_limit", { json: {} });
    github.once(secondary("60"));
    expect((await clock.settle(call("/rate_limit"))).status).toBe(200);
    expect(gaps(sent)[0]).toBeGreaterThanOrEqual(60_000);
  });
});
