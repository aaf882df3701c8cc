import { SquadRateError } from "../errors.js";
import type { GraphqlParser } from "../graphql/load-parser.js";
import { readOperation } from "../graphql/read-operation.js";
import { compose, type Shared } from "./compose.js";
import { GraphqlItemError } from "./item-error.js";
import type { NamesUsed } from "./names-used.js";
import { MAX_TOKENS } from "./parser.js";
import { withFragments } from "./read-fragments.js";
import { readSelection, type Selection } from "./read-selection.js";

/** What an item asks for, and what that weighs. */
export interface WeighedSelection extends Selection {
  /** Equal for items whose selections cost the same; see `GraphqlOperation.costKey`. */
  readonly shape: string;
  /** Nodes that it may return, at most. */
  readonly nodes: number;
}

/**
 * Reads what an item asks for, with all that it uses of what the batch's items share.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` for what is not one field, or uses what there is not; `GraphqlItemError` for what
 * GitHub would turn down unseen.
 */
export function weighItem(parser: GraphqlParser, given: unknown, shared: Shared): WeighedSelection {
  const read = readSelection(parser, given);
  const selection = { text: read.text, ...withFragments(read, shared.fragments) };
  checkNames(selection, shared);
  const { document, variables } = compose([selection], shared);
  // Not by way of the documents that are remembered: this one is never sent.
  const operation = readOperation(document, parser.parse(document, { maxLexicalTokens: MAX_TOKENS }), undefined);
  if (operation === undefined) throw new Error("batch: a selection that can be read makes a document that cannot.");
  const { nodes, rejected } = operation.estimate(variables);
  if (rejected !== undefined) throw new GraphqlItemError([{ type: rejected.type, path: [], message: rejected.why }]);
  return { ...selection, nodes, shape: operation.costKey(variables) };
}

/** One name that is not known makes GitHub turn down the whole document. */
function checkNames({ variables, fragments }: NamesUsed, shared: Shared): void {
  const variable = [...variables].find((name) => !shared.types.has(name));
  if (variable !== undefined) throw unknownName(`$${variable}`, "options.variables");
  const fragment = [...fragments].find((name) => !shared.fragments.has(name));
  if (fragment !== undefined) throw unknownName(`...${fragment}`, "options.fragments");
}

function unknownName(name: string, option: string): SquadRateError {
  return new SquadRateError("SQUAD_RATE_OPTIONS", `batch: a selection uses ${name}, which is not in ${option}.`, {
    remedy: `Add it to ${option} of the batch.`,
  });
}
