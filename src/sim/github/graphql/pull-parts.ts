import type { CommitRecord, PullRecord, ReviewRecord, UserRecord } from "../world/entities.js";
import type { CommitSource, IssueSource, ReviewCommentSource, ReviewSource } from "./sources.js";
import { pullOf } from "./sources.js";

/** A review as a GraphQL object. */
export const reviewOf = ({ repository, record: on }: IssueSource, record: ReviewRecord): ReviewSource => ({
  __typename: "PullRequestReview",
  record,
  repository,
  on,
});

/** What the reviews come to, or null when nobody approved or asked for changes. */
export function decision(pull: PullRecord): string | null {
  const latest = new Map<UserRecord, string>();
  for (const one of pull.reviews) if (one.state !== "COMMENTED") latest.set(one.user, one.state);
  const states = [...latest.values()];
  if (states.includes("CHANGES_REQUESTED")) return "CHANGES_REQUESTED";
  return states.includes("APPROVED") ? "APPROVED" : null;
}

/** The last review of each reviewer. */
export function latestReviews(pull: PullRecord): ReviewRecord[] {
  return [...new Map(pull.reviews.map((one) => [one.user, one])).values()];
}

/** The review comments of a pull request, or of one of its reviews. */
export const reviewCommentsOf = ({ repository, record }: IssueSource, reviewId?: number): ReviewCommentSource[] =>
  (record.pull?.reviewComments ?? [])
    .filter((one) => reviewId === undefined || one.reviewId === reviewId)
    .map((one) => ({ __typename: "PullRequestReviewComment", record: one, repository, on: record }));

/** The files that a pull request changes, counted as REST counts them. */
export function changedFiles(source: IssueSource): unknown[] {
  const head = source.repository.commits.get(pullOf(source).headSha);
  return (head?.changedPaths ?? []).map((path) => ({
    path,
    additions: 1,
    deletions: 0,
    changeType: head?.files.has(path) === true ? "MODIFIED" : "DELETED",
  }));
}

/** The commit that merging an open pull request would make; null once it is merged, or where a branch is missing. */
export function potentialMerge(source: IssueSource): CommitSource | null {
  const { repository, record: on } = source;
  const pull = pullOf(source);
  const head = repository.commits.get(pull.headSha);
  if (pull.mergedAt !== null || pull.mergeCommitSha === null || head === undefined) return null;
  const record: CommitRecord = {
    ...head,
    sha: pull.mergeCommitSha,
    parents: [pull.baseSha, pull.headSha],
    message: `Merge ${pull.headSha} into ${pull.baseSha}`,
    author: on.user,
    authoredAt: on.updatedAt,
  };
  return { __typename: "Commit", record, repository };
}
