import type { Fragments } from "./read-fragments.js";
import type { Selection } from "./read-selection.js";

/** What all items of a batch share. */
export interface Shared {
  /** The operation's name. */
  readonly name: string | undefined;
  /** Types of the variables that may be used, as GraphQL writes them. */
  readonly types: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, unknown>;
  readonly fragments: Fragments;
}

/** One query for several items; their aliases are `i0`, `i1`, … */
export interface Composed {
  readonly document: string;
  /** Values of the variables that it declares. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** How many items it asks for. */
  readonly count: number;
  /** Which item's selection stands in a line, counted from 1. */
  itemInLine(line: number): number | undefined;
}

/**
 * A query for these items. It declares the variables and brings the fragments that they use, and no others: GitHub turns down
 * a document in which anything is unused.
 *
 * @example
 * ```ts
 * compose([viewer, mona], shared).document;
 * // query {
 * // i0: viewer { login }
 * // i1: user(login: "mona") { name }
 * // }
 * ```
 */
export function compose(selections: readonly Selection[], shared: Shared): Composed {
  const variables = union(selections.map((one) => one.variables));
  const fragments = union(selections.map((one) => one.fragments));
  const declared = [...variables].map((name) => `$${name}: ${shared.types.get(name)}`).join(", ");
  const name = shared.name === undefined ? "" : ` ${shared.name}`;
  const lines: string[] = [];
  const items: (number | undefined)[] = [];
  const add = (text: string, item?: number): void => {
    for (const line of text.split(LINE_END)) {
      lines.push(line);
      items.push(item);
    }
  };
  add(`query${name}${declared === "" ? "" : `(${declared})`} {`);
  selections.forEach(({ text }, index) => {
    add(`i${index}: ${text}`, index);
  });
  add("}");
  for (const fragment of fragments) add(shared.fragments.get(fragment)?.text ?? "");
  return {
    document: lines.join("\n"),
    variables: Object.fromEntries([...variables].map((variable) => [variable, shared.values.get(variable)])),
    count: selections.length,
    itemInLine: (line) => items[line - 1],
  };
}

/** Which item an alias is of; undefined for anything else. */
export function indexOfAlias(alias: unknown): number | undefined {
  const digits = typeof alias === "string" ? /^i(\d{1,3})$/.exec(alias)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

/** In a string of several lines the kind of end does not matter either: GraphQL reads all as `\n`. */
const LINE_END = /\r\n|[\n\r]/;

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((one) => [...one]));
}
