import type { DocumentNode, GraphQLCompositeType, GraphQLSchema, OperationDefinitionNode } from "graphql";
import { type AskedField, collectFields, type TypedSet } from "./collect-fields.js";
import type { GraphQLModule } from "./load-graphql.js";

/** What a query would cost, reckoned from its text and variables alone. */
export interface QueryCost {
  /** Requests needed to fulfil each unique connection at its full size. */
  readonly requests: number;
  /** Nodes that may be returned. */
  readonly nodes: number;
  /** Units: a hundredth of the requests, rounded, at least 1. */
  readonly units: number;
  /** Connections that ask for too much or do not say how much. */
  readonly problems: readonly CostProblem[];
}

/** A connection that GitHub refuses to fetch. */
export interface CostProblem {
  readonly type: "EXCESSIVE_PAGINATION" | "MISSING_PAGINATION_BOUNDARIES" | "MAX_NODE_LIMIT_EXCEEDED";
  readonly message: string;
  readonly path: readonly string[];
}

/** At most this many nodes in one query. */
const MAX_NODES = 500_000;
/** At most this many in one connection. The guides say "between 1 and 100", but 0 is answered, with no items. */
const MAX_PAGE = 100;
/** Fields of a connection that are empty talk without a page size. All the others are counts, which need none. */
const ITEMS: ReadonlySet<string> = new Set(["nodes", "edges", "pageInfo"]);

/**
 * Reckons a query's cost. Occurrences of a connection that may apply to one object are one connection; occurrences on
 * types that exclude each other are several, though an object only ever has one of them.
 *
 * @see https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
export function costOf(
  graphql: GraphQLModule,
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): QueryCost {
  const fieldsOf = (sets: readonly TypedSet[]) => collectFields({ graphql, schema, document, variables }, sets);
  const problems: CostProblem[] = [];
  let requests = 0;
  let nodes = 0;

  const walk = (fields: readonly AskedField[], times: number, path: readonly string[]): void => {
    for (const field of fields) {
      const here = [...path, field.name];
      const inner = fieldsOf(field.sets);
      const names = inner.map((one) => one.name).filter((name) => name !== "__typename");
      // Without a page size, a connection of which nothing but its type is asked has nothing to fetch.
      const isFetched = field.isConnection && (field.size !== undefined || names.length > 0);
      if (isFetched) {
        const problem = problemOf(field, names, here);
        if (problem !== undefined) problems.push(problem);
        requests += times;
        nodes += times * Math.max(0, field.size ?? 0);
      }
      walk(inner, times * (isFetched ? Math.max(0, field.size ?? 1) : (field.ids ?? 1)), here);
    }
  };

  const root = schema.getRootType(operation.operation) as GraphQLCompositeType | null | undefined;
  if (root !== undefined && root !== null) walk(fieldsOf([{ type: root, set: operation.selectionSet }]), 1, []);
  if (nodes > MAX_NODES) {
    const message = `This query requests up to ${nodes.toLocaleString("en-US")} possible nodes which exceeds the maximum limit of ${MAX_NODES.toLocaleString("en-US")}.`;
    problems.push({ type: "MAX_NODE_LIMIT_EXCEEDED", message, path: [] });
  }
  return { requests, nodes, units: Math.max(1, Math.round(requests / 100)), problems };
}

function problemOf(
  { name, size }: AskedField,
  selected: readonly string[],
  path: readonly string[],
): CostProblem | undefined {
  if (size === undefined) {
    if (!selected.some((one) => ITEMS.has(one))) return undefined;
    const message = `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`;
    return { type: "MISSING_PAGINATION_BOUNDARIES", message, path };
  }
  if (size >= 0 && size <= MAX_PAGE) return undefined;
  const message = `Requesting ${size} records on the \`${name}\` connection exceeds the \`first\` limit of ${MAX_PAGE} records.`;
  return { type: "EXCESSIVE_PAGINATION", message, path };
}
