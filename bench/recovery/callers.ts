import type { Octokit } from "@octokit/core";
import type { Clock } from "../../src/clock.js";
import type { Arrival, Demand } from "./demand.js";
import { INBOX_ISSUES, READ_ISSUES } from "./furnish.js";
import type { ObservedCall } from "./observation.js";
import { CALL_HEADER } from "./tagging-fetch.js";

const QUERY = 'query ($number: Int!) { repository(owner: "acme", name: "app") { issue(number: $number) { title } } }';
const READ_ROUTES = [
  "GET /repos/{owner}/{repo}/issues/{issue_number}",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/labels",
] as const;

interface End {
  readonly endedAt: number;
  readonly failure: string | undefined;
}

/** Lets calls arrive as demanded, each by its agent's Octokit, and keeps how they ended. Nobody tries again by itself. */
export class Callers {
  readonly #demand: Demand;
  readonly #octokits: readonly Octokit[];
  readonly #clock: Clock;
  readonly #startAt: number;
  readonly #ends: End[] = [];
  #ended = 0;

  constructor(demand: Demand, octokits: readonly Octokit[], clock: Clock) {
    this.#demand = demand;
    this.#octokits = octokits;
    this.#clock = clock;
    this.#startAt = clock.now();
    this.#await(0);
  }

  get allEnded(): boolean {
    return this.#ended === this.#demand.arrivals.length;
  }

  observed(): readonly ObservedCall[] {
    const { agents, arrivals } = this.#demand;
    return arrivals.map(({ id, agent, kind, atMs }) => {
      const end = this.#ends[id];
      const outcome = end === undefined ? "open" : end.failure === undefined ? "answered" : "failed";
      const priority = agents[agent]?.priority ?? 1;
      const endedAt = end?.endedAt ?? this.#now();
      return { id, agent, priority, kind, arrivedAt: atMs, endedAt, outcome, failure: end?.failure };
    });
  }

  #await(index: number): void {
    const arrival = this.#demand.arrivals[index];
    if (arrival === undefined) return;
    this.#clock.timer(arrival.atMs - this.#now(), () => {
      send(this.#octokits[arrival.agent] as Octokit, arrival).then(
        () => this.#end(arrival.id, undefined),
        (error) => this.#end(arrival.id, nameOf(error)),
      );
      this.#await(index + 1);
    });
  }

  #end(id: number, failure: string | undefined): void {
    this.#ends[id] = { endedAt: this.#now(), failure };
    this.#ended += 1;
  }

  #now(): number {
    return this.#clock.now() - this.#startAt;
  }
}

/** Reads have an address each, so that no cache hides the demand; writes have words each, so that doubles can be found. */
function send(octokit: Octokit, { id, kind }: Arrival): Promise<unknown> {
  const headers = { [CALL_HEADER]: String(id) };
  const number = 1 + (id % READ_ISSUES);
  const inApp = { owner: "acme", repo: "app", issue_number: number, call: id, headers };
  switch (kind) {
    case "read":
      return octokit.request(READ_ROUTES[id % READ_ROUTES.length] as (typeof READ_ROUTES)[0], inApp);
    case "write":
      return octokit.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        owner: "acme",
        repo: "inbox",
        issue_number: 1 + (id % INBOX_ISSUES),
        body: `write ${id}`,
        headers,
      });
    case "graphql":
      return octokit.graphql(QUERY, { number, headers });
  }
}

/** A squad's code, else GitHub's status. */
function nameOf(error: unknown): string {
  const { code, status, name } = error as { readonly [key in "code" | "status" | "name"]?: unknown };
  return String(code ?? status ?? name);
}
