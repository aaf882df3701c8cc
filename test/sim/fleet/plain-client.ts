import type { FleetAgent, FleetCall, FleetClient, FleetSeat } from "../../../src/sim/fleet/client.js";
import type { PollNeeds } from "../../../src/sim/fleet/needs.js";
import { type PullAnswer, STATUS_QUERY, statusOf } from "../../../src/sim/fleet/pull-status.js";

const ROOT = "https://api.github.com";

/** Asks for everything each time, one request after the other, and remembers nothing. */
export class PlainClient implements FleetClient {
  readonly seat: FleetSeat;

  constructor(seat: FleetSeat) {
    this.seat = seat;
  }

  async poll(group: readonly FleetAgent[]): Promise<ReadonlyMap<FleetAgent, PollNeeds>> {
    const needs = new Map<FleetAgent, PollNeeds>();
    for (const agent of group) needs.set(agent, await this.#needs(agent));
    return needs;
  }

  async call({ headers, request }: FleetCall): Promise<unknown> {
    if (request.kind === "graphql") return this.#query(request.query, request.variables, headers);
    const [method = "GET", template = ""] = request.route.split(" ");
    const left = { ...request.parameters };
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(left[name]);
      delete left[name];
      return value;
    });
    const rest = Object.entries(left).map(([name, value]) => [name, String(value)] as [string, string]);
    const query = method === "GET" && rest.length > 0 ? `?${new URLSearchParams(rest)}` : "";
    const body = method === "GET" ? {} : { body: JSON.stringify(left) };
    return this.#json(`${ROOT}${path}${query}`, { method, headers, ...body });
  }

  async close(): Promise<void> {}

  async #needs({ session }: FleetAgent): Promise<PollNeeds> {
    if (session === undefined) throw new Error("It watches nothing.");
    const { owner, repo, number } = session;
    const at = `${ROOT}/repos/${owner}/${repo}`;
    const list = (await this.#json(`${at}/pulls?per_page=100`)) as PollNeeds["list"];
    const pull = (await this.#json(`${at}/pulls/${number}`)) as PollNeeds["pull"];
    const checks = (await this.#json(`${at}/commits/${pull.head.sha}/check-runs`)) as PollNeeds["checks"];
    const comments = (await this.#json(`${at}/pulls/${number}/comments?per_page=100`)) as PollNeeds["comments"];
    const { repository } = (await this.#query(STATUS_QUERY, { owner, repo, number })) as {
      readonly repository: PullAnswer;
    };
    return { list, pull, checks, comments, status: statusOf(repository) };
  }

  async #query(query: string, variables: object, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const body = JSON.stringify({ query, variables });
    const { data } = (await this.#json(`${ROOT}/graphql`, { method: "POST", body, headers })) as {
      readonly data: unknown;
    };
    return data;
  }

  async #json(url: string, init: RequestInit = {}): Promise<unknown> {
    const headers = { ...(init.headers as Record<string, string>), authorization: `token ${this.seat.token()}` };
    const response = await this.seat.timed(() => this.seat.fetch(url, { ...init, headers }));
    if (!response.ok) throw Object.assign(new Error(`${response.status}`), { status: response.status });
    return response.json();
  }
}

/** Makes them, and keeps them to be looked at. */
export function plainClients(): { readonly create: (seat: FleetSeat) => PlainClient; readonly made: PlainClient[] } {
  const made: PlainClient[] = [];
  return {
    made,
    create: (seat) => {
      const client = new PlainClient(seat);
      made.push(client);
      return client;
    },
  };
}
