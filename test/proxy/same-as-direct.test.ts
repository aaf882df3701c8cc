import { Agent } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createProxy } from "../../src/proxy/index.js";
import { createSimulatedGitHub, createVirtualClock, type SimulatedGitHub } from "../../src/sim/index.js";
import { READS, WRITES } from "../differential/requests.js";
import { ask, ownFolder, type Received } from "./desk.js";

/** What two servers cannot agree on, what the proxy says of itself, and what describes bytes on their way. */
const NOT_COMPARED = new Set([
  ...["connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding"],
  ...["x-squad-rate", "x-github-request-id", "x-ratelimit-remaining", "x-ratelimit-used", "x-ratelimit-reset"],
  // The validator of a compressed answer is weak, and that of the same answer confirmed by a 304 is not; both are true.
  "etag",
]);

/** Nobody is to wait here. */
const MANY = { limit: 100_000, unauthenticatedLimit: 100_000 };
const UNLIMITED = { core: MANY, search: MANY, graphql: MANY };

/** Two of them that are alike in all that does not depend on who asks how. */
function aGitHub(gzip: "never" | "accepted"): SimulatedGitHub {
  const github = createSimulatedGitHub({ clock: createVirtualClock(), limits: UNLIMITED, secondary: false, gzip });
  const { world } = github;
  for (const login of ["mona", "hubot"]) {
    world.addUser({ login, name: login });
    world.addToken(`ghp_${login}`, login);
  }
  world.addRepository({ owner: "mona", name: "hello" });
  world.addRepository({ owner: "mona", name: "secret", private: true });
  world.addRepository({ owner: "mona", name: "old" });
  world.renameRepository("mona", "old", "new");
  for (let number = 1; number <= 8; number++) {
    world.addIssue({ owner: "mona", repo: "hello", title: `Issue ${number}`, user: "hubot" });
    world.addIssue({ owner: "mona", repo: "new", title: `Issue ${number}`, user: "mona" });
    world.addComment({ owner: "mona", repo: "hello", number: 1, body: `Comment ${number}` });
  }
  return github;
}

interface Step {
  readonly method: string;
  readonly path: string;
  readonly accept: string | undefined;
  readonly body: string | undefined;
  readonly login: string | undefined;
  readonly gzip: boolean;
  readonly host: string;
}

const QUERIES: readonly object[] = [
  { query: "query Who { viewer { login } }" },
  { query: '{ repository(owner: "mona", name: "hello") { issues(first: 3) { nodes { title } } } }' },
  { query: "query N($n: Int!) { viewer { repositories(first: $n) { nodes { name } } } }", variables: { n: 2 } },
  { query: "{ viewer { nothing } }" },
  { query: "{ viewer {" },
  { query: "query A { viewer { login } } query B { viewer { name } }", operationName: "B" },
  { nothing: true },
];

const step: fc.Arbitrary<Step> = fc
  .record({
    what: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...READS) },
      {
        weight: 2,
        arbitrary: fc
          .record({ write: fc.constantFrom(...WRITES), serial: fc.nat(9) })
          .map(({ write: { method, path, body }, serial }) => ({ method, path, body: JSON.stringify(body?.(serial)) })),
      },
      {
        weight: 2,
        arbitrary: fc
          .constantFrom(...QUERIES)
          .map((query) => ({ method: "POST", path: "/graphql", body: JSON.stringify(query) })),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          { method: "GET", path: "/nothing/here?a=b&c" },
          { method: "POST", path: "/graphql", body: "no JSON" },
          { method: "PATCH", path: "/user", body: "{" },
          { method: "GET", path: "/rate_limit" },
          { method: "GET", path: "/repos/mona/hello/zipball" },
          { method: "OPTIONS", path: "/user" },
        ),
      },
    ),
    login: fc.constantFrom("mona", "mona", "hubot", "nobody", undefined),
    gzip: fc.boolean(),
  })
  .map(({ what, login, gzip }) => ({
    accept: undefined,
    body: undefined,
    ...what,
    login,
    gzip,
    host: "api.github.com",
  }));

const form = (received: Received): object => {
  const headers = Object.fromEntries(Object.entries(received.headers).filter(([name]) => !NOT_COMPARED.has(name)));
  // Of the quota, and so of who asked how often.
  const body =
    headers["content-type"]?.toString().includes("json") && received.text.includes('"rate"') ? "" : received.text;
  return { status: received.status, headers, body };
};

describe("whatever a client asks for", () => {
  it.each(["never", "accepted"] as const)(
    "it is answered as directly, compressed: %s",
    { timeout: 60_000 },
    async (gzip) => {
      const folder = await ownFolder();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
          run++;
          const path = (name: string): string => join(folder, `${run}-${name}`);
          const [one, other] = [aGitHub(gzip), aGitHub(gzip)];
          const [oneServer, otherServer] = [
            await one.listen({ socketPath: path("a") }),
            await other.listen({ socketPath: path("b") }),
          ];
          const proxy = await createProxy({
            upstream: `http+unix://${path("b")}`,
            squad: {
              agent: "data",
              maxWaitMs: 0,
              pacing: false,
              retry: false,
              secondary: false,
              light: false,
              breaker: false,
            },
          });
          await proxy.admit({ socketPath: path("c") });
          const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
          try {
            for (const { method, path: target, accept, body, login, gzip: accepts, host } of steps) {
              const headers = {
                host,
                ...(accept && { accept }),
                ...(login && { authorization: `token ghp_${login}` }),
                ...(accepts && { "accept-encoding": "gzip" }),
              };
              const [direct, proxied] = await Promise.all(
                ["a", "c"].map((name, index) =>
                  ask(
                    { socketPath: path(name), path: target },
                    { method, headers, ...(body !== undefined && { body }), agent: agents[index] as Agent },
                  ),
                ),
              );
              expect(form(unpacked(proxied as Received))).toEqual(form(unpacked(direct as Received)));
            }
            expect(proxy.status().squad.counters.failed).toBe(0);
          } finally {
            for (const agent of agents) agent.destroy();
            await proxy.close();
            await Promise.all([oneServer.close(), otherServer.close()]);
          }
        }),
        { numRuns: 30 },
      );
    },
  );
});

function unpacked(received: Received): Received {
  if (received.headers["content-encoding"] !== "gzip" || received.bytes.byteLength === 0) return received;
  return { ...received, text: gunzipSync(received.bytes).toString() };
}
