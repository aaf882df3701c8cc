import { association } from "../rest/render-issues.js";
import { iso, isoOrNull, nodeId } from "../rest/render-values.js";
import type { PullRecord, UserRecord } from "../world/entities.js";
import { type ConnectionArgs, connect } from "./connections.js";
import { stateOf } from "./order-issues.js";
import type { ResolverContext, Resolvers } from "./resolver-context.js";
import {
  account,
  type CommentSource,
  type CommitSource,
  commentOf,
  commitOf,
  type IssueSource,
  issueOf,
  labelOf,
  type ReviewCommentSource,
  type ReviewSource,
  repositoryOf,
} from "./sources.js";
import { statusCheckRollup } from "./status-check-rollup.js";

const path = ({ record, repository }: IssueSource): string =>
  `/${repository.owner.login}/${repository.name}/${record.pull === undefined ? "issues" : "pull"}/${record.number}`;
const pullOf = ({ record }: IssueSource): PullRecord => record.pull as PullRecord;

const shared = {
  id: ({ record, __typename }: IssueSource) => nodeId(__typename, record.id),
  number: ({ record }: IssueSource) => record.number,
  title: ({ record }: IssueSource) => record.title,
  body: ({ record }: IssueSource) => record.body ?? "",
  bodyText: ({ record }: IssueSource) => record.body ?? "",
  state: ({ record }: IssueSource) => stateOf(record),
  locked: ({ record }: IssueSource) => record.locked,
  closed: ({ record }: IssueSource) => record.state === "closed",
  closedAt: ({ record }: IssueSource) => isoOrNull(record.closedAt),
  createdAt: ({ record }: IssueSource) => iso(record.createdAt),
  updatedAt: ({ record }: IssueSource) => iso(record.updatedAt),
  url: (source: IssueSource, _args: unknown, { origins }: ResolverContext) => `${origins.html}${path(source)}`,
  resourcePath: path,
  author: ({ record }: IssueSource) => account(record.user),
  authorAssociation: ({ record, repository }: IssueSource) => association(record.user, repository),
  labels: ({ record, repository }: IssueSource, args: object) =>
    connect(record.labels, args, (one) => labelOf(repository, one)),
  assignees: ({ record }: IssueSource, args: object) =>
    connect(
      record.assignees.filter((one) => one.type === "User"),
      args,
      account,
    ),
  comments: ({ record, repository }: IssueSource, args: object) =>
    connect(record.comments, args, (one) => commentOf(repository, record, one)),
  repository: ({ repository }: IssueSource) => repositoryOf(repository),
  viewerDidAuthor: ({ record }: IssueSource, _args: unknown, { viewer }: ResolverContext) => record.user === viewer,
};

function decision(pull: PullRecord): string | null {
  const latest = new Map<UserRecord, string>();
  for (const one of pull.reviews) if (one.state !== "COMMENTED") latest.set(one.user, one.state);
  const states = [...latest.values()];
  if (states.includes("CHANGES_REQUESTED")) return "CHANGES_REQUESTED";
  return states.includes("APPROVED") ? "APPROVED" : null;
}

const reviewCommentsOf = ({ repository, record }: IssueSource, reviewId?: number): ReviewCommentSource[] =>
  (record.pull?.reviewComments ?? [])
    .filter((one) => reviewId === undefined || one.reviewId === reviewId)
    .map((one) => ({ __typename: "PullRequestReviewComment", record: one, repository, on: record }));

const headOf = (source: IssueSource): CommitSource | null => commitOf(source.repository, pullOf(source).headSha);

