import type { Origins } from "../wire.js";
import type { CheckRunRecord, CommitRecord, RepositoryRecord, StatusRecord, UserRecord } from "../world/entities.js";
import { simpleUser } from "./render-accounts.js";
import { fullName, repositoryUrl } from "./render-repositories.js";
import { iso, isoOrNull, nodeId } from "./render-values.js";

function signature(user: UserRecord, at: number): Record<string, unknown> {
  return {
    name: user.name ?? user.login,
    email: user.email ?? `${user.id}+${user.login}@users.noreply.github.com`,
    date: iso(at),
  };
}

const UNSIGNED = { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null };

/** A commit as git knows it. */
export function gitCommit(
  record: CommitRecord,
  repository: RepositoryRecord,
  origins: Origins,
): Record<string, unknown> {
  const url = repositoryUrl(repository, origins);
  const html = `${origins.html}/${fullName(repository)}/commit`;
  return {
    sha: record.sha,
    node_id: nodeId("Commit", record.sha),
    url: `${url}/git/commits/${record.sha}`,
    html_url: `${html}/${record.sha}`,
    author: signature(record.author, record.authoredAt),
    committer: signature(record.author, record.authoredAt),
    tree: { sha: record.treeSha, url: `${url}/git/trees/${record.treeSha}` },
    message: record.message,
    parents: record.parents.map((sha) => ({ sha, url: `${url}/git/commits/${sha}`, html_url: `${html}/${sha}` })),
    verification: UNSIGNED,
  };
}

/** A commit as GitHub shows it; `single` adds the files. */
export function commit(
  record: CommitRecord,
  repository: RepositoryRecord,
  origins: Origins,
  single = false,
): Record<string, unknown> {
  const url = repositoryUrl(repository, origins);
  const html = `${origins.html}/${fullName(repository)}`;
  const user = simpleUser(record.author, origins);
  return {
    sha: record.sha,
    node_id: nodeId("Commit", record.sha),
    commit: {
      author: signature(record.author, record.authoredAt),
      committer: signature(record.author, record.authoredAt),
      message: record.message,
      tree: { sha: record.treeSha, url: `${url}/git/trees/${record.treeSha}` },
      url: `${url}/git/commits/${record.sha}`,
      comment_count: 0,
      verification: UNSIGNED,
    },
    url: `${url}/commits/${record.sha}`,
    html_url: `${html}/commit/${record.sha}`,
    comments_url: `${url}/commits/${record.sha}/comments`,
    author: user,
    committer: user,
    parents: record.parents.map((sha) => ({ sha, url: `${url}/commits/${sha}`, html_url: `${html}/commit/${sha}` })),
    ...(single ? changes(record, url, html) : {}),
  };
}

function changes(record: CommitRecord, url: string, html: string): Record<string, unknown> {
  const files = record.changedPaths.map((path) => ({
    sha: record.files.get(path)?.sha ?? null,
    filename: path,
    status: record.files.has(path) ? "modified" : "removed",
    additions: 1,
    deletions: 0,
    changes: 1,
    blob_url: `${html}/blob/${record.sha}/${path}`,
    raw_url: `${html}/raw/${record.sha}/${path}`,
    contents_url: `${url}/contents/${path}?ref=${record.sha}`,
  }));
  return { stats: { total: files.length, additions: files.length, deletions: 0 }, files };
}

export function checkRun(
  record: CheckRunRecord,
  repository: RepositoryRecord,
  origins: Origins,
): Record<string, unknown> {
  const url = `${repositoryUrl(repository, origins)}/check-runs/${record.id}`;
  const html = `${origins.html}/${fullName(repository)}/runs/${record.id}`;
  return {
    id: record.id,
    name: record.name,
    node_id: nodeId("CheckRun", record.id),
    head_sha: record.headSha,
    external_id: "",
    url,
    html_url: html,
    details_url: html,
    status: record.status,
    conclusion: record.conclusion,
    started_at: iso(record.startedAt),
    completed_at: isoOrNull(record.completedAt),
    output: {
      title: record.title,
      summary: record.summary,
      text: null,
      annotations_count: 0,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: record.id },
    app: null,
    pull_requests: [],
  };
}

export function status(
  record: StatusRecord,
  repository: RepositoryRecord,
  origins: Origins,
  withCreator = true,
): Record<string, unknown> {
  return {
    url: `${repositoryUrl(repository, origins)}/statuses/${record.sha}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${record.creator.id}?v=4`,
    id: record.id,
    node_id: nodeId("StatusContext", record.id),
    state: record.state,
    description: record.description,
    target_url: record.targetUrl,
    context: record.context,
    created_at: iso(record.createdAt),
    updated_at: iso(record.createdAt),
    ...(withCreator ? { creator: simpleUser(record.creator, origins) } : {}),
  };
}

/** A git reference. */
export function reference(
  name: string,
  sha: string,
  repository: RepositoryRecord,
  origins: Origins,
): Record<string, unknown> {
  const url = repositoryUrl(repository, origins);
  return {
    ref: name,
    node_id: nodeId("Ref", `${repository.id}:${name}`),
    url: `${url}/git/${name}`,
    object: { sha, type: "commit", url: `${url}/git/commits/${sha}` },
  };
}
