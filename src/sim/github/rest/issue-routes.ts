import type { CommentRecord, IssueRecord, LabelRecord, RepositoryRecord } from "../world/entities.js";
import { addComment, addIssue, changeIssue, ensureLabel, type IssueChange } from "../world/issues.js";
import { withoutUndefined } from "../world/repositories.js";
import { list } from "./pages.js";
import { comment, issue, label } from "./render-issues.js";
import {
  invalid,
  issueRoute,
  json,
  namesField,
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

/** GitHub's `Link` addresses name repositories by id. */
export function byId(repository: RepositoryRecord, rest: string): { readonly path: string } {
  return { path: `/repositories/${repository.id}${rest}` };
}

/** Issues or pull requests in the order and selection that the query asks for. */
export function selectIssues(context: RepositoryContext, among: readonly IssueRecord[]): IssueRecord[] {
  const { query } = context;
  const state = query.get("state") ?? "open";
  const labels = query.get("labels")?.split(",") ?? [];
  const since = query.get("since");
  const chosen = among.filter(
    (one) =>
      (state === "all" || one.state === state) &&
      labels.every((name) => one.labels.some((own) => own.name === name)) &&
      (since === null || one.updatedAt >= Date.parse(since)),
  );
  const ascending = query.get("direction") === "asc" ? -1 : 1;
  const key =
    query.get("sort") === "updated" ? (one: IssueRecord) => one.updatedAt : (one: IssueRecord) => one.createdAt;
  return chosen.sort((a, b) => ascending * (key(b) - key(a) || b.number - a.number));
}

/** What an update of an issue or pull request may change. */
export function issueChange(context: RepositoryContext): IssueChange {
  const state = textField(context, "state");
  const reason = textField(context, "state_reason") as IssueChange["stateReason"] | undefined;
  return withoutUndefined({
    title: textField(context, "title"),
    body: textField(context, "body"),
    state: state === "open" || state === "closed" ? state : undefined,
    stateReason: reason,
    labels: namesField(context, "labels"),
    assignees: namesField(context, "assignees"),
  }) as IssueChange;
}

function findComment(
  context: RepositoryContext,
): { readonly on: IssueRecord; readonly found: CommentRecord } | undefined {
  const id = Number(context.params.comment_id);
  for (const on of context.repository.issues) {
    const found = on.comments.find((one) => one.id === id);
    if (found !== undefined) return { on, found };
  }
  return undefined;
}

function findLabel(context: RepositoryContext): LabelRecord | undefined {
  return context.repository.labels.find((one) => one.name.toLowerCase() === context.params.name?.toLowerCase());
}

function labelList(context: RepositoryContext, labels: readonly LabelRecord[]): RouteAnswer {
  return list(
    context,
    labels,
    (one) => label(one, context.repository, context.origins),
    byId(context.repository, "/labels"),
  );
}

/** Issues, their comments, labels. */
export const issueRoutes: readonly Route[] = [
  repositoryRoute("GET /repos/{owner}/{repo}/issues", "/issues/issues#list-repository-issues", (context) => {
    if (!context.repository.hasIssues) return problem(410, "Issues are disabled for this repo");
    const render = (one: IssueRecord) => issue(one, context.repository, context.origins);
    return list(context, selectIssues(context, context.repository.issues), render, byId(context.repository, "/issues"));
  }),
  repositoryRoute("POST /repos/{owner}/{repo}/issues", "/issues/issues#create-an-issue", (context) => {
    const refusal = refuseUnless(context, "read");
    if (refusal !== undefined) return refusal;
    if (!context.repository.hasIssues) return problem(410, "Issues are disabled for this repo");
    const title = context.json.title;
    if (title === undefined || title === "") return invalid("Issue", "title", "missing_field");
    const labels = namesField(context, "labels") ?? [];
    const assignees = namesField(context, "assignees") ?? [];
    const made = addIssue(context.state, context.repository, {
      title: String(title),
      body: textField(context, "body") ?? null,
      labels,
      assignees,
      ...(context.actor === undefined ? {} : { user: context.actor.login }),
    });
    const value = issue(made, context.repository, context.origins, true);
    return { ...json(value, 201), headers: { location: String(value.url) } };
  }),
  issueRoute("GET /repos/{owner}/{repo}/issues/{number}", "/issues/issues#get-an-issue", (context) => ({
    ...json(issue(context.issue, context.repository, context.origins, true)),
    lastModifiedAt: context.issue.updatedAt,
  })),
  issueRoute("PATCH /repos/{owner}/{repo}/issues/{number}", "/issues/issues#update-an-issue", (context) => {
    const refusal = refuseUnless(context, "triage");
    if (refusal !== undefined) return refusal;
    changeIssue(
      context.state,
      context.repository,
      context.issue,
      issueChange(context),
      context.actor ?? context.repository.owner,
    );
    return json(issue(context.issue, context.repository, context.origins, true));
  }),
  issueRoute("PUT /repos/{owner}/{repo}/issues/{number}/lock", "/issues/issues#lock-an-issue", (context) =>
    setLock(context, true),
  ),
  issueRoute("DELETE /repos/{owner}/{repo}/issues/{number}/lock", "/issues/issues#unlock-an-issue", (context) =>
    setLock(context, false),
  ),
  issueRoute("GET /repos/{owner}/{repo}/issues/{number}/comments", "/issues/comments#list-issue-comments", (context) =>
    list(
      context,
      context.issue.comments,
      (one) => comment(one, context.issue, context.repository, context.origins),
      byId(context.repository, `/issues/${context.issue.number}/comments`),
    ),
  ),
  issueRoute(
    "POST /repos/{owner}/{repo}/issues/{number}/comments",
    "/issues/comments#create-an-issue-comment",
    (context) => {
      const refusal = refuseUnless(context, "read");
      if (refusal !== undefined) return refusal;
      const body = textField(context, "body");
      if (body === undefined || body === "") return invalid("IssueComment", "body", "missing_field");
      if (context.issue.locked) return problem(403, "Unable to create comment because issue is locked.");
      const made = addComment(
        context.state,
        context.repository,
        context.issue,
        body,
        context.actor ?? context.repository.owner,
      );
      const value = comment(made, context.issue, context.repository, context.origins);
      return { ...json(value, 201), headers: { location: String(value.url) } };
    },
  ),
  repositoryRoute(
    "GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
    "/issues/comments#get-an-issue-comment",
    (context) => {
      const hit = findComment(context);
      return hit === undefined
        ? notFound
        : {
            ...json(comment(hit.found, hit.on, context.repository, context.origins)),
            lastModifiedAt: hit.found.updatedAt,
          };
    },
  ),
  repositoryRoute(
    "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
    "/issues/comments#update-an-issue-comment",
    (context) => {
      const refusal = refuseUnless(context, "read");
      if (refusal !== undefined) return refusal;
      const hit = findComment(context);
      if (hit === undefined) return notFound;
      hit.found.body = textField(context, "body") ?? hit.found.body;
      hit.found.updatedAt = context.state.now();
      context.state.touch(context.repository);
      return json(comment(hit.found, hit.on, context.repository, context.origins));
    },
  ),
  issueRoute("GET /repos/{owner}/{repo}/issues/{number}/labels", "/issues/labels#list-labels-for-an-issue", (context) =>
    labelList(context, context.issue.labels),
  ),
  issueRoute(
    "POST /repos/{owner}/{repo}/issues/{number}/labels",
    "/issues/labels#add-labels-to-an-issue",
    (context) => {
      const refusal = refuseUnless(context, "triage");
      if (refusal !== undefined) return refusal;
      const names = [...context.issue.labels.map((one) => one.name), ...(namesField(context, "labels") ?? [])];
      changeIssue(
        context.state,
        context.repository,
        context.issue,
        { labels: [...new Set(names)] },
        context.actor ?? context.repository.owner,
      );
      return json(context.issue.labels.map((one) => label(one, context.repository, context.origins)));
    },
  ),
  repositoryRoute("GET /repos/{owner}/{repo}/labels", "/issues/labels#list-labels-for-a-repository", (context) =>
    labelList(context, context.repository.labels),
  ),
  repositoryRoute("POST /repos/{owner}/{repo}/labels", "/issues/labels#create-a-label", (context) => {
    const refusal = refuseUnless(context, "triage");
    if (refusal !== undefined) return refusal;
    const name = textField(context, "name");
    const color = textField(context, "color") ?? "ededed";
    if (name === undefined) return invalid("Label", "name", "missing_field");
    if (!/^[\da-f]{6}$/i.test(color)) return invalid("Label", "color", "invalid");
    if (context.repository.labels.some((one) => one.name.toLowerCase() === name.toLowerCase()))
      return invalid("Label", "name", "already_exists");
    const made = ensureLabel(context.state, context.repository, name);
    made.color = color;
    made.description = textField(context, "description") ?? null;
    const value = label(made, context.repository, context.origins);
    return { ...json(value, 201), headers: { location: String(value.url) } };
  }),
  repositoryRoute("GET /repos/{owner}/{repo}/labels/{name}", "/issues/labels#get-a-label", (context) => {
    const found = findLabel(context);
    return found === undefined ? notFound : json(label(found, context.repository, context.origins));
  }),
  repositoryRoute("PATCH /repos/{owner}/{repo}/labels/{name}", "/issues/labels#update-a-label", (context) => {
    const refusal = refuseUnless(context, "triage");
    const found = findLabel(context);
    if (refusal !== undefined || found === undefined) return refusal ?? notFound;
    found.name = textField(context, "new_name") ?? found.name;
    found.color = textField(context, "color") ?? found.color;
    found.description = textField(context, "description") ?? found.description;
    context.state.touch(context.repository);
    return json(label(found, context.repository, context.origins));
  }),
  repositoryRoute("DELETE /repos/{owner}/{repo}/labels/{name}", "/issues/labels#delete-a-label", (context) => {
    const refusal = refuseUnless(context, "triage");
    const found = findLabel(context);
    if (refusal !== undefined || found === undefined) return refusal ?? notFound;
    context.repository.labels.splice(context.repository.labels.indexOf(found), 1);
    for (const one of context.repository.issues) one.labels = one.labels.filter((own) => own !== found);
    context.state.touch(context.repository);
    return noContent;
  }),
];

function setLock(context: RepositoryContext & { readonly issue: IssueRecord }, locked: boolean): RouteAnswer {
  const refusal = refuseUnless(context, "write");
  if (refusal !== undefined) return refusal;
  changeIssue(context.state, context.repository, context.issue, { locked }, context.actor ?? context.repository.owner);
  return noContent;
}
