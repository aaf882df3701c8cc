import type { Origins } from "../wire.js";
import type { CommentRecord, IssueRecord, LabelRecord, RepositoryRecord, UserRecord } from "../world/entities.js";
import { simpleUser } from "./render-accounts.js";
import { fullName, repositoryUrl } from "./render-repositories.js";
import { iso, isoOrNull, nodeId } from "./render-values.js";

export function label(record: LabelRecord, repository: RepositoryRecord, origins: Origins): Record<string, unknown> {
  return {
    id: record.id,
    node_id: nodeId("Label", record.id),
    url: `${repositoryUrl(repository, origins)}/labels/${encodeURIComponent(record.name)}`,
    name: record.name,
    color: record.color,
    default: record.default,
    description: record.description,
  };
}

/** How a user stands to a repository, as `author_association` says it. */
export function association(user: UserRecord, repository: RepositoryRecord): string {
  if (user === repository.owner) return "OWNER";
  return repository.collaborators.has(user.id) ? "COLLABORATOR" : "NONE";
}

/** An issue, or a pull request as the issues API shows it. `single` adds what lists leave out. */
export function issue(
  record: IssueRecord,
  repository: RepositoryRecord,
  origins: Origins,
  single = false,
): Record<string, unknown> {
  const url = `${repositoryUrl(repository, origins)}/issues/${record.number}`;
  const kind = record.pull === undefined ? "issues" : "pull";
  const html = `${origins.html}/${fullName(repository)}/${kind}/${record.number}`;
  const assignees = record.assignees.map((user) => simpleUser(user, origins));
  return {
    url,
    repository_url: repositoryUrl(repository, origins),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: html,
    id: record.id,
    node_id: nodeId(record.pull === undefined ? "Issue" : "PullRequest", record.id),
    number: record.number,
    title: record.title,
    user: simpleUser(record.user, origins),
    labels: record.labels.map((one) => label(one, repository, origins)),
    state: record.state,
    locked: record.locked,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: null,
    comments: record.comments.length,
    created_at: iso(record.createdAt),
    updated_at: iso(record.updatedAt),
    closed_at: isoOrNull(record.closedAt),
    author_association: association(record.user, repository),
    active_lock_reason: null,
    ...(record.pull === undefined
      ? {}
      : { draft: record.pull.draft, pull_request: pullLinks(record, repository, origins, html) }),
    body: record.body,
    ...(single ? { closed_by: record.closedBy === null ? null : simpleUser(record.closedBy, origins) } : {}),
    reactions: reactions(`${url}/reactions`),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    state_reason: record.stateReason,
  };
}

export function comment(
  record: CommentRecord,
  on: IssueRecord,
  repository: RepositoryRecord,
  origins: Origins,
): Record<string, unknown> {
  const url = `${repositoryUrl(repository, origins)}/issues/comments/${record.id}`;
  const kind = on.pull === undefined ? "issues" : "pull";
  return {
    url,
    html_url: `${origins.html}/${fullName(repository)}/${kind}/${on.number}#issuecomment-${record.id}`,
    issue_url: `${repositoryUrl(repository, origins)}/issues/${on.number}`,
    id: record.id,
    node_id: nodeId("IssueComment", record.id),
    user: simpleUser(record.user, origins),
    created_at: iso(record.createdAt),
    updated_at: iso(record.updatedAt),
    author_association: association(record.user, repository),
    body: record.body,
    reactions: reactions(`${url}/reactions`),
    performed_via_github_app: null,
  };
}

export function reactions(url: string): Record<string, unknown> {
  return { url, total_count: 0, "+1": 0, "-1": 0, laugh: 0, hooray: 0, confused: 0, heart: 0, rocket: 0, eyes: 0 };
}

function pullLinks(
  record: IssueRecord,
  repository: RepositoryRecord,
  origins: Origins,
  html: string,
): Record<string, unknown> {
  return {
    url: `${repositoryUrl(repository, origins)}/pulls/${record.number}`,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    merged_at: isoOrNull(record.pull?.mergedAt ?? null),
  };
}
