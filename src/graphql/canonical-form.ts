import type { ArgumentNode, DirectiveNode, SelectionSetNode, ValueNode } from "graphql/language/ast.js";
import { conditionsOf, type DocumentParts, responseKey } from "./document-parts.js";
import type { SizeValues } from "./size-values.js";

/** An operation without what does not bear on its cost. */
export interface CanonicalForm {
  /** The same for operations of the same shape. */
  readonly text: string;
  /** Where the sizes that stand as `#` in the text are kept, in their order. */
  readonly sizes: readonly number[];
}

/** Stands for a value that does not bear on size. */
const VALUE = "?";
/** Stands for one that does. */
const SIZE = "#";
const SIZES: ReadonlyMap<string, "pageSize" | "listLength"> = new Map([
  ["first", "pageSize"],
  ["last", "pageSize"],
  ["ids", "listLength"],
]);

/**
 * Writes an operation and the fragments that it uses in one way only: response keys and fragments by number (equal keys
 * stay equal, because they make one field of two), arguments by name, literals and variables as a placeholder, save enums,
 * booleans, null, and the sizes. What the operation and its variables are called does not come into it.
 */
export function canonicalForm({ operation, fragments }: DocumentParts, values: SizeValues): CanonicalForm {
  const sizes: number[] = [];
  const out: string[] = [operation.operation];
  const keys = new Map<string, number>();
  const numbers = new Map<string, number>();

  const writeArguments = (nodes: readonly ArgumentNode[] | undefined): void => {
    if (nodes === undefined || nodes.length === 0) return;
    const sorted = [...nodes].sort((a, b) => (a.name.value < b.name.value ? -1 : 1));
    out.push("(");
    for (const { name, value } of sorted) {
      const role = SIZES.get(name.value);
      if (role !== undefined) sizes.push(values.place(value, role));
      out.push(name.value, ":", role === undefined ? canonicalValue(value) : SIZE, ",");
    }
    out.push(")");
  };

  const writeDirectives = (nodes: readonly DirectiveNode[] | undefined): void => {
    for (const node of nodes ?? []) {
      out.push("@", node.name.value);
      const [condition] = conditionsOf([node]);
      if (condition === undefined) writeArguments(node.arguments);
      else {
        sizes.push(values.place(condition.value, "flag"));
        out.push(SIZE);
      }
    }
  };

  const writeSet = ({ selections }: SelectionSetNode): void => {
    out.push("{");
    for (const node of selections) {
      if (node.kind === "Field") out.push(String(numberOf(keys, responseKey(node))), ":", node.name.value);
      else if (node.kind === "FragmentSpread") out.push("...", String(numberOf(numbers, node.name.value)));
      else out.push("... on ", node.typeCondition?.name.value ?? "");
      if (node.kind === "Field") writeArguments(node.arguments);
      writeDirectives(node.directives);
      if (node.kind !== "FragmentSpread" && node.selectionSet !== undefined) writeSet(node.selectionSet);
      out.push(" ");
    }
    out.push("}");
  };

  writeSet(operation.selectionSet);
  // A map goes on to what is added to it on the way.
  for (const name of numbers.keys()) {
    const fragment = fragments.get(name);
    out.push("fragment ", fragment?.typeCondition.name.value ?? "");
    if (fragment !== undefined) writeSet(fragment.selectionSet);
  }
  return { text: out.join(""), sizes };
}

function numberOf(numbers: Map<string, number>, name: string): number {
  let number = numbers.get(name);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(name, number);
  }
  return number;
}

function canonicalValue(node: ValueNode): string {
  if (node.kind === "EnumValue") return node.value;
  if (node.kind === "BooleanValue") return String(node.value);
  if (node.kind === "NullValue") return "null";
  if (node.kind === "ListValue") {
    const items = node.values.map(canonicalValue);
    // A list of words may as well be a variable.
    return items.every((one) => one === VALUE) ? VALUE : `[${items.join()}]`;
  }
  if (node.kind === "ObjectValue")
    return `{${node.fields
      .map((one) => `${one.name.value}:${canonicalValue(one.value)}`)
      .sort()
      .join()}}`;
  return VALUE;
}
