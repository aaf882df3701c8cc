import { association } from "../rest/render-issues.js";
import { iso, nodeId } from "../rest/render-values.js";
import { connect } from "./connections.js";
import { issuePath } from "./issue-fields.js";
import { reviewCommentsOf } from "./pull-parts.js";
import { noReactions } from "./reactions.js";
import type { Resolvers } from "./resolver-context.js";
import { account, commitOf, issueOf, type ReviewCommentSource, type ReviewSource } from "./sources.js";

/** Reviews of pull requests, their comments and threads. */
export const reviewResolvers: Resolvers = {
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
      `${origins.html}${issuePath(issueOf(repository, on))}#pullrequestreview-${record.id}`,
    comments: ({ record, repository, on }: ReviewSource, args) =>
      connect(reviewCommentsOf(issueOf(repository, on), record.id), args, (one) => one),
    pullRequest: ({ repository, on }: ReviewSource) => issueOf(repository, on),
    commit: ({ record, repository }: ReviewSource) => commitOf(repository, record.commitSha),
    reactionGroups: noReactions,
    viewerDidAuthor: ({ record }: ReviewSource, _args, { viewer }) => record.user === viewer,
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
      `${origins.html}${issuePath(issueOf(repository, on))}#discussion_r${record.id}`,
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
