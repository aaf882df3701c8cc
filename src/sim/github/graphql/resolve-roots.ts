import { issueFits, newestFirst, parseSearch, searchedRepositories } from "../rest/issue-search.js";
import { parseNodeId } from "../rest/render-values.js";
import { addComment, addIssue, changeIssue } from "../world/issues.js";
import { star } from "../world/repositories.js";
import { connect } from "./connections.js";
import { type ResolverContext, type Resolvers, visibleRepositories, visibleRepository } from "./resolver-context.js";
import {
  account,
  checkRunOf,
  commentOf,
  commitOf,
  type IssueSource,
  issueOf,
  labelOf,
  type RepositorySource,
  repositoryOf,
} from "./sources.js";

function byId(context: ResolverContext, id: string): unknown {
  const parsed = parseNodeId(id);
  const found = parsed === undefined ? undefined : lookUp(context, parsed.type, parsed.id);
  if (found !== undefined && found !== null) return found;
  throw context.problem("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'`);
}

function lookUp(context: ResolverContext, type: string, id: string): unknown {
  const number = Number(id);
  if (type === "User" || type === "Organization" || type === "Bot") {
    const user = context.state.usersById.get(number);
    return user === undefined ? undefined : account(user);
  }
  if (type === "Repository") {
    const repository = visibleRepository(context, context.state.repositoriesById.get(number));
    return repository === undefined ? undefined : repositoryOf(repository);
  }
  for (const repository of visibleRepositories(context)) {
    if (type === "Commit") {
      const commit = commitOf(repository, id);
      if (commit !== null) return commit;
    } else if (type === "Label") {
      const label = repository.labels.find((one) => one.id === number);
      if (label !== undefined) return labelOf(repository, label);
    } else if (type === "CheckRun") {
      const run = repository.checkRuns.find((one) => one.id === number);
      if (run !== undefined) return checkRunOf(repository, run);
    } else if (type === "IssueComment") {
      for (const issue of repository.issues) {
        const comment = issue.comments.find((one) => one.id === number);
        if (comment !== undefined) return commentOf(repository, issue, comment);
      }
    } else if (type === "Issue" || type === "PullRequest") {
      const issue = repository.issues.find((one) => one.id === number);
      if (issue !== undefined) return issueOf(repository, issue);
    }
  }
  return undefined;
}

function named(context: ResolverContext, owner: string, name: string): unknown {
  const { state } = context;
  const renamed = state.formerNames.get(`${owner}/${name}`.toLowerCase());
  const found = visibleRepository(
    context,
    state.findRepository(owner, name) ?? state.repositoriesById.get(renamed ?? -1),
  );
  if (found !== undefined) return repositoryOf(found);
  throw context.problem("NOT_FOUND", `Could not resolve to a Repository with the name '${owner}/${name}'.`);
}

function login(context: ResolverContext, name: string, what: "User" | "Organization" | "RepositoryOwner"): unknown {
  const user = context.state.users.get(name.toLowerCase());
  if (user !== undefined && (what === "RepositoryOwner" || user.type === what)) return account(user);
  if (what === "RepositoryOwner") return null;
  throw context.problem(
    "NOT_FOUND",
    `Could not resolve to ${what === "User" ? "a User" : "an Organization"} with the login of '${name}'.`,
  );
}

interface SearchArgs {
  readonly query: string;
  readonly type: string;
  readonly first?: number;
  readonly last?: number;
}

function search(args: SearchArgs, context: ResolverContext): unknown {
  const query = parseSearch(args.query, context.viewer.login);
  const repositories = searchedRepositories(query, visibleRepositories(context));
  const found: readonly unknown[] =
    args.type === "REPOSITORY"
      ? repositories
          .filter((one) => query.words.every((word) => one.name.toLowerCase().includes(word)))
          .map(repositoryOf)
      : args.type === "ISSUE"
        ? repositories
            .flatMap((repository) =>
              repository.issues.filter((one) => issueFits(query, one)).map((one) => issueOf(repository, one)),
            )
            .sort((a, b) => newestFirst(a.record, b.record))
        : args.type === "USER"
          ? [...context.state.users.values()]
              .filter(
                (one) => one.type !== "Bot" && query.words.every((word) => one.login.toLowerCase().includes(word)),
              )
              .map(account)
          : [];
  const count = (type: string): number => (args.type === type ? found.length : 0);
  return {
    ...connect(found.slice(0, 1_000), args, (one) => one),
    issueCount: count("ISSUE"),
    repositoryCount: count("REPOSITORY"),
    userCount: count("USER"),
  };
}

interface Input<T> {
  readonly input: T & { readonly clientMutationId?: string | null };
}

function subject(context: ResolverContext, id: string): IssueSource {
  const found = byId(context, id) as IssueSource;
  if (found.__typename === "Issue" || found.__typename === "PullRequest") return found;
  throw context.problem("UNPROCESSABLE", `'${id}' is neither an issue nor a pull request.`);
}

/** Where queries and mutations begin. */
export const rootResolvers: Resolvers = {
  Query: {
    repository: (_source, { owner, name }: { owner: string; name: string }, context) => named(context, owner, name),
    viewer: (_source, _args, { viewer }) => account(viewer),
    user: (_source, args: { login: string }, context) => login(context, args.login, "User"),
    organization: (_source, args: { login: string }, context) => login(context, args.login, "Organization"),
    repositoryOwner: (_source, args: { login: string }, context) => login(context, args.login, "RepositoryOwner"),
    node: (_source, { id }: { id: string }, context) => byId(context, id),
    nodes: (_source, { ids }: { ids: readonly string[] }, context) =>
      ids.map((id) => {
        try {
          return byId(context, id);
        } catch (error) {
          // One unknown id is one null among its siblings.
          return error;
        }
      }),
    rateLimit: (_source, _args, { rateLimit }) => rateLimit,
    search: (_source, args: SearchArgs, context) => search(args, context),
  },
  Mutation: {
    createIssue: (
      _source,
      {
        input,
      }: Input<{
        repositoryId: string;
        title: string;
        body?: string | null;
        labelIds?: readonly string[] | null;
        assigneeIds?: readonly string[] | null;
      }>,
      context,
    ) => {
      const { record } = byId(context, input.repositoryId) as RepositorySource;
      const labels = (input.labelIds ?? []).map((id) => (byId(context, id) as ReturnType<typeof labelOf>).record.name);
      const assignees = (input.assigneeIds ?? []).map(
        (id) => (byId(context, id) as ReturnType<typeof account>).record.login,
      );
      const made = addIssue(context.state, record, {
        title: input.title,
        body: input.body ?? null,
        labels,
        assignees,
        user: context.viewer.login,
      });
      return { clientMutationId: input.clientMutationId ?? null, issue: issueOf(record, made) };
    },
    addComment: (_source, { input }: Input<{ subjectId: string; body: string }>, context) => {
      const on = subject(context, input.subjectId);
      const made = addComment(context.state, on.repository, on.record, input.body, context.viewer);
      return {
        clientMutationId: input.clientMutationId ?? null,
        subject: on,
        commentEdge: { cursor: "", node: commentOf(on.repository, on.record, made) },
      };
    },
    closeIssue: (
      _source,
      { input }: Input<{ issueId: string; stateReason?: "COMPLETED" | "NOT_PLANNED" | null }>,
      context,
    ) => {
      const on = subject(context, input.issueId);
      const stateReason = input.stateReason === "NOT_PLANNED" ? "not_planned" : "completed";
      changeIssue(context.state, on.repository, on.record, { state: "closed", stateReason }, context.viewer);
      return { clientMutationId: input.clientMutationId ?? null, issue: on };
    },
    addStar: (_source, { input }: Input<{ starrableId: string }>, context) => {
      const found = byId(context, input.starrableId) as RepositorySource;
      star(context.state, context.viewer, found.record, true);
      return { clientMutationId: input.clientMutationId ?? null, starrable: found };
    },
  },
};
