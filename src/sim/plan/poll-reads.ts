import { CHECKS, COMMENTS, LIST, PULL } from "../fleet/needs.js";
import type { PlanPolls } from "./scenario.js";

/** One of the reads that a poll makes, and which changes of pull requests make its answer another one. */
export interface PollRead {
  readonly route: string;
  /** Whether it is made once for a repository or once for each agent. */
  readonly per: "repository" | "agent";
  /** Changes of the agent's own pull request that show. */
  readonly own: readonly Change[];
  /** Changes of any pull request of the repository that show. */
  readonly anybodys: readonly Change[];
}

export type Change = "push" | "comment" | "check";

const REPOSITORY_COMMENTS = "GET /repos/{owner}/{repo}/pulls/comments";

// A list holds heads and times of change, and not what checks say.
const READ_LIST: PollRead = { route: LIST, per: "repository", own: [], anybodys: ["push", "comment"] };
const READ_ALL_COMMENTS: PollRead = { route: REPOSITORY_COMMENTS, per: "repository", own: [], anybodys: ["comment"] };

const OWN_READS: readonly PollRead[] = [
  // A pull request carries its repository, and that when it was last pushed to: any push to any branch shows.
  { route: PULL, per: "agent", own: ["comment"], anybodys: ["push"] },
  // The head is in the address, so that after a push it is another read, which nobody has made before.
  { route: CHECKS, per: "agent", own: ["push", "check"], anybodys: [] },
  { route: COMMENTS, per: "agent", own: ["comment"], anybodys: [] },
];

const READS: Readonly<Record<PlanPolls, readonly PollRead[]>> = {
  agent: [{ ...READ_LIST, per: "agent" }, ...OWN_READS],
  repository: [READ_LIST, ...OWN_READS],
  together: [READ_LIST, READ_ALL_COMMENTS],
};

/** What is read in every poll, whether or not anything has changed. */
export function pollReads(polls: PlanPolls): readonly PollRead[] {
  return READS[polls];
}
