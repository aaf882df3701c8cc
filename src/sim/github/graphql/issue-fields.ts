import { association } from "../rest/render-issues.js";
import { iso, isoOrNull, nodeId } from "../rest/render-values.js";
import { connect } from "./connections.js";
import { stateOf } from "./order-issues.js";
import { noReactions } from "./reactions.js";
import type { Resolver, ResolverContext } from "./resolver-context.js";
import { account, commentOf, type IssueSource, labelOf, repositoryOf } from "./sources.js";

/** Where an issue or a pull request is on the website. */
export const issuePath = ({ record, repository }: IssueSource): string =>
  `/${repository.owner.login}/${repository.name}/${record.pull === undefined ? "issues" : "pull"}/${record.number}`;

/** What issues and pull requests have in common. */
export const issueFields: Readonly<Record<string, Resolver>> = {
  id: ({ record, __typename }: IssueSource) => nodeId(__typename, record.id),
  number: ({ record }: IssueSource) => record.number,
  title: ({ record }: IssueSource) => record.title,
  body: ({ record }: IssueSource) => record.body ?? "",
  bodyText: ({ record }: IssueSource) => record.body ?? "",
  state: ({ record }: IssueSource) => stateOf(record),
  locked: ({ record }: IssueSource) => record.locked,
  closed: ({ record }: IssueSource) => record.state === "closed",
  closedAt: ({ record }: IssueSource) => isoOrNull(record.closedAt),
  createdAt: ({ record }: IssueSource) => iso(record.createdAt),
  updatedAt: ({ record }: IssueSource) => iso(record.updatedAt),
  url: (source: IssueSource, _args: unknown, { origins }: ResolverContext) => `${origins.html}${issuePath(source)}`,
  resourcePath: issuePath,
  author: ({ record }: IssueSource) => account(record.user),
  authorAssociation: ({ record, repository }: IssueSource) => association(record.user, repository),
  labels: ({ record, repository }: IssueSource, args: object) =>
    connect(record.labels, args, (one) => labelOf(repository, one)),
  assignees: ({ record }: IssueSource, args: object) =>
    connect(
      record.assignees.filter((one) => one.type === "User"),
      args,
      account,
    ),
  comments: ({ record, repository }: IssueSource, args: object) =>
    connect(record.comments, args, (one) => commentOf(repository, record, one)),
  repository: ({ repository }: IssueSource) => repositoryOf(repository),
  viewerDidAuthor: ({ record }: IssueSource, _args: unknown, { viewer }: ResolverContext) => record.user === viewer,
  reactionGroups: noReactions,
  // The world has neither milestones nor projects.
  milestone: () => null,
  projectCards: (_source: IssueSource, args: object) => connect([], args, (one) => one),
  projectItems: (_source: IssueSource, args: object) => connect([], args, (one) => one),
};
