import { star } from "../world/repositories.js";
import { issueMutations } from "./issue-mutations.js";
import { mutation } from "./mutation.js";
import { nodeById } from "./node-by-id.js";
import { pullAuthoring } from "./pull-authoring.js";
import { pullMutations } from "./pull-mutations.js";
import type { Resolvers } from "./resolver-context.js";
import type { RepositorySource } from "./sources.js";

/** Where mutations begin. */
export const mutationResolvers: Resolvers = {
  Mutation: {
    ...issueMutations,
    ...pullMutations,
    ...pullAuthoring,
    addStar: mutation(({ starrableId }: { readonly starrableId: string }, context) => {
      const found = nodeById(context, starrableId) as RepositorySource;
      star(context.state, context.viewer, found.record, true);
      return { starrable: found };
    }),
  },
};
