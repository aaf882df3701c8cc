import type { GraphqlOperationKind } from "./graphql-kind.js";

/** Weight of one request in GitHub's secondary limits. */
export type Points = 1 | 5;

/**
 * The secondary-limit points of a request: 1 for a read or a GraphQL query, 5 for a write or a mutation. A GraphQL
 * operation of unknown kind counts as a mutation.
 *
 * @param graphql - the kind of the operation, when the request is a GraphQL one
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#calculating-points-for-the-secondary-rate-limit
 */
export function secondaryPoints(method: string, graphql?: GraphqlOperationKind): Points {
  if (graphql !== undefined) return graphql === "query" ? 1 : 5;
  return isReadMethod(method) ? 1 : 5;
}

/** Whether a REST request with `method` only reads. */
export function isReadMethod(method: string): boolean {
  switch (method.toUpperCase()) {
    case "GET":
    case "HEAD":
    case "OPTIONS":
      return true;
    default:
      return false;
  }
}
