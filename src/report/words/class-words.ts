import type { AvoidableReason, ExchangeClass } from "../replay/verdict.js";
import type { Report } from "../report.js";
import type { Column } from "./columns.js";
import { count } from "./format.js";

/** What each class means. */
const CLASS_WORDS: Readonly<Record<ExchangeClass, string>> = {
  irreducible: "had to be sent, and cost what it cost",
  cacheable: "charged although nothing had changed: free with a validator",
  duplicate: "the same read was under way: shared for nothing",
  avoidable: "need not have been sent",
  free: "cost nothing already",
  "cannot-tell": "the trace does not say enough",
};

/** Why something was avoidable. */
const REASON_WORDS: Readonly<Record<AvoidableReason, string>> = {
  refused: "refused by a limit",
  "sent-while-blocked": "refused by a limit that was known to stand",
  "retried-in-vain": "tried again, and failed again",
  "asked-again": "asked again for what is forbidden or gone",
  "query-repeated": "a query that gave the same answer: a guard spares it",
};

/** What the replay comes to, in a sentence or two. */
export function classSentence({ classes }: Report): string {
  const { actual, withSquadRateUnits, withGuardsUnits, ofOtherCredentials } = classes;
  if (actual.exchanges === 0) return "There is nothing to replay.";
  const cost = `These ${count(actual.exchanges)} requests cost ${count(actual.units)} units; with squadRate they would have cost ${count(withSquadRateUnits)}`;
  const guards =
    withGuardsUnits < withSquadRateUnits ? `, and ${count(withGuardsUnits)} with guards before the queries` : "";
  const perhaps =
    ofOtherCredentials.units > 0
      ? ` Up to ${count(ofOtherCredentials.units)} fewer, if credentials may see the very same.`
      : "";
  return `${cost}${guards}.${perhaps}`;
}

/** A class, or one of the reasons of the class before it. */
export interface ClassRow {
  readonly name: string;
  readonly exchanges: number;
  readonly units: number;
  readonly words: string;
}

/** The classes that occurred, with the reasons of what was avoidable. */
export function classRows({ classes }: Report): readonly ClassRow[] {
  return classes.byClass
    .filter(({ exchanges }) => exchanges > 0)
    .flatMap((sum) => [
      { ...sum, name: sum.class.replace("-", " "), words: CLASS_WORDS[sum.class] },
      ...(sum.class === "avoidable" ? classes.byReason : []).map((reason) => ({
        ...reason,
        name: "– of these",
        words: REASON_WORDS[reason.reason],
      })),
    ]);
}

/** Columns of {@link classRows}. */
export const CLASS_COLUMNS: readonly Column<ClassRow>[] = [
  { title: "class", about: "", align: "left", of: ({ name }) => name },
  { title: "requests", about: "", align: "right", of: ({ exchanges }) => count(exchanges) },
  { title: "units", about: "", align: "right", of: ({ units }) => count(units) },
  { title: "what it means", about: "", align: "left", of: ({ words }) => words },
];
