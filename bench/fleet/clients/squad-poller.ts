import type { FleetAgent, FleetCall, FleetClient, FleetSeat } from "../../../src/sim/fleet/client.js";
import { type FleetSession, type PollNeeds, PULL, type Pull } from "../../../src/sim/fleet/needs.js";
import { type PullAnswer, type PullStatus, STATUS_FRAGMENT, statusOf } from "../../../src/sim/fleet/pull-status.js";
import { checkRunsOf, LOOK_FRAGMENT, type LookAnswer, selectionOf } from "./look.js";
import { readJson } from "./read-json.js";
import { readList } from "./reads.js";
import { commentsOn, type ReviewComment, type ReviewComments, readRepositoryComments } from "./repository-comments.js";
import type { Requester } from "./requester.js";
import { byRepository, sessionOf, watchers } from "./sessions.js";
import { callThrough, type SquadOctokit, type SquadSettings, squadOctokit } from "./squad-octokit.js";
import { timedBy } from "./timed.js";

/** So many pull requests are looked at by one query, for one unit. */
const GROUP_SIZE = 100;

/** One pull request in one poll. */
interface Seen {
  readonly look: LookAnswer;
  readonly comments: readonly ReviewComment[];
  /** All of that as a text: while it stays, so does the pull request. */
  readonly as: string;
}

interface Known {
  readonly as: string;
  readonly pull: Pull;
  readonly status: PullStatus;
}

/**
 * squadRate as recommended for many sessions: one process polls for all of them, and what a poll costs hardly depends on
 * how many they are. Each repository's list and its review comments are a read each, which is free while nothing changes;
 * one GraphQL query looks at the heads and check runs of a hundred pull requests, for one unit, where REST would need a
 * request each. Only a pull request that has changed is read, and its status asked for.
 */
export class SquadPoller implements FleetClient {
  readonly groups: readonly (readonly FleetAgent[])[];
  readonly #octokit: SquadOctokit;
  readonly #polling: Requester;
  readonly #timed: FleetSeat["timed"];
  readonly #known = new Map<FleetAgent, Known>();
  readonly #comments = new Map<string, ReviewComments>();

  constructor(seat: FleetSeat, settings: SquadSettings = {}) {
    this.groups = inGroups(byRepository(watchers(seat.agents)));
    this.#octokit = squadOctokit(`process-${seat.process}`, seat.agents, seat, settings);
    this.#polling = timedBy(seat, this.#octokit);
    this.#timed = seat.timed;
  }

  async poll(group: readonly FleetAgent[]): Promise<ReadonlyMap<FleetAgent, PollNeeds>> {
    const lists = new Map<FleetAgent, PollNeeds["list"]>();
    for (const neighbours of byRepository(group)) {
      const session = sessionOf(neighbours[0] as FleetAgent);
      const list = await readList(this.#polling, session);
      for (const agent of neighbours) lists.set(agent, list);
      await this.#readComments(session);
    }
    const seen = await this.#see(group);
    await this.#learn(
      group.filter((agent) => this.#known.get(agent)?.as !== seen.get(agent)?.as),
      seen,
    );
    return new Map(
      group.map((agent) => {
        const { look, comments } = seen.get(agent) as Seen;
        const { pull, status } = this.#known.get(agent) as Known;
        const list = lists.get(agent) as PollNeeds["list"];
        return [agent, { list, pull, checks: checkRunsOf(look), comments, status }];
      }),
    );
  }

  call(call: FleetCall): Promise<unknown> {
    return callThrough(this.#octokit, call);
  }

  close(): Promise<void> {
    return this.#octokit.squad.close();
  }

  async #readComments(session: FleetSession): Promise<void> {
    const repository = repositoryOf(session);
    const known = this.#comments.get(repository) ?? new Map();
    this.#comments.set(repository, await readRepositoryComments(this.#polling, session, known));
  }

  /** After the comments: whoever comments meanwhile has changed `updatedAt`. */
  async #see(group: readonly FleetAgent[]): Promise<ReadonlyMap<FleetAgent, Seen>> {
    const looks = await this.#ask<LookAnswer>(group, "Look", LOOK_FRAGMENT, GROUP_SIZE);
    return new Map(
      group.map((agent, index) => {
        const session = sessionOf(agent);
        const look = looks[index] as LookAnswer;
        const comments = commentsOn(session.number, this.#comments.get(repositoryOf(session)) ?? new Map());
        return [agent, { look, comments, as: JSON.stringify([look, comments]) }];
      }),
    );
  }

  /** Reads the pull requests that have changed. */
  async #learn(changed: readonly FleetAgent[], seen: ReadonlyMap<FleetAgent, Seen>): Promise<void> {
    const pulls: Pull[] = [];
    for (const agent of changed) {
      const { owner, repo, number: pull_number } = sessionOf(agent);
      pulls.push((await readJson<Pull>(this.#polling, PULL, { owner, repo, pull_number })).data);
    }
    const statuses = await this.#ask<PullAnswer>(changed, "Status", STATUS_FRAGMENT, 25);
    for (const [index, agent] of changed.entries()) {
      const { as } = seen.get(agent) as Seen;
      this.#known.set(agent, { as, pull: pulls[index] as Pull, status: statusOf(statuses[index] as PullAnswer) });
    }
  }

  /** What a fragment says of each, in their order: for the most part with one query, so it is timed as one call. */
  #ask<A>(
    agents: readonly FleetAgent[],
    fragment: "Look" | "Status",
    fragments: string,
    size: number,
  ): Promise<readonly A[]> {
    return agents.length === 0
      ? Promise.resolve([])
      : this.#timed(() => this.#batch(agents, fragment, fragments, size));
  }

  async #batch<A>(
    agents: readonly FleetAgent[],
    fragment: "Look" | "Status",
    fragments: string,
    size: number,
  ): Promise<readonly A[]> {
    const answers: A[] = [];
    const toSelection = (agent: FleetAgent): string => selectionOf(sessionOf(agent), fragment);
    const options = { fragments, size, name: fragment };
    for await (const { value, error } of this.#octokit.squad.batch<FleetAgent, A>(agents, toSelection, options)) {
      if (error !== undefined) throw error;
      answers.push(value);
    }
    return answers;
  }
}

function repositoryOf({ owner, repo }: FleetSession): string {
  return `${owner}/${repo}`;
}

/** As many repositories in a group as fit into one query. */
function inGroups(repositories: readonly (readonly FleetAgent[])[]): readonly (readonly FleetAgent[])[] {
  const groups: FleetAgent[][] = [];
  for (const agents of repositories) {
    const group = groups.at(-1);
    if (group !== undefined && group.length + agents.length <= GROUP_SIZE) group.push(...agents);
    else groups.push([...agents]);
  }
  return groups;
}
