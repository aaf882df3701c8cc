import { Keyv } from "keyv";
import type { GuardRead } from "../../src/index.js";
import { askStatus, askStatuses } from "./ask-status.js";
import type { Client, Surroundings } from "./client.js";
import { byRepository, OWNER, type Session } from "./fleet.js";
import type { Needs } from "./needs.js";
import type { PullStatus } from "./pull-status.js";
import { guardsOf, type RestNeeds, readList, readPull } from "./read-needs.js";
import { type SquadOctokit, squadOctokit } from "./squad-octokit.js";

/** One repository in one poll, its REST reads made. */
interface Round {
  readonly octokit: SquadOctokit;
  readonly repo: string;
  readonly sessions: readonly Session[];
  readonly rest: readonly RestNeeds[];
  /** How long ago the poll began, in milliseconds. */
  readonly sinceMs: () => number;
  readonly onProduce: () => void;
}

/** How statuses are come by, in the order of the sessions. */
type Statuses = (round: Round) => Promise<readonly PullStatus[]>;

/**
 * All pull requests of the repository are one value, made by one batch: the fewest units when everything is new, but a
 * change of one pays for all. A guard takes 100 reads, which are 50 pull requests.
 */
export const asOneBatch: Statuses = async ({ octokit, repo, sessions, rest, sinceMs, onProduce }) => {
  const { value } = await octokit.squad.guards(
    sessions.flatMap((session, index): readonly GuardRead[] => guardsOf(session, rest[index] as RestNeeds, sinceMs())),
    () => {
      onProduce();
      return askStatuses(octokit, sessions);
    },
    { key: `statuses of ${OWNER}/${repo}: ${sessions.map(({ number }) => number).join(", ")}`.slice(0, 200) },
  );
  return value;
};

/**
 * Each pull request is a value of its own: a change pays for what has changed, one unit. Recommended wherever one process
 * polls for several sessions: it has the reads of a batch and the units of sessions that poll for themselves.
 */
export const pullByPull: Statuses = async ({ octokit, sessions, rest, sinceMs, onProduce }) => {
  const statuses: PullStatus[] = [];
  for (const [index, session] of sessions.entries()) {
    const { value } = await octokit.squad.guards(
      guardsOf(session, rest[index] as RestNeeds, sinceMs()),
      () => {
        onProduce();
        return askStatus(octokit, session);
      },
      { key: `status of ${OWNER}/${session.repo}#${session.number}` },
    );
    statuses.push(value);
  }
  return statuses;
};

/** An orchestrator for each repository reads once what all of its sessions need. */
export class SquadByRepository implements Client {
  readonly groups: readonly (readonly Session[])[];
  produced = 0;
  readonly #clock: Surroundings["clock"];
  readonly #statuses: Statuses;
  readonly #octokits: ReadonlyMap<string, SquadOctokit>;

  constructor(surroundings: Surroundings, statuses: Statuses) {
    const store = new Keyv();
    this.groups = byRepository(surroundings.sessions);
    this.#clock = surroundings.clock;
    this.#statuses = statuses;
    const repos = new Set(surroundings.sessions.map(({ repo }) => repo));
    this.#octokits = new Map([...repos].map((repo) => [repo, squadOctokit(`poller-of-${repo}`, store, surroundings)]));
  }

  async poll(sessions: readonly Session[]): Promise<ReadonlyMap<Session, Needs>> {
    const repo = sessions[0]?.repo ?? "";
    const octokit = this.#octokits.get(repo) as SquadOctokit;
    const startedAt = this.#clock.now();
    const list = await readList(octokit, repo);
    const rest: RestNeeds[] = [];
    for (const session of sessions) rest.push(await readPull(octokit, session));
    const statuses = await this.#statuses({
      octokit,
      repo,
      sessions,
      rest,
      sinceMs: () => 1 + Math.ceil(this.#clock.now() - startedAt),
      onProduce: () => {
        this.produced += 1;
      },
    });
    return new Map(
      sessions.map((session, index) => [
        session,
        { list, ...(rest[index] as RestNeeds), status: statuses[index] as PullStatus },
      ]),
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#octokits.values()].map(({ squad }) => squad.close()));
  }
}
