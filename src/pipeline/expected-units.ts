import type { Call } from "./call.js";

/**
 * Units to set aside for a call: for a GraphQL query what it cost of late, here or in another process of the pool, else
 * what GitHub's rule says; a unit for all else.
 */
export function expectedUnits({ graphql, facts, principal }: Call): number {
  if (graphql === undefined || graphql.operation.kind !== "query" || graphql.isDryRun) return facts.costUnits;
  return principal?.operationCosts.expected(graphql.costKey) ?? graphql.ruleUnits;
}
