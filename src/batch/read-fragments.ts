import type { GraphqlParser } from "../graphql/load-parser.js";
import { optionError } from "../options/check.js";
import { type NamesUsed, namesUsed } from "./names-used.js";
import { MAX_TOKENS, syntaxProblem } from "./parser.js";

/** A fragment's definition. */
export interface Fragment extends NamesUsed {
  readonly text: string;
}

/** Fragments by their names. */
export type Fragments = ReadonlyMap<string, Fragment>;

/**
 * The definitions in a text.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` where there is anything else, or two of a name.
 */
export function readFragments({ parse }: GraphqlParser, text: string): Fragments {
  const found = new Map<string, Fragment>();
  if (text.trim() === "") return found;
  for (const definition of definitionsOf(parse, text)) {
    const { loc } = definition;
    if (definition.kind !== "FragmentDefinition" || loc === undefined) throw notFragments(text);
    const name = definition.name.value;
    if (found.has(name)) throw optionError("batch: options.fragments", `without two fragments called ${name}`, text);
    found.set(name, { text: text.slice(loc.start, loc.end), ...namesUsed(loc.startToken, loc.endToken) });
  }
  return found;
}

/** What a selection uses, with all that the fragments use that it spreads. */
export function withFragments({ variables, fragments }: NamesUsed, defined: Fragments): NamesUsed {
  const allVariables = new Set(variables);
  const allFragments = new Set(fragments);
  // A set gives out what is added to it while it is gone through.
  for (const name of allFragments) {
    for (const variable of defined.get(name)?.variables ?? []) allVariables.add(variable);
    for (const fragment of defined.get(name)?.fragments ?? []) allFragments.add(fragment);
  }
  return { variables: allVariables, fragments: allFragments };
}

function definitionsOf(parse: GraphqlParser["parse"], text: string): ReturnType<typeof parse>["definitions"] {
  try {
    return parse(text, { maxLexicalTokens: MAX_TOKENS }).definitions;
  } catch (error) {
    throw notFragments(text, error);
  }
}

function notFragments(text: string, error?: unknown): Error {
  const problem = error === undefined ? "" : ` (${syntaxProblem(error)})`;
  return optionError("batch: options.fragments", `definitions of fragments and nothing else${problem}`, text);
}
