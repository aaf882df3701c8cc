import type { CheckConclusion, CheckRunRecord, CommitRecord, StatusRecord } from "../world/entities.js";
import { setCheckRun } from "../world/issues.js";
import { moveBranch } from "../world/repositories.js";
import { byId } from "./issue-routes.js";
import { list, pageOf } from "./pages.js";
import { checkRun, commit, gitCommit, reference, status } from "./render-commits.js";
import { minimalRepository, repositoryUrl } from "./render-repositories.js";
import {
  invalid,
  json,
  noContent,
  notFound,
  problem,
  type RepositoryContext,
  type Route,
  type RouteAnswer,
  refuseUnless,
  repositoryRoute,
  textField,
} from "./route.js";

const POLL_REFS = { "x-poll-interval": "300" };

/** The commit that a branch, tag, full ref or SHA names. */
export function resolveRef(context: RepositoryContext, ref: string | undefined): CommitRecord | undefined {
  const { refs, commits, defaultBranch } = context.repository;
  const name = ref === undefined || ref === "" || ref === "HEAD" ? defaultBranch : ref;
  const sha =
    refs.get(`refs/heads/${name}`) ??
    refs.get(`refs/tags/${name}`) ??
    refs.get(name) ??
    refs.get(`refs/${name}`) ??
    name;
  return (
    commits.get(sha) ??
    (/^[\da-f]{7,39}$/.test(sha) ? [...commits.values()].find((one) => one.sha.startsWith(sha)) : undefined)
  );
}

/** A commit and its ancestors, newest first. */
export function history(context: RepositoryContext, from: CommitRecord | undefined): CommitRecord[] {
  const found: CommitRecord[] = [];
  for (let one = from; one !== undefined; one = context.repository.commits.get(one.parents[0] ?? "")) found.push(one);
  return found;
}

function commitRoute(
  name: string,
  docs: string,
  handle: (context: RepositoryContext, found: CommitRecord) => RouteAnswer,
): Route {
  return repositoryRoute(name, docs, (context) => {
    const found = resolveRef(context, context.params.ref);
    return found === undefined
      ? problem(422, `No commit found for SHA: ${context.params.ref}`)
      : handle(context, found);
  });
}

function latestStatuses(context: RepositoryContext, sha: string): StatusRecord[] {
  const latest = new Map<string, StatusRecord>();
  for (const one of context.repository.statuses) if (one.sha === sha) latest.set(one.context, one);
  return [...latest.values()];
}

function combinedState(statuses: readonly StatusRecord[]): string {
  if (statuses.some((one) => one.state === "failure" || one.state === "error")) return "failure";
  return statuses.length === 0 || statuses.some((one) => one.state === "pending") ? "pending" : "success";
}

