import { type Composed, indexOfAlias } from "./compose.js";
import {
  errorsIn,
  type GraphqlErrorInAnswer,
  type GraphqlItemErrorEntry,
  itemErrorEntry,
  type Path,
  pathOf,
} from "./item-error.js";

/** GitHub's path of what is wrong in a document begins with its operation: `query`, or `query Name`. */
const OPERATION = /^query\b/;

/**
 * Whose selections made GitHub turn a whole query down, and its errors about each; by the item's number in the query. Empty
 * where it does not say: then anything may be wrong.
 */
export function blame(errors: unknown, composed: Composed): ReadonlyMap<number, readonly GraphqlItemErrorEntry[]> {
  const blamed = new Map<number, GraphqlItemErrorEntry[]>();
  for (const error of errorsIn(errors)) {
    for (const [index, path] of placesOf(error, composed)) {
      const entries = blamed.get(index) ?? [];
      blamed.set(index, [...entries, itemErrorEntry(error, path)]);
    }
  }
  return blamed;
}

function placesOf(error: GraphqlErrorInAnswer, composed: Composed): ReadonlyMap<number, Path | undefined> {
  const path = pathOf(error) ?? [];
  // A field that must not be null takes the whole answer with it; its path is one in the answer.
  const [alias, ...inItem] = OPERATION.test(String(path[0])) ? path.slice(1) : path;
  const index = indexOfAlias(alias);
  if (index !== undefined && index < composed.count) return new Map([[index, inItem]]);
  // Servers that do not give such paths say in which line it is.
  const lines = Array.isArray(error.locations) ? error.locations.map(lineOf) : [];
  const indices = lines.map((line) => (line === undefined ? undefined : composed.itemInLine(line)));
  return new Map(indices.flatMap((one) => (one === undefined ? [] : [[one, undefined]])));
}

function lineOf(location: unknown): number | undefined {
  const line = (location as { readonly line?: unknown } | null | undefined)?.line;
  return typeof line === "number" ? line : undefined;
}
