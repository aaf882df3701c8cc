import { association } from "../rest/render-issues.js";
import { iso, nodeId } from "../rest/render-values.js";
import { issueFields, issuePath } from "./issue-fields.js";
import { noReactions } from "./reactions.js";
import type { Resolvers } from "./resolver-context.js";
import { account, type CommentSource, type IssueSource, issueOf, repositoryOf } from "./sources.js";

/** Issues, and what people say about them and about pull requests. */
export const issueResolvers: Resolvers = {
  Issue: {
    ...issueFields,
    databaseId: ({ record }: IssueSource) => record.id,
    stateReason: ({ record }: IssueSource) => record.stateReason?.toUpperCase() ?? null,
  },
  IssueComment: {
    id: ({ record }: CommentSource) => nodeId("IssueComment", record.id),
    databaseId: ({ record }: CommentSource) => record.id,
    body: ({ record }: CommentSource) => record.body,
    bodyText: ({ record }: CommentSource) => record.body,
    createdAt: ({ record }: CommentSource) => iso(record.createdAt),
    updatedAt: ({ record }: CommentSource) => iso(record.updatedAt),
    author: ({ record }: CommentSource) => account(record.user),
    authorAssociation: ({ record, repository }: CommentSource) => association(record.user, repository),
    url: ({ record, repository, on }: CommentSource, _args, { origins }) =>
      `${origins.html}${issuePath(issueOf(repository, on))}#issuecomment-${record.id}`,
    resourcePath: ({ record, repository, on }: CommentSource) =>
      `${issuePath(issueOf(repository, on))}#issuecomment-${record.id}`,
    // The schema promises an Issue here, and GitHub gives one for pull requests too.
    issue: ({ repository, on }: CommentSource) => ({ ...issueOf(repository, on), __typename: "Issue" }),
    repository: ({ repository }: CommentSource) => repositoryOf(repository),
    includesCreatedEdit: ({ record }: CommentSource) => record.updatedAt > record.createdAt,
    isMinimized: () => false,
    minimizedReason: () => null,
    reactionGroups: noReactions,
    viewerDidAuthor: ({ record }: CommentSource, _args, { viewer }) => record.user === viewer,
  },
};
