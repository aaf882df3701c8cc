import { CommandEnd } from "../command-end.js";
import { EXIT } from "../exit-code.js";
import { firstFault } from "./json-fault.js";

/** The value of a JSON text; `shown` is how errors call the file. What stands in it is not quoted: it may be a secret. */
export function parseJson(shown: string, text: string): unknown {
  // Some editors begin a file with a byte order mark.
  const json = text.replace(/^\ufeff/, "");
  try {
    return JSON.parse(json) as unknown;
  } catch (cause) {
    const { at, expected } = firstFault(json);
    const before = json.slice(0, at).split("\n");
    const column = (before.at(-1) ?? "").length + 1;
    throw new CommandEnd(EXIT.usage, {
      message: `${shown}:${before.length}:${column}: this is not JSON`,
      remedy: `expected ${expected} here`,
      cause,
    });
  }
}
