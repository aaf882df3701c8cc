import { graphqlWords } from "../call/outcome/graphql-words.js";
import type { Reply } from "./ask.js";
import type { BatchResult } from "./batch-result.js";
import { blame } from "./blame.js";
import type { Composed } from "./compose.js";
import { errorsIn, GraphqlItemError, type GraphqlItemErrorEntry, itemErrorEntry } from "./item-error.js";
import type { AskableEntry } from "./next-query.js";
import { type ItemAnswer, splitAnswer } from "./split-answer.js";

/**
 * Gives the items of a query their results. Those that get none are asked for again, and differently: fewer at a time, or
 * without those that spoiled it. So the last word comes after a few queries, whatever GitHub says.
 */
export function takeReply<I, V>(chosen: readonly AskableEntry<I, V>[], composed: Composed, reply: Reply): void {
  switch (reply.kind) {
    case "answered":
      takeAnswer(chosen, splitAnswer(reply.data, reply.errors, chosen.length), reply.tooMuch);
      return;
    case "too-much":
      for (const entry of chosen) {
        if (chosen.length > 1) entry.atMost = chosen.length - 1;
        else fail(entry, reply.error);
      }
      return;
    case "turned-down":
      takeTurnDown(chosen, composed, reply.errors);
      return;
    case "failed":
      for (const entry of chosen) fail(entry, reply.error);
  }
}

function takeAnswer<I, V>(
  chosen: readonly AskableEntry<I, V>[],
  answers: readonly ItemAnswer[],
  tooMuch: boolean,
): void {
  chosen.forEach((entry, index) => {
    const answer = answers[index] as ItemAnswer;
    if (tooMuch && chosen.length > 1 && !isWhole(answer)) entry.atMost = chosen.length - 1;
    else entry.result = resultOf(entry.item, answer);
  });
}

function takeTurnDown<I, V>(chosen: readonly AskableEntry<I, V>[], composed: Composed, errors: unknown): void {
  const blamed = blame(errors, composed);
  const isOneShape = new Set(chosen.map(({ selection }) => selection.shape)).size === 1;
  chosen.forEach((entry, index) => {
    const own = blamed.get(index);
    if (own !== undefined) fail(entry, new GraphqlItemError(own));
    else if (blamed.size === 0 && isOneShape) {
      fail(entry, new GraphqlItemError(errorsIn(errors).map((error) => itemErrorEntry(error, undefined))));
    } else if (blamed.size === 0) entry.apart = true;
  });
}

/** Whether GitHub has said all that it would say of the item if it were asked for alone. */
function isWhole({ value, errors }: ItemAnswer): boolean {
  return errors.length === 0 ? value !== null && value !== undefined : !errors.some(isOfTheQuery);
}

/** Whether an error is for how much the query asked, and not for what. */
function isOfTheQuery(error: GraphqlItemErrorEntry): boolean {
  const { kind } = graphqlWords(JSON.stringify({ data: {}, errors: [error] }), false);
  return kind === "too-large" || kind === "timeout";
}

function resultOf<I, V>(item: I, { value, errors }: ItemAnswer): BatchResult<I, V> {
  if (errors.length === 0) return { item, value: value as V };
  if (value === null || value === undefined) return { item, error: new GraphqlItemError(errors) };
  return { item, value: value as V, errors };
}

function fail<I, V>(entry: AskableEntry<I, V>, error: Error): void {
  entry.result = { item: entry.item, error };
}
