import { cutTo, widthOf } from "./text-width.js";

/** A column of a table; its cells may be in colour. */
export interface TableColumn<Row> {
  readonly title: string;
  /** Numbers stand on the right. Default `"left"`. */
  readonly align?: "left" | "right";
  /** Whether it is cut where there is too little room. Default: what stands on the left is. */
  readonly mayBeCut?: boolean;
  of(row: Row): string;
}

/** How a table is to look. */
export interface TableLook {
  /** Columns of the terminal; `Infinity` where nothing is to be cut. See {@link tableWidth}. */
  readonly width: number;
  /** For the titles. Default: as they are. */
  readonly heading?: (text: string) => string;
}

/**
 * A table in lines: titles, if there are any, then rows. Where it is wider than `width`, columns come closer together first;
 * then the widest ones of words are cut; numbers never.
 *
 * @example
 * ```ts
 * table([{ title: "agent", of: (row) => row.agent }, { title: "units", align: "right", of: (row) => row.units }], rows, {
 *   width: tableWidth(context.out),
 * }).join("\n");
 * ```
 */
export function table<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  { width, heading = (text) => text }: TableLook,
): readonly string[] {
  const titles = columns.map(({ title }) => heading(title));
  const cells = rows.map((row) => columns.map((column) => column.of(row)));
  const lines = columns.every(({ title }) => title === "") ? cells : [titles, ...cells];
  const natural = columns.map((_, index) => Math.max(...lines.map((line) => widthOf(line[index] ?? ""))));
  const gap = totalOf(natural, GAP) > width ? NARROW_GAP : GAP;
  const widths = fitted(columns, natural, width, gap);
  return lines.map((line) => lineOf(columns, line, widths).join(gap).trimEnd());
}

/** What tables are made to fit: a terminal; a pipe or a file is as wide as they are. */
export function tableWidth({
  isTerminal,
  columns,
}: {
  readonly isTerminal: boolean;
  readonly columns: number;
}): number {
  return isTerminal ? columns : Number.POSITIVE_INFINITY;
}

const GAP = "  ";
const NARROW_GAP = " ";
const LEAST = 6;

function totalOf(widths: readonly number[], gap: string): number {
  return widths.reduce((sum, one) => sum + one + gap.length, -gap.length);
}

function fitted<Row>(
  columns: readonly TableColumn<Row>[],
  natural: readonly number[],
  width: number,
  gap: string,
): readonly number[] {
  const widths = [...natural];
  let over = totalOf(widths, gap) - width;
  while (over > 0) {
    const widest = widestCuttable(columns, widths);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over--;
  }
  return widths;
}

function widestCuttable<Row>(columns: readonly TableColumn<Row>[], widths: readonly number[]): number | undefined {
  let widest: number | undefined;
  for (const [index, { align, mayBeCut = align !== "right" }] of columns.entries()) {
    const room = widths[index] ?? 0;
    if (mayBeCut && room > LEAST && room > (widest === undefined ? 0 : (widths[widest] ?? 0))) widest = index;
  }
  return widest;
}

function lineOf<Row>(
  columns: readonly TableColumn<Row>[],
  cells: readonly string[],
  widths: readonly number[],
): readonly string[] {
  return columns.map(({ align }, index) => {
    const cell = cutTo(cells[index] ?? "", widths[index] ?? 0);
    const space = " ".repeat(Math.max(0, (widths[index] ?? 0) - widthOf(cell)));
    return align === "right" ? space + cell : cell + space;
  });
}
