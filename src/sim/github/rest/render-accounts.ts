import type { Origins } from "../wire.js";
import type { UserRecord } from "../world/entities.js";
import type { WorldState } from "../world/world-state.js";
import { iso, nodeId } from "./render-values.js";

/** A user as it appears inside other objects. */
export function simpleUser(user: UserRecord, { api, html }: Origins): Record<string, unknown> {
  const url = `${api}/users/${user.login}`;
  return {
    login: user.login,
    id: user.id,
    node_id: nodeId("User", user.id),
    avatar_url: `https://avatars.githubusercontent.com/u/${user.id}?v=4`,
    gravatar_id: "",
    url,
    html_url: `${html}/${user.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: user.type,
    site_admin: false,
  };
}

/** A user's profile; `own` adds what only the user sees. */
export function fullUser(user: UserRecord, state: WorldState, origins: Origins, own: boolean): Record<string, unknown> {
  const repositories = [...state.repositoriesById.values()].filter((repository) => repository.owner === user);
  const secret = repositories.filter((repository) => repository.private).length;
  return {
    ...simpleUser(user, origins),
    name: user.name,
    company: user.company,
    blog: "",
    location: null,
    email: user.email,
    hireable: null,
    bio: user.bio,
    twitter_username: null,
    public_repos: repositories.length - secret,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: iso(user.createdAt),
    updated_at: iso(user.updatedAt),
    ...(own
      ? {
          private_gists: 0,
          total_private_repos: secret,
          owned_private_repos: secret,
          disk_usage: repositories.length,
          collaborators: 0,
          two_factor_authentication: true,
          plan: { name: "pro", space: 976_562_499, collaborators: 0, private_repos: 9_999 },
        }
      : {}),
  };
}

export function organization(user: UserRecord, state: WorldState, { api, html }: Origins): Record<string, unknown> {
  const url = `${api}/orgs/${user.login}`;
  const repositories = [...state.repositoriesById.values()].filter((repository) => repository.owner === user);
  return {
    login: user.login,
    id: user.id,
    node_id: nodeId("Organization", user.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${user.id}?v=4`,
    description: user.bio,
    is_verified: false,
    has_organization_projects: true,
    has_repository_projects: true,
    public_repos: repositories.filter((repository) => !repository.private).length,
    public_gists: 0,
    followers: 0,
    following: 0,
    html_url: `${html}/${user.login}`,
    created_at: iso(user.createdAt),
    updated_at: iso(user.updatedAt),
    type: "Organization",
  };
}
