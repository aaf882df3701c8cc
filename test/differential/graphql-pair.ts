import { Octokit } from "@octokit/core";
import type { ExchangeEvent } from "../../src/events.js";
import { squadRate } from "../../src/plugin.js";
import { createSimulatedGitHub, type SimulatedGitHub } from "../../src/sim/index.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { createSquad } from "../../src/squad.js";
import type { RandomQuery } from "../graphql/random-query.js";
import { fillWorldForRandomQueries } from "../graphql/random-query-world.js";
import { recordEvents } from "../harness/record-events.js";

const TOKEN = "ghp_mona";
const URL = "https://api.github.com/graphql";

/** What came of a query: through `octokit.graphql`, and as the text that `fetch` gives. */
export interface Asked {
  readonly outcome: unknown;
  readonly text: string;
}

/** The same queries by a plain client and by a squad, before two GitHubs that are alike. */
export class GraphqlPair {
  readonly #squads: SimulatedGitHub;
  readonly #plains: SimulatedGitHub;
  readonly #exchanges: readonly ExchangeEvent[] = recordEvents("squad-rate:exchange");
  readonly #octokit: Octokit;
  readonly #plain: Octokit;
  readonly #fetch: typeof globalThis.fetch;
  /** Whether every document went over the wire as its caller wrote it. */
  sentAsWritten = true;
  #asking: string | undefined;

  constructor({ capture }: { readonly capture: boolean }) {
    const clock = createVirtualClock();
    this.#squads = githubOn(clock);
    this.#plains = githubOn(clock);
    const watched: typeof globalThis.fetch = (input, init) => {
      if ((JSON.parse(String(init?.body)) as { query: string }).query !== this.#asking) this.sentAsWritten = false;
      return this.#squads.fetch(input, init);
    };
    const squad = createSquad({
      clock,
      fetch: watched,
      graphql: { capture },
      light: false,
      breaker: false,
      retry: false,
    });
    this.#octokit = new (Octokit.plugin(squadRate))({ auth: TOKEN, squad, request: { fetch: watched } });
    this.#plain = new Octokit({ auth: TOKEN, request: { fetch: this.#plains.fetch } });
    this.#fetch = squad.fetch as typeof globalThis.fetch;
  }

  askSquad(query: RandomQuery): Promise<Asked> {
    this.#asking = query.query;
    return ask(query, this.#octokit, this.#fetch);
  }

  askPlain(query: RandomQuery): Promise<Asked> {
    return ask(query, this.#plain, this.#plains.fetch);
  }

  /** What the squad has booked for its latest exchange. */
  lastBooked(): { readonly units: number; readonly told: boolean } | undefined {
    const last = this.#exchanges.at(-1);
    return last && { units: last.chargedUnits, told: last.costTold };
  }

  lastCharged(): number | undefined {
    return this.#squads.log.at(-1)?.chargedUnits;
  }

  booked(): number {
    return this.#exchanges.reduce((sum, { chargedUnits }) => sum + chargedUnits, 0);
  }

  charged(): number {
    return this.#squads.log.reduce((sum, { chargedUnits }) => sum + chargedUnits, 0);
  }
}

function githubOn(clock: VirtualClock): SimulatedGitHub {
  // Much is asked for in one run, and nothing is to be refused.
  const github = createSimulatedGitHub({ clock, secondary: false, limits: { graphql: { limit: 1_000_000 } } });
  fillWorldForRandomQueries(github.world, TOKEN);
  return github;
}

async function ask(
  { query, variables, operationName }: RandomQuery,
  octokit: Octokit,
  fetch: typeof globalThis.fetch,
): Promise<Asked> {
  const named = operationName === undefined ? {} : { operationName };
  const outcome = await octokit.graphql(query, { ...variables, ...named }).then(
    (data) => ({ data }),
    ({ name, message, errors, data }) => ({ name, message, errors, data }),
  );
  const body = JSON.stringify({ query, variables, operationName });
  const headers = { authorization: `token ${TOKEN}`, "content-type": "application/json" };
  const response = await fetch(URL, { method: "POST", headers, body });
  return { outcome, text: await response.text() };
}
