import type { PullStatus } from "./pull-status.js";

/** The pull request that an agent watches; nobody else watches it. */
export interface FleetSession {
  /** Counted from 0, over all sessions of the fleet. */
  readonly index: number;
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
}

/** What a session needs in each poll, and nothing of it older than the poll. */
export interface PollNeeds {
  /** Its repository's pull requests, as `GET /repos/{owner}/{repo}/pulls` has them. */
  readonly list: readonly ListedPull[];
  /** Its own, as `GET /repos/{owner}/{repo}/pulls/{pull_number}` has it. */
  readonly pull: Pull;
  /** As `GET /repos/{owner}/{repo}/commits/{ref}/check-runs` has them for the pull request's head. */
  readonly checks: CheckRuns;
  /** As `GET /repos/{owner}/{repo}/pulls/{pull_number}/comments` has them. */
  readonly comments: readonly { readonly body: string }[];
  /** By GraphQL: what `statusOf` makes of an answer to `STATUS_FRAGMENT`. */
  readonly status: PullStatus;
}

/** The reads in front of a pull request's status; each is a list's first page of 100. */
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
