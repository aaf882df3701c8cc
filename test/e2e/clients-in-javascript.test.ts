import { graphql } from "@octokit/graphql";
import { request } from "@octokit/request";
import { ClientError, GraphQLClient, gql } from "graphql-request";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSquad, isSquadRateError, type Squad, type SquadOptions } from "../../src/index.js";
import type { AttemptRecord, TraceRecord } from "../../src/report/index.js";
import { createReport } from "../../src/report/index.js";
import {
  createSimulatedGitHub,
  createVirtualClock,
  populateWorld,
  type SimulatedGitHub,
  type VirtualClock,
} from "../../src/sim/index.js";

const API = "https://api.github.com";
const HEADERS = { authorization: "Bearer ghp_mona", "user-agent": "clerk" };
const OPEN = gql`
  query Open($owner: String!, $first: Int!) {
    repository(owner: $owner, name: "app-1") {
      pullRequests(first: $first) { nodes { number title reviews(first: 50) { nodes { comments(first: 5) { totalCount } } } } }
    }
  }
`;
const MANY = { owner: "acme", first: 100 };

interface Bench {
  readonly github: SimulatedGitHub;
  readonly clock: VirtualClock;
  readonly squad: Squad;
  readonly trace: readonly TraceRecord[];
  /** The same client directly and through the squad. */
  both<Client>(make: (fetch: typeof globalThis.fetch) => Client): { readonly direct: Client; readonly squad: Client };
}

function setUp(options: SquadOptions = {}): Bench {
  const clock = createVirtualClock();
  const github = createSimulatedGitHub({ clock, latency: {} });
  github.world.addToken("ghp_mona", "mona");
  populateWorld(github.world, { owner: "acme", pullRequests: 7 });
  const trace: TraceRecord[] = [];
  const squad = createSquad({
    agent: "clerk",
    clock,
    fetch: github.fetch,
    trace: (record) => trace.push(record),
    ...options,
  });
  onTestFinished(() => clock.settle(squad.close()));
  return {
    github,
    clock,
    squad,
    trace,
    both: (make) => ({ direct: make(github.fetch), squad: make(squad.fetch) }),
  };
}

const attempts = (trace: readonly TraceRecord[]): AttemptRecord[] =>
  trace.filter((record) => record.kind === "attempt");

describe("graphql-request with a squad's fetch", () => {
  const client = (fetch: typeof globalThis.fetch) => new GraphQLClient(`${API}/graphql`, { fetch, headers: HEADERS });

  it("gets the same data, headers and text, and its cost is known", async () => {
    const { github, clock, trace, both } = setUp();
    const { direct, squad } = both(client);

    const plain = await clock.settle(direct.rawRequest(OPEN, MANY));
    const shared = await clock.settle(squad.rawRequest(OPEN, MANY));

    const { data, status } = plain;
    expect(shared).toMatchObject({ data, status, body: (plain as { readonly body?: string }).body });
    const [first, second] = github.log;
    expect(attempts(trace)).toMatchObject([
      {
        agent: "clerk",
        operation: "Open",
        chargedUnits: first?.chargedUnits,
        graphql: { operation: "Open", cost: second?.chargedUnits },
      },
    ]);
    expect(second?.chargedUnits).toBe(51);
  });

  it("rejects with its own errors", async () => {
    const { clock, both } = setUp();
    const { direct, squad } = both(client);
    const failure = (from: GraphQLClient, query: string) => clock.settle(from.request(query).catch((error) => error));

    for (const query of ["{ nope }", '{ repository(owner: "nobody", name: "x") { id } }', "{ viewer {"]) {
      const [plain, shared] = [await failure(direct, query), await failure(squad, query)];
      expect(plain).toBeInstanceOf(ClientError);
      expect(shared).toBeInstanceOf(ClientError);
      expect(shared.response.errors).toEqual(plain.response.errors);
      expect(shared.request).toEqual(plain.request);
    }
    const anonymous = both((fetch) => new GraphQLClient(`${API}/graphql`, { fetch }));
    expect(await failure(anonymous.squad, "{ viewer { login } }")).toMatchObject({
      name: "Error",
      response: { status: (await failure(anonymous.direct, "{ viewer { login } }")).response.status },
    });
  });

  it("rejects with what the squad says where it does not send", async () => {
    const { github, clock, squad } = setUp({ maxWaitMs: 0 });
    github.consume("ghp_mona", "graphql", 5_000);
    const through = client(squad.fetch);

    expect(await clock.settle(through.request("{ viewer { login } }").catch((error) => error))).toBeInstanceOf(
      ClientError,
    );
    const refused: unknown = await clock.settle(through.request("{ viewer { login } }").catch((error) => error));

    expect(isSquadRateError(refused) && refused.resource).toBe("graphql");
    expect(github.log).toHaveLength(1);
  });

  it("ends with the caller's signal, also while it waits", async () => {
    const { github, clock, squad } = setUp({ maxWaitMs: 7_200_000 });
    github.consume("ghp_mona", "graphql", 5_000);
    const [leaving, reason] = [new AbortController(), new Error("enough")];
    const patient = new GraphQLClient(`${API}/graphql`, {
      fetch: squad.fetch,
      headers: HEADERS,
      signal: leaving.signal,
    });

    const pending = patient.request("{ viewer { login } }").catch((error) => error);
    await clock.advance(60_000);
    leaving.abort(reason);

    expect(await clock.settle(pending)).toBe(reason);
    expect(github.log).toHaveLength(1);
  });
});

