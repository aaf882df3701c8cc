import type {
  IssueRecord,
  PullRecord,
  RepositoryRecord,
  ReviewCommentRecord,
  ReviewRecord,
} from "../world/entities.js";
import { addPullRequest, addReview, addReviewComment, changeIssue, mergePullRequest } from "../world/issues.js";
import { byId, issueChange, selectIssues } from "./issue-routes.js";
import { list } from "./pages.js";
import { commit } from "./render-commits.js";
import { pullItem, pullSingle, review, reviewComment } from "./render-pulls.js";
import { repositoryItem } from "./render-repositories.js";
import {
  invalid,
  issueRoute,
  json,
  notFound,
  problem,
  type RepositoryContext,
  type Route,
  type RouteAnswer,
  refuseUnless,
  repositoryRoute,
  textField,
} from "./route.js";

type PullContext = RepositoryContext & { readonly issue: IssueRecord; readonly pull: PullRecord };

function pullRoute(name: string, docs: string, handle: (context: PullContext) => RouteAnswer): Route {
  return issueRoute(name, docs, (context) =>
    context.issue.pull === undefined ? notFound : handle({ ...context, pull: context.issue.pull }),
  );
}

function pulls(repository: RepositoryRecord): IssueRecord[] {
  return repository.issues.filter((one) => one.pull !== undefined);
}

interface ReviewedLine {
  readonly issue: IssueRecord;
  readonly comment: ReviewCommentRecord;
}

/** All review comments of a repository, in the order and selection that the query asks for: by default by id. */
function reviewedLines({ repository, query }: RepositoryContext): ReviewedLine[] {
  const since = query.get("since");
  const lines = pulls(repository)
    .flatMap((issue) => (issue.pull?.reviewComments ?? []).map((comment) => ({ issue, comment })))
    .filter(({ comment }) => since === null || comment.updatedAt >= Date.parse(since));
  const sort = query.get("sort");
  // `direction` means nothing without `sort`.
  const sign = sort !== null && query.get("direction") !== "asc" ? -1 : 1;
  const timeOf = ({ comment }: ReviewedLine): number =>
    sort === "updated" ? comment.updatedAt : sort === null ? 0 : comment.createdAt;
  return lines.sort((a, b) => sign * (timeOf(a) - timeOf(b) || a.comment.id - b.comment.id));
}

