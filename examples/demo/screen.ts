import { type Moment, renderHead, renderLine, renderTable } from "./table.js";

/** How often the table is drawn, and how often a line is written where there is no table. */
const DRAW_EVERY_MS = 200;
const LINE_EVERY_MS = 3_000;

/** Where the demo shows itself while it runs. */
export interface Screen {
  /** Begins to show moments. */
  open(moment: () => Moment): void;
  /** Writes a piece of news where there is no table that would show it. */
  news(line: string): void;
  /** Shows the last moment and leaves the terminal as it was. */
  close(): void;
}

/** A table drawn in place on a terminal, lines anywhere else. */
export function createScreen(
  out: NodeJS.WriteStream,
  environment: Readonly<Record<string, string | undefined>>,
): Screen {
  return out.isTTY === true && environment.TERM !== "dumb" ? createTable(out, coloursIn(environment)) : createLog(out);
}

/** @see https://no-color.org */
export function coloursIn({ NO_COLOR }: Readonly<Record<string, string | undefined>>): boolean {
  return NO_COLOR === undefined || NO_COLOR === "";
}

function createTable(out: NodeJS.WriteStream, colours: boolean): Screen {
  let timer: NodeJS.Timeout | undefined;
  let draw = (): void => undefined;
  let drawn = 0;
  return {
    open(moment) {
      draw = () => {
        // A line that wraps, or a table taller than the window, could not be drawn over.
        const lines = renderTable(moment(), colours, out.columns || 80)
          .slice(0, (out.rows || 24) - 1)
          .map((line) => cut(line, out.columns || 80));
        out.write(
          `${drawn > 0 ? `\u001b[${drawn}A` : "\u001b[?25l"}${lines.map((line) => `\u001b[2K${line}\n`).join("")}\u001b[0J`,
        );
        drawn = lines.length;
      };
      draw();
      timer = setInterval(draw, DRAW_EVERY_MS);
    },
    news: () => undefined,
    close() {
      clearInterval(timer);
      draw();
      out.write("\u001b[?25h");
    },
  };
}

function createLog(out: NodeJS.WriteStream): Screen {
  let timer: NodeJS.Timeout | undefined;
  return {
    open(moment) {
      out.write(`${renderHead(moment())}\n\n`);
      timer = setInterval(() => out.write(`${renderLine(moment())}\n`), LINE_EVERY_MS);
    },
    news: (line) => out.write(`${line}\n`),
    close: () => clearInterval(timer),
  };
}

/** Cuts a line to `width` characters, leaving colours whole. */
function cut(line: string, width: number): string {
  let left = width;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
  return line.replace(/\u001b\[[\d;]*m|[^\u001b]/g, (part) => (part.length > 1 || left-- > 0 ? part : ""));
}
