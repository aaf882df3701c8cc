import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLCompositeType,
  GraphQLField,
  GraphQLSchema,
  SelectionNode,
  SelectionSetNode,
} from "graphql";
import type { GraphQLModule } from "./load-graphql.js";

/** A selection set on the type that it selects from. */
export interface TypedSet {
  readonly type: GraphQLCompositeType;
  readonly set: SelectionSetNode;
}

/** A field that an object may be asked for: all its occurrences, put together. */
export interface AskedField {
  readonly name: string;
  readonly isConnection: boolean;
  /** The largest page size, or undefined when there is none. */
  readonly size: number | undefined;
  /** The length of the longest list of ids, or undefined when there is none. */
  readonly ids: number | undefined;
  /** What is selected of it; empty for scalars. */
  readonly sets: readonly TypedSet[];
}

/** What a document is read with. */
export interface Reading {
  readonly graphql: GraphQLModule;
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  /** Coerced, with defaults. */
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Occurrence {
  readonly parent: GraphQLCompositeType;
  readonly definition: GraphQLField<unknown, unknown> | undefined;
  readonly node: FieldNode;
}

/** The fields in `sets`, those that are left out left out. */
export function collectFields(reading: Reading, sets: readonly TypedSet[]): AskedField[] {
  const byKey = new Map<string, Occurrence[]>();
  for (const { type, set } of sets)
    collect(reading, set, { type, possible: possibleTypes(reading, type) }, new Set(), byKey);
  return [...byKey.values()].flatMap((all) => together(reading, all)).map((all) => askedField(reading, all));
}

/** Where selections stand: the type that they select from, and the objects that come so far through all conditions. */
interface Place {
  readonly type: GraphQLCompositeType;
  readonly possible: readonly string[];
}

function collect(
  reading: Reading,
  set: SelectionSetNode,
  place: Place,
  spread: Set<string>,
  into: Map<string, Occurrence[]>,
): void {
  const { graphql } = reading;
  for (const selection of set.selections) {
    if (!isIncluded(reading, selection)) continue;
    if (selection.kind === graphql.Kind.FIELD) {
      const key = selection.alias?.value ?? selection.name.value;
      const definition = "getFields" in place.type ? place.type.getFields()[selection.name.value] : undefined;
      into.set(key, [...(into.get(key) ?? []), { parent: place.type, definition, node: selection }]);
      continue;
    }
    const isSpread = selection.kind === graphql.Kind.FRAGMENT_SPREAD;
    const fragment = isSpread ? named(reading, selection.name.value) : selection;
    if (fragment === undefined) continue;
    const inner = enter(reading, place, fragment.typeCondition?.name.value);
    if (inner === undefined) continue;
    const entered = isSpread ? `${selection.name.value} ${inner.possible}` : undefined;
    if (entered !== undefined && spread.has(entered)) continue;
    if (entered !== undefined) spread.add(entered);
    collect(reading, fragment.selectionSet, inner, spread, into);
  }
}

/** The place within a fragment; undefined where no object comes, as with one object type within another. */
function enter(reading: Reading, place: Place, condition: string | undefined): Place | undefined {
  const { graphql, schema } = reading;
  const type = condition === undefined ? place.type : schema.getType(condition);
  if (!graphql.isCompositeType(type)) return undefined;
  const own = possibleTypes(reading, type);
  const possible = place.possible.filter((one) => own.includes(one));
  return possible.length === 0 ? undefined : { type, possible };
}

function possibleTypes({ graphql, schema }: Reading, type: GraphQLCompositeType): readonly string[] {
  return graphql.isAbstractType(type) ? schema.getPossibleTypes(type).map((one) => one.name) : [type.name];
}

/** Parts occurrences of one response key into those that may meet on one object, if only by way of others. */
function together({ graphql, schema }: Reading, occurrences: readonly Occurrence[]): Occurrence[][] {
  let parts: Occurrence[][] = [];
  for (const one of occurrences) {
    const meets = (part: Occurrence[]): boolean =>
      part.some((other) => graphql.doTypesOverlap(schema, one.parent, other.parent));
    const met = parts.filter(meets);
    const [first] = met;
    if (first === undefined) parts.push([one]);
    else {
      first.push(one, ...met.slice(1).flat());
      parts = parts.filter((part) => part === first || !met.includes(part));
    }
  }
  return parts;
}

function askedField(reading: Reading, occurrences: readonly Occurrence[]): AskedField {
  const { graphql } = reading;
  const sizes = occurrences.flatMap((one) => number(argument(reading, one, "first") ?? argument(reading, one, "last")));
  const lists = occurrences.flatMap((one) => lengthOf(argument(reading, one, "ids")));
  const types = occurrences.map(({ definition }) => definition && graphql.getNamedType(definition.type));
  return {
    name: occurrences[0]?.node.name.value ?? "",
    isConnection: types.some((type) => graphql.isCompositeType(type) && type.name.endsWith("Connection")),
    size: sizes.length === 0 ? undefined : Math.max(...sizes),
    ids: lists.length === 0 ? undefined : Math.max(...lists),
    sets: occurrences.flatMap(({ node }, index) => {
      const type = types[index];
      return node.selectionSet !== undefined && graphql.isCompositeType(type) ? [{ type, set: node.selectionSet }] : [];
    }),
  };
}

const number = (value: unknown): number[] => (typeof value === "number" ? [value] : []);
const lengthOf = (value: unknown): number[] => (Array.isArray(value) ? [value.length] : []);

/** An argument's value; undefined where there is none that fits, which is for the executor to report. */
function argument({ graphql, variables }: Reading, { definition, node }: Occurrence, name: string): unknown {
  const declared = definition?.args.find((one) => one.name === name);
  const given = node.arguments?.find((one) => one.name.value === name);
  if (declared === undefined || given === undefined) return declared?.defaultValue;
  return graphql.valueFromAST(given.value, declared.type, variables);
}

function isIncluded({ graphql, variables }: Reading, { directives = [] }: SelectionNode): boolean {
  return directives.every(({ name, arguments: given = [] }) => {
    const condition = given.find((one) => one.name.value === "if");
    const value = condition && graphql.valueFromAST(condition.value, graphql.GraphQLBoolean, variables);
    return name.value === "skip" ? value !== true : name.value !== "include" || value !== false;
  });
}

function named({ graphql, document }: Reading, name: string): FragmentDefinitionNode | undefined {
  return document.definitions.find(
    (one): one is FragmentDefinitionNode => one.kind === graphql.Kind.FRAGMENT_DEFINITION && one.name.value === name,
  );
}
