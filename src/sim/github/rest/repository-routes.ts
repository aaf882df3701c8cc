import { changeRepository, type RepositoryChange, renameRepository, withoutUndefined } from "../world/repositories.js";
import { byId } from "./issue-routes.js";
import { list, listByCursor } from "./pages.js";
import { simpleUser } from "./render-accounts.js";
import { fullName, fullRepository } from "./render-repositories.js";
import { iso } from "./render-values.js";
import { invalid, json, namesField, type Route, refuseUnless, repositoryRoute, textField } from "./route.js";

const POLL = { "x-poll-interval": "60" };

/** The repository itself, its stargazers and events. */
export const repositoryRoutes: readonly Route[] = [
  repositoryRoute("GET /repos/{owner}/{repo}", "/repos/repos#get-a-repository", (context) => ({
    ...json(
      fullRepository(context.repository, context.origins, context.actor === undefined ? undefined : context.permission),
    ),
    lastModifiedAt: Math.max(context.repository.updatedAt, context.repository.pushedAt),
  })),
  repositoryRoute("PATCH /repos/{owner}/{repo}", "/repos/repos#update-a-repository", (context) => {
    const refusal = refuseUnless({ ...context, repository: { ...context.repository, archived: false } }, "admin");
    if (refusal !== undefined) return refusal;
    const flag = (name: string): boolean | undefined =>
      typeof context.json[name] === "boolean" ? context.json[name] : undefined;
    const name = textField(context, "name");
    if (name !== undefined && name !== context.repository.name) {
      if (context.state.findRepository(context.repository.owner.login, name) !== undefined)
        return invalid("Repository", "name", "already_exists");
      renameRepository(context.state, context.repository, name);
    }
    const change = {
      private: flag("private"),
      archived: flag("archived"),
      hasIssues: flag("has_issues"),
      description: textField(context, "description"),
      homepage: textField(context, "homepage"),
      defaultBranch: textField(context, "default_branch"),
      topics: namesField(context, "topics"),
    };
    changeRepository(context.state, context.repository, withoutUndefined(change) as RepositoryChange);
    return json(fullRepository(context.repository, context.origins, context.permission));
  }),
  repositoryRoute("GET /repos/{owner}/{repo}/topics", "/repos/repos#get-all-repository-topics", (context) =>
    json({ names: context.repository.topics }),
  ),
  repositoryRoute("GET /repos/{owner}/{repo}/languages", "/repos/repos#list-repository-languages", (context) =>
    json(context.repository.language === null ? {} : { [context.repository.language]: 4_096 }),
  ),
  repositoryRoute("GET /repos/{owner}/{repo}/stargazers", "/activity/starring#list-stargazers", (context) => {
    const withTimes = context.accept.includes("star+json");
    return list(
      context,
      [...context.repository.stargazers.values()],
      (one) =>
        withTimes
          ? { starred_at: iso(one.starredAt), user: simpleUser(one.user, context.origins) }
          : simpleUser(one.user, context.origins),
      byId(context.repository, "/stargazers"),
    );
  }),
  repositoryRoute("GET /repos/{owner}/{repo}/events", "/activity/events#list-repository-events", (context) => {
    const { repository, origins, query } = context;
    const render = (one: (typeof repository.events)[number]) => ({
      id: String(one.id),
      type: one.type,
      actor: {
        id: one.actor.id,
        login: one.actor.login,
        display_login: one.actor.login,
        gravatar_id: "",
        url: `${origins.api}/users/${one.actor.login}`,
        avatar_url: `https://avatars.githubusercontent.com/u/${one.actor.id}?`,
      },
      repo: { id: repository.id, name: fullName(repository), url: `${origins.api}/repos/${fullName(repository)}` },
      payload: one.payload,
      public: !repository.private,
      created_at: iso(one.createdAt),
    });
    const answer = query.has("after")
      ? listByCursor(context, repository.events, render)
      : list(context, repository.events, render, byId(repository, "/events"));
    const newest = repository.events[0];
    return { ...answer, headers: POLL, ...(newest === undefined ? {} : { lastModifiedAt: newest.createdAt }) };
  }),
];
