import { isoOrNull, nodeId } from "../rest/render-values.js";
import { mergeState } from "../world/merge-state.js";
import { type ConnectionArgs, connect } from "./connections.js";
import { refOf } from "./git-objects.js";
import { issueFields, issuePath } from "./issue-fields.js";
import { changedFiles, decision, latestReviews, potentialMerge, reviewCommentsOf, reviewOf } from "./pull-parts.js";
import type { ResolverContext, Resolvers } from "./resolver-context.js";
import { account, type CommitSource, commitOf, type IssueSource, pullOf, repositoryOf } from "./sources.js";
import { statusCheckRollup } from "./status-check-rollup.js";

const headOf = (source: IssueSource): CommitSource | null => commitOf(source.repository, pullOf(source).headSha);

/** Pull requests. */
export const pullResolvers: Resolvers = {
  PullRequest: {
    ...issueFields,
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
      return connect(chosen, args, (one) => reviewOf(source, one));
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
            `${origins.html}${issuePath(source)}/commits/${commit.record.sha}`,
          resourcePath: `${issuePath(source)}/commits/${commit.record.sha}`,
        }),
      ),
    headRefName: (source: IssueSource) => pullOf(source).headRef,
    headRefOid: (source: IssueSource) => pullOf(source).headSha,
    baseRefName: (source: IssueSource) => pullOf(source).baseRef,
    baseRefOid: (source: IssueSource) => pullOf(source).baseSha,
    headRef: (source: IssueSource) => refOf(source.repository, `refs/heads/${pullOf(source).headRef}`),
    baseRef: (source: IssueSource) => refOf(source.repository, `refs/heads/${pullOf(source).baseRef}`),
    additions: (source: IssueSource) => pullOf(source).additions,
    deletions: (source: IssueSource) => pullOf(source).deletions,
    changedFiles: (source: IssueSource) => pullOf(source).changedFiles,
    reviewDecision: (source: IssueSource) => decision(pullOf(source)),
    statusCheckRollup: (source: IssueSource) => statusCheckRollup(headOf(source)),
    // There are no forks in the world.
    headRepository: ({ repository }: IssueSource) => repositoryOf(repository),
    headRepositoryOwner: ({ repository }: IssueSource) => account(repository.owner),
    isCrossRepository: () => false,
    maintainerCanModify: () => false,
    mergeCommit: (source: IssueSource) =>
      pullOf(source).mergedAt === null ? null : commitOf(source.repository, pullOf(source).mergeCommitSha ?? ""),
    potentialMergeCommit: potentialMerge,
    mergeStateStatus: (source: IssueSource) =>
      mergeState(source.record, pullOf(source), source.repository).toUpperCase(),
    files: (source: IssueSource, args) => connect(changedFiles(source), args, (one) => one),
    latestReviews: (source: IssueSource, args) =>
      connect(latestReviews(pullOf(source)), args, (one) => reviewOf(source, one)),
    reviewRequests: (source: IssueSource, args) =>
      connect(pullOf(source).requestedReviewers, args, (one) => ({
        __typename: "ReviewRequest",
        id: `RRQ_${source.record.id}_${one.id}`,
        asCodeOwner: false,
        pullRequest: source,
        requestedReviewer: account(one),
      })),
  },
};
