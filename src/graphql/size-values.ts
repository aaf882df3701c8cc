import type { ValueNode, VariableDefinitionNode } from "graphql/language/ast.js";
import type { QueryVariables } from "./operation.js";

/** A page size, the length of a list, or whether something applies; undefined when nobody says. */
export type SizeValue = number | boolean | undefined;

/** What a value is read as. */
type Role = "pageSize" | "listLength" | "flag";

/** A value, as far as the document says it. */
export interface SizeEntry {
  readonly role: Role;
  /** Undefined for a literal. */
  readonly variable: string | undefined;
  /** Of a literal, or of a variable that is not given. */
  readonly value: SizeValue;
}

/** The place of a value that is never given. */
const NO_VALUE = 0;

/**
 * The values in an operation that bear on how much it asks for, literals and variables alike, each under a number. What a
 * document says of them is read once; what a call's variables say, in every call.
 */
export class SizeValues {
  readonly #defaults: ReadonlyMap<string, ValueNode | undefined>;
  readonly #entries: SizeEntry[] = [{ role: "flag", variable: undefined, value: undefined }];
  readonly #places = new Map<string, number>();

  constructor(variables: readonly VariableDefinitionNode[] | undefined) {
    this.#defaults = new Map(variables?.map((one) => [one.variable.name.value, one.defaultValue]));
  }

  /** The place of a value; the same for the same value. */
  place(node: ValueNode | undefined, role: Role): number {
    if (node === undefined) return NO_VALUE;
    const variable = node.kind === "Variable" ? node.name.value : undefined;
    const value = literal(variable === undefined ? node : this.#defaults.get(variable), role);
    const name = variable === undefined ? `${role} ${value}` : `${role} $${variable}`;
    let place = this.#places.get(name);
    if (place === undefined) {
      place = this.#entries.push({ role, variable, value }) - 1;
      this.#places.set(name, place);
    }
    return place;
  }

  /** What was found, by place; nothing of the syntax tree hangs on to it. */
  get entries(): readonly SizeEntry[] {
    return this.#entries;
  }
}

/** All values by place, as a call's variables have them. */
export function resolveSizes(entries: readonly SizeEntry[], variables: QueryVariables): readonly SizeValue[] {
  return entries.map(({ role, variable, value }) => {
    if (variable === undefined || !Object.hasOwn(variables, variable)) return value;
    const given = variables[variable];
    // JSON leaves undefined out; null is sent, and is not the default.
    return given === undefined ? value : READ[role](given);
  });
}

const READ: Readonly<Record<Role, (given: unknown) => SizeValue>> = {
  pageSize: (given) => (Number.isInteger(given) ? bounded(given as number) : undefined),
  // One value stands for a list of it.
  listLength: (given) => (Array.isArray(given) ? given.length : given === null ? undefined : 1),
  flag: (given) => (typeof given === "boolean" ? given : undefined),
};

/** What a literal says; a variable within one says nothing. */
function literal(node: ValueNode | undefined, role: Role): SizeValue {
  if (node === undefined || node.kind === "NullValue" || node.kind === "Variable") return undefined;
  if (role === "listLength") return node.kind === "ListValue" ? node.values.length : 1;
  if (role === "flag") return node.kind === "BooleanValue" ? node.value : undefined;
  return node.kind === "IntValue" ? bounded(Number(node.value)) : undefined;
}

function bounded(value: number): number {
  return Math.max(-1, Math.min(value, Number.MAX_SAFE_INTEGER));
}
