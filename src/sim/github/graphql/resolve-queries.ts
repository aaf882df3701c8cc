import { issueFits, newestFirst, parseSearch, searchedRepositories } from "../rest/issue-search.js";
import { connect } from "./connections.js";
import { nodeById } from "./node-by-id.js";
import { type ResolverContext, type Resolvers, visibleRepositories, visibleRepository } from "./resolver-context.js";
import { account, issueOf, repositoryOf } from "./sources.js";

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

/** Where queries begin. */
export const queryResolvers: Resolvers = {
  Query: {
    repository: (_source, { owner, name }: { owner: string; name: string }, context) => named(context, owner, name),
    viewer: (_source, _args, { viewer }) => account(viewer),
    user: (_source, args: { login: string }, context) => login(context, args.login, "User"),
    organization: (_source, args: { login: string }, context) => login(context, args.login, "Organization"),
    repositoryOwner: (_source, args: { login: string }, context) => login(context, args.login, "RepositoryOwner"),
    node: (_source, { id }: { id: string }, context) => nodeById(context, id),
    nodes: (_source, { ids }: { ids: readonly string[] }, context) =>
      ids.map((id) => {
        try {
          return nodeById(context, id);
        } catch (error) {
          // One unknown id is one null among its siblings.
          return error;
        }
      }),
    rateLimit: (_source, _args, { rateLimit }) => rateLimit,
    search: (_source, args: SearchArgs, context) => search(args, context),
  },
};
