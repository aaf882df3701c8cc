import { type GuardRead, squadRequest } from "../../src/index.js";
import { OWNER, type Session } from "./fleet.js";
import { CHECKS, type CheckRuns, COMMENTS, LIST, type ListedPull, type Needs, PULL, type Pull } from "./needs.js";
import type { SquadOctokit } from "./squad-octokit.js";

/** All that a session needs but its pull request's status. */
export type RestNeeds = Omit<Needs, "status" | "list">;

export async function readList({ request }: SquadOctokit, repo: string): Promise<Needs["list"]> {
  const { data } = await request(LIST, { owner: OWNER, repo, per_page: 100 });
  return data as readonly ListedPull[];
}

/** One after the other, as GitHub asks. There is nothing to remember: what has not changed is free. */
export async function readPull({ request }: SquadOctokit, { repo, number }: Session): Promise<RestNeeds> {
  const at = { owner: OWNER, repo, pull_number: number };
  const pull = (await request(PULL, at)).data as Pull;
  const checks = (await request(CHECKS, { owner: OWNER, repo, ref: pull.head.sha })).data as CheckRuns;
  const comments = (await request(COMMENTS, { ...at, per_page: 100 })).data as Needs["comments"];
  return { pull, checks, comments };
}

/**
 * Reads of {@link readPull} as guards of its status. The pull request itself is none, nor is the list: either carries its
 * repository, in which every push to any branch shows. The head is in the address of the check runs. The reads were made a
 * moment ago, in this poll: the cache may answer them if it has asked GitHub within the last `sinceMs`.
 */
export function guardsOf({ repo, number }: Session, { pull }: RestNeeds, sinceMs: number): readonly GuardRead[] {
  const request = { squad: squadRequest({ cache: { freshForMs: sinceMs } }) };
  const at = { owner: OWNER, repo, request };
  return [
    [CHECKS, { ...at, ref: pull.head.sha }],
    [COMMENTS, { ...at, pull_number: number, per_page: 100 }],
  ];
}
