import type { Call } from "./call.js";

/**
 * Units to set aside for a call: for a GraphQL query what it cost of late, here or in another process of the pool, else
 * what GitHub's rule says; a unit for all else.
 */
export function expectedUnits({ graphql, facts, principal }: Call): number {
  if (graphql === undefined || graphql.operation.kind !== "query" || graphql.isDryRun) return facts.costUnits;
  const units = principal?.operationCosts.expected(graphql.costKey) ?? graphql.ruleUnits;
  const limit = principal?.windows.get(facts.resource)?.window?.limit;
  return limit === undefined ? units : Math.min(units, Math.max(1, Math.floor(MOST_OF_A_WINDOW * limit)));
}

/** The rule tells the most that a query may cost, and GitHub runs one that costs more than is left: it is to be sent some day. */
const MOST_OF_A_WINDOW = 0.9;
