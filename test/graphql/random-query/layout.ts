import type { Dice } from "./dice.js";

/** What may stand between two tokens and means nothing, some of it meant to mislead whoever counts braces or lines. */
const BLANKS = [
  " ",
  " ",
  "  ",
  "\n",
  "\r\n",
  "\r",
  "\t",
  ",",
  "\uFEFF",
  '# } " {\n',
  '# """ …\r\n',
  "#\u{1F600}}\r",
] as const;

/** Writes tokens as a document: on one line, in indented lines, or with blanks and comments wherever they may stand. */
export function layOut(tokens: readonly string[], dice: Dice): string {
  const style = dice.weighted({ compact: 3, lines: 3, wild: 4 });
  let depth = 0;
  let text = style === "wild" && dice.chance(0.3) ? dice.pick(BLANKS) : "";
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token === "{") depth++;
    if (next === "}") depth--;
    text += token;
    if (next === undefined) break;
    if (style === "lines" && (token === "{" || next === "}" || token === "}")) text += `\n${"  ".repeat(depth)}`;
    else if (style !== "wild") text += mustPart(token, next) || dice.chance(0.5) ? " " : "";
    else text += blanks(dice, mustPart(token, next));
  }
  return style === "wild" && dice.chance(0.3) ? `${text}${dice.pick(BLANKS)}` : text;
}

function blanks(dice: Dice, atLeastOne: boolean): string {
  let text = atLeastOne ? dice.pick(BLANKS) : "";
  while (dice.chance(0.2)) text += dice.pick(BLANKS);
  return text;
}

/** Whether two tokens would become another without something between them. */
function mustPart(token: string, next: string): boolean {
  return (/[\w.]$/.test(token) && /^[\w.]/.test(next)) || (token.endsWith('"') && next.startsWith('"'));
}
