import { iso, nodeId } from "../rest/render-values.js";
import type { LabelRecord, ReleaseRecord, RepositoryRecord, UserRecord } from "../world/entities.js";
import { permissionOf } from "../world/visibility.js";
import { type ConnectionArgs, connect } from "./connections.js";
import { gitUrl, objectAt, refOf } from "./git-objects.js";
import { orderIssues } from "./order-issues.js";
import { repositorySettings } from "./repository-settings.js";
import type { ResolverContext, Resolvers } from "./resolver-context.js";
import {
  account,
  issueOf,
  type LabelSource,
  labelOf,
  type ReleaseSource,
  type RepositorySource,
  repositoryOf,
} from "./sources.js";

/** Repositories, their labels and releases. */
export const repositoryResolvers: Resolvers = {
  Repository: {
    ...repositorySettings,
    id: ({ record }: RepositorySource) => nodeId("Repository", record.id),
    databaseId: ({ record }: RepositorySource) => record.id,
    name: ({ record }: RepositorySource) => record.name,
    nameWithOwner: ({ record }: RepositorySource) => `${record.owner.login}/${record.name}`,
    description: ({ record }: RepositorySource) => record.description,
    homepageUrl: ({ record }: RepositorySource) => record.homepage,
    url: ({ record }: RepositorySource, _args, context) => gitUrl(context, record, ""),
    resourcePath: ({ record }: RepositorySource) => `/${record.owner.login}/${record.name}`,
    isPrivate: ({ record }: RepositorySource) => record.private,
    isArchived: ({ record }: RepositorySource) => record.archived,
    isFork: () => false,
    createdAt: ({ record }: RepositorySource) => iso(record.createdAt),
    updatedAt: ({ record }: RepositorySource) => iso(record.updatedAt),
    pushedAt: ({ record }: RepositorySource) => iso(record.pushedAt),
    owner: ({ record }: RepositorySource) => account(record.owner),
    stargazerCount: ({ record }: RepositorySource) => record.stargazers.size,
    stargazers: ({ record }: RepositorySource, args) =>
      connect(
        [...record.stargazers.values()],
        args,
        ({ user }: { user: UserRecord }) => account(user),
        ({ starredAt }) => ({ starredAt: iso(starredAt) }),
      ),
    viewerHasStarred: ({ record }: RepositorySource, _args, { viewer }) => record.stargazers.has(viewer.id),
    viewerPermission: ({ record }: RepositorySource, _args, { credential }) =>
      permissionOf(credential, record)?.toUpperCase() ?? null,
    defaultBranchRef: ({ record }: RepositorySource) => refOf(record, `refs/heads/${record.defaultBranch}`),
    ref: ({ record }: RepositorySource, { qualifiedName }: { qualifiedName: string }) =>
      refOf(record, qualifiedName) ?? refOf(record, `refs/heads/${qualifiedName}`),
    refs: ({ record }: RepositorySource, args: ConnectionArgs & { refPrefix: string }) =>
      connect(
        [...record.refs.keys()].filter((name) => name.startsWith(args.refPrefix)),
        args,
        (name) => refOf(record, name),
      ),
    object: ({ record }: RepositorySource, args: { expression?: string; oid?: string }) =>
      objectAt(record, args.oid ?? args.expression ?? "HEAD"),
    issues: ({ record }: RepositorySource, args) =>
      connect(
        orderIssues(
          record.issues.filter((one) => one.pull === undefined),
          args,
        ),
        args,
        (one) => issueOf(record, one),
      ),
    pullRequests: ({ record }: RepositorySource, args) =>
      connect(
        orderIssues(
          record.issues.filter((one) => one.pull !== undefined),
          args,
        ),
        args,
        (one) => issueOf(record, one),
      ),
    issue: ({ record }: RepositorySource, { number }: { number: number }, context) =>
      numbered(record, number, context, "Issue"),
    pullRequest: ({ record }: RepositorySource, { number }: { number: number }, context) =>
      numbered(record, number, context, "PullRequest"),
    issueOrPullRequest: ({ record }: RepositorySource, { number }: { number: number }, context) =>
      numbered(record, number, context),
    labels: ({ record }: RepositorySource, args: LabelArgs) =>
      connect(orderLabels(record.labels, args), args, (one) => labelOf(record, one)),
    label: ({ record }: RepositorySource, { name }: { name: string }) => {
      const found = record.labels.find((one) => one.name.toLowerCase() === name.toLowerCase());
      return found === undefined ? null : labelOf(record, found);
    },
    releases: ({ record }: RepositorySource, args) => connect(record.releases, args, (one) => releaseOf(record, one)),
    latestRelease: ({ record }: RepositorySource) => releaseOf(record, record.releases[0]),
    release: ({ record }: RepositorySource, { tagName }: { tagName: string }) =>
      releaseOf(
        record,
        record.releases.find((one) => one.tagName === tagName),
      ),
    hasIssuesEnabled: ({ record }: RepositorySource) => record.hasIssues,
    forkCount: () => 0,
    visibility: ({ record }: RepositorySource) => (record.private ? "PRIVATE" : "PUBLIC"),
  },
  Label: {
    id: ({ record }: LabelSource) => nodeId("Label", record.id),
    name: ({ record }: LabelSource) => record.name,
    color: ({ record }: LabelSource) => record.color,
    description: ({ record }: LabelSource) => record.description,
    isDefault: ({ record }: LabelSource) => record.default,
    createdAt: ({ repository }: LabelSource) => iso(repository.createdAt),
    updatedAt: ({ repository }: LabelSource) => iso(repository.createdAt),
    url: ({ record, repository }: LabelSource, _args, context) =>
      gitUrl(context, repository, `/labels/${encodeURIComponent(record.name)}`),
    resourcePath: ({ record, repository }: LabelSource) =>
      `/${repository.owner.login}/${repository.name}/labels/${encodeURIComponent(record.name)}`,
    issues: ({ record, repository }: LabelSource, args) =>
      connect(
        orderIssues(
          repository.issues.filter((one) => one.pull === undefined && one.labels.includes(record)),
          args,
        ),
        args,
        (one) => issueOf(repository, one),
      ),
    repository: ({ repository }: LabelSource) => repositoryOf(repository),
  },
  Release: {
    id: ({ record }: ReleaseSource) => nodeId("Release", record.id),
    databaseId: ({ record }: ReleaseSource) => record.id,
    name: ({ record }: ReleaseSource) => record.name,
    tagName: ({ record }: ReleaseSource) => record.tagName,
    description: ({ record }: ReleaseSource) => record.body,
    createdAt: ({ record }: ReleaseSource) => iso(record.createdAt),
    publishedAt: ({ record }: ReleaseSource) => iso(record.createdAt),
    isDraft: () => false,
    isPrerelease: () => false,
    isLatest: ({ record, repository }: ReleaseSource) => repository.releases[0] === record,
    url: ({ record, repository }: ReleaseSource, _args, context) =>
      gitUrl(context, repository, `/releases/tag/${record.tagName}`),
    author: ({ record }: ReleaseSource) => account(record.author),
  },
};

