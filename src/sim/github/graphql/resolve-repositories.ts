import { iso, nodeId } from "../rest/render-values.js";
import type { CommitRecord, FileRecord, RepositoryRecord, UserRecord } from "../world/entities.js";
import { permissionOf } from "../world/visibility.js";
import { type ConnectionArgs, connect } from "./connections.js";
import { type IssueArgs, orderIssues } from "./order-issues.js";
import { type ResolverContext, type Resolvers, visibleRepositories } from "./resolver-context.js";
import {
  type AccountSource,
  account,
  type CheckRunSource,
  type CommitSource,
  checkRunOf,
  commitOf,
  issueOf,
  type LabelSource,
  labelOf,
  type ReleaseSource,
  type RepositorySource,
  repositoryOf,
  type StatusSource,
} from "./sources.js";
import { rollup, statusCheckRollup } from "./status-check-rollup.js";

type RefSource = {
  readonly __typename: "Ref";
  readonly repository: RepositoryRecord;
  readonly name: string;
  readonly sha: string;
};

const refOf = (repository: RepositoryRecord, name: string): RefSource | null => {
  const sha = repository.refs.get(name);
  return sha === undefined ? null : { __typename: "Ref", repository, name, sha };
};

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

const history = (repository: RepositoryRecord, from: CommitRecord): CommitRecord[] => {
  const found: CommitRecord[] = [];
  for (let one: CommitRecord | undefined = from; one !== undefined; one = repository.commits.get(one.parents[0] ?? ""))
    found.push(one);
  return found;
};

const gitUrl = ({ origins }: ResolverContext, repository: RepositoryRecord, rest: string): string =>
  `${origins.html}/${repository.owner.login}/${repository.name}${rest}`;

function treeEntries(repository: RepositoryRecord, files: ReadonlyMap<string, FileRecord>): unknown[] {
  return [...files]
    .filter(([path]) => !path.includes("/"))
    .map(([path, file]) => ({
      name: path,
      path,
      type: "blob",
      mode: 33_188,
      size: file.content.byteLength,
      oid: file.sha,
      object: blob(repository, file),
    }));
}

function blob(repository: RepositoryRecord, file: FileRecord): unknown {
  return {
    __typename: "Blob",
    id: `B_${file.sha}`,
    oid: file.sha,
    abbreviatedOid: file.sha.slice(0, 7),
    commitUrl: (_: unknown, context: ResolverContext) => gitUrl(context, repository, `/commit/${file.sha}`),
    byteSize: file.content.byteLength,
    isBinary: file.content.includes(0),
    text: file.content.includes(0) ? null : new TextDecoder().decode(file.content),
  };
}

function objectAt(repository: RepositoryRecord, expression: string): unknown {
  const [ref = "", path] = expression.split(":");
  const name = ref === "HEAD" || ref === "" ? repository.defaultBranch : ref;
  const sha =
    repository.refs.get(`refs/heads/${name}`) ??
    repository.refs.get(`refs/tags/${name}`) ??
    repository.refs.get(name) ??
    name;
  if (path === undefined) return commitOf(repository, sha);
  const file = repository.commits.get(sha)?.files.get(path);
  return file === undefined ? null : blob(repository, file);
}