describe("plain fetch through a squad", () => {
  const read = async (fetch: typeof globalThis.fetch, input: string | Request) => {
    const response = await fetch(input, input instanceof Request ? undefined : { headers: HEADERS });
    return { status: response.status, link: response.headers.get("link"), body: await response.text() };
  };

  it("gives the same answers, and what has not changed is free", async () => {
    const { github, clock, squad, trace } = setUp();
    const url = `${API}/repos/acme/app-1/pulls?per_page=3`;

    const direct = await clock.settle(read(github.fetch, url));
    const before = github.log.length;
    const answers = [
      await clock.settle(read(squad.fetch, url)),
      await clock.settle(read(squad.fetch, new Request(url, { headers: HEADERS }))),
      await clock.settle(read(squad.fetch, url)),
    ];

    expect(answers).toEqual([direct, direct, direct]);
    expect(github.log.slice(before).map(({ status, chargedUnits }) => [status, chargedUnits])).toEqual([
      [200, 1],
      [304, 0],
      [304, 0],
    ]);
    const { scorecard } = await createReport({ records: trace });
    expect(scorecard).toMatchObject({ units: 1, opaque: { exchanges: 0 }, conditional: { sent: 2, notModified: 2 } });
  });

  it.each([
    ["text", () => ({ body: '{"body":"Hello"}' })],
    ["bytes", () => ({ body: new TextEncoder().encode('{"body":"Hello"}') })],
    ["a stream", () => ({ body: new Blob(['{"body":"Hello"}']).stream(), duplex: "half" as const })],
  ])("sends %s, also within a Request", async (_, body) => {
    const { github, clock, squad } = setUp();
    const url = `${API}/repos/acme/app-1/issues/1/comments`;
    const init = () => ({ method: "POST", headers: HEADERS, ...body() });

    for (const response of [
      await clock.settle(squad.fetch(url, init())),
      await clock.settle(squad.fetch(new Request(url, init()))),
    ]) {
      expect(await response.json()).toMatchObject({ body: "Hello", user: { login: "mona" } });
    }
    expect(github.log.map(({ status }) => status)).toEqual([201, 201]);
  });
});

describe("Octokit's small clients with a squad's fetch", () => {
  it("request gives the same data, free the second time, and its own errors", async () => {
    const { github, clock, both } = setUp();
    const { direct, squad } = both((fetch) => request.defaults({ headers: HEADERS, request: { fetch } }));
    const issue = { owner: "acme", repo: "app-1", issue_number: 1 };
    const get = (from: typeof request, parameters: typeof issue) =>
      clock.settle(from("GET /repos/{owner}/{repo}/issues/{issue_number}", parameters));

    const { data } = await get(direct, issue);
    expect((await get(squad, issue)).data).toEqual(data);
    expect((await get(squad, issue)).data).toEqual(data);
    expect(github.log.at(-1)).toMatchObject({ status: 304, chargedUnits: 0 });

    const missing = { ...issue, issue_number: 9_999 };
    const plain = await get(direct, missing).catch((error) => error);
    expect(await get(squad, missing).catch((error) => error)).toMatchObject({
      name: "HttpError",
      status: 404,
      message: plain.message,
      response: { data: plain.response.data },
    });
  });

  it("graphql gives the same data, and its cost is known", async () => {
    const { clock, trace, both } = setUp();
    const { direct, squad } = both((fetch) => graphql.defaults({ headers: HEADERS, request: { fetch } }));

    const plain = await clock.settle(direct(OPEN, MANY));
    expect(await clock.settle(squad(OPEN, MANY))).toEqual(plain);
    expect(attempts(trace)).toMatchObject([{ operation: "Open", graphql: { cost: 51 } }]);

    await expect(clock.settle(squad("{ nope }"))).rejects.toMatchObject({ name: "GraphqlResponseError" });
  });
});
