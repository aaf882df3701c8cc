import type { Octokit } from "@octokit/core";
import type { GuardRead } from "../../guard.js";
import { type SquadOptions, squadRequest } from "../../options.js";
import type { OctokitSquad } from "../../plugin.js";
import type { Store } from "../../store/store.js";
import { createRandom } from "../github/random.js";
import type { FleetAgent, FleetCall, FleetClient, FleetClientFactory, FleetSeat } from "./client.js";
import {
  CHECKS,
  type CheckRuns,
  COMMENTS,
  type FleetSession,
  LIST,
  type ListedPull,
  type PollNeeds,
  PULL,
  type Pull,
} from "./needs.js";
import { type PullAnswer, STATUS_QUERY, statusOf } from "./pull-status.js";

/** Settings of {@link createSquadClient}. */
export interface SquadClientOptions {
  /**
   * `"repository"`: the sessions of a repository are polled for together, so that its list is read once. `"session"`: each
   * by itself. Default `"repository"`.
   */
  readonly pollBy?: "repository" | "session";
  /** More options of each process's squad, such as `trace`. */
  readonly squad?:
    | Omit<SquadOptions, "store" | "clock" | "random" | "fetch">
    | ((seat: FleetSeat) => Omit<SquadOptions, "store" | "clock" | "random" | "fetch">);
}

/** A late poll is worth more to a session than none. */
const POLL_MAX_WAIT_MS = 600_000;

type SquadOctokit = Octokit & { readonly squad: OctokitSquad };
type RestNeeds = Omit<PollNeeds, "status" | "list">;

/**
 * Makes fleet clients of squadRate: one Octokit and one squad in each process, and all of them in one pool. Polls read by
 * REST, where nothing is paid for what has not changed, and guard each pull request's status by reads made anyway.
 *
 * @example
 * ```ts
 * const createClient = createSquadClient({ squad: ({ process }) => ({ trace: `process-${process}.jsonl` }) });
 * ```
 */
export function createSquadClient(options: SquadClientOptions = {}): FleetClientFactory {
  return async (seat) => {
    // All that is loaded on first use otherwise: virtual time does not wait for modules.
    const [{ Octokit }, { Keyv }, { squadRate }, { openStore }] = await Promise.all([
      import("@octokit/core"),
      import("keyv"),
      import("../../plugin.js"),
      import("../../store/open-store.js"),
      import("@octokit/plugin-retry"),
      import("@octokit/plugin-throttling"),
      import("before-after-hook"),
      import("bottleneck/light.js"),
      import("graphql/language/parser.js"),
    ]);
    const { clock } = seat;
    const random = createRandom(seat.seed);
    const store = await openStore(new Keyv({ store: seat.store }), { clock, random });
    const more = typeof options.squad === "function" ? options.squad(seat) : options.squad;
    const octokit = new (Octokit.plugin(squadRate))({
      authStrategy: () => currentToken(seat),
      log: QUIET,
      request: { fetch: seat.fetch },
      squad: {
        agent: `process-${seat.process}`,
        // Tokens come and go; whose quota it is stays.
        pool: { name: "fleet" },
        ...more,
        store,
        clock,
        random,
      },
    });
    return new SquadClient({ octokit, seat, store, pollBy: options.pollBy ?? "repository" });
  };
}

interface SquadClientParts {
  readonly octokit: SquadOctokit;
  readonly seat: FleetSeat;
  readonly store: Store;
  readonly pollBy: "repository" | "session";
}

class SquadClient implements FleetClient {
  readonly groups: readonly (readonly FleetAgent[])[];
  readonly #octokit: SquadOctokit;
  readonly #seat: FleetSeat;
  readonly #store: Store;
  readonly #last = new Map<string, { readonly bytes: Buffer; readonly value: unknown }>();

  constructor({ octokit, seat, store, pollBy }: SquadClientParts) {
    this.#octokit = octokit;
    this.#seat = seat;
    this.#store = store;
    const byPlace = new Map<string, FleetAgent[]>();
    for (const agent of seat.agents) {
      if (agent.session === undefined) continue;
      const place = pollBy === "session" ? agent.name : agent.session.repo;
      byPlace.set(place, [...(byPlace.get(place) ?? []), agent]);
    }
    this.groups = [...byPlace.values()];
  }

