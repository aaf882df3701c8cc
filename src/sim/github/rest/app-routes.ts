import { addInstallationToken } from "../world/accounts.js";
import type { AppRecord, InstallationRecord } from "../world/credentials.js";
import { objectSha } from "../world/git-hash.js";
import { permissionOf } from "../world/visibility.js";
import { list, pageOf } from "./pages.js";
import { simpleUser } from "./render-accounts.js";
import { repositoryItem } from "./render-repositories.js";
import { iso, nodeId } from "./render-values.js";
import { json, notFound, problem, type Route, type RouteAnswer, type RouteContext, route } from "./route.js";

const PERMISSIONS = {
  checks: "write",
  contents: "write",
  issues: "write",
  metadata: "read",
  pull_requests: "write",
  statuses: "write",
};
const TOKEN_LIFE_MS = 3_600_000;

function app(record: AppRecord, { origins, state }: RouteContext): Record<string, unknown> {
  return {
    id: record.id,
    slug: record.slug,
    client_id: `Iv1.${objectSha("client", record.id).slice(0, 16)}`,
    node_id: nodeId("App", record.id),
    owner: simpleUser(record.owner, origins),
    name: record.slug,
    description: "",
    external_url: "https://example.com",
    html_url: `${origins.html}/apps/${record.slug}`,
    created_at: iso(record.createdAt),
    updated_at: iso(record.createdAt),
    permissions: PERMISSIONS,
    events: ["push", "pull_request"],
    installations_count: [...state.installations.values()].filter((one) => one.appId === record.id).length,
  };
}

function installation(record: InstallationRecord, { origins, state }: RouteContext): Record<string, unknown> {
  return {
    id: record.id,
    account: simpleUser(record.account, origins),
    repository_selection: record.repositories === "all" ? "all" : "selected",
    access_tokens_url: `${origins.api}/app/installations/${record.id}/access_tokens`,
    repositories_url: `${origins.api}/installation/repositories`,
    html_url: `${origins.html}/organizations/${record.account.login}/settings/installations/${record.id}`,
    app_id: record.appId,
    app_slug: state.apps.get(record.appId)?.slug ?? "",
    target_id: record.account.id,
    target_type: record.account.type,
    permissions: PERMISSIONS,
    events: ["push", "pull_request"],
    created_at: iso(record.createdAt),
    updated_at: iso(record.createdAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: null,
  };
}

function forApp(name: string, docs: string, handle: (context: RouteContext, app: AppRecord) => RouteAnswer): Route {
  return route(
    name,
    docs,
    (context) =>
      context.credential.kind === "app-jwt"
        ? handle(context, context.credential.app)
        : problem(401, "A JSON web token could not be decoded"),
    "volatile",
  );
}

function installed(context: RouteContext, app: AppRecord): InstallationRecord | undefined {
  const found = context.state.installations.get(Number(context.params.id));
  return found?.appId === app.id ? found : undefined;
}

/** What an app may ask with its JWT, and what an installation sees. */
export const appRoutes: readonly Route[] = [
  forApp("GET /app", "/apps/apps#get-the-authenticated-app", (context, own) => json(app(own, context))),
  forApp("GET /app/installations", "/apps/apps#list-installations-for-the-authenticated-app", (context, own) =>
    list(
      context,
      [...context.state.installations.values()].filter((one) => one.appId === own.id),
      (one) => installation(one, context),
    ),
  ),
  forApp("GET /app/installations/{id}", "/apps/apps#get-an-installation-for-the-authenticated-app", (context, own) => {
    const found = installed(context, own);
    return found === undefined ? notFound : json(installation(found, context));
  }),
  forApp(
    "GET /repos/{owner}/{repo}/installation",
    "/apps/apps#get-a-repository-installation-for-the-authenticated-app",
    (context, own) => {
      const owner = context.params.owner?.toLowerCase();
      const found = [...context.state.installations.values()].find(
        (one) => one.appId === own.id && one.account.login.toLowerCase() === owner,
      );
      return found === undefined ? notFound : json(installation(found, context));
    },
  ),
  forApp(
    "POST /app/installations/{id}/access_tokens",
    "/apps/apps#create-an-installation-access-token-for-an-app",
    (context, own) => {
      const found = installed(context, own);
      if (found === undefined) return notFound;
      const token = `ghs_${objectSha("installation-token", found.id, context.state.nextId("installation-token")).slice(0, 36)}`;
      const expiresAt = context.state.now() + TOKEN_LIFE_MS;
      addInstallationToken(context.state, token, found.id, expiresAt);
      const selection = found.repositories === "all" ? "all" : "selected";
      return json(
        { token, expires_at: iso(expiresAt), permissions: PERMISSIONS, repository_selection: selection },
        201,
      );
    },
  ),
  route(
    "GET /installation/repositories",
    "/apps/installations#list-repositories-accessible-to-the-app-installation",
    (context) => {
      if (context.credential.kind !== "installation-token")
        return problem(
          403,
          "You must authenticate with an installation access token in order to list repositories for an installation.",
        );
      const { credential } = context;
      const { repositories, account } = credential.installation;
      const seen = [...context.state.repositoriesById.values()].filter((one) =>
        repositories === "all" ? one.owner === account : repositories.has(one.id),
      );
      const page = pageOf(context, seen);
      const items = page.items.map((one) => repositoryItem(one, context.origins, permissionOf(credential, one)));
      return {
        ...json({
          total_count: seen.length,
          repository_selection: repositories === "all" ? "all" : "selected",
          repositories: items,
        }),
        link: page.link,
      };
    },
  ),
];
