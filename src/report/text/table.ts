import type { Column } from "../words/columns.js";

/** From here on nothing needs to be left out. */
const WIDE = 100;

/**
 * Rows under their columns, at most `width` characters wide: the widest columns of words give way. Where that is little, columns
 * of nothing but zeros are left out before.
 */
export function textTable<Row>(all: readonly Column<Row>[], rows: readonly Row[], width: number): readonly string[] {
  const columns = width < WIDE ? withoutZeros(all, rows, width) : all;
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map((column) => column.of(row)))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => lengthOf(line[index] ?? ""))));
  for (let over = totalOf(widths) - width; over > 0; over--) {
    const widest = widestOf(columns, widths);
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return cells.map((line) =>
    line
      .map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align ?? "left"))
      .join(GAP)
      .trimEnd(),
  );
}

const GAP = "  ";
const MIN_WORDS = 8;
const ZERO = /^0(?: ms| %)?$/;

/** From the right, as many as it takes to fit. */
function withoutZeros<Row>(all: readonly Column<Row>[], rows: readonly Row[], width: number): readonly Column<Row>[] {
  let over = -GAP.length - width;
  for (const column of all) over += widthOf(column, rows) + GAP.length;
  return all
    .toReversed()
    .filter((column) => {
      if (over <= 0 || !rows.every((row) => ZERO.test(column.of(row)))) return true;
      over -= widthOf(column, rows) + GAP.length;
      return false;
    })
    .toReversed();
}

function widthOf<Row>({ title, of }: Column<Row>, rows: readonly Row[]): number {
  return Math.max(lengthOf(title), ...rows.map((row) => lengthOf(of(row))));
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
}

function widestOf<Row>(columns: readonly Column<Row>[], widths: readonly number[]): number {
  let widest = -1;
  for (const [index, { align }] of columns.entries()) {
    const width = widths[index] ?? 0;
    if (align === "left" && width > Math.max(MIN_WORDS, widths[widest] ?? 0)) widest = index;
  }
  return widest;
}

/** In characters as a reader counts them, roughly: a terminal shows some of them twice as wide. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

function pad(text: string, width: number, align: "left" | "right"): string {
  const length = lengthOf(text);
  if (length > width) return `${[...text].slice(0, width - 1).join("")}…`;
  const space = " ".repeat(width - length);
  return align === "left" ? text + space : space + text;
}

/** A sentence in lines of at most `width`. */
export function wrapped(text: string, width: number, indent = ""): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
    // A word that is longer than a line is cut.
    while (indent.length + line.length > width) {
      lines.push(indent + line.slice(0, width - indent.length));
      line = line.slice(width - indent.length);
    }
  }
  return line === "" ? lines : [...lines, indent + line];
}