  async poll(group: readonly FleetAgent[]): Promise<ReadonlyMap<FleetAgent, PollNeeds>> {
    const needs = new Map<FleetAgent, PollNeeds>();
    const [first] = group;
    if (first === undefined) return needs;
    const startedAt = this.#seat.clock.monotonic();
    const { owner, repo } = sessionOf(first);
    const list = (await this.#read(first, `list of ${repo}`, LIST, {
      owner,
      repo,
      per_page: 100,
    })) as readonly ListedPull[];
    for (const agent of group) {
      const rest = await this.#readPull(agent);
      // The cache may answer guards that were read in this very poll.
      const sinceMs = 1 + Math.ceil(this.#seat.clock.monotonic() - startedAt);
      needs.set(agent, { list, ...rest, status: await this.#status(agent, rest, sinceMs) });
    }
    return needs;
  }

  async call({ agent, maxWaitMs, headers, request }: FleetCall): Promise<unknown> {
    const squad = squadRequest({ agent: agent.name, priority: agent.priority, maxWaitMs });
    if (request.kind === "graphql") {
      return this.#octokit.graphql(request.query, { ...request.variables, headers, request: { squad } });
    }
    const { data } = await this.#octokit.request(request.route, { ...request.parameters, headers, request: { squad } });
    return data;
  }

  async close(): Promise<void> {
    await this.#octokit.squad.close();
    await this.#store.close();
  }

  /** One after the other, as GitHub asks. */
  async #readPull(agent: FleetAgent): Promise<RestNeeds> {
    const { owner, repo, number } = sessionOf(agent);
    const at = { owner, repo, pull_number: number };
    const read = (what: string, route: string, parameters: Readonly<Record<string, unknown>>): Promise<unknown> =>
      this.#read(agent, `${what} of ${repo}#${number}`, route, parameters);
    const pull = (await read("pull", PULL, at)) as Pull;
    const checks = (await read("checks", CHECKS, { owner, repo, ref: pull.head.sha })) as CheckRuns;
    const comments = (await read("comments", COMMENTS, { ...at, per_page: 100 })) as PollNeeds["comments"];
    return { pull, checks, comments };
  }

  /**
   * Octokit's way to read JSON costs more than all the rest of a call, and most of what a poll reads was read before. `of`
   * names what is read, the same for all its versions.
   */
  async #read(
    agent: FleetAgent,
    of: string,
    route: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<unknown> {
    const request = { squad: pollOf(agent), parseSuccessResponseBody: false };
    const bytes = await this.#seat.timed(async () => {
      const { data } = await this.#octokit.request(route, { ...parameters, request });
      return bytesOf(data as ReadableStream<Uint8Array>);
    });
    const last = this.#last.get(of);
    if (last?.bytes.equals(bytes) === true) return last.value;
    const value: unknown = JSON.parse(bytes.toString());
    this.#last.set(of, { bytes, value });
    return value;
  }

  /** Neither the pull request itself nor the list guards: either carries its repository, in which every push shows. */
  async #status(agent: FleetAgent, { pull }: RestNeeds, sinceMs: number): Promise<PollNeeds["status"]> {
    const { owner, repo, number } = sessionOf(agent);
    const request = { squad: { ...pollOf(agent), cache: { freshForMs: sinceMs } } };
    const reads: readonly GuardRead[] = [
      [CHECKS, { owner, repo, ref: pull.head.sha, request }],
      [COMMENTS, { owner, repo, pull_number: number, per_page: 100, request }],
    ];
    const ask = (): Promise<{ readonly repository: PullAnswer }> =>
      this.#octokit.graphql(STATUS_QUERY, { owner, repo, number, request: { squad: pollOf(agent) } });
    const produce = async () => statusOf((await this.#seat.timed(ask)).repository);
    const { value } = await this.#octokit.squad.guards(reads, produce, { key: `status of ${owner}/${repo}#${number}` });
    return value;
  }
}

function pollOf({ name, priority }: FleetAgent) {
  return squadRequest({ agent: name, priority, maxWaitMs: POLL_MAX_WAIT_MS });
}

function sessionOf({ name, session }: FleetAgent): FleetSession {
  if (session === undefined) throw new Error(`${name} watches nothing.`);
  return session;
}

async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** An auth strategy, as Octokit has them, that always has the token of the moment. */
function currentToken({ token }: FleetSeat) {
  const auth = async () => ({ type: "token", token: token() });
  return Object.assign(auth, {
    hook(request: Octokit["request"], route: string, parameters?: Readonly<Record<string, unknown>>): unknown {
      const endpoint = request.endpoint.merge(route, parameters);
      endpoint.headers.authorization = `token ${token()}`;
      return request(endpoint as never);
    },
  });
}

const QUIET = { debug: ignore, info: ignore, warn: ignore, error: ignore } as const;

function ignore(): void {}
