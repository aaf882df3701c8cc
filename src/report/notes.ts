import type { Report } from "./report.js";

/** What whoever reads the figures should know about them, in sentences. */
export function notesOn(report: Omit<Report, "notes">): readonly string[] {
  const { read, scorecard, quotas, classes, span } = report;
  const notes: string[] = [];
  const say = (condition: boolean, sentence: () => string): void => {
    if (condition) notes.push(sentence());
  };
  say(span === undefined, () => "There is nothing in this trace that a report could be made of.");
  say(read.skippedLines > 0, () => `${n(read.skippedLines)} of ${n(read.lines)} lines could not be used; see "Read".`);
  say(read.late > 0, () => `${n(read.late)} records stood too far from their place in time and were counted there.`);
  for (const { field, lines, of, therefore } of read.missing) {
    notes.push(
      `${lines === of ? "No line" : `${n(of - lines)} of ${n(of)} lines`} of the foreign trace tells ${field}: ${therefore}.`,
    );
  }
  say(
    read.foreign > 0,
    () => "What REST requests of a foreign trace cost is GitHub's rule, not GitHub's word: 1 unit, a 304 none.",
  );
  say(
    read.calls === 0 && read.attempts > read.foreign,
    () => "The trace has no records of calls: first attempts were counted, and waits are not known.",
  );
  say(
    span !== undefined && span.hours === undefined,
    () => "The trace is shorter than a minute: nothing is said per hour.",
  );
  say(
    scorecard.straddles,
    () =>
      `${n(scorecard.resetsInside.rest + scorecard.resetsInside.graphql)} windows were reset inside the trace: sums per hour hold, but counters from before and after a reset cannot be subtracted.`,
  );
  const before = quotas.reduce((sum, quota) => sum + quota.beforeTrace, 0);
  say(
    before > 0,
    () =>
      `${n(before)} units were used before the trace began, in windows that were open then: they are nobody's here.`,
  );
  const unconfirmed = quotas.reduce((sum, quota) => sum + quota.unconfirmed, 0);
  say(
    unconfirmed > 0,
    () =>
      `${n(unconfirmed)} units were charged that no header showed: a request without headers, or a counter that went back.`,
  );
  say(
    scorecard.opaque.noCost > 0,
    () =>
      `Of ${n(scorecard.opaque.noCost)} exchanges nobody knows what they cost; their units are among the unexplained.`,
  );
  say(
    scorecard.refusals.secondary > 0,
    () =>
      "Whether a secondary limit still stood is estimated: a minute from its refusal, or until a later request was answered.",
  );
  say(
    classes.forgottenTargets > 0,
    () =>
      `The replay had to forget ${n(classes.forgottenTargets)} targets: more might have been spared than it says (maxTargets).`,
  );
  say(
    scorecard.batches > 0,
    () => "Batches are GraphQL requests that cost more than one unit: a trace does not show what a query asks for.",
  );
  return notes;
}

function n(count: number): string {
  return count.toLocaleString("en-US");
}
