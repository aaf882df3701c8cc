import type { Origins } from "../wire.js";
import type {
  IssueRecord,
  PullRecord,
  RepositoryRecord,
  ReviewCommentRecord,
  ReviewRecord,
} from "../world/entities.js";
import { mergeState } from "../world/merge-state.js";
import { simpleUser } from "./render-accounts.js";
import { association, label, reactions } from "./render-issues.js";
import { fullName, repositoryItem, repositoryUrl } from "./render-repositories.js";
import { iso, isoOrNull, nodeId } from "./render-values.js";

/** A pull request as in lists. `inRepository` is the rendered repository, for those who render many. */
export function pullItem(
  record: IssueRecord,
  pull: PullRecord,
  repository: RepositoryRecord,
  origins: Origins,
  inRepository: Readonly<Record<string, unknown>> = repositoryItem(repository, origins),
): Record<string, unknown> {
  const url = `${repositoryUrl(repository, origins)}/pulls/${record.number}`;
  const issueUrl = `${repositoryUrl(repository, origins)}/issues/${record.number}`;
  const html = `${origins.html}/${fullName(repository)}/pull/${record.number}`;
  const statuses = `${repositoryUrl(repository, origins)}/statuses/${pull.headSha}`;
  const assignees = record.assignees.map((user) => simpleUser(user, origins));
  const end = (ref: string, sha: string) => ({
    label: `${repository.owner.login}:${ref}`,
    ref,
    sha,
    user: simpleUser(repository.owner, origins),
    repo: inRepository,
  });
  return {
    url,
    id: pull.id,
    node_id: nodeId("PullRequest", record.id),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issueUrl,
    number: record.number,
    state: record.state,
    locked: record.locked,
    title: record.title,
    user: simpleUser(record.user, origins),
    body: record.body,
    created_at: iso(record.createdAt),
    updated_at: iso(record.updatedAt),
    closed_at: isoOrNull(record.closedAt),
    merged_at: isoOrNull(pull.mergedAt),
    merge_commit_sha: pull.mergeCommitSha,
    assignee: assignees[0] ?? null,
    assignees,
    requested_reviewers: pull.requestedReviewers.map((user) => simpleUser(user, origins)),
    requested_teams: [],
    labels: record.labels.map((one) => label(one, repository, origins)),
    milestone: null,
    draft: pull.draft,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${repositoryUrl(repository, origins)}/pulls/comments{/number}`,
    comments_url: `${issueUrl}/comments`,
    statuses_url: statuses,
    head: end(pull.headRef, pull.headSha),
    base: end(pull.baseRef, pull.baseSha),
    _links: {
      self: { href: url },
      html: { href: html },
      issue: { href: issueUrl },
      comments: { href: `${issueUrl}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${repositoryUrl(repository, origins)}/pulls/comments{/number}` },
      commits: { href: `${url}/commits` },
      statuses: { href: statuses },
    },
    author_association: association(record.user, repository),
    auto_merge: null,
    active_lock_reason: null,
  };
}

/** A pull request on its own. */
export function pullSingle(
  record: IssueRecord,
  pull: PullRecord,
  repository: RepositoryRecord,
  origins: Origins,
): Record<string, unknown> {
  const open = record.state === "open";
  return {
    ...pullItem(record, pull, repository, origins),
    merged: pull.mergedAt !== null,
    mergeable: open ? true : null,
    rebaseable: open ? true : null,
    mergeable_state: mergeState(record, pull, repository),
    merged_by: pull.mergedBy === null ? null : simpleUser(pull.mergedBy, origins),
    comments: record.comments.length,
    review_comments: pull.reviewComments.length,
    maintainer_can_modify: false,
    commits: pull.commits.length,
    additions: pull.additions,
    deletions: pull.deletions,
    changed_files: pull.changedFiles,
  };
}

export function reviewComment(
  record: ReviewCommentRecord,
  on: IssueRecord,
  repository: RepositoryRecord,
  origins: Origins,
): Record<string, unknown> {
  const url = `${repositoryUrl(repository, origins)}/pulls/comments/${record.id}`;
  const pullUrl = `${repositoryUrl(repository, origins)}/pulls/${on.number}`;
  const html = `${origins.html}/${fullName(repository)}/pull/${on.number}#discussion_r${record.id}`;
  return {
    url,
    pull_request_review_id: record.reviewId,
    id: record.id,
    node_id: nodeId("PullRequestReviewComment", record.id),
    diff_hunk: `@@ -${record.line},7 +${record.line},7 @@\n context\n-before\n+after`,
    path: record.path,
    position: record.line,
    original_position: record.line,
    commit_id: record.commitSha,
    original_commit_id: record.commitSha,
    user: simpleUser(record.user, origins),
    body: record.body,
    created_at: iso(record.createdAt),
    updated_at: iso(record.updatedAt),
    html_url: html,
    pull_request_url: pullUrl,
    author_association: association(record.user, repository),
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pullUrl } },
    reactions: reactions(`${url}/reactions`),
    start_line: null,
    original_start_line: null,
    start_side: null,
    line: record.line,
    original_line: record.line,
    side: "RIGHT",
    subject_type: "line",
  };
}

export function review(
  record: ReviewRecord,
  on: IssueRecord,
  repository: RepositoryRecord,
  origins: Origins,
): Record<string, unknown> {
  const pullUrl = `${repositoryUrl(repository, origins)}/pulls/${on.number}`;
  const html = `${origins.html}/${fullName(repository)}/pull/${on.number}#pullrequestreview-${record.id}`;
  return {
    id: record.id,
    node_id: nodeId("PullRequestReview", record.id),
    user: simpleUser(record.user, origins),
    body: record.body,
    state: record.state,
    html_url: html,
    pull_request_url: pullUrl,
    author_association: association(record.user, repository),
    _links: { html: { href: html }, pull_request: { href: pullUrl } },
    submitted_at: iso(record.submittedAt),
    commit_id: record.commitSha,
  };
}
