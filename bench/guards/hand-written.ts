import { Octokit } from "@octokit/core";
import type { Client, Surroundings } from "./client.js";
import { byRepository, OWNER, type Session, TOKEN } from "./fleet.js";
import { CHECKS, type CheckRuns, COMMENTS, LIST, type ListedPull, type Needs, PULL, type Pull } from "./needs.js";
import { type PullAnswer, type PullStatus, STATUS_FRAGMENT, statusOf } from "./pull-status.js";
import { QUIET } from "./quiet.js";

const BATCH_SIZE = 25;
const VIEW_EVERY_POLLS = 4;

/** An answer as it came, and the tag by which GitHub knows it. */
interface Kept {
  readonly etag: string;
  readonly data: unknown;
}

interface Seen {
  readonly needs: Omit<Needs, "status">;
  readonly changed: boolean;
}

/**
 * Plain Octokit with guards written by hand, as in the measured squads: one orchestrator for all sessions keeps ETags,
 * takes a 304 for what it is, asks for the batch when a guard has changed, and views each session's pull request by GraphQL
 * every fourth poll. One call follows the other, so that a poll of many sessions takes longer than 30 s, as was measured. In
 * one thing it is kinder than what was measured: only about the repository that has changed is asked again.
 */
export class HandWritten implements Client {
  readonly groups: readonly (readonly Session[])[];
  produced = 0;
  readonly #octokit: Octokit;
  readonly #kept = new Map<string, Kept>();
  readonly #statuses = new Map<Session, PullStatus>();
  #polls = 0;

  constructor({ sessions, fetch }: Surroundings) {
    this.groups = [sessions];
    this.#octokit = new Octokit({ auth: TOKEN, log: QUIET, request: { fetch } });
  }

  async poll(all: readonly Session[]): Promise<ReadonlyMap<Session, Needs>> {
    const poll = this.#polls++;
    const seen = new Map<Session, Seen>();
    for (const sessions of byRepository(all)) {
      const list = await this.#read(LIST, { repo: sessions[0]?.repo, per_page: 100 });
      for (const session of sessions) seen.set(session, await this.#guards(session, list));
      if (sessions.some((session) => seen.get(session)?.changed)) await this.#batch(sessions);
    }
    for (const session of all) {
      // Spread over the polls.
      if (poll % VIEW_EVERY_POLLS === session.index % VIEW_EVERY_POLLS) await this.#ask([session]);
    }
    return new Map(
      [...seen].map(([session, { needs }]) => [
        session,
        { ...needs, status: this.#statuses.get(session) as PullStatus },
      ]),
    );
  }

  async close(): Promise<void> {}

  async #guards({ repo, number }: Session, list: Read): Promise<Seen> {
    const pull = await this.#read(PULL, { repo, pull_number: number });
    const ref = (pull.data as Pull).head.sha;
    const checks = await this.#read(CHECKS, { repo, ref });
    const comments = await this.#read(COMMENTS, { repo, pull_number: number, per_page: 100 });
    return {
      changed: [list, checks, comments].some(({ changed }) => changed),
      needs: {
        list: list.data as readonly ListedPull[],
        pull: pull.data as Pull,
        checks: checks.data as CheckRuns,
        comments: comments.data as Needs["comments"],
      },
    };
  }

  async #read(route: string, parameters: Readonly<Record<string, unknown>>): Promise<Read> {
    const key = JSON.stringify([route, parameters]);
    const kept = this.#kept.get(key);
    const headers = kept === undefined ? {} : { "if-none-match": kept.etag };
    try {
      const { data, headers: told } = await this.#octokit.request(route, { owner: OWNER, ...parameters, headers });
      this.#kept.set(key, { etag: told.etag ?? "", data });
      return { data, changed: true };
    } catch (error) {
      // To Octokit a 304 is an error.
      if (kept !== undefined && (error as { readonly status?: unknown }).status === 304) {
        return { data: kept.data, changed: false };
      }
      throw error;
    }
  }

  async #batch(sessions: readonly Session[]): Promise<void> {
    this.produced += 1;
    for (let start = 0; start < sessions.length; start += BATCH_SIZE) {
      await this.#ask(sessions.slice(start, start + BATCH_SIZE));
    }
  }

  async #ask(sessions: readonly Session[]): Promise<void> {
    const fields = sessions.map(
      ({ repo, number }, index) =>
        `p${index}: repository(owner: "${OWNER}", name: "${repo}") { pullRequest(number: ${number}) { ...Status } }`,
    );
    const answer = await this.#octokit.graphql<Readonly<Record<string, PullAnswer>>>(
      `{ ${fields.join("\n")} }\n${STATUS_FRAGMENT}`,
    );
    for (const [index, session] of sessions.entries()) {
      this.#statuses.set(session, statusOf(answer[`p${index}`] as PullAnswer));
    }
  }
}

interface Read {
  readonly data: unknown;
  readonly changed: boolean;
}
