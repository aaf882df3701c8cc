import type { ReviewState } from "../world/entities.js";
import { addReview, type IssueChange, mergePullRequest } from "../world/issues.js";
import { change, demand, mutation, subject } from "./mutation.js";
import { reviewOf } from "./pull-parts.js";
import type { Resolver, ResolverContext } from "./resolver-context.js";
import { account, pullOf } from "./sources.js";

const REVIEW_STATES: Readonly<Record<string, ReviewState>> = {
  APPROVE: "APPROVED",
  COMMENT: "COMMENTED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
};

interface OnPull {
  readonly pullRequestId: string;
}

function pullChange(name: string, wanted: IssueChange): Resolver {
  return mutation(({ pullRequestId }: OnPull, context) => ({
    pullRequest: change(context, subject(context, pullRequestId, "PullRequest"), name, wanted),
  }));
}

interface Merge extends OnPull {
  readonly expectedHeadOid?: string | null;
}

function merge({ pullRequestId, expectedHeadOid }: Merge, context: ResolverContext): Readonly<Record<string, unknown>> {
  const on = subject(context, pullRequestId, "PullRequest");
  const { headSha, draft } = pullOf(on);
  demand(context, on.repository, "write", "MergePullRequest");
  if (on.record.state === "closed") throw context.problem("UNPROCESSABLE", "Pull Request is not mergeable");
  if (draft) throw context.problem("UNPROCESSABLE", "Pull Request is still a draft");
  if ((expectedHeadOid ?? headSha) !== headSha)
    throw context.problem("UNPROCESSABLE", "Head branch was modified. Review and try the merge again.");
  mergePullRequest(context.state, on.repository, on.record, context.viewer);
  return { pullRequest: on, actor: account(context.viewer) };
}

interface NewReview extends OnPull {
  readonly event?: string | null;
  readonly body?: string | null;
}

function review(
  { pullRequestId, event, body }: NewReview,
  context: ResolverContext,
): Readonly<Record<string, unknown>> {
  const on = subject(context, pullRequestId, "PullRequest");
  const state = REVIEW_STATES[event ?? ""];
  // Without an event GitHub keeps the review back until it is submitted, which nobody can do here.
  if (state === undefined)
    throw context.problem("UNPROCESSABLE", "The simulated GitHub takes reviews only with an event.");
  if (on.record.user === context.viewer && state !== "COMMENTED") {
    const what = state === "APPROVED" ? "approve" : "request changes on";
    throw context.problem("UNPROCESSABLE", `Can not ${what} your own pull request`);
  }
  const made = addReview(context.state, on.repository, on.record, { state, body: body ?? "", user: context.viewer });
  return { pullRequestReview: reviewOf(on, made) };
}

/** Mutations of pull requests. */
export const pullMutations: Readonly<Record<string, Resolver>> = {
  closePullRequest: pullChange("ClosePullRequest", { state: "closed" }),
  reopenPullRequest: mutation(({ pullRequestId }: OnPull, context) => {
    const on = subject(context, pullRequestId, "PullRequest");
    if (pullOf(on).mergedAt !== null) throw context.problem("UNPROCESSABLE", "Could not open the pull request.");
    return { pullRequest: change(context, on, "ReopenPullRequest", { state: "open" }) };
  }),
  markPullRequestReadyForReview: pullChange("MarkPullRequestReadyForReview", { draft: false }),
  convertPullRequestToDraft: pullChange("ConvertPullRequestToDraft", { draft: true }),
  mergePullRequest: mutation(merge),
  addPullRequestReview: mutation(review),
};
