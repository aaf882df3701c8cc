import { sleep } from "../../../clock.js";
import type { CommandContext } from "../../context.js";

const HOME = "\u001b[H";
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";
/** Another screen, so that what was on the first one is there again afterwards; and no cursor. */
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";

/**
 * Shows lines again and again until the process is told to end, which is no failure. On a terminal they are written over each
 * other, line by line, so that nothing flickers; elsewhere one block follows the other.
 */
export async function watch(
  { out, clock, signal }: Pick<CommandContext, "out" | "clock" | "signal">,
  everyMs: number,
  take: () => Promise<readonly string[]>,
): Promise<void> {
  let last: readonly string[] = [];
  let isFirst = true;
  if (out.isTerminal) out.write(ENTER);
  try {
    while (!signal.aborted) {
      last = await take();
      if (signal.aborted) break;
      if (out.isTerminal) {
        const shown = fitting(last, out.rows);
        out.write(`${HOME}${shown.map((line) => `${line}${CLEAR_LINE}`).join("\n")}\n${CLEAR_BELOW}`);
      } else out.write(`${isFirst ? "" : "\n"}${last.join("\n")}\n`);
      isFirst = false;
      await sleep(clock, everyMs, signal).catch(() => undefined);
    }
  } finally {
    if (out.isTerminal) out.write(`${LEAVE}${last.join("\n")}${last.length > 0 ? "\n" : ""}`);
  }
}

/** What a screen has room for, with a last line for the cursor: more would push the first lines out of sight. */
function fitting(lines: readonly string[], rows: number | undefined): readonly string[] {
  if (rows === undefined || lines.length < rows) return lines;
  const shown = Math.max(0, rows - 2);
  return [...lines.slice(0, shown), `(${lines.length - shown} more lines than this screen shows)`];
}