/** Accounts, repositories, and what git keeps in them. */
export const repositoryResolvers: Resolvers = {
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
  },
  Bot: accountFields,
  Repository: {
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
    labels: ({ record }: RepositorySource, args) => connect(record.labels, args, (one) => labelOf(record, one)),
    label: ({ record }: RepositorySource, { name }: { name: string }) => {
      const found = record.labels.find((one) => one.name.toLowerCase() === name.toLowerCase());
      return found === undefined ? null : labelOf(record, found);
    },
    releases: ({ record }: RepositorySource, args) =>
      connect(
        record.releases,
        args,
        (one): ReleaseSource => ({ __typename: "Release", record: one, repository: record }),
      ),
    hasIssuesEnabled: ({ record }: RepositorySource) => record.hasIssues,
    forkCount: () => 0,
    visibility: ({ record }: RepositorySource) => (record.private ? "PRIVATE" : "PUBLIC"),
  },
  Ref: {
    id: ({ repository, name }: RefSource) => nodeId("Ref", `${repository.id}:${name}`),
    name: ({ name }: RefSource) => name.split("/").slice(2).join("/"),
    prefix: ({ name }: RefSource) => `${name.split("/").slice(0, 2).join("/")}/`,
    target: ({ repository, sha }: RefSource) => commitOf(repository, sha),
    repository: ({ repository }: RefSource) => repositoryOf(repository),
  },
  Commit: {
    id: ({ record }: CommitSource) => nodeId("Commit", record.sha),
    oid: ({ record }: CommitSource) => record.sha,
    abbreviatedOid: ({ record }: CommitSource) => record.sha.slice(0, 7),
    commitUrl: ({ record, repository }: CommitSource, _args, context) =>
      gitUrl(context, repository, `/commit/${record.sha}`),
    url: ({ record, repository }: CommitSource, _args, context) => gitUrl(context, repository, `/commit/${record.sha}`),
    message: ({ record }: CommitSource) => record.message,
    messageHeadline: ({ record }: CommitSource) => record.message.split("\n")[0] ?? "",
    messageBody: ({ record }: CommitSource) => record.message.split("\n").slice(1).join("\n").trim(),
    committedDate: ({ record }: CommitSource) => iso(record.authoredAt),
    authoredDate: ({ record }: CommitSource) => iso(record.authoredAt),
    author: ({ record: { author, authoredAt } }: CommitSource) => ({
      name: author.name ?? author.login,
      email: author.email,
      date: iso(authoredAt),
      user: author.type === "User" ? account(author) : null,
    }),
    history: ({ record, repository }: CommitSource, args: ConnectionArgs & { path?: string | null }) =>
      connect(
        history(repository, record).filter(
          (one) => args.path === undefined || args.path === null || one.changedPaths.includes(args.path),
        ),
        args,
        (one) => commitOf(repository, one.sha),
      ),
    parents: ({ record, repository }: CommitSource, args) =>
      connect(record.parents, args, (sha) => commitOf(repository, sha)),
    statusCheckRollup: (source: CommitSource) => statusCheckRollup(source),
    checkSuites: ({ record, repository }: CommitSource, args) =>
      connect(
        repository.checkRuns.filter((one) => one.headSha === record.sha),
        args,
        (one) => checkRunOf(repository, one),
      ),
    status: ({ record, repository }: CommitSource) => {
      const statuses = repository.statuses.filter((one) => one.sha === record.sha);
      if (statuses.length === 0) return null;
      return {
        __typename: "Status",
        id: nodeId("StatusContext", record.sha),
        state: rollup(statuses, []),
        contexts: statuses.map((one): StatusSource => ({ __typename: "StatusContext", record: one, repository })),
      };
    },
    additions: ({ record }: CommitSource) => record.changedPaths.length,
    deletions: () => 0,
    repository: ({ repository }: CommitSource) => repositoryOf(repository),
    tree: ({ record, repository }: CommitSource) => ({
      __typename: "Tree",
      id: `T_${record.treeSha}`,
      oid: record.treeSha,
      abbreviatedOid: record.treeSha.slice(0, 7),
      commitUrl: (_: unknown, context: ResolverContext) => gitUrl(context, repository, `/commit/${record.treeSha}`),
      entries: treeEntries(repository, record.files),
    }),
  },
  CheckSuite: {
    id: ({ record }: CheckRunSource) => nodeId("CheckSuite", record.id),
    databaseId: ({ record }: CheckRunSource) => record.id,
    status: ({ record }: CheckRunSource) => record.status.toUpperCase(),
    conclusion: ({ record }: CheckRunSource) => record.conclusion?.toUpperCase() ?? null,
    checkRuns: (source: CheckRunSource, args) => connect([source], args, (one) => one),
    createdAt: ({ record }: CheckRunSource) => iso(record.startedAt),
    updatedAt: ({ record }: CheckRunSource) => iso(record.completedAt ?? record.startedAt),
  },
  CheckRun: {
    id: ({ record }: CheckRunSource) => nodeId("CheckRun", record.id),
    databaseId: ({ record }: CheckRunSource) => record.id,
    name: ({ record }: CheckRunSource) => record.name,
    status: ({ record }: CheckRunSource) => record.status.toUpperCase(),
    conclusion: ({ record }: CheckRunSource) => record.conclusion?.toUpperCase() ?? null,
    startedAt: ({ record }: CheckRunSource) => iso(record.startedAt),
    completedAt: ({ record }: CheckRunSource) => (record.completedAt === null ? null : iso(record.completedAt)),
    detailsUrl: ({ record, repository }: CheckRunSource, _args, context) =>
      gitUrl(context, repository, `/runs/${record.id}`),
    url: ({ record, repository }: CheckRunSource, _args, context) => gitUrl(context, repository, `/runs/${record.id}`),
    title: ({ record }: CheckRunSource) => record.title,
    summary: ({ record }: CheckRunSource) => record.summary,
  },
  StatusContext: {
    id: ({ record }: StatusSource) => nodeId("StatusContext", record.id),
    context: ({ record }: StatusSource) => record.context,
    state: ({ record }: StatusSource) => record.state.toUpperCase(),
    description: ({ record }: StatusSource) => record.description,
    targetUrl: ({ record }: StatusSource) => record.targetUrl,
    createdAt: ({ record }: StatusSource) => iso(record.createdAt),
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
