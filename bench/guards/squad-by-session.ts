import { Keyv } from "keyv";
import { askStatus } from "./ask-status.js";
import type { Client, Surroundings } from "./client.js";
import { OWNER, type Session } from "./fleet.js";
import type { Needs } from "./needs.js";
import { guardsOf, readList, readPull } from "./read-needs.js";
import { type SquadOctokit, squadOctokit } from "./squad-octokit.js";

/**
 * Each session polls for itself, in a process of its own, and guards its own pull request's status by the reads that it
 * makes anyway. This is what an agent writes that knows nothing of the others: one call more than without guards. A change
 * costs the one unit of the pull request that has changed. But each session reads its repository's list by itself, so a
 * change is told to all sessions of its repository, each for a unit of REST; and reads, though free, count for GitHub's
 * secondary limits. Where one process polls for several sessions, `PullsByRepository` does better.
 */
export class SquadBySession implements Client {
  readonly groups: readonly (readonly Session[])[];
  produced = 0;
  readonly #clock: Surroundings["clock"];
  readonly #octokits: readonly SquadOctokit[];

  constructor(surroundings: Surroundings) {
    const store = new Keyv();
    this.groups = surroundings.sessions.map((session) => [session]);
    this.#clock = surroundings.clock;
    this.#octokits = surroundings.sessions.map(({ index }) => squadOctokit(`session-${index}`, store, surroundings));
  }

  async poll([session]: readonly Session[]): Promise<ReadonlyMap<Session, Needs>> {
    if (session === undefined) return new Map();
    const octokit = this.#octokits[session.index] as SquadOctokit;
    const startedAt = this.#clock.now();
    const list = await readList(octokit, session.repo);
    const rest = await readPull(octokit, session);
    const sinceMs = 1 + Math.ceil(this.#clock.now() - startedAt);
    const { value: status } = await octokit.squad.guards(
      guardsOf(session, rest, sinceMs),
      () => {
        this.produced += 1;
        return askStatus(octokit, session);
      },
      // The reads' own parameters change with each push.
      { key: `status of ${OWNER}/${session.repo}#${session.number}` },
    );
    return new Map([[session, { list, ...rest, status }]]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#octokits.map(({ squad }) => squad.close()));
  }
}
