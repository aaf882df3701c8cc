import { iso, nodeId } from "../rest/render-values.js";
import type { RepositoryRecord } from "../world/entities.js";
import { type ConnectionArgs, connect } from "./connections.js";
import { type IssueArgs, orderIssues } from "./order-issues.js";
import { type ResolverContext, type Resolvers, visibleRepositories } from "./resolver-context.js";
import { type AccountSource, issueOf, repositoryOf } from "./sources.js";

function sortRepositories(
  found: RepositoryRecord[],
  order: { readonly field: string; readonly direction: string } | null | undefined,
): RepositoryRecord[] {
  const sign = order?.direction === "DESC" ? -1 : 1;
  const keys: Readonly<Record<string, (one: RepositoryRecord) => number | string>> = {
    CREATED_AT: (one) => one.createdAt,
    UPDATED_AT: (one) => one.updatedAt,
    PUSHED_AT: (one) => one.pushedAt,
    STARGAZERS: (one) => one.stargazers.size,
    NAME: (one) => one.name,
  };
  const key = keys[order?.field ?? "NAME"] ?? ((one: RepositoryRecord) => one.id);
  return found.sort((a, b) => (key(a) === key(b) ? a.id - b.id : sign * (key(a) < key(b) ? -1 : 1)));
}

const owned = (
  { record }: AccountSource,
  args: ConnectionArgs & {
    readonly privacy?: string;
    readonly isArchived?: boolean;
    readonly orderBy?: { field: string; direction: string };
  },
  context: ResolverContext,
) =>
  connect(
    sortRepositories(
      visibleRepositories(context).filter(
        (one) =>
          (one.owner === record || one.collaborators.has(record.id)) &&
          (args.privacy === undefined || args.privacy === null || one.private === (args.privacy === "PRIVATE")) &&
          (args.isArchived === undefined || args.isArchived === null || one.archived === args.isArchived),
      ),
      args.orderBy,
    ),
    args,
    repositoryOf,
  );

const accountFields = {
  id: ({ record }: AccountSource) => nodeId(record.type, record.id),
  databaseId: ({ record }: AccountSource) => record.id,
  login: ({ record }: AccountSource) => record.login,
  avatarUrl: ({ record }: AccountSource) => `https://avatars.githubusercontent.com/u/${record.id}?v=4`,
  url: ({ record }: AccountSource, _: unknown, { origins }: ResolverContext) => `${origins.html}/${record.login}`,
  resourcePath: ({ record }: AccountSource) => `/${record.login}`,
  name: ({ record }: AccountSource) => record.name,
  createdAt: ({ record }: AccountSource) => iso(record.createdAt),
  updatedAt: ({ record }: AccountSource) => iso(record.updatedAt),
  repositories: owned,
};

function written(kind: "Issue" | "PullRequest") {
  return ({ record }: AccountSource, args: IssueArgs, context: ResolverContext) => {
    const found = visibleRepositories(context).flatMap((repository) =>
      repository.issues
        .filter((one) => one.user === record && (one.pull === undefined) === (kind === "Issue"))
        .map((one) => issueOf(repository, one)),
    );
    const kept = new Set(
      orderIssues(
        found.map((one) => one.record),
        args,
      ),
    );
    return connect(
      found.filter((one) => kept.has(one.record)),
      args,
      (one) => one,
    );
  };
}

/** Users, organizations, bots. */
export const accountResolvers: Resolvers = {
  User: {
    ...accountFields,
    bio: ({ record }: AccountSource) => record.bio,
    company: ({ record }: AccountSource) => record.company,
    email: ({ record }: AccountSource) => record.email ?? "",
    isViewer: ({ record }: AccountSource, _args, context) => record === context.viewer,
    issues: written("Issue"),
    pullRequests: written("PullRequest"),
    starredRepositories: ({ record }: AccountSource, args, context) => {
      const starred = [...record.starred].flatMap(([id, at]) =>
        visibleRepositories(context)
          .filter((one) => one.id === id)
          .map((one) => ({ one, at })),
      );
      return connect(
        starred,
        args,
        ({ one }) => repositoryOf(one),
        ({ at }) => ({ starredAt: iso(at) }),
      );
    },
  },
  Organization: {
    ...accountFields,
    description: ({ record }: AccountSource) => record.bio,
    repository: ({ record }: AccountSource, { name }: { name: string }, context) => {
      const found = visibleRepositories(context).find(
        (one) => one.owner === record && one.name.toLowerCase() === name.toLowerCase(),
      );
      return found === undefined ? null : repositoryOf(found);
    },
    // There are none in the world.
    teams: (_source: AccountSource, args: object) => connect([], args, (one) => one),
  },
  Bot: accountFields,
};
