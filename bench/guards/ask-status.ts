import { OWNER, type Session } from "./fleet.js";
import { type PullAnswer, type PullStatus, STATUS_FRAGMENT, statusOf } from "./pull-status.js";
import type { SquadOctokit } from "./squad-octokit.js";

export const STATUS_QUERY = `query Status($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) { ...Status } }
}
${STATUS_FRAGMENT}`;

/** One pull request's status. */
export async function askStatus({ graphql }: SquadOctokit, { repo, number }: Session): Promise<PullStatus> {
  const { repository } = await graphql<{ readonly repository: PullAnswer }>(STATUS_QUERY, {
    owner: OWNER,
    repo,
    number,
  });
  return statusOf(repository);
}

/** Those of several, in few queries, in their order. */
export async function askStatuses({ squad }: SquadOctokit, sessions: readonly Session[]): Promise<PullStatus[]> {
  const statuses: PullStatus[] = [];
  const toSelection = ({ repo, number }: Session): string =>
    `repository(owner: "${OWNER}", name: ${JSON.stringify(repo)}) { pullRequest(number: ${number}) { ...Status } }`;
  const results = squad.batch<Session, PullAnswer>(sessions, toSelection, { fragments: STATUS_FRAGMENT });
  for await (const { value, error } of results) {
    // A batch that lacks an item is no value to remember.
    if (error !== undefined) throw error;
    statuses.push(statusOf(value));
  }
  return statuses;
}
