import { Octokit } from "@octokit/core";
import type { FleetAgent, FleetCall, FleetClient, FleetSeat } from "../../../src/sim/fleet/client.js";
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
} from "../../../src/sim/fleet/needs.js";
import { type PullAnswer, type PullStatus, STATUS_FRAGMENT, statusOf } from "../../../src/sim/fleet/pull-status.js";
import { octokitOptions } from "./octokit-options.js";
import { readJson } from "./read-json.js";
import { makeCall, type OwnReads } from "./reads.js";
import type { Requester } from "./requester.js";
import { byRepository, sessionOf, watchers } from "./sessions.js";
import { timedBy } from "./timed.js";

const BATCH_SIZE = 25;
const VIEW_EVERY_POLLS = 4;

/** An answer as it came, and the tag by which GitHub knows it. */
interface Kept {
  readonly etag: string;
  readonly data: unknown;
}

interface Read {
  readonly data: unknown;
  readonly changed: boolean;
}

interface Seen {
  readonly needs: Omit<PollNeeds, "status">;
  readonly changed: boolean;
}

/**
 * Plain Octokit with guards written by hand, as in the measured squads: one orchestrator for all sessions keeps ETags,
 * takes a 304 for what it is, asks for the batch when a guard has changed, and views each session's pull request by GraphQL
 * every fourth poll. One call follows the other, so that a poll of many sessions takes longer than 30 s, as was measured. In
 * one thing it is kinder than what was measured: only about the repository that has changed is asked again.
 */
export class HandWritten implements FleetClient {
  readonly groups: readonly (readonly FleetAgent[])[];
  readonly #octokit: Octokit;
  readonly #polling: Requester;
  readonly #kept = new Map<string, Kept>();
  readonly #statuses = new Map<FleetAgent, PullStatus>();
  #polls = 0;

  constructor(seat: FleetSeat) {
    this.groups = [watchers(seat.agents)];
    this.#octokit = new Octokit(octokitOptions(seat));
    this.#polling = timedBy(seat, this.#octokit);
  }

  async poll(all: readonly FleetAgent[]): Promise<ReadonlyMap<FleetAgent, PollNeeds>> {
    const poll = this.#polls++;
    const seen = new Map<FleetAgent, Seen>();
    for (const neighbours of byRepository(all)) {
      const { owner, repo } = sessionOf(neighbours[0] as FleetAgent);
      const list = await this.#read(LIST, { owner, repo, per_page: 100 });
      for (const agent of neighbours) seen.set(agent, await this.#guards(sessionOf(agent), list));
      if (neighbours.some((agent) => seen.get(agent)?.changed)) await this.#batch(neighbours);
    }
    for (const agent of all) {
      // Spread over the polls.
      if (poll % VIEW_EVERY_POLLS === sessionOf(agent).index % VIEW_EVERY_POLLS) await this.#ask([agent]);
    }
    return new Map(
      [...seen].map(([agent, { needs }]) => [agent, { ...needs, status: this.#statuses.get(agent) as PullStatus }]),
    );
  }

  call(call: FleetCall): Promise<unknown> {
    return makeCall(this.#octokit, call);
  }

  async close(): Promise<void> {}

  async #guards({ owner, repo, number }: FleetSession, list: Read): Promise<Seen> {
    const pull = await this.#read(PULL, { owner, repo, pull_number: number });
    const ref = (pull.data as Pull).head.sha;
    const checks = await this.#read(CHECKS, { owner, repo, ref });
    const comments = await this.#read(COMMENTS, { owner, repo, pull_number: number, per_page: 100 });
    const own: OwnReads = {
      pull: pull.data as Pull,
      checks: checks.data as CheckRuns,
      comments: comments.data as PollNeeds["comments"],
    };
    return {
      changed: [list, checks, comments].some(({ changed }) => changed),
      needs: { list: list.data as readonly ListedPull[], ...own },
    };
  }

  async #read(route: string, parameters: Readonly<Record<string, unknown>>): Promise<Read> {
    const key = JSON.stringify([route, parameters]);
    const kept = this.#kept.get(key);
    const headers = kept === undefined ? {} : { "if-none-match": kept.etag };
    try {
      const { data, headers: told } = await readJson(this.#polling, route, { ...parameters, headers });
      this.#kept.set(key, { etag: String(told.etag), data });
      return { data, changed: true };
    } catch (error) {
      // To Octokit a 304 is an error.
      if (kept !== undefined && (error as { readonly status?: unknown }).status === 304) {
        return { data: kept.data, changed: false };
      }
      throw error;
    }
  }

  async #batch(agents: readonly FleetAgent[]): Promise<void> {
    for (let start = 0; start < agents.length; start += BATCH_SIZE) {
      await this.#ask(agents.slice(start, start + BATCH_SIZE));
    }
  }

  async #ask(agents: readonly FleetAgent[]): Promise<void> {
    const fields = agents.map((agent, index) => {
      const { owner, repo, number } = sessionOf(agent);
      return `p${index}: repository(owner: "${owner}", name: "${repo}") { pullRequest(number: ${number}) { ...Status } }`;
    });
    const answer = await this.#polling.graphql<Readonly<Record<string, PullAnswer>>>(
      `{ ${fields.join("\n")} }\n${STATUS_FRAGMENT}`,
    );
    for (const [index, agent] of agents.entries()) {
      this.#statuses.set(agent, statusOf(answer[`p${index}`] as PullAnswer));
    }
  }
}
