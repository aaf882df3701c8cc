import type { CommandContext, Output } from "../context.js";

/** Puts a text in colour, or leaves it as it is. */
export type Paint = Readonly<Record<Style, (text: string) => string>>;

export type Style = keyof typeof STYLES;

/** SGR parameters that begin and end a style. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/**
 * Colours for what is written to `output`: `flag` (`--color`, `--no-color`) decides, else `NO_COLOR`, else `FORCE_COLOR`, else
 * whether it is a terminal.
 *
 * @see https://no-color.org
 *
 * @example
 * ```ts
 * const paint = paintFor(context.out, context.env, flagsOf(command).color);
 * context.out.write(paint.red("RED"));
 * ```
 */
export function paintFor(output: Output, env: CommandContext["env"], flag?: boolean | undefined): Paint {
  const inColour = flag ?? wanted(output, env);
  const style =
    (name: Style) =>
    (text: string): string => {
      const [begin, end] = STYLES[name];
      return inColour && text !== "" ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
    };
  return {
    bold: style("bold"),
    dim: style("dim"),
    red: style("red"),
    green: style("green"),
    yellow: style("yellow"),
    cyan: style("cyan"),
  };
}

function wanted(output: Output, { NO_COLOR, FORCE_COLOR, TERM }: CommandContext["env"]): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return !/^(0|false)$/i.test(FORCE_COLOR);
  return output.isTerminal && TERM !== "dumb";
}
