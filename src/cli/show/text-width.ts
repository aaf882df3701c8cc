import { stripVTControlCharacters } from "node:util";

/** What a terminal shows in two columns: East Asian wide and full-width characters, and most emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const ZERO = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** How many columns of a terminal a text takes, colours not counted. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of stripVTControlCharacters(text)) width += charWidth(char);
  return width;
}

/** `text`, cut to `width` columns, its last one an ellipsis if it was longer. Colours go on where they were, and end. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let left = width - 1;
  let cut = "";
  // Either a colour, which takes no room, or a character.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how colours begin.
  for (const [piece] of text.matchAll(/\u001b\[[\d;]*m|./gsu)) {
    if (piece.length > 1 && piece.startsWith("\u001b")) cut += piece;
    else if (left >= 0) {
      left -= charWidth(piece);
      if (left >= 0) cut += piece;
      else cut += "…";
    }
  }
  return cut;
}

function charWidth(char: string): number {
  if (ZERO.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}
