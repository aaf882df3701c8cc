import type {
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLCompositeType,
  GraphQLField,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from "graphql";
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
/** At most this many in one connection. */
const MAX_PAGE = 100;

interface Field {
  readonly definition: GraphQLField<unknown, unknown>;
  readonly first: number;
  readonly boundless: boolean;
  readonly selections: SelectionSetNode[];
}

/**
 * Reckons a query's cost.
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
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions)
    if (one.kind === graphql.Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const problems: CostProblem[] = [];
  let requests = 0;
  let nodes = 0;

  const included = (selection: SelectionNode): boolean => {
    const skip = graphql.getDirectiveValues(graphql.GraphQLSkipDirective, selection, variables);
    const include = graphql.getDirectiveValues(graphql.GraphQLIncludeDirective, selection, variables);
    return skip?.if !== true && include?.if !== false;
  };

  const collect = (type: GraphQLCompositeType, set: SelectionSetNode, into: Map<string, Field>): void => {
    for (const selection of set.selections) {
      if (!included(selection)) continue;
      if (selection.kind === graphql.Kind.FIELD) {
        const definition = "getFields" in type ? type.getFields()[selection.name.value] : undefined;
        if (definition === undefined || selection.selectionSet === undefined) continue;
        const key = `${type.name}.${selection.alias?.value ?? selection.name.value}`;
        const args = graphql.getArgumentValues(definition, selection, variables);
        const size = (args.first ?? args.last) as number | undefined;
        const many = Array.isArray(args.ids) ? args.ids.length : 1;
        const known = into.get(key);
        const first = Math.max(known?.first ?? 0, size ?? many);
        const selections = [...(known?.selections ?? []), selection.selectionSet];
        into.set(key, { definition, first, boundless: (known?.boundless ?? true) && size === undefined, selections });
      } else {
        const fragment =
          selection.kind === graphql.Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
        if (fragment === undefined) continue;
        const condition =
          fragment.typeCondition === undefined ? type : schema.getType(fragment.typeCondition.name.value);
        if (graphql.isCompositeType(condition)) collect(condition, fragment.selectionSet, into);
      }
    }
  };

  const walk = (
    type: GraphQLCompositeType,
    sets: readonly SelectionSetNode[],
    times: number,
    path: readonly string[],
  ): void => {
    const fields = new Map<string, Field>();
    for (const set of sets) collect(type, set, fields);
    for (const field of fields.values()) {
      const inner = graphql.getNamedType(field.definition.type);
      if (!graphql.isCompositeType(inner)) continue;
      const here = [...path, field.definition.name];
      const connection = inner.name.endsWith("Connection");
      if (connection) {
        const problem = problemOf(field, here);
        if (problem !== undefined) problems.push(problem);
        requests += times;
        nodes += times * field.first;
      }
      walk(
        inner,
        field.selections,
        connection || field.definition.name === "nodes" ? times * Math.max(1, multiplier(field, connection)) : times,
        here,
      );
    }
  };

  const root = schema.getRootType(operation.operation);
  if (root !== undefined && root !== null) walk(root, [operation.selectionSet], 1, []);
  if (nodes > MAX_NODES) {
    const message = `This query requests up to ${nodes.toLocaleString("en-US")} possible nodes which exceeds the maximum limit of ${MAX_NODES.toLocaleString("en-US")}.`;
    problems.push({ type: "MAX_NODE_LIMIT_EXCEEDED", message, path: [] });
  }
  return { requests, nodes, units: Math.max(1, Math.round(requests / 100)), problems };
}

/** `nodes` of a connection is no connection: only `Query.nodes(ids:)` multiplies, by its ids. */
function multiplier(field: Field, connection: boolean): number {
  return connection || field.definition.args.some((argument) => argument.name === "ids") ? field.first : 1;
}

function problemOf(field: Field, path: readonly string[]): CostProblem | undefined {
  const { name } = field.definition;
  if (field.boundless) {
    const message = `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`;
    return { type: "MISSING_PAGINATION_BOUNDARIES", message, path };
  }
  if (field.first <= MAX_PAGE) return undefined;
  const message = `Requesting ${field.first} records on the \`${name}\` connection exceeds the \`first\` limit of ${MAX_PAGE} records.`;
  return { type: "EXCESSIVE_PAGINATION", message, path };
}
