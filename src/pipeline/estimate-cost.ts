import { secondaryPoints } from "../call/points.js";
import { SquadRateError } from "../errors.js";
import type { QueryRejection } from "../graphql/estimate.js";
import { whyUnreadable } from "../graphql/why-unreadable.js";
import { optionError } from "../options/check.js";
import type { Engine } from "./engine.js";
import { GraphqlDesk } from "./graphql-desk.js";

/** What a GraphQL request would cost. */
export interface CostEstimate {
  /** Units of primary quota. */
  readonly units: number;
  /** Nodes that it may return, at most. */
  readonly nodes: number;
  /** Its weight in GitHub's secondary limits: 1 for a query, 5 for a mutation. */
  readonly points: number;
  /** `learnt`: from what it cost of late; `rule`: from GitHub's published rule. */
  readonly from: "learnt" | "rule";
  /** Why GitHub would turn it down; undefined when it would not. */
  readonly rejected: QueryRejection | undefined;
}

/** See `Squad.estimate`. */
export async function estimateCost(
  engine: Engine,
  query: unknown,
  variables: unknown,
  operationName: unknown,
): Promise<CostEstimate> {
  checkQuery(query, variables, operationName);
  const desk = engine.graphql ?? new GraphqlDesk({ capture: false });
  if (!desk.isReady) await desk.load();
  const read = desk.read({ document: query, operationName, variables });
  if (read === undefined) throw unreadable(await whyUnreadable(query, operationName as string | undefined));
  const { operation, costKey, ruleUnits } = read;
  const { nodes, rejected } = operation.estimate(read.variables);
  const learnt = rejected === undefined ? learntUnits(engine, costKey) : undefined;
  return {
    units: read.isDryRun ? 0 : (learnt ?? ruleUnits),
    nodes,
    points: secondaryPoints("POST", operation.kind),
    from: learnt === undefined ? "rule" : "learnt",
    rejected,
  };
}

/** What any of the squad's principals knows; the cost of a document depends on none. */
function learntUnits({ quota }: Engine, costKey: string): number | undefined {
  for (const { operationCosts } of quota.principals()) {
    const units = operationCosts.expected(costKey);
    if (units !== undefined) return units;
  }
  return undefined;
}

function checkQuery(query: unknown, variables: unknown, operationName: unknown): asserts query is string {
  if (typeof query !== "string") throw optionError("estimate: query", "a GraphQL document", query);
  if (variables !== undefined && (typeof variables !== "object" || Array.isArray(variables))) {
    throw optionError("estimate: variables", "an object", variables);
  }
  if (operationName !== undefined && typeof operationName !== "string") {
    throw optionError("estimate: operationName", "a name", operationName);
  }
}

function unreadable(why: string): SquadRateError {
  return new SquadRateError("SQUAD_RATE_OPTIONS", `estimate: the query cannot be read: ${why}.`, {
    remedy: "Pass the document as it is to be sent, with the name of the operation if it has several.",
  });
}
