import { type DocumentParts, responseKey } from "./document-parts.js";
import type { CostCapture } from "./operation.js";
import type { RootRateLimit } from "./root-rate-limits.js";

/** What is asked of `rateLimit`. */
const SELECTED = "rateLimit { cost limit remaining used resetAt nodeCount }";
/** What our response key begins with. */
const KEY = "squadRateLimit";
/** No document has more than this many different keys that begin so. */
const MAX_DIGITS = 7;

/**
 * How the answer to an operation comes to tell its cost. A selection of `rateLimit` goes right before the brace that ends
 * the operation, where it shifts nothing but that brace and what stands after it in its line.
 *
 * @param text - the document that `parts` were read from, with locations
 */
export function placeCapture(
  text: string,
  { operation }: DocumentParts,
  rateLimits: readonly RootRateLimit[],
): CostCapture {
  if (operation.operation !== "query") return { kind: "none" };
  // Under @skip or @include too: a second one beside it would be charged as nothing, but told where nobody looks for it.
  const present = rateLimits.find(({ field }) => selectsCost(field)) ?? rateLimits[0];
  if (present !== undefined) return { kind: "present", key: responseKey(present.field) };
  const { loc } = operation.selectionSet;
  if (loc === undefined) return { kind: "none" };
  const at = loc.end - 1;
  const key = unusedKey(text);
  const inserted = ` ${key}: ${SELECTED}`;
  return {
    kind: "insert",
    document: text.slice(0, at) + inserted + text.slice(at),
    key,
    ...positionOf(text, at),
    columns: inserted.length,
  };
}

function selectsCost({ selectionSet }: RootRateLimit["field"]): boolean {
  return (
    selectionSet?.selections.some((one) => one.kind === "Field" && one.name.value === "cost" && !one.alias) === true
  );
}

/** A key that is nowhere in the text, not even in a comment, so that an answer holds it for no other reason. */
function unusedKey(text: string): string {
  if (!text.includes(KEY)) return KEY;
  const taken = new Set<string>();
  for (const [, digits = ""] of text.matchAll(new RegExp(`${KEY}(\\d{0,${MAX_DIGITS}})`, "g")))
    for (let length = 1; length <= digits.length; length++) taken.add(digits.slice(0, length));
  let count = 2;
  while (taken.has(String(count))) count++;
  return `${KEY}${count}`;
}

/** Line and column from 1; `\r\n` ends one line, and columns count UTF-16 units, as graphql-js has it. */
function positionOf(text: string, at: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|[\n\r]/g)) {
    if (index >= at) break;
    line++;
    start = index + end.length;
  }
  return { line, column: at - start + 1 };
}