/** Issues, pull requests, and what people say about them. */
export const issueResolvers: Resolvers = {
  Issue: {
    ...shared,
    databaseId: ({ record }: IssueSource) => record.id,
    stateReason: ({ record }: IssueSource) => record.stateReason?.toUpperCase() ?? null,
  },
  PullRequest: {
    ...shared,
    databaseId: (source: IssueSource) => pullOf(source).id,
    fullDatabaseId: (source: IssueSource) => String(pullOf(source).id),
    isDraft: (source: IssueSource) => pullOf(source).draft,
    merged: (source: IssueSource) => pullOf(source).mergedAt !== null,
    mergedAt: (source: IssueSource) => isoOrNull(pullOf(source).mergedAt),
    mergedBy: (source: IssueSource) => {
      const { mergedBy } = pullOf(source);
      return mergedBy === null ? null : account(mergedBy);
    },
    mergeable: ({ record }: IssueSource) => (record.state === "open" ? "MERGEABLE" : "UNKNOWN"),
    reviews: (
      source: IssueSource,
      args: ConnectionArgs & { states?: readonly string[] | null; author?: string | null },
    ) => {
      const chosen = pullOf(source).reviews.filter(
        (one) => (args.states ?? [one.state]).includes(one.state) && (args.author ?? one.user.login) === one.user.login,
      );
      return connect(
        chosen,
        args,
        (one): ReviewSource => ({
          __typename: "PullRequestReview",
          record: one,
          repository: source.repository,
          on: source.record,
        }),
      );
    },
    reviewThreads: (source: IssueSource, args) => connect(reviewCommentsOf(source), args, (one) => one),
    commits: (source: IssueSource, args) =>
      connect(
        pullOf(source).commits.flatMap((sha) => commitOf(source.repository, sha) ?? []),
        args,
        (commit) => ({
          __typename: "PullRequestCommit",
          id: nodeId("Commit", `${source.record.id}:${commit.record.sha}`),
          commit,
          pullRequest: source,
          url: (_: unknown, { origins }: ResolverContext) =>
            `${origins.html}${path(source)}/commits/${commit.record.sha}`,
          resourcePath: `${path(source)}/commits/${commit.record.sha}`,
        }),
      ),
    headRefName: (source: IssueSource) => pullOf(source).headRef,
    headRefOid: (source: IssueSource) => pullOf(source).headSha,
    baseRefName: (source: IssueSource) => pullOf(source).baseRef,
    baseRefOid: (source: IssueSource) => pullOf(source).baseSha,
    headRef: (source: IssueSource) => refNamed(source, pullOf(source).headRef),
    baseRef: (source: IssueSource) => refNamed(source, pullOf(source).baseRef),
    additions: (source: IssueSource) => pullOf(source).additions,
    deletions: (source: IssueSource) => pullOf(source).deletions,
    changedFiles: (source: IssueSource) => pullOf(source).changedFiles,
    reviewDecision: (source: IssueSource) => decision(pullOf(source)),
    statusCheckRollup: (source: IssueSource) => statusCheckRollup(headOf(source)),
  },
  IssueComment: {
    id: ({ record }: CommentSource) => nodeId("IssueComment", record.id),
    databaseId: ({ record }: CommentSource) => record.id,
    body: ({ record }: CommentSource) => record.body,
    bodyText: ({ record }: CommentSource) => record.body,
    createdAt: ({ record }: CommentSource) => iso(record.createdAt),
    updatedAt: ({ record }: CommentSource) => iso(record.updatedAt),
    author: ({ record }: CommentSource) => account(record.user),
    authorAssociation: ({ record, repository }: CommentSource) => association(record.user, repository),
    url: ({ record, repository, on }: CommentSource, _args, { origins }) =>
      `${origins.html}${path(issueOf(repository, on))}#issuecomment-${record.id}`,
    resourcePath: ({ record, repository, on }: CommentSource) =>
      `${path(issueOf(repository, on))}#issuecomment-${record.id}`,
    // The schema promises an Issue here, and GitHub gives one for pull requests too.
    issue: ({ repository, on }: CommentSource) => ({ ...issueOf(repository, on), __typename: "Issue" }),
    repository: ({ repository }: CommentSource) => repositoryOf(repository),
  },
  PullRequestReview: {
    id: ({ record }: ReviewSource) => nodeId("PullRequestReview", record.id),
    databaseId: ({ record }: ReviewSource) => record.id,
    author: ({ record }: ReviewSource) => account(record.user),
    authorAssociation: ({ record, repository }: ReviewSource) => association(record.user, repository),
    body: ({ record }: ReviewSource) => record.body,
    state: ({ record }: ReviewSource) => record.state,
    submittedAt: ({ record }: ReviewSource) => iso(record.submittedAt),
    createdAt: ({ record }: ReviewSource) => iso(record.submittedAt),
    updatedAt: ({ record }: ReviewSource) => iso(record.submittedAt),
    url: ({ record, repository, on }: ReviewSource, _args, { origins }) =>
      `${origins.html}${path(issueOf(repository, on))}#pullrequestreview-${record.id}`,
    comments: ({ record, repository, on }: ReviewSource, args) =>
      connect(reviewCommentsOf(issueOf(repository, on), record.id), args, (one) => one),
    pullRequest: ({ repository, on }: ReviewSource) => issueOf(repository, on),
  },
  PullRequestReviewComment: {
    id: ({ record }: ReviewCommentSource) => nodeId("PullRequestReviewComment", record.id),
    databaseId: ({ record }: ReviewCommentSource) => record.id,
    author: ({ record }: ReviewCommentSource) => account(record.user),
    body: ({ record }: ReviewCommentSource) => record.body,
    path: ({ record }: ReviewCommentSource) => record.path,
    line: ({ record }: ReviewCommentSource) => record.line,
    diffHunk: ({ record }: ReviewCommentSource) => `@@ -${record.line} +${record.line} @@`,
    createdAt: ({ record }: ReviewCommentSource) => iso(record.createdAt),
    updatedAt: ({ record }: ReviewCommentSource) => iso(record.updatedAt),
    url: ({ record, repository, on }: ReviewCommentSource, _args, { origins }) =>
      `${origins.html}${path(issueOf(repository, on))}#discussion_r${record.id}`,
    pullRequest: ({ repository, on }: ReviewCommentSource) => issueOf(repository, on),
  },
  PullRequestReviewThread: {
    id: ({ record }: ReviewCommentSource) => `PRRT_${record.id}`,
    isResolved: () => false,
    isOutdated: ({ record, on }: ReviewCommentSource) => record.commitSha !== on.pull?.headSha,
    path: ({ record }: ReviewCommentSource) => record.path,
    line: ({ record }: ReviewCommentSource) => record.line,
    comments: (source: ReviewCommentSource, args) => connect([source], args, (one) => one),
  },
};

function refNamed({ repository }: IssueSource, branch: string): unknown {
  const name = `refs/heads/${branch}`;
  const sha = repository.refs.get(name);
  return sha === undefined ? null : { __typename: "Ref", repository, name, sha };
}
