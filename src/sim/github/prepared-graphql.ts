import type { QueryBody, ReadQuery } from "./graphql/run-query.js";

/** A GraphQL request, read but not yet run. */
export interface PreparedGraphQL {
  readonly isMutation: boolean;
  readonly createsContent: boolean;
  /** Response names of the operation's own fields. */
  readonly rootFields: readonly string[];
  readonly body: QueryBody | undefined;
  readonly query: ReadQuery | undefined;
}
