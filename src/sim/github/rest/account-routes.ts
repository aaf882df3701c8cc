import type { RepositoryRecord, UserRecord } from "../world/entities.js";
import { star, withoutUndefined } from "../world/repositories.js";
import { permissionOf } from "../world/visibility.js";
import { list } from "./pages.js";
import { fullUser, organization, simpleUser } from "./render-accounts.js";
import { repositoryItem } from "./render-repositories.js";
import {
  json,
  noContent,
  notFound,
  problem,
  type Route,
  type RouteAnswer,
  type RouteContext,
  repositoryRoute,
  route,
  textField,
} from "./route.js";

const REQUIRES_AUTHENTICATION = problem(401, "Requires authentication");

function asUser(
  handle: (context: RouteContext, user: UserRecord) => RouteAnswer,
): (context: RouteContext) => RouteAnswer {
  return (context) => {
    if (context.credential.kind === "user-token") return handle(context, context.credential.user);
    return context.actor === undefined
      ? REQUIRES_AUTHENTICATION
      : problem(403, "Resource not accessible by integration");
  };
}

function visible(context: RouteContext, chosen: (repository: RepositoryRecord) => boolean): RepositoryRecord[] {
  const { state, credential } = context;
  return [...state.repositoriesById.values()].filter(
    (one) => chosen(one) && permissionOf(credential, one) !== undefined,
  );
}

function repositoryList(context: RouteContext, repositories: readonly RepositoryRecord[], path?: string): RouteAnswer {
  const render = (one: RepositoryRecord) => repositoryItem(one, context.origins, permissionOf(context.credential, one));
  const byName = [...repositories].sort((a, b) => (a.name < b.name ? -1 : 1));
  const sorted =
    context.query.get("sort") === "updated" ? byName.sort((a, b) => b.updatedAt - a.updatedAt || b.id - a.id) : byName;
  return list(context, sorted, render, path === undefined ? {} : { path });
}

function account(context: RouteContext, type?: "Organization"): UserRecord | undefined {
  const user = context.state.users.get((context.params.username ?? context.params.org ?? "").toLowerCase());
  return type === undefined || user?.type === type ? user : undefined;
}

/** Users, organizations, stars. */
export const accountRoutes: readonly Route[] = [
  route(
    "GET /user",
    "/users/users#get-the-authenticated-user",
    asUser((context, user) => ({
      ...json(fullUser(user, context.state, context.origins, true)),
      lastModifiedAt: user.updatedAt,
    })),
  ),
  route(
    "PATCH /user",
    "/users/users#update-the-authenticated-user",
    asUser((context, user) => {
      const change = {
        name: textField(context, "name"),
        bio: textField(context, "bio"),
        company: textField(context, "company"),
        email: textField(context, "email"),
      };
      Object.assign(user, withoutUndefined(change));
      user.updatedAt = context.state.now();
      context.state.touchIdentities();
      return json(fullUser(user, context.state, context.origins, true));
    }),
  ),
  route(
    "GET /user/repos",
    "/repos/repos#list-repositories-for-the-authenticated-user",
    asUser((context, user) =>
      repositoryList(
        context,
        visible(context, (one) => one.owner === user || one.collaborators.has(user.id)),
      ),
    ),
  ),
  route(
    "GET /user/starred",
    "/activity/starring#list-repositories-starred-by-the-authenticated-user",
    asUser((context, user) =>
      repositoryList(
        context,
        visible(context, (one) => user.starred.has(one.id)),
      ),
    ),
  ),
  repositoryRoute(
    "GET /user/starred/{owner}/{repo}",
    "/activity/starring#check-if-a-repository-is-starred-by-the-authenticated-user",
    (context) => {
      if (context.actor === undefined) return REQUIRES_AUTHENTICATION;
      return context.repository.stargazers.has(context.actor.id) ? noContent : notFound;
    },
  ),
  repositoryRoute(
    "PUT /user/starred/{owner}/{repo}",
    "/activity/starring#star-a-repository-for-the-authenticated-user",
    (context) => {
      if (context.actor === undefined) return REQUIRES_AUTHENTICATION;
      star(context.state, context.actor, context.repository, true);
      return noContent;
    },
  ),
  repositoryRoute(
    "DELETE /user/starred/{owner}/{repo}",
    "/activity/starring#unstar-a-repository-for-the-authenticated-user",
    (context) => {
      if (context.actor === undefined) return REQUIRES_AUTHENTICATION;
      star(context.state, context.actor, context.repository, false);
      return noContent;
    },
  ),
  route(
    "GET /user/orgs",
    "/orgs/orgs#list-organizations-for-the-authenticated-user",
    asUser((context) =>
      list(
        context,
        [...context.state.usersById.values()].filter((one) => one.type === "Organization"),
        (one) => simpleUser(one, context.origins),
      ),
    ),
  ),
  route("GET /users/{username}", "/users/users#get-a-user", (context) => {
    const user = account(context);
    return user === undefined
      ? notFound
      : { ...json(fullUser(user, context.state, context.origins, false)), lastModifiedAt: user.updatedAt };
  }),
  route("GET /users/{username}/repos", "/repos/repos#list-repositories-for-a-user", (context) => {
    const user = account(context);
    return user === undefined
      ? notFound
      : repositoryList(
          context,
          visible(context, (one) => one.owner === user),
          `/user/${user.id}/repos`,
        );
  }),
  route("GET /orgs/{org}", "/orgs/orgs#get-an-organization", (context) => {
    const org = account(context, "Organization");
    return org === undefined
      ? notFound
      : { ...json(organization(org, context.state, context.origins)), lastModifiedAt: org.updatedAt };
  }),
  route("GET /orgs/{org}/repos", "/repos/repos#list-organization-repositories", (context) => {
    const org = account(context, "Organization");
    return org === undefined
      ? notFound
      : repositoryList(
          context,
          visible(context, (one) => one.owner === org),
          `/organizations/${org.id}/repos`,
        );
  }),
];
