import { Octokit } from "@octokit/core";
import { createSquad, type SquadOptions, squadRate } from "octokit-plugin-squad-rate";
import type { Benchmark } from "./benchmark.js";
import { type Contestant, type Measured, type Rounds, runRounds, spreadOf } from "./rounds.js";
import { createStubGraphql, type StubGraphql } from "./stub-graphql.js";
import { table } from "./table.js";

/** What the search for the cost may add to a call of plain Octokit. */
const MOST_ADDED = 0.1;

const PULLS = Array.from({ length: 25 }, (_, index) => ({
  number: index + 1,
  title: `Make step ${index + 1} of the release wait for its turn`,
  state: "OPEN",
  isDraft: false,
  mergeable: "MERGEABLE",
  reviewDecision: index % 3 === 0 ? "APPROVED" : "REVIEW_REQUIRED",
  updatedAt: "2026-01-02T03:04:05Z",
  author: { login: "mona", url: "https://github.com/mona" },
  labels: { nodes: [{ name: "enhancement" }, { name: "release" }] },
  commits: {
    nodes: [
      {
        commit: {
          oid: "0123456789abcdef0123456789abcdef01234567",
          statusCheckRollup: {
            state: "SUCCESS",
            contexts: {
              nodes: ["build", "lint", "test (20)", "test (22)", "test (24)", "storms"].map((name) => ({
                __typename: "CheckRun",
                name,
                status: "COMPLETED",
                conclusion: "SUCCESS",
                detailsUrl: `https://github.com/acme/app/actions/runs/${index}/job/1`,
              })),
            },
          },
        },
      },
    ],
  },
}));

const PULLS_QUERY = `query Pulls($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    pullRequests(first: 25, states: OPEN) {
      nodes {
        number title state isDraft mergeable reviewDecision updatedAt
        author { login url }
        labels(first: 10) { nodes { name } }
        commits(last: 1) {
          nodes {
            commit {
              oid
              statusCheckRollup {
                state
                contexts(first: 50) {
                  nodes { __typename ... on CheckRun { name status conclusion detailsUrl } ... on StatusContext { context state } }
                }
              }
            }
          }
        }
      }
    }
  }
}`;

const SIZES = [
  {
    name: "25 pull requests",
    query: PULLS_QUERY,
    data: { repository: { pullRequests: { nodes: PULLS } } },
    calls: 4,
    target: MOST_ADDED,
  },
  {
    name: "tiny answer",
    query: "query Login { viewer { login } }",
    data: { viewer: { login: "mona" } },
    calls: 20,
    target: undefined,
  },
] as const;

/** What a query's cost costs. */
export const graphql: Benchmark = {
  name: "graphql",
  question: "What does it take to find out a GraphQL query's cost, when GitHub answers at once?",
  async run(effort) {
    const rounds: Rounds = effort.short ? { warmUp: 3, measured: 9, turns: 4 } : { warmUp: 6, measured: 25, turns: 10 };
    const lines = [
      `Microseconds per \`octokit.graphql\` call: the median of ${rounds.measured} rounds in which all take turns, and the fastest`,
      "twentieth of the turns. `of plain`: beside plain Octokit in the same round. `capture adds`: what asking for the cost,",
      "reading it and cutting it out of the answer adds to the same plugin without it, as a share of what plain Octokit takes.",
    ];
    const data: object[] = [];
    for (const { name, query, data: answer, calls, target } of SIZES) {
      const contestants = await Promise.all(CLIENTS.map((client) => contestantOf(client, query, answer, calls)));
      const measured = await runRounds(contestants, rounds);
      const means = (of: string): readonly number[] => (measured.get(of) as Measured).means;
      const against = (of: string, other: string): number =>
        spreadOf(means(of).map((mean, round) => mean / (means(other)[round] ?? Number.NaN))).median;
      const added = spreadOf(
        means("capture").map(
          (mean, round) => (mean - (means("no capture")[round] ?? Number.NaN)) / (means("plain")[round] ?? Number.NaN),
        ),
      ).median;
      const atBest = (of: string): number => (measured.get(of) as Measured).atBest;
      const addedAtBest = (atBest("capture") - atBest("no capture")) / atBest("plain");
      const rows = CLIENTS.map((client) => [
        client.name,
        spreadOf(means(client.name)).median.toFixed(1),
        against(client.name, "plain").toFixed(2),
        atBest(client.name).toFixed(1),
        (atBest(client.name) / atBest("plain")).toFixed(2),
      ]);
      const bytes = JSON.stringify({ data: answer }).length;
      lines.push(
        "",
        `${name} (${bytes} bytes)`,
        "",
        ...table([["client", "µs", "of plain", "at best", "of plain"], ...rows]),
      );
      const verdict = target === undefined ? "" : ` (at most ${percent(target)}: ${added <= target ? "ok" : "OVER"})`;
      lines.push("", `Capture adds ${percent(added)}${verdict}; at best ${percent(addedAtBest)}.`);
      data.push({ name, bytes, rounds, rows, added, addedAtBest, target });
    }
    return { lines, data };
  },
};

interface Client {
  readonly name: string;
  /** Undefined: plain Octokit. */
  readonly squad: SquadOptions | undefined;
  readonly asks: boolean;
}

const CLIENTS: readonly Client[] = [
  { name: "plain", squad: undefined, asks: false },
  { name: "no capture", squad: { graphql: { capture: false } }, asks: false },
  { name: "capture", squad: {}, asks: true },
  { name: "nothing read", squad: { graphql: false }, asks: false },
];

async function contestantOf(client: Client, query: string, answer: object, calls: number): Promise<Contestant> {
  const stub = createStubGraphql(answer);
  const octokit = octokitOf(client, stub);
  const ask = (): Promise<unknown> => octokit.graphql(query, { owner: "acme", name: "app" });
  const expected = JSON.stringify(answer);
  let last = await ask();
  let [sent, asked] = [stub.sent, stub.asked];
  return {
    name: client.name,
    calls,
    async run(wanted) {
      [sent, asked] = [stub.sent, stub.asked];
      for (let made = 0; made < wanted; made++) last = await ask();
    },
    check(made) {
      const as = client.asks ? made : 0;
      if (stub.sent - sent === made && stub.asked - asked === as && JSON.stringify(last) === expected) return;
      throw new Error(
        `"${client.name}" was something else: ${stub.asked - asked} of ${made} calls asked for their cost.`,
      );
    },
  };
}

function octokitOf({ squad }: Client, { fetch }: StubGraphql): Octokit {
  const options = { auth: "token-of-a-benchmark", request: { fetch } };
  if (squad === undefined) return new Octokit(options);
  return new (Octokit.plugin(squadRate))({ ...options, squad: createSquad(squad) });
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
