import { CommandEnd } from "./command-end.js";
import type { CommandContext } from "./context.js";
import { EXIT } from "./exit-code.js";

/**
 * Returns if a person says yes, or has said so by `--yes`; ends the command with `EXIT.refused` if nobody does.
 *
 * @example
 * ```ts
 * await confirmed(context, "Evict data from the pool? Its 120 units go to the others.", options.yes);
 * ```
 */
export async function confirmed(
  { confirm }: Pick<CommandContext, "confirm">,
  question: string,
  yes: boolean | undefined,
): Promise<void> {
  if (yes === true) return;
  if (confirm === undefined) {
    throw new CommandEnd(EXIT.refused, {
      message: `nobody is here to be asked: ${question}`,
      remedy: "pass --yes if that is what you want",
    });
  }
  if (!(await confirm(`${question} [y/N] `))) {
    throw new CommandEnd(EXIT.refused, { message: "nothing was changed" });
  }
}
