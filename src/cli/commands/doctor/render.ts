import { printable } from "../../../report/printable.js";
import type { CommandContext } from "../../context.js";
import type { Paint } from "../../show/paint.js";
import { wrap } from "../../show/wrap.js";
import type { Result } from "./check.js";

/** How it is to look. */
export interface DoctorLook {
  readonly width: number;
  readonly paint: Paint;
  /** Whether the terminal shows more than ASCII. */
  readonly unicode: boolean;
}

const MARKS = { ok: ["✓", "ok"], warn: ["!", "! "], bad: ["✗", "x "] } as const;
const NAME_WIDTH = 8;

/** A finding in a line, or in several where it is long. */
export function renderResult(result: Result, { width, paint, unicode }: DoctorLook): readonly string[] {
  const { name, state, found, remedy } = result;
  const colour = { ok: paint.green, warn: paint.yellow, bad: paint.red }[state];
  const mark = MARKS[state][unicode ? 0 : 1];
  const words = remedy === undefined ? found : joined(found, remedy);
  const first = `${mark} ${name.padEnd(NAME_WIDTH)}  `;
  const [head = "", ...rest] = wrap(printable(words), width, { first });
  return [colour(mark) + head.slice(mark.length), ...rest];
}

/** One sentence: what is, and what to do. */
function joined(found: string, remedy: string): string {
  if (/[?!]$/.test(found)) return `${found} ${remedy}`;
  // An abbreviation stays as it is.
  return `${found}; ${/^[A-Z][a-z ]/.test(remedy) ? remedy.charAt(0).toLowerCase() + remedy.slice(1) : remedy}`;
}

/** Whether the locale is one of UTF-8. */
export function showsUnicode({ LC_ALL, LC_CTYPE, LANG }: CommandContext["env"]): boolean {
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "");
}
