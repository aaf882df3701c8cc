import type { JsonList, Span } from "./json-text.js";

/** A piece of a text, and what takes its place. */
export interface TextEdit extends Span {
  readonly text: string;
}

/**
 * The text with these pieces replaced. They do not overlap, and come in any order.
 *
 * @example
 * ```ts
 * edited("a1b", [{ start: 1, end: 2, text: "23" }]); // "a23b"
 * ```
 */
export function edited(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let from = 0;
  for (const edit of [...edits].sort((one, other) => one.start - other.start)) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}

/**
 * Takes items out of an object or array, so that it reads as if they had never been in it: each goes with one comma and
 * with the white space that set it off, whichever style it is written in.
 */
export function cuts<Item extends Span>(
  { start, end, items }: JsonList<Item>,
  isCut: (item: Item) => boolean,
): readonly TextEdit[] {
  if (items.length > 0 && items.every(isCut)) return [{ start: start + 1, end: end - 1, text: "" }];
  let hasKept = false;
  return items.flatMap((item, index) => {
    if (!isCut(item)) {
      hasKept = true;
      return [];
    }
    // Behind an item that stays the comma before goes, otherwise the one behind.
    const previous = items[index - 1];
    const next = items[index + 1];
    if (hasKept && previous !== undefined) return [{ start: previous.end, end: item.end, text: "" }];
    return next === undefined ? [] : [{ start: item.start, end: next.start, text: "" }];
  });
}
