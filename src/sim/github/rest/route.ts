import type { Origins, WireRequest } from "../wire.js";
import type { Credential } from "../world/credentials.js";
import type { IssueRecord, Permission, RepositoryRecord, UserRecord } from "../world/entities.js";
import { allows, permissionOf } from "../world/visibility.js";
import type { WorldState } from "../world/world-state.js";

/** What a route has to work with. */
export interface RouteContext {
  readonly state: WorldState;
  readonly credential: Credential;
  /** The user, or the account of the installation, that the credential acts for. */
  readonly actor: UserRecord | undefined;
  readonly request: WireRequest;
  readonly origins: Origins;
  /** Decoded values of the template's variables. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed JSON body; an empty object when there is none. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly accept: string;
}

/** The same within a repository that the credential may see. */
export interface RepositoryContext extends RouteContext {
  readonly repository: RepositoryRecord;
  readonly permission: Permission;
}

/** A route's answer, before validators, rate headers and bytes. */
export interface RouteAnswer {
  readonly status: number;
  /** JSON body; `text` or `bytes` instead for other types; none of them for an empty body. */
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  /** Default `application/json; charset=utf-8`. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly link?: string | undefined;
  /** Epoch milliseconds. */
  readonly lastModifiedAt?: number;
  /** Whether a 200 carries an ETag. Default `true`. */
  readonly etag?: boolean;
  readonly cacheControl?: string;
  /** Without scopes and media type: what another of GitHub's services answers. */
  readonly bare?: boolean;
}

/** One REST endpoint. */
export interface Route {
  readonly method: string;
  /** Such as `GET /repos/{owner}/{repo}`. */
  readonly name: string;
  readonly segments: readonly string[];
  /** Page of GitHub's documentation, after `https://docs.github.com/rest`. */
  readonly docs: string;
  /** What an answer depends on: one repository, anything, or something that no version covers. */
  readonly scope: "repository" | "world" | "volatile";
  readonly handle: (context: RouteContext) => RouteAnswer;
}

/** An endpoint outside repositories. */
export function route(
  name: string,
  docs: string,
  handle: (context: RouteContext) => RouteAnswer,
  scope: Route["scope"] = "world",
): Route {
  const [method = "", template = ""] = name.split(" ");
  return { method, name: name.replace("+}", "}"), segments: template.split("/").slice(1), docs, scope, handle };
}

/** An endpoint under `/repos/{owner}/{repo}`: 404 for those who may not see it, 301 from a former name. */
export function repositoryRoute(
  name: string,
  docs: string,
  handle: (context: RepositoryContext) => RouteAnswer,
  scope: Route["scope"] = "repository",
): Route {
  return route(
    name,
    docs,
    (context) => {
      const { owner = "", repo = "" } = context.params;
      const repository = context.state.findRepository(owner, repo);
      if (repository === undefined) return moved(context, owner, repo) ?? notFound;
      const permission = permissionOf(context.credential, repository);
      return permission === undefined ? notFound : handle({ ...context, repository, permission });
    },
    scope,
  );
}

/** As {@link repositoryRoute}, on an issue or pull request. */
export function issueRoute(
  name: string,
  docs: string,
  handle: (context: RepositoryContext & { readonly issue: IssueRecord }) => RouteAnswer,
): Route {
  return repositoryRoute(name, docs, (context) => {
    const issue = context.repository.issues[Number(context.params.number) - 1];
    return issue === undefined ? notFound : handle({ ...context, issue });
  });
}

/** A JSON answer. */
export function json(value: unknown, status = 200): RouteAnswer {
  return { status, json: value };
}

export const noContent: RouteAnswer = { status: 204 };

/** An error in GitHub's form; the engine adds the route's documentation page. */
export function problem(
  status: number,
  message: string,
  errors?: readonly Readonly<Record<string, unknown>>[],
): RouteAnswer {
  return { status, json: { message, ...(errors === undefined ? {} : { errors }) } };
}

export const notFound: RouteAnswer = problem(404, "Not Found");

/** 422 for a field, as GitHub reports it. */
export function invalid(
  resource: string,
  field: string,
  code: "missing_field" | "invalid" | "already_exists" | "missing",
): RouteAnswer {
  return problem(422, "Validation Failed", [{ resource, code, field }]);
}

/** The refusal of a write that the credential has no right to, if it has none. */
export function refuseUnless(context: RepositoryContext, needed: Permission): RouteAnswer | undefined {
  if (context.actor === undefined) return problem(401, "Requires authentication");
  if (context.repository.archived) return problem(403, "Repository was archived so is read-only.");
  if (allows(context.permission, needed)) return undefined;
  return needed === "admin"
    ? problem(403, "Must have admin rights to Repository.")
    : problem(403, "Resource not accessible by integration");
}

/** A string field of the body. */
export function textField(context: RouteContext, name: string): string | undefined {
  const value = context.json[name];
  return typeof value === "string" ? value : undefined;
}

/** An array of strings, or of objects with a `name`, in the body. */
export function namesField(context: RouteContext, name: string): readonly string[] | undefined {
  const value = context.json[name];
  if (!Array.isArray(value)) return undefined;
  return value.map((entry: unknown) =>
    String(typeof entry === "object" && entry !== null && "name" in entry ? entry.name : entry),
  );
}

function moved(context: RouteContext, owner: string, repo: string): RouteAnswer | undefined {
  const id = context.state.formerNames.get(`${owner}/${repo}`.toLowerCase());
  const repository = id === undefined ? undefined : context.state.repositoriesById.get(id);
  if (repository === undefined || permissionOf(context.credential, repository) === undefined) return undefined;
  const rest = context.request.url.pathname.split(/\/repos\/[^/]+\/[^/]+|\/repositories\/\d+/)[1] ?? "";
  const url = `${context.origins.api}/repositories/${repository.id}${rest}${context.request.url.search}`;
  const { method } = context.request;
  // Only reads are moved for good; a 301 would turn a PATCH into a GET.
  return {
    status: method === "GET" || method === "HEAD" ? 301 : 307,
    json: {
      message: method === "GET" || method === "HEAD" ? "Moved Permanently" : "Temporary Redirect",
      url,
      documentation_url: "https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects",
    },
    headers: { location: url },
  };
}