/** Pull requests, their reviews and review comments. */
export const pullRoutes: readonly Route[] = [
  repositoryRoute("GET /repos/{owner}/{repo}/pulls", "/pulls/pulls#list-pull-requests", (context) => {
    const { repository, origins, query } = context;
    const head = query.get("head")?.split(":").pop();
    const base = query.get("base");
    const chosen = selectIssues(context, pulls(repository)).filter(
      (one) => (head === undefined || one.pull?.headRef === head) && (base === null || one.pull?.baseRef === base),
    );
    const inRepository = repositoryItem(repository, origins);
    return list(
      context,
      chosen,
      (one) => pullItem(one, one.pull as PullRecord, repository, origins, inRepository),
      byId(repository, "/pulls"),
    );
  }),
  repositoryRoute("POST /repos/{owner}/{repo}/pulls", "/pulls/pulls#create-a-pull-request", (context) => {
    const refusal = refuseUnless(context, "write");
    if (refusal !== undefined) return refusal;
    const title = textField(context, "title");
    const head = textField(context, "head")?.split(":").pop();
    const base = textField(context, "base");
    if (title === undefined) return invalid("PullRequest", "title", "missing_field");
    if (head === undefined || !context.repository.refs.has(`refs/heads/${head}`))
      return invalid("PullRequest", "head", "invalid");
    if (base === undefined || !context.repository.refs.has(`refs/heads/${base}`))
      return invalid("PullRequest", "base", "invalid");
    const user = context.actor?.login;
    const made = addPullRequest(context.state, context.repository, {
      title,
      head,
      base,
      body: textField(context, "body") ?? null,
      draft: context.json.draft === true,
      ...(user === undefined ? {} : { user }),
    });
    const value = pullSingle(made, made.pull as PullRecord, context.repository, context.origins);
    return { ...json(value, 201), headers: { location: String(value.url) } };
  }),
  pullRoute("GET /repos/{owner}/{repo}/pulls/{number}", "/pulls/pulls#get-a-pull-request", (context) => {
    if (/\.diff\b/.test(context.accept))
      return { status: 200, text: diffOf(context), contentType: "application/vnd.github.v3.diff; charset=utf-8" };
    return {
      ...json(pullSingle(context.issue, context.pull, context.repository, context.origins)),
      lastModifiedAt: context.issue.updatedAt,
    };
  }),
  pullRoute("PATCH /repos/{owner}/{repo}/pulls/{number}", "/pulls/pulls#update-a-pull-request", (context) => {
    const refusal = refuseUnless(context, "write");
    if (refusal !== undefined) return refusal;
    changeIssue(
      context.state,
      context.repository,
      context.issue,
      issueChange(context),
      context.actor ?? context.repository.owner,
    );
    return json(pullSingle(context.issue, context.pull, context.repository, context.origins));
  }),
  pullRoute("PUT /repos/{owner}/{repo}/pulls/{number}/merge", "/pulls/pulls#merge-a-pull-request", (context) => {
    const refusal = refuseUnless(context, "write");
    if (refusal !== undefined) return refusal;
    if (context.issue.state === "closed") return problem(405, "Pull Request is not mergeable");
    if (context.pull.draft) return problem(405, "Pull Request is still a draft");
    const expected = textField(context, "sha");
    if (expected !== undefined && expected !== context.pull.headSha)
      return problem(409, "Head branch was modified. Review and try the merge again.");
    const sha = mergePullRequest(
      context.state,
      context.repository,
      context.issue,
      context.actor ?? context.repository.owner,
    );
    return json({ sha, merged: true, message: "Pull Request successfully merged" });
  }),
  pullRoute("GET /repos/{owner}/{repo}/pulls/{number}/files", "/pulls/pulls#list-pull-requests-files", (context) => {
    const head = context.repository.commits.get(context.pull.headSha);
    const one = head === undefined ? {} : commit(head, context.repository, context.origins, true);
    return list(
      context,
      (one.files ?? []) as unknown[],
      (file) => file,
      byId(context.repository, `/pulls/${context.issue.number}/files`),
    );
  }),
  pullRoute(
    "GET /repos/{owner}/{repo}/pulls/{number}/commits",
    "/pulls/pulls#list-commits-on-a-pull-request",
    (context) => {
      const commits = context.pull.commits.flatMap((sha) => context.repository.commits.get(sha) ?? []);
      return list(
        context,
        commits,
        (one) => commit(one, context.repository, context.origins),
        byId(context.repository, `/pulls/${context.issue.number}/commits`),
      );
    },
  ),
  pullRoute(
    "GET /repos/{owner}/{repo}/pulls/{number}/comments",
    "/pulls/comments#list-review-comments-on-a-pull-request",
    (context) =>
      list(
        context,
        context.pull.reviewComments,
        (one) => reviewComment(one, context.issue, context.repository, context.origins),
        byId(context.repository, `/pulls/${context.issue.number}/comments`),
      ),
  ),
  repositoryRoute(
    "GET /repos/{owner}/{repo}/pulls/comments",
    "/pulls/comments#list-review-comments-in-a-repository",
    (context) => {
      const { repository, origins } = context;
      const rendered = (one: ReviewedLine) => reviewComment(one.comment, one.issue, repository, origins);
      return list(context, reviewedLines(context), rendered, byId(repository, "/pulls/comments"));
    },
  ),
  pullRoute(
    "POST /repos/{owner}/{repo}/pulls/{number}/comments",
    "/pulls/comments#create-a-review-comment-for-a-pull-request",
    (context) => {
      const refusal = refuseUnless(context, "read");
      if (refusal !== undefined) return refusal;
      const body = textField(context, "body");
      if (body === undefined) return invalid("PullRequestReviewComment", "body", "missing_field");
      const made = addReviewComment(context.state, context.repository, context.issue, {
        body,
        path: textField(context, "path") ?? "README.md",
        line: Number(context.json.line ?? 1),
        user: context.actor ?? context.repository.owner,
      });
      const value = reviewComment(made, context.issue, context.repository, context.origins);
      return { ...json(value, 201), headers: { location: String(value.url) } };
    },
  ),
  pullRoute(
    "GET /repos/{owner}/{repo}/pulls/{number}/reviews",
    "/pulls/reviews#list-reviews-for-a-pull-request",
    (context) =>
      list(
        context,
        context.pull.reviews,
        (one) => review(one, context.issue, context.repository, context.origins),
        byId(context.repository, `/pulls/${context.issue.number}/reviews`),
      ),
  ),
  pullRoute(
    "POST /repos/{owner}/{repo}/pulls/{number}/reviews",
    "/pulls/reviews#create-a-review-for-a-pull-request",
    (context) => {
      const refusal = refuseUnless(context, "read");
      if (refusal !== undefined) return refusal;
      const states: Readonly<Record<string, ReviewRecord["state"]>> = {
        APPROVE: "APPROVED",
        REQUEST_CHANGES: "CHANGES_REQUESTED",
        COMMENT: "COMMENTED",
      };
      const state = states[textField(context, "event") ?? "COMMENT"];
      if (state === undefined) return invalid("PullRequestReview", "event", "invalid");
      const made = addReview(context.state, context.repository, context.issue, {
        state,
        body: textField(context, "body") ?? "",
        user: context.actor ?? context.repository.owner,
      });
      return json(review(made, context.issue, context.repository, context.origins));
    },
  ),
];

function diffOf({ repository, pull }: PullContext): string {
  const paths = repository.commits.get(pull.headSha)?.changedPaths ?? [];
  return paths
    .map((path) => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-before\n+after\n`)
    .join("");
}
