import type { CheckRuns, FleetSession } from "../../../src/sim/fleet/needs.js";

/**
 * One page of check runs is one request by GitHub's rule, so a hundred pull requests cost one unit. The rest of it are values
 * that cost nothing, and tell whether a pull request is as it was.
 */
export const LOOK_FRAGMENT: string = `fragment Look on PullRequest {
  headRefOid state isDraft mergeable updatedAt
  statusCheckRollup { contexts(first: 100) { nodes { ... on CheckRun { name conclusion } } } }
}`;

/** What comes back of a repository. */
export interface LookAnswer {
  readonly pullRequest: {
    readonly headRefOid: string;
    readonly updatedAt: string;
    readonly statusCheckRollup: {
      readonly contexts: { readonly nodes: readonly { readonly name: string; readonly conclusion: string | null }[] };
    } | null;
  };
}

/** A root field that selects `fragment` of a session's pull request. */
export function selectionOf({ owner, repo, number }: FleetSession, fragment: "Look" | "Status"): string {
  const repository = `repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(repo)})`;
  return `${repository} { pullRequest(number: ${number}) { ...${fragment} } }`;
}

/** The check runs of a pull request's head, as REST has them. */
export function checkRunsOf({ pullRequest: { statusCheckRollup } }: LookAnswer): CheckRuns {
  const nodes = statusCheckRollup?.contexts.nodes ?? [];
  return {
    check_runs: nodes.map(({ name, conclusion }) => ({ name, conclusion: conclusion?.toLowerCase() ?? null })),
  };
}
