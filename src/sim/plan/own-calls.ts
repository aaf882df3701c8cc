import { CHECKS, PULL } from "../fleet/needs.js";
import { type Demand, NO_DEMAND } from "./demand.js";
import { random } from "./load.js";
import type { Watching } from "./watching.js";

const VIEW_ISSUE = "GET /repos/{owner}/{repo}/issues/{issue_number}";

/** What an agent looks at that has changed its pull request, in turn, as the fleet's agents do. */
const OWN_CALLS = ["status", "checks", "issue", "pull"] as const;
type OwnCall = (typeof OWN_CALLS)[number];

/**
 * The calls that agents make on their own behalf after changes of their own. With squadRate a poll finds for nothing what
 * such a call has read, and the other way round, so that they cost units only where no poll asks for the same.
 */
export function ownCallsDemand(watching: Watching): Demand {
  const { agents, watch, polls, conditional, pollsPerHour, changesPerPoll, assume } = watching;
  const changes = agents * pollsPerHour * changesPerPoll;
  if (changes === 0 || watch.ownCallsPerChange === 0) return NO_DEMAND;
  const per = (call: OwnCall): number => {
    const place = OWN_CALLS.indexOf(call);
    return Math.ceil(Math.max(0, watch.ownCallsPerChange - place) / OWN_CALLS.length);
  };
  const sent = (call: OwnCall): number => changes * per(call);
  const reads = sent("checks") + sent("issue") + sent("pull");
  // However often it is looked at after a change, the first time alone says something new.
  const first = (call: OwnCall): number => changes * Math.min(1, per(call));
  const newIssues = first("issue") * (assume.pushes + assume.comments);
  const newChecks = polls === "together" ? first("checks") * (1 - assume.comments) : 0;
  return {
    ...NO_DEMAND,
    rest: random(reads),
    graphql: random(sent("status")),
    units: {
      core: conditional ? newIssues + newChecks : reads,
      search: 0,
      graphql: sent("status") * assume.statusUnits,
    },
    endpointPoints: {
      [PULL]: random(sent("pull")),
      [CHECKS]: random(sent("checks")),
      [VIEW_ISSUE]: random(sent("issue")),
    },
    graphqlPoints: random(sent("status")),
  };
}
