/** How a cell is coloured, where colours are on. */
export type Tone = "plain" | "bold" | "dim" | "green" | "amber" | "red";

/** Text and its tone. */
export interface Cell {
  readonly text: string;
  readonly tone: Tone;
}

const CODES: Readonly<Record<Tone, string>> = { plain: "", bold: "1", dim: "2", green: "32", amber: "33", red: "31" };

export function cell(text: string | number, tone: Tone = "plain"): Cell {
  return { text: String(text), tone };
}

/** Puts colour around text, after it has been measured. */
export function paint({ text, tone }: Cell, colours: boolean): string {
  return colours && tone !== "plain" ? `\u001b[${CODES[tone]}m${text}\u001b[0m` : text;
}

/** Lays rows out in columns as wide as their widest cell: the first to the left, the others to the right. */
export function columns(rows: readonly (readonly Cell[])[], colours: boolean): readonly string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, { text }] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, text.length);
  return rows.map((row) =>
    row
      .map(({ text, tone }, index) => {
        const width = widths[index] ?? 0;
        const padded = index === 0 ? text.padEnd(width) : text.padStart(width);
        return paint({ text: padded, tone }, colours);
      })
      .join("  ")
      .trimEnd(),
  );
}

/** Breaks a line between words; the lines that follow begin with `indent`. */
export function wrap(line: string, wantedWidth: number, indent = ""): readonly string[] {
  const width = Math.max(40, wantedWidth);
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(" ", width);
    const end = space > indent.length ? space : width;
    lines.push(rest.slice(0, end));
    rest = indent + rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

export function thousands(count: number): string {
  return count.toLocaleString("en-US");
}
