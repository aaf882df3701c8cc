import type { FleetSession, PollNeeds } from "./needs.js";
import type { PullFacts } from "./watched-world.js";

/** Names of a session's needs. */
export type NeedName = keyof PollNeeds;

/**
 * What of a session's needs was not so at any moment of its poll: none when all was as it should be. `truthsOf` says what was
 * true of a session's pull request meanwhile; `neighbours` are all sessions of its repository.
 */
export function unmetNeeds(
  { list, pull, checks, comments, status }: PollNeeds,
  session: FleetSession,
  neighbours: readonly FleetSession[],
  truthsOf: (session: FleetSession) => readonly PullFacts[],
): readonly NeedName[] {
  const truths = truthsOf(session);
  const runs = checks.check_runs.map(({ name, conclusion }) => `${name}: ${conclusion}`).join(", ");
  const said = comments.map(({ body }) => body);
  const heads = new Map(list.map(({ number, head }) => [number, head.sha]));
  const isTrue: Readonly<Record<NeedName, boolean>> = {
    list: neighbours.every((one) => truthsOf(one).some(({ headSha }) => headSha === heads.get(one.number))),
    pull: truths.some((facts) => facts.headSha === pull.head.sha && facts.comments.length === pull.review_comments),
    checks: truths.some((facts) => facts.checks === runs),
    comments: truths.some((facts) => same(facts.comments, said)),
    status: truths.some(
      (facts) =>
        facts.headSha === status.headSha && facts.checks === status.checks && same(facts.comments, status.comments),
    ),
  };
  return (Object.keys(isTrue) as NeedName[]).filter((need) => !isTrue[need]);
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