interface LabelArgs extends ConnectionArgs {
  readonly query?: string | null;
  readonly orderBy?: { readonly field: string; readonly direction: string } | null;
}

/** Labels whose name or description has the words asked for; in the order of their making unless asked for another. */
function orderLabels(labels: readonly LabelRecord[], { query, orderBy }: LabelArgs): LabelRecord[] {
  const words = (query ?? "").toLowerCase();
  const found = labels.filter((one) => `${one.name}\n${one.description ?? ""}`.toLowerCase().includes(words));
  if (orderBy?.field === "NAME") found.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  return orderBy?.direction === "DESC" ? found.reverse() : found;
}

function releaseOf(repository: RepositoryRecord, record: ReleaseRecord | undefined): ReleaseSource | null {
  return record === undefined ? null : { __typename: "Release", record, repository };
}

function numbered(
  repository: RepositoryRecord,
  number: number,
  context: ResolverContext,
  kind?: "Issue" | "PullRequest",
): unknown {
  const found = repository.issues[number - 1];
  if (found !== undefined && (kind === undefined || (found.pull === undefined) === (kind === "Issue")))
    return issueOf(repository, found);
  const what = kind === undefined ? "an issue or pull request" : kind === "Issue" ? "an Issue" : "a PullRequest";
  throw context.problem("NOT_FOUND", `Could not resolve to ${what} with the number of ${number}.`);
}
