import { widthOf } from "./text-width.js";

/** How lines begin. */
export interface Indents {
  /** The first one. Default: none. */
  readonly first?: string;
  /** All others. Default: as many spaces as `first` is wide. */
  readonly rest?: string;
}

/** A sentence in lines of at most `width` columns; a longer word has a line to itself, and is not broken: it may be copied. */
export function wrap(
  text: string,
  width: number,
  { first = "", rest = " ".repeat(widthOf(first)) }: Indents = {},
): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(" ")) {
    if (!isEmpty && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
