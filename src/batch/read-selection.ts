import { SquadRateError } from "../errors.js";
import type { GraphqlParser } from "../graphql/load-parser.js";
import { describeValue } from "../options/describe-value.js";
import { type NamesUsed, namesUsed } from "./names-used.js";
import { MAX_TOKENS, syntaxProblem } from "./parser.js";

/** What an item asks for. */
export interface Selection extends NamesUsed {
  /** One root field of a query, without an alias. */
  readonly text: string;
}

/**
 * Reads what `toSelection` returned for an item. It goes into one document with those of other items, so it has to be one
 * field from beginning to end: braces that do not match would change what others ask for.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` for anything else.
 *
 * @example
 * ```ts
 * readSelection(parser, "mine: viewer { login } # me").text; // "viewer { login }"
 * ```
 */
export function readSelection(parser: GraphqlParser, given: unknown): Selection {
  if (typeof given !== "string") throw notOneField(given, undefined);
  const { text, field, ...names } = parseField(parser, given);
  if (field === "rateLimit") {
    throw new SquadRateError("SQUAD_RATE_OPTIONS", "batch: rateLimit speaks of a whole query, and not of an item.", {
      remedy: "Ask for it apart with octokit.graphql, or see octokit.squad.status().",
    });
  }
  return { text, ...names };
}

interface ReadField extends Selection {
  readonly field: string;
}

function parseField({ parse }: GraphqlParser, given: string): ReadField {
  // A comment at its end would swallow the brace.
  const document = `{${given}\n}`;
  let definitions: ReturnType<typeof parse>["definitions"];
  try {
    ({ definitions } = parse(document, { maxLexicalTokens: MAX_TOKENS }));
  } catch (error) {
    throw notOneField(given, syntaxProblem(error));
  }
  const [operation, anotherDefinition] = definitions;
  if (operation?.kind !== "OperationDefinition" || anotherDefinition !== undefined) throw notOneField(given, undefined);
  const [field, anotherField] = operation.selectionSet.selections;
  if (field?.kind !== "Field" || anotherField !== undefined) throw notOneField(given, undefined);
  const { loc, name } = field;
  if (loc === undefined || name.loc === undefined) throw notOneField(given, undefined);
  return {
    field: name.value,
    text: document.slice(name.loc.start, loc.end),
    ...namesUsed(loc.startToken, loc.endToken),
  };
}

function notOneField(given: unknown, problem: string | undefined): SquadRateError {
  return new SquadRateError(
    "SQUAD_RATE_OPTIONS",
    `batch: toSelection must return one field of a query; got ${describeValue(given)}${problem === undefined ? "" : ` (${problem})`}.`,
    { remedy: 'Return one field with what to select of it, such as `user(login: "mona") { name }`.' },
  );
}