/** Commits, check runs, statuses, branches and refs. */
export const commitRoutes: readonly Route[] = [
  repositoryRoute("GET /repos/{owner}/{repo}/commits", "/commits/commits#list-commits", (context) => {
    const from = resolveRef(context, context.query.get("sha") ?? undefined);
    if (from === undefined) return notFound;
    const path = context.query.get("path");
    const chosen = history(context, from).filter((one) => path === null || one.changedPaths.includes(path));
    const newest = chosen[0];
    const answer = list(
      context,
      chosen,
      (one) => commit(one, context.repository, context.origins),
      byId(context.repository, "/commits"),
    );
    return newest === undefined ? answer : { ...answer, lastModifiedAt: newest.authoredAt };
  }),
  commitRoute("GET /repos/{owner}/{repo}/commits/{ref}", "/commits/commits#get-a-commit", (context, found) => {
    if (/\.sha\b/.test(context.accept))
      return { status: 200, text: found.sha, contentType: "application/vnd.github.v3.sha; charset=utf-8" };
    return { ...json(commit(found, context.repository, context.origins, true)), lastModifiedAt: found.authoredAt };
  }),
  commitRoute(
    "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
    "/checks/runs#list-check-runs-for-a-git-reference",
    (context, found) => {
      const wanted = context.query.get("check_name");
      const runs = context.repository.checkRuns.filter(
        (one) => one.headSha === found.sha && (wanted === null || one.name === wanted),
      );
      const page = pageOf(context, runs, byId(context.repository, `/commits/${context.params.ref}/check-runs`));
      return {
        ...json({
          total_count: runs.length,
          check_runs: page.items.map((one) => checkRun(one, context.repository, context.origins)),
        }),
        link: page.link,
      };
    },
  ),
  commitRoute(
    "GET /repos/{owner}/{repo}/commits/{ref}/status",
    "/commits/statuses#get-the-combined-status-for-a-specific-reference",
    (context, found) => {
      const statuses = latestStatuses(context, found.sha);
      const url = repositoryUrl(context.repository, context.origins);
      return json({
        state: combinedState(statuses),
        statuses: statuses.map((one) => status(one, context.repository, context.origins, false)),
        sha: found.sha,
        total_count: statuses.length,
        repository: minimalRepository(context.repository, context.origins),
        commit_url: `${url}/commits/${found.sha}`,
        url: `${url}/commits/${found.sha}/status`,
      });
    },
  ),
  commitRoute(
    "GET /repos/{owner}/{repo}/commits/{ref}/statuses",
    "/commits/statuses#list-commit-statuses-for-a-reference",
    (context, found) =>
      list(
        context,
        context.repository.statuses.filter((one) => one.sha === found.sha).reverse(),
        (one) => status(one, context.repository, context.origins),
        byId(context.repository, `/commits/${context.params.ref}/statuses`),
      ),
  ),
  repositoryRoute(
    "POST /repos/{owner}/{repo}/statuses/{sha}",
    "/commits/statuses#create-a-commit-status",
    (context) => {
      const refusal = refuseUnless(context, "write");
      if (refusal !== undefined) return refusal;
      const found = resolveRef(context, context.params.sha);
      if (found === undefined) return problem(422, `No commit found for SHA: ${context.params.sha}`);
      const state = textField(context, "state");
      if (state !== "error" && state !== "failure" && state !== "pending" && state !== "success")
        return invalid("Status", "state", "invalid");
      const made: StatusRecord = {
        id: context.state.nextId("status"),
        sha: found.sha,
        state,
        context: textField(context, "context") ?? "default",
        description: textField(context, "description") ?? null,
        targetUrl: textField(context, "target_url") ?? null,
        creator: context.actor ?? context.repository.owner,
        createdAt: context.state.now(),
      };
      context.repository.statuses.push(made);
      context.state.touch(context.repository);
      const value = status(made, context.repository, context.origins);
      return { ...json(value, 201), headers: { location: String(value.url) } };
    },
  ),
  repositoryRoute("POST /repos/{owner}/{repo}/check-runs", "/checks/runs#create-a-check-run", (context) => {
    const refusal = refuseUnless(context, "write");
    if (refusal !== undefined) return refusal;
    const name = textField(context, "name");
    const sha = textField(context, "head_sha");
    if (name === undefined || sha === undefined)
      return invalid("CheckRun", name === undefined ? "name" : "head_sha", "missing_field");
    const conclusion = (textField(context, "conclusion") ?? null) as CheckConclusion | null;
    const state = (textField(context, "status") ??
      (conclusion === null ? "queued" : "completed")) as CheckRunRecord["status"];
    return json(
      checkRun(
        setCheckRun(context.state, context.repository, sha, { name, status: state, conclusion }),
        context.repository,
        context.origins,
      ),
      201,
    );
  }),
  repositoryRoute("GET /repos/{owner}/{repo}/check-runs/{id}", "/checks/runs#get-a-check-run", (context) => {
    const found = context.repository.checkRuns.find((one) => one.id === Number(context.params.id));
    return found === undefined ? notFound : json(checkRun(found, context.repository, context.origins));
  }),
  repositoryRoute("GET /repos/{owner}/{repo}/branches", "/branches/branches#list-branches", (context) => {
    const heads = [...context.repository.refs].filter(([name]) => name.startsWith("refs/heads/"));
    return list(
      context,
      heads,
      ([name, sha]) => ({
        name: name.slice(11),
        commit: { sha, url: `${repositoryUrl(context.repository, context.origins)}/commits/${sha}` },
        protected: false,
      }),
      byId(context.repository, "/branches"),
    );
  }),
  repositoryRoute("GET /repos/{owner}/{repo}/branches/{branch+}", "/branches/branches#get-a-branch", (context) => {
    const name = context.params.branch ?? "";
    const found = context.repository.commits.get(context.repository.refs.get(`refs/heads/${name}`) ?? "");
    if (found === undefined) return problem(404, "Branch not found");
    const self = `${repositoryUrl(context.repository, context.origins)}/branches/${name}`;
    const html = `${context.origins.html}/${context.repository.owner.login}/${context.repository.name}/tree/${name}`;
    return json({
      name,
      commit: commit(found, context.repository, context.origins),
      _links: { self, html },
      protected: false,
      protection: { enabled: false, required_status_checks: { enforcement_level: "off", contexts: [], checks: [] } },
      protection_url: `${self}/protection`,
    });
  }),
  repositoryRoute("GET /repos/{owner}/{repo}/git/commits/{sha}", "/git/commits#get-a-commit-object", (context) => {
    const found = context.repository.commits.get(context.params.sha ?? "");
    return found === undefined
      ? notFound
      : { ...json(gitCommit(found, context.repository, context.origins)), lastModifiedAt: found.authoredAt };
  }),
  repositoryRoute("GET /repos/{owner}/{repo}/git/ref/{ref+}", "/git/refs#get-a-reference", (context) => {
    const name = `refs/${context.params.ref}`;
    const sha = context.repository.refs.get(name);
    return sha === undefined
      ? notFound
      : {
          ...json(reference(name, sha, context.repository, context.origins)),
          headers: POLL_REFS,
          lastModifiedAt: context.repository.pushedAt,
        };
  }),
  matchingRefs("GET /repos/{owner}/{repo}/git/matching-refs/{ref+}"),
  matchingRefs("GET /repos/{owner}/{repo}/git/refs/{ref+}"),
  repositoryRoute("POST /repos/{owner}/{repo}/git/refs", "/git/refs#create-a-reference", (context) => {
    const refusal = refuseUnless(context, "write");
    if (refusal !== undefined) return refusal;
    const name = textField(context, "ref") ?? "";
    const sha = textField(context, "sha") ?? "";
    if (!name.startsWith("refs/") || name.split("/").length < 3)
      return problem(422, "Reference name must start with 'refs/' and contain at least two slashes");
    if (!context.repository.commits.has(sha)) return problem(422, "Object does not exist");
    if (context.repository.refs.has(name)) return problem(422, "Reference already exists");
    context.repository.refs.set(name, sha);
    context.state.touch(context.repository);
    const value = reference(name, sha, context.repository, context.origins);
    return { ...json(value, 201), headers: { location: String(value.url) } };
  }),
  repositoryRoute("PATCH /repos/{owner}/{repo}/git/refs/{ref+}", "/git/refs#update-a-reference", (context) => {
    const refusal = refuseUnless(context, "write");
    if (refusal !== undefined) return refusal;
    const name = `refs/${context.params.ref}`;
    const sha = textField(context, "sha") ?? "";
    if (!context.repository.refs.has(name)) return problem(422, "Reference does not exist");
    if (!context.repository.commits.has(sha)) return problem(422, "Object does not exist");
    if (name.startsWith("refs/heads/")) moveBranch(context.state, context.repository, name.slice(11), sha);
    else context.repository.refs.set(name, sha);
    return json(reference(name, sha, context.repository, context.origins));
  }),
  repositoryRoute("DELETE /repos/{owner}/{repo}/git/refs/{ref+}", "/git/refs#delete-a-reference", (context) => {
    const refusal = refuseUnless(context, "write");
    if (refusal !== undefined) return refusal;
    if (!context.repository.refs.delete(`refs/${context.params.ref}`)) return problem(422, "Reference does not exist");
    context.state.touch(context.repository);
    return noContent;
  }),
];

function matchingRefs(name: string): Route {
  return repositoryRoute(name, "/git/refs#list-matching-references", (context) => {
    const prefix = `refs/${context.params.ref ?? ""}`;
    const found = [...context.repository.refs].filter(([ref]) => ref.startsWith(prefix));
    const answer = list(
      context,
      found,
      ([ref, sha]) => reference(ref, sha, context.repository, context.origins),
      byId(context.repository, `/git/matching-refs/${context.params.ref ?? ""}`),
    );
    return { ...answer, headers: POLL_REFS, lastModifiedAt: context.repository.pushedAt };
  });
}
