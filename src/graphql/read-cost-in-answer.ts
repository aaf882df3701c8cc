import { costTold } from "./cost-told-in-answer.js";
import { errorsInAnswer } from "./errors-in-answer.js";
import { anywhereInData, lastInData, valueInData } from "./find-in-answer.js";
import { edited } from "./json-edits.js";
import { skipSpace } from "./json-ends.js";
import { membersOf, parsed } from "./json-text.js";
import type { CostCapture, InsertedCapture } from "./operation.js";
import type { RateLimitTold } from "./rate-limit.js";

/** What an answer says of its cost, and the answer without our asking for it. */
export interface CostInAnswer {
  /** `undefined` where the answer tells no cost, or none that makes sense. */
  readonly told: RateLimitTold | undefined;
  /** For the caller: byte for byte what GitHub would have sent for the caller's own document. */
  readonly text: string;
  /** GitHub does not know our selection and turned the document down for it: the caller's own may be answered. */
  readonly spoiled: boolean;
}

/**
 * Reads what GitHub says that a query cost, and takes out of the answer what the caller did not ask for: the value of our
 * selection, the errors about it, and the room that it takes up in the locations of other errors.
 *
 * The text is not parsed, and what is not ours stays as it is, numbers that JavaScript cannot hold included. A text that
 * is no GraphQL answer is given back as it came. Nothing is thrown.
 */
export function readCostInAnswer(text: string, capture: CostCapture): CostInAnswer {
  switch (capture.kind) {
    case "none":
      return { told: undefined, text, spoiled: false };
    case "present": {
      const value = valueInData(text, capture.key);
      return { told: value && costTold(parsed(text, value)), text, spoiled: false };
    }
    case "insert": {
      const last = lastInData(text, capture.key);
      if (last === undefined) return readWhole(text, capture);
      return { told: costTold(parsed(text, last.value)), text: edited(text, [last.cut]), spoiled: false };
    }
  }
}

/** An answer with errors or extensions, or in which our selection is not where it nearly always is. */
function readWhole(text: string, capture: InsertedCapture): CostInAnswer {
  const untouched: CostInAnswer = { told: undefined, text, spoiled: false };
  if (!text.includes(`"${capture.key}"`) && !text.includes('"errors"')) return untouched;
  const answer = membersOf(text, skipSpace(text, 0));
  if (answer === undefined || skipSpace(text, answer.end) !== text.length) return untouched;
  const errors = errorsInAnswer(text, answer, capture);
  const data = answer.items.findLast(({ key }) => key === "data");
  const found = data && anywhereInData(text, data.value.start, capture.key);
  if (found === undefined) return { told: undefined, text: edited(text, errors.moved), spoiled: errors.aboutOurs };
  return {
    told: costTold(parsed(text, found.value)),
    text: edited(text, [found.cut, ...errors.removed, ...errors.moved]),
    spoiled: false,
  };
}
