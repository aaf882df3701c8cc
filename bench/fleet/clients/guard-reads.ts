import { type GuardRead, squadRequest } from "../../../src/index.js";
import { CHECKS, COMMENTS, type FleetSession } from "../../../src/sim/fleet/needs.js";
import type { OwnReads } from "./reads.js";

/**
 * Reads of `readOwn` as guards of a pull request's status. The pull request itself is none, nor is the list: either carries
 * its repository, in which every push to any branch shows. The head is in the address of the check runs. The reads were made
 * a moment ago, in this poll: the cache may answer them if it has asked GitHub within the last `sinceMs`.
 */
export function guardReads({ owner, repo, number }: FleetSession, { pull }: OwnReads, sinceMs: number): GuardRead[] {
  const request = { squad: squadRequest({ cache: { freshForMs: sinceMs } }) };
  return [
    [CHECKS, { owner, repo, request, ref: pull.head.sha }],
    [COMMENTS, { owner, repo, request, pull_number: number, per_page: 100 }],
  ];
}
