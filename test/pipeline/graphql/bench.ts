import { Octokit } from "@octokit/core";
import type { ExchangeEvent } from "../../../src/events.js";
import type { SquadOptions } from "../../../src/options.js";
import { squadRate } from "../../../src/plugin.js";
import { createSimulatedGitHub, type SimulatedGitHub, type SimulatedGitHubOptions } from "../../../src/sim/index.js";
import { createVirtualClock, type VirtualClock } from "../../../src/sim/virtual-clock.js";
import { createSquad, type Squad } from "../../../src/squad.js";
import { recordEvents } from "../../harness/record-events.js";

export const TOKEN = "ghp_mona";

/** A GraphQL request as it went over the wire, and its answer. */
export interface SentQuery {
  readonly query: string;
  readonly answer: string;
}

/** A squad before a simulated GitHub with one repository of pull requests, and what was sent. */
export interface GraphqlBench {
  readonly clock: VirtualClock;
  readonly github: SimulatedGitHub;
  readonly squad: Squad;
  readonly octokit: Octokit;
  /** The same client without the plugin. */
  readonly plain: Octokit;
  readonly sent: readonly SentQuery[];
  readonly exchanges: readonly ExchangeEvent[];
  /** Units that GitHub has charged for GraphQL so far. */
  readonly charged: () => number;
}

export function setUpGraphql(options: SquadOptions = {}, github: SimulatedGitHubOptions = {}): GraphqlBench {
  const clock = createVirtualClock();
  const simulated = createSimulatedGitHub({ clock, secondary: false, ...github });
  simulated.world.addToken(TOKEN, "mona");
  simulated.world.addRepository({ owner: "mona", name: "app" });
  for (let number = 1; number <= 3; number++) {
    const on = { owner: "mona", repo: "app" };
    const { headSha } = simulated.world.addPullRequest({ ...on, title: `Pull ${number}` });
    simulated.world.addCheckRun({ ...on, ref: headSha, name: "build", conclusion: "success" });
  }
  const sent: SentQuery[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = request.method === "POST" ? await request.clone().text() : "";
    const response = await simulated.fetch(input, init);
    const answer = body === "" ? "" : await response.clone().text();
    if (body !== "") sent.push({ query: (JSON.parse(body) as { query: string }).query, answer });
    return response;
  };
  const squad = createSquad({ agent: "ralph", clock, fetch, pool: false, pacing: false, ...options });
  const baseUrl = github.ghes === undefined ? "https://api.github.com" : "https://github.example.com/api/v3";
  return {
    clock,
    github: simulated,
    squad,
    octokit: new (Octokit.plugin(squadRate))({ auth: TOKEN, baseUrl, squad, request: { fetch } }),
    plain: new Octokit({ auth: TOKEN, baseUrl, request: { fetch: simulated.fetch } }),
    sent,
    exchanges: recordEvents("squad-rate:exchange"),
    charged: () => simulated.log.reduce((sum, one) => sum + (one.resource === "graphql" ? one.chargedUnits : 0), 0),
  };
}
