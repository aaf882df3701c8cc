import type { FleetCall } from "../../../src/sim/fleet/client.js";
import {
  CHECKS,
  type CheckRuns,
  COMMENTS,
  type FleetSession,
  LIST,
  type ListedPull,
  type PollNeeds,
  PULL,
  type Pull,
} from "../../../src/sim/fleet/needs.js";
import { type PullAnswer, type PullStatus, STATUS_QUERY, statusOf } from "../../../src/sim/fleet/pull-status.js";
import { readJson } from "./read-json.js";
import type { Requester } from "./requester.js";

/** Of a session's needs those that REST reads meet, but for the list that it shares with its neighbours. */
export type OwnReads = Omit<PollNeeds, "status" | "list">;

export async function readList(octokit: Requester, { owner, repo }: FleetSession): Promise<PollNeeds["list"]> {
  return (await readJson<readonly ListedPull[]>(octokit, LIST, { owner, repo, per_page: 100 })).data;
}

/** One after the other, as GitHub asks. */
export async function readOwn(octokit: Requester, { owner, repo, number }: FleetSession): Promise<OwnReads> {
  const at = { owner, repo, pull_number: number };
  const { data: pull } = await readJson<Pull>(octokit, PULL, at);
  const { data: checks } = await readJson<CheckRuns>(octokit, CHECKS, { owner, repo, ref: pull.head.sha });
  const { data: comments } = await readJson<PollNeeds["comments"]>(octokit, COMMENTS, { ...at, per_page: 100 });
  return { pull, checks, comments };
}

/** One pull request's status. */
export async function askStatus(
  { graphql }: Requester,
  { owner, repo, number }: FleetSession,
  options: Readonly<Record<string, unknown>> = {},
): Promise<PullStatus> {
  const variables = { owner, repo, number, ...options };
  const { repository } = await graphql<{ readonly repository: PullAnswer }>(STATUS_QUERY, variables);
  return statusOf(repository);
}

/** All that a session needs, each thing asked for. */
export async function readAll(octokit: Requester, session: FleetSession): Promise<PollNeeds> {
  const list = await readList(octokit, session);
  const own = await readOwn(octokit, session);
  return { list, ...own, status: await askStatus(octokit, session) };
}

/** Makes a call as it is; `options` are Octokit's options of a request. */
export async function makeCall(
  octokit: Requester,
  { headers, request: asked }: FleetCall,
  options: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  if (asked.kind === "graphql") return octokit.graphql(asked.query, { ...asked.variables, headers, request: options });
  return (await readJson(octokit, asked.route, { ...asked.parameters, headers, request: options })).data;
}
