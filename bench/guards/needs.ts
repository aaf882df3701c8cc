import type { PullFacts, Session } from "./fleet.js";
import type { PullStatus } from "./pull-status.js";

/** What a session needs in each poll, and nothing of it older than the poll. */
export interface Needs {
  /** Its repository's pull requests, as the list has them. */
  readonly list: readonly ListedPull[];
  readonly pull: Pull;
  readonly checks: CheckRuns;
  readonly comments: readonly { readonly body: string }[];
  readonly status: PullStatus;
}

/** The reads in front of a pull request's status, in the order in which they are made; each is a list's first page. */
export const LIST = "GET /repos/{owner}/{repo}/pulls";
export const PULL = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
export const CHECKS = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
export const COMMENTS = "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments";

export interface ListedPull {
  readonly number: number;
  readonly head: { readonly sha: string };
}

export interface Pull extends ListedPull {
  readonly review_comments: number;
}

export interface CheckRuns {
  readonly check_runs: readonly { readonly name: string; readonly conclusion: string | null }[];
}

/**
 * What of a session's needs was not so at any moment of its poll: names of the needs, none when all was as it should be.
 * `truthsOf` says what was true of another session of its repository meanwhile.
 */
export function violations(
  { list, pull, checks, comments, status }: Needs,
  session: Session,
  neighbours: readonly Session[],
  truthsOf: (session: Session) => readonly PullFacts[],
): readonly string[] {
  const truths = truthsOf(session);
  const runs = checks.check_runs.map(({ name, conclusion }) => `${name}: ${conclusion}`).join(", ");
  const isTrue = {
    list: neighbours.every((one) => {
      const sha = list.find(({ number }) => number === one.number)?.head.sha;
      return truthsOf(one).some(({ headSha }) => headSha === sha);
    }),
    pull: truths.some((facts) => facts.headSha === pull.head.sha && facts.comments.length === pull.review_comments),
    checks: truths.some((facts) => facts.checks === runs),
    comments: truths.some((facts) =>
      same(
        facts.comments,
        comments.map(({ body }) => body),
      ),
    ),
    status: truths.some(
      (facts) =>
        facts.headSha === status.headSha && facts.checks === status.checks && same(facts.comments, status.comments),
    ),
  };
  return Object.entries(isTrue).flatMap(([need, holds]) => (holds ? [] : [need]));
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
