import type { SimulatedGitHub } from "../github/surface.js";
import { FLEET_OWNER } from "./agents.js";
import type { FleetRequest } from "./requests.js";
import type { CallWork } from "./scenario.js";

const READ_REPOSITORY = "read";
const WRITE_REPOSITORY = "written";
const READ_ISSUES = 300;
const WRITTEN_ISSUES = 40;

const READ_ROUTES = [
  "GET /repos/{owner}/{repo}/issues/{issue_number}",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/labels",
] as const;

const QUERY = `query Issue($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { issue(number: $number) { title } }
}`;

/** Puts issues to read into one repository, and issues to comment on into another. */
export function furnishCallWork({ world }: SimulatedGitHub): void {
  for (const [repo, issues] of [
    [READ_REPOSITORY, READ_ISSUES],
    [WRITE_REPOSITORY, WRITTEN_ISSUES],
  ] as const) {
    world.addRepository({ owner: FLEET_OWNER, name: repo });
    for (let issue = 1; issue <= issues; issue++) world.addIssue({ owner: FLEET_OWNER, repo, title: `Issue ${issue}` });
  }
}

/**
 * The `nth` call of the agent with that index; `draw` (0 to 1) decides what kind. Reads that find something new have an
 * address each, so that no cache hides the demand; those that do not are always the same of an agent.
 */
export function callRequest(work: CallWork, agent: number, nth: number, draw: number): FleetRequest {
  const { unchanged = 0, writes = 0, graphql = 0 } = work;
  const number = 1 + ((agent + nth) % READ_ISSUES);
  const at = { owner: FLEET_OWNER, repo: READ_REPOSITORY };
  const isTrue = (): boolean => true;
  if (draw < writes) {
    const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
    const on = { owner: FLEET_OWNER, repo: WRITE_REPOSITORY, issue_number: 1 + ((agent + nth) % WRITTEN_ISSUES) };
    const parameters = { ...on, body: `Comment ${nth} of agent ${agent}` };
    return { request: { kind: "rest", route, parameters }, createsContent: true, isTrue };
  }
  if (draw < writes + graphql) {
    return {
      request: { kind: "graphql", query: QUERY, variables: { ...at, number } },
      createsContent: false,
      isTrue,
    };
  }
  if (draw < writes + graphql + unchanged) {
    const parameters = { ...at, issue_number: 1 + (agent % READ_ISSUES) };
    return { request: { kind: "rest", route: READ_ROUTES[0], parameters }, createsContent: false, isTrue };
  }
  const route = READ_ROUTES[(agent + nth) % READ_ROUTES.length] as string;
  const parameters = { ...at, issue_number: number, call: `${agent}-${nth}` };
  return { request: { kind: "rest", route, parameters }, createsContent: false, isTrue };
}
