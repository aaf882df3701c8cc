import { createAgents } from "./agents.js";
import { play } from "./play.js";
import { CORE, openStage } from "./stage.js";
import { AT } from "./world.js";

/** Commits that the indexer reads, each for a unit: more than a window holds beside the others' work. */
const COMMITS_TO_INDEX = 420;

/** Two simulated GitHubs in which the same things happen, one for the squad and one for plain Octokit, at the same time. */
export async function playSimulated({
  seconds,
  seed,
}: {
  readonly seconds: number;
  readonly seed: number;
}): Promise<void> {
  const [ours, theirs] = await Promise.all([openStage(seed, COMMITS_TO_INDEX), openStage(seed, COMMITS_TO_INDEX)]);
  const place = { ...AT, mayWrite: true, commitsToIndex: COMMITS_TO_INDEX, indexAtOnce: 8 };
  try {
    const failures = await play({
      seconds,
      github: `Simulated GitHub, ${CORE.limit} units every ${CORE.windowMs / 1_000} s`,
      cast: () => createAgents(place, 1),
      squad: { account: ours.account, mayWrite: true, bill: () => ours.bill() },
      plain: { account: theirs.account, bill: () => theirs.bill(), window: () => theirs.window() },
      begin: (stop) => {
        ours.play(stop);
        theirs.play(stop);
      },
    });
    if (failures.length > 0) process.exitCode = 1;
  } finally {
    await Promise.all([ours.close(), theirs.close()]);
  }
}
