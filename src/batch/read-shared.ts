import type { GraphqlParser } from "../graphql/load-parser.js";
import { optionError } from "../options/check.js";
import type { CheckedOptions } from "./check-options.js";
import type { Shared } from "./compose.js";
import { syntaxProblem } from "./parser.js";
import { readFragments } from "./read-fragments.js";

/**
 * Reads the GraphQL in a batch's options.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` for fragments and types that cannot be read.
 */
export function readShared(
  parser: GraphqlParser,
  { name, variables, fragments }: Pick<CheckedOptions, "name" | "variables" | "fragments">,
): Shared {
  return {
    name,
    types: new Map([...variables].map(([variable, { type }]) => [variable, readType(parser, variable, type)])),
    values: new Map([...variables].map(([variable, { value }]) => [variable, value])),
    fragments: readFragments(parser, fragments),
  };
}

/** As it was written, without what may stand around it: a comment would swallow what follows. */
function readType({ parseType }: GraphqlParser, variable: string, type: string): string {
  try {
    const { loc } = parseType(type, { maxLexicalTokens: MAX_TYPE_TOKENS });
    if (loc !== undefined) return type.slice(loc.start, loc.end);
  } catch (error) {
    const path = `batch: options.variables.${variable}.type`;
    throw optionError(path, `a type such as \`String!\` (${syntaxProblem(error)})`, type);
  }
  return type;
}

const MAX_TYPE_TOKENS = 100;
