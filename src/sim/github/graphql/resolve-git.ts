import { iso, nodeId } from "../rest/render-values.js";
import type { CommitRecord, RepositoryRecord } from "../world/entities.js";
import { rollup } from "../world/merge-state.js";
import { type ConnectionArgs, connect } from "./connections.js";
import { gitUrl, type RefSource, treeEntries } from "./git-objects.js";
import type { ResolverContext, Resolvers } from "./resolver-context.js";
import {
  account,
  type CheckRunSource,
  type CommitSource,
  checkRunOf,
  commitOf,
  repositoryOf,
  type StatusSource,
} from "./sources.js";
import { statusCheckRollup } from "./status-check-rollup.js";

const history = (repository: RepositoryRecord, from: CommitRecord): CommitRecord[] => {
  const found: CommitRecord[] = [];
  for (let one: CommitRecord | undefined = from; one !== undefined; one = repository.commits.get(one.parents[0] ?? ""))
    found.push(one);
  return found;
};

const gitActor = ({ author, authoredAt }: CommitRecord) => ({
  name: author.name ?? author.login,
  email: author.email,
  date: iso(authoredAt),
  user: author.type === "User" ? account(author) : null,
});

/** Refs, commits, and what is known of a commit. */
export const gitResolvers: Resolvers = {
  Ref: {
    id: ({ repository, name }: RefSource) => nodeId("Ref", `${repository.id}:${name}`),
    name: ({ name }: RefSource) => name.split("/").slice(2).join("/"),
    prefix: ({ name }: RefSource) => `${name.split("/").slice(0, 2).join("/")}/`,
    target: ({ repository, sha }: RefSource) => commitOf(repository, sha),
    repository: ({ repository }: RefSource) => repositoryOf(repository),
    // Nothing in the world is protected.
    branchProtectionRule: () => null,
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
    author: ({ record }: CommitSource) => gitActor(record),
    authors: ({ record }: CommitSource, args) => connect([record], args, gitActor),
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
    // Checks are made by apps, not by workflows.
    workflowRun: () => null,
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
    checkSuite: (source: CheckRunSource) => ({ ...source, __typename: "CheckSuite" }),
    isRequired: () => false,
  },
  StatusContext: {
    id: ({ record }: StatusSource) => nodeId("StatusContext", record.id),
    context: ({ record }: StatusSource) => record.context,
    state: ({ record }: StatusSource) => record.state.toUpperCase(),
    description: ({ record }: StatusSource) => record.description,
    targetUrl: ({ record }: StatusSource) => record.targetUrl,
    createdAt: ({ record }: StatusSource) => iso(record.createdAt),
    isRequired: () => false,
  },
};
