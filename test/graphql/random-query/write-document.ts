import type { GraphQLObjectType } from "graphql";
import { type Draft, SCHEMA, type Uses } from "./draft.js";
import { NODE_IDS } from "./names.js";
import type { Variable } from "./variables.js";
import { writeSelectionSet } from "./write-selections.js";

export interface WrittenDocument {
  readonly tokens: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

interface WrittenOperation {
  readonly name: string | undefined;
  readonly tokens: readonly string[];
  readonly variables: readonly Variable[];
}

/** Names of operations that look like something else. */
const NAMES = ["Run", "query", "mutation", "on", "rateLimit", "Q"];
const DEPTH = 9;

/** One or more operations and the fragments that they use, in any order, and what to send with them. */
export function writeDocument(draft: Draft): WrittenDocument {
  const { dice } = draft;
  const several = dice.chance(0.25);
  const name = several || dice.chance(0.5) ? `${dice.pick(NAMES)}0` : undefined;
  const main = writeQuery(draft, name);
  const others = several ? [writeOther(draft, `${dice.pick(NAMES)}1`)] : [];
  const definitions = [...[main, ...others].map((one) => one.tokens), ...draft.fragments.map((one) => one.tokens)];
  const given = main.variables.filter((one) => one.given !== undefined).map((one) => [one.name, one.given] as const);
  const unknown = dice.chance(0.1) ? [["nobodyAsked", "} {"] as const] : [];
  return {
    tokens: shuffled(draft, definitions).flat(),
    variables: Object.fromEntries([...unknown, ...given]),
    operationName: several || dice.chance(0.5) ? name : undefined,
  };
}

function writeQuery(draft: Draft, name: string | undefined): WrittenOperation {
  const { dice } = draft;
  const uses: Uses = { variables: new Set(), fragments: new Set() };
  const selections = writeSelectionSet(draft, SCHEMA.getQueryType() as GraphQLObjectType, DEPTH, uses);
  if (dice.chance(0.02))
    selections.splice(1, 0, ..."dryRun0 : rateLimit ( dryRun : true ) { cost nodeCount }".split(" "));
  const variables = [...variablesOf(draft, uses)].map((one) => draft.variables.get(one));
  const declared = variables.flatMap(({ name: variable, type, fallback }) => [
    ...["$", variable, ":", type],
    ...(fallback === undefined ? [] : ["=", ...fallback]),
  ]);
  const isShort = name === undefined && declared.length === 0 && dice.chance(0.6);
  const head = isShort ? [] : ["query", ...(name === undefined ? [] : [name])];
  const list = declared.length === 0 ? [] : ["(", ...declared, ")"];
  return { name, variables, tokens: [...head, ...list, ...selections] };
}

/** Another operation, which is not to run. */
function writeOther(draft: Draft, name: string): WrittenOperation {
  if (draft.dice.chance(0.6)) return writeQuery(draft, name);
  const id = JSON.stringify(draft.dice.pick(NODE_IDS));
  const text = `mutation ${name} { addStar ( input : { starrableId : ${id} } ) { clientMutationId } }`;
  return { name, variables: [], tokens: text.split(" ") };
}

/** All variables that a definition uses, by way of fragments too. */
function variablesOf(draft: Draft, { variables, fragments }: Uses): ReadonlySet<string> {
  const found = new Set(variables);
  for (const name of fragments) {
    const fragment = draft.fragments.find((one) => one.name === name);
    if (fragment !== undefined) for (const one of variablesOf(draft, fragment.uses)) found.add(one);
  }
  return found;
}

function shuffled<T>({ dice }: Draft, items: readonly T[]): T[] {
  const left = [...items];
  return items.map(() => left.splice(dice.below(left.length), 1)[0] as T);
}
