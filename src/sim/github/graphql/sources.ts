import type {
  CheckRunRecord,
  CommentRecord,
  CommitRecord,
  IssueRecord,
  LabelRecord,
  PullRecord,
  ReleaseRecord,
  RepositoryRecord,
  ReviewCommentRecord,
  ReviewRecord,
  StatusRecord,
  UserRecord,
} from "../world/entities.js";

/** A record as a GraphQL object: the type it has, and what it needs to know of its surroundings. */
export interface Source<T extends string, R> {
  readonly __typename: T;
  readonly record: R;
}

/** A source that lies in a repository. */
export interface InRepositorySource<T extends string, R> extends Source<T, R> {
  readonly repository: RepositoryRecord;
}

export type AccountSource = Source<"User" | "Organization" | "Bot", UserRecord>;
export type RepositorySource = Source<"Repository", RepositoryRecord>;
export type IssueSource = InRepositorySource<"Issue" | "PullRequest", IssueRecord>;
export type CommitSource = InRepositorySource<"Commit", CommitRecord>;
export type LabelSource = InRepositorySource<"Label", LabelRecord>;
export type CommentSource = InRepositorySource<"IssueComment", CommentRecord> & { readonly on: IssueRecord };
export type ReviewSource = InRepositorySource<"PullRequestReview", ReviewRecord> & { readonly on: IssueRecord };
export type ReviewCommentSource = InRepositorySource<"PullRequestReviewComment", ReviewCommentRecord> & {
  readonly on: IssueRecord;
};
export type CheckRunSource = InRepositorySource<"CheckRun", CheckRunRecord>;
export type StatusSource = InRepositorySource<"StatusContext", StatusRecord>;
export type ReleaseSource = InRepositorySource<"Release", ReleaseRecord>;

export const account = (record: UserRecord): AccountSource => ({ __typename: record.type, record });
export const repositoryOf = (record: RepositoryRecord): RepositorySource => ({ __typename: "Repository", record });
export const issueOf = (repository: RepositoryRecord, record: IssueRecord): IssueSource => ({
  __typename: record.pull === undefined ? "Issue" : "PullRequest",
  record,
  repository,
});
/** What a pull request has beyond an issue. */
export const pullOf = ({ record }: IssueSource): PullRecord => record.pull as PullRecord;
export const labelOf = (repository: RepositoryRecord, record: LabelRecord): LabelSource => ({
  __typename: "Label",
  record,
  repository,
});
export const commentOf = (repository: RepositoryRecord, on: IssueRecord, record: CommentRecord): CommentSource => ({
  __typename: "IssueComment",
  record,
  repository,
  on,
});
export const checkRunOf = (repository: RepositoryRecord, record: CheckRunRecord): CheckRunSource => ({
  __typename: "CheckRun",
  record,
  repository,
});

/** The commit of a SHA, or null. */
export function commitOf(repository: RepositoryRecord, sha: string | undefined): CommitSource | null {
  const record = repository.commits.get(sha ?? "");
  return record === undefined ? null : { __typename: "Commit", record, repository };
}
