import type { DirectiveNode, FieldNode, SelectionNode, SelectionSetNode } from "graphql/language/ast.js";
import { COUNT_FIELDS, ITEM_FIELDS } from "./connection-fields.js";
import { argumentOf, conditionsOf, type DocumentParts, responseKey } from "./document-parts.js";
import type { SizeValues } from "./size-values.js";

/**
 * A selection set, reduced to what bears on size: much less than its syntax tree, and with no trace of what else the
 * caller wrote. Sets that ask for the same are the same object, so that the items of a batch are kept and reckoned once.
 * Named fragments may hold each other in circles.
 */
export interface SizeSet {
  readonly id: number;
  readonly selections: readonly SizeSelection[];
}

export type SizeSelection = SizeField | SizeFragment;

export interface SizeField {
  readonly kind: "field";
  readonly name: string;
  readonly key: string;
  readonly when: readonly SizeCondition[];
  /** Places of its arguments. */
  readonly first: number;
  readonly last: number;
  readonly ids: number;
  /** What it tells of the field that it is selected from: that this is a connection, and what is asked of it. */
  readonly tells: "items" | "count" | undefined;
  readonly set: SizeSet | undefined;
}

export interface SizeFragment {
  readonly kind: "fragment";
  /** The type that it is on; undefined when it does not say. */
  readonly on: string | undefined;
  readonly when: readonly SizeCondition[];
  readonly set: SizeSet;
}

/** Left out when the value at `place` is `unless`. */
export interface SizeCondition {
  readonly place: number;
  readonly unless: boolean;
}

/** Reduces an operation to its sizes. The selections of its root come back. */
export function planSizes({ operation, fragments }: DocumentParts, values: SizeValues): SizeSet {
  /** Named fragments in the order in which they are met: their sets are filled afterwards, so that circles close. */
  const named = new Map<string, SizeSet & { readonly selections: SizeSelection[] }>();
  const known = new Map<string, SizeSet>();
  const none: readonly SizeCondition[] = [];
  let count = 0;

  const whenOf = (directives: readonly DirectiveNode[] | undefined): readonly SizeCondition[] => {
    const conditions = conditionsOf(directives);
    return conditions.length === 0
      ? none
      : conditions.map(({ value, unless }) => ({ place: values.place(value, "flag"), unless }));
  };

  const field = (node: FieldNode): SizeField[] => {
    const name = node.name.value;
    const isItems = ITEM_FIELDS.has(name) && (node.arguments?.length ?? 0) === 0;
    const tells = isItems ? "items" : COUNT_FIELDS.has(name) ? "count" : undefined;
    if (node.selectionSet === undefined && tells === undefined) return [];
    const place = (argument: string, role: "pageSize" | "listLength") => values.place(argumentOf(node, argument), role);
    return [
      {
        kind: "field",
        name,
        key: responseKey(node),
        when: whenOf(node.directives),
        first: place("first", "pageSize"),
        last: place("last", "pageSize"),
        ids: place("ids", "listLength"),
        tells,
        set: node.selectionSet && set(node.selectionSet),
      },
    ];
  };

  const spread = (name: string, directives: readonly DirectiveNode[] | undefined): SizeFragment[] => {
    const fragment = fragments.get(name);
    if (fragment === undefined) return [];
    let filled = named.get(name);
    if (filled === undefined) {
      filled = { id: count++, selections: [] };
      named.set(name, filled);
    }
    return [{ kind: "fragment", on: fragment.typeCondition.name.value, when: whenOf(directives), set: filled }];
  };

  const selections = ({ selections: nodes }: SelectionSetNode): SizeSelection[] =>
    nodes.flatMap((node: SelectionNode): SizeSelection[] => {
      if (node.kind === "Field") return field(node);
      if (node.kind === "FragmentSpread") return spread(node.name.value, node.directives);
      const on = node.typeCondition?.name.value;
      return [{ kind: "fragment", on, when: whenOf(node.directives), set: set(node.selectionSet) }];
    });

  const set = (node: SelectionSetNode): SizeSet => {
    const found = selections(node);
    const name = found.map(nameOf).join();
    let one = known.get(name);
    if (one === undefined) {
      one = { id: count++, selections: found };
      known.set(name, one);
    }
    return one;
  };

  const root = set(operation.selectionSet);
  // A map goes on to what is added to it on the way.
  for (const [name, filled] of named) {
    const node = fragments.get(name)?.selectionSet;
    // One by one: as arguments of a single push, very many would not fit on the stack.
    if (node !== undefined) for (const one of selections(node)) filled.selections.push(one);
  }
  return root;
}

/** The same for selections that are alike. */
function nameOf(one: SizeSelection): string {
  const when = one.when.map(({ place, unless }) => `${unless ? "-" : "+"}${place}`).join("");
  const set = one.set?.id ?? "";
  return one.kind === "fragment"
    ? `...${one.on ?? ""}${when}{${set}}`
    : `${one.key}:${one.name}(${one.first} ${one.last} ${one.ids} ${one.tells ?? ""})${when}{${set}}`;
}
