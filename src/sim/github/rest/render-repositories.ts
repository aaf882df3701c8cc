import type { Origins } from "../wire.js";
import type { Permission, RepositoryRecord } from "../world/entities.js";
import { allows } from "../world/visibility.js";
import { simpleUser } from "./render-accounts.js";
import { iso, nodeId } from "./render-values.js";

/** Where a repository lies in the API. */
export function repositoryUrl(repository: RepositoryRecord, { api }: Origins): string {
  return `${api}/repos/${repository.owner.login}/${repository.name}`;
}

export function fullName(repository: RepositoryRecord): string {
  return `${repository.owner.login}/${repository.name}`;
}

/** A repository with just its addresses, as in combined statuses and notifications. */
export function minimalRepository(repository: RepositoryRecord, origins: Origins): Record<string, unknown> {
  const url = repositoryUrl(repository, origins);
  return {
    id: repository.id,
    node_id: nodeId("Repository", repository.id),
    name: repository.name,
    full_name: fullName(repository),
    private: repository.private,
    owner: simpleUser(repository.owner, origins),
    html_url: `${origins.html}/${fullName(repository)}`,
    description: repository.description,
    fork: false,
    url,
    forks_url: `${url}/forks`,
    keys_url: `${url}/keys{/key_id}`,
    collaborators_url: `${url}/collaborators{/collaborator}`,
    teams_url: `${url}/teams`,
    hooks_url: `${url}/hooks`,
    issue_events_url: `${url}/issues/events{/number}`,
    events_url: `${url}/events`,
    assignees_url: `${url}/assignees{/user}`,
    branches_url: `${url}/branches{/branch}`,
    tags_url: `${url}/tags`,
    blobs_url: `${url}/git/blobs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    trees_url: `${url}/git/trees{/sha}`,
    statuses_url: `${url}/statuses/{sha}`,
    languages_url: `${url}/languages`,
    stargazers_url: `${url}/stargazers`,
    contributors_url: `${url}/contributors`,
    subscribers_url: `${url}/subscribers`,
    subscription_url: `${url}/subscription`,
    commits_url: `${url}/commits{/sha}`,
    git_commits_url: `${url}/git/commits{/sha}`,
    comments_url: `${url}/comments{/number}`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    contents_url: `${url}/contents/{+path}`,
    compare_url: `${url}/compare/{base}...{head}`,
    merges_url: `${url}/merges`,
    archive_url: `${url}/{archive_format}{/ref}`,
    downloads_url: `${url}/downloads`,
    issues_url: `${url}/issues{/number}`,
    pulls_url: `${url}/pulls{/number}`,
    milestones_url: `${url}/milestones{/number}`,
    notifications_url: `${url}/notifications{?since,all,participating}`,
    labels_url: `${url}/labels{/name}`,
    releases_url: `${url}/releases{/id}`,
    deployments_url: `${url}/deployments`,
  };
}

/** A repository as in lists and inside pull requests. `permission` is the viewer's; without one, none is shown. */
export function repositoryItem(
  repository: RepositoryRecord,
  origins: Origins,
  permission?: Permission,
): Record<string, unknown> {
  const name = fullName(repository);
  const html = `${origins.html}/${name}`;
  const host = new URL(origins.html).host;
  const open = repository.issues.filter((issue) => issue.state === "open").length;
  const stars = repository.stargazers.size;
  return {
    ...minimalRepository(repository, origins),
    created_at: iso(repository.createdAt),
    updated_at: iso(repository.updatedAt),
    pushed_at: iso(repository.pushedAt),
    git_url: `git://${host}/${name}.git`,
    ssh_url: `git@${host}:${name}.git`,
    clone_url: `${html}.git`,
    svn_url: html,
    homepage: repository.homepage,
    size: 108,
    stargazers_count: stars,
    watchers_count: stars,
    language: repository.language,
    has_issues: repository.hasIssues,
    has_projects: true,
    has_discussions: false,
    has_downloads: true,
    has_wiki: true,
    has_pages: false,
    forks_count: 0,
    mirror_url: null,
    archived: repository.archived,
    disabled: false,
    open_issues_count: open,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: repository.topics,
    visibility: repository.private ? "private" : "public",
    forks: 0,
    open_issues: open,
    watchers: stars,
    default_branch: repository.defaultBranch,
    ...(permission === undefined ? {} : { permissions: permissions(permission) }),
  };
}

/** A repository on its own. */
export function fullRepository(
  repository: RepositoryRecord,
  origins: Origins,
  permission: Permission | undefined,
): Record<string, unknown> {
  const mayPush = allows(permission, "write");
  return {
    ...repositoryItem(repository, origins, permission),
    temp_clone_token: repository.private ? "" : null,
    ...(mayPush
      ? {
          allow_squash_merge: true,
          allow_merge_commit: true,
          allow_rebase_merge: true,
          allow_auto_merge: false,
          delete_branch_on_merge: false,
          allow_update_branch: false,
          use_squash_pr_title_as_default: false,
        }
      : {}),
    ...(repository.owner.type === "Organization" ? { organization: simpleUser(repository.owner, origins) } : {}),
    network_count: 0,
    subscribers_count: 1,
  };
}

function permissions(permission: Permission): Record<string, boolean> {
  return {
    admin: allows(permission, "admin"),
    maintain: allows(permission, "maintain"),
    push: allows(permission, "write"),
    triage: allows(permission, "triage"),
    pull: true,
  };
}
