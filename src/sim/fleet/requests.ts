import type { FleetCall } from "./client.js";
import { CHECKS, type FleetSession, PULL } from "./needs.js";
import { type PullAnswer, STATUS_QUERY, statusOf } from "./pull-status.js";
import type { PullFacts } from "./watched-world.js";

/** What a call asks, and whether an answer is such as things have been at one of `truths`. */
export interface FleetRequest {
  readonly request: FleetCall["request"];
  readonly createsContent: boolean;
  readonly isTrue: (answer: unknown, truths: readonly PullFacts[]) => boolean;
}

type MakeRequest = (session: FleetSession, head: string) => FleetRequest;

/**
 * What an agent looks at that has changed its pull request, in this order: `gh pr view`, `gh pr checks`, `gh issue view`, and
 * the pull request and its checks as REST has them.
 */
const OWN_REQUESTS: readonly MakeRequest[] = [viewByGraphql, viewChecks, viewIssue, viewPull];

/** The `nth` call on its own behalf of an agent whose pull request has that head. */
export function ownRequest(nth: number, session: FleetSession, head: string): FleetRequest {
  return (OWN_REQUESTS[nth % OWN_REQUESTS.length] as MakeRequest)(session, head);
}

function viewByGraphql({ owner, repo, number }: FleetSession): FleetRequest {
  return {
    request: { kind: "graphql", query: STATUS_QUERY, variables: { owner, repo, number } },
    createsContent: false,
    isTrue: (answer, truths) => {
      const { headSha, checks } = statusOf((answer as { readonly repository: PullAnswer }).repository);
      return truths.some((facts) => facts.headSha === headSha && facts.checks === checks);
    },
  };
}

function viewChecks({ owner, repo }: FleetSession, ref: string): FleetRequest {
  return {
    request: { kind: "rest", route: CHECKS, parameters: { owner, repo, ref } },
    createsContent: false,
    isTrue: (answer, truths) => {
      const { check_runs } = answer as { readonly check_runs: readonly { name: string; conclusion: string }[] };
      const checks = check_runs.map(({ name, conclusion }) => `${name}: ${conclusion}`).join(", ");
      // Of a head that was pushed over meanwhile nothing is known.
      const known = truths.filter(({ headSha }) => headSha === ref);
      return known.length === 0 || known.some((facts) => facts.checks === checks);
    },
  };
}

function viewIssue({ owner, repo, number }: FleetSession): FleetRequest {
  return {
    request: {
      kind: "rest",
      route: "GET /repos/{owner}/{repo}/issues/{issue_number}",
      parameters: { owner, repo, issue_number: number },
    },
    createsContent: false,
    isTrue: () => true,
  };
}

function viewPull({ owner, repo, number }: FleetSession): FleetRequest {
  return {
    request: { kind: "rest", route: PULL, parameters: { owner, repo, pull_number: number } },
    createsContent: false,
    isTrue: (answer, truths) => {
      const { head } = answer as { readonly head: { readonly sha: string } };
      return truths.some(({ headSha }) => headSha === head.sha);
    },
  };
}
