import { SquadRateError } from "../errors.js";
import { describeValue } from "../options/describe-value.js";

/**
 * The text of what `produce` made.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` when it is not JSON: nobody else could be given it.
 */
export function jsonOf(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw notJson("something in it cannot be written as JSON, such as a bigint or a circle", cause);
  }
  if (text === undefined) throw notJson(`got ${describeValue(value)}`, undefined);
  return text;
}

function notJson(why: string, cause: unknown): SquadRateError {
  return new SquadRateError("SQUAD_RATE_OPTIONS", `guard.produce must make a JSON value; ${why}.`, {
    cause,
    remedy: "Return what JSON.stringify() can write; null for nothing.",
  });
}
