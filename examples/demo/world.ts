import type { SimulatedWorld } from "octokit-plugin-squad-rate/sim";

/** The repository that everything happens in. */
export const AT = { owner: "acme", repo: "engine" };

/** Pull requests open at any time. */
const OPEN_PULLS = 6;
const CHECKS = ["build", "test"];

interface OpenPull {
  readonly number: number;
  readonly branch: string;
  headSha: string;
  /** Checks still running. */
  running: string[];
  failed: boolean;
}

/**
 * Fills a simulated world and returns what makes the next thing happen in it: a push, the end of a check, a review
 * comment, a new issue, a merge. The same seed makes the same things happen, whatever the agents do.
 */
export function createHappenings(world: SimulatedWorld, seed: number, commits: number): () => void {
  const random = createChance(seed);
  const open: OpenPull[] = [];
  let opened = 0;
  let asked = 0;

  const startChecks = (pull: OpenPull): void => {
    pull.running = [...CHECKS];
    pull.failed = false;
    for (const name of CHECKS) world.addCheckRun({ ...AT, ref: pull.headSha, name, status: "in_progress" });
  };
  const openPull = (): void => {
    const branch = `topic-${++opened}`;
    const { number, headSha } = world.addPullRequest({ ...AT, title: `Topic ${opened}`, head: branch, user: "dana" });
    const pull: OpenPull = { number, branch, headSha, running: [], failed: false };
    open.push(pull);
    startChecks(pull);
  };
  const ask = (): void => {
    world.addIssue({ ...AT, title: `Question ${++asked}`, user: "sam" });
  };
  const anyOf = (pulls: readonly OpenPull[]): OpenPull | undefined => pulls[Math.floor(random() * pulls.length)];

  const push = (): void => {
    const pull = anyOf(open);
    if (pull === undefined) return;
    pull.headSha = world.pushCommit({
      ...AT,
      message: `More of ${pull.branch}`,
      branch: pull.branch,
      author: "dana",
    }).sha;
    startChecks(pull);
  };
  const endCheck = (): void => {
    const pull = anyOf(open.filter(({ running }) => running.length > 0));
    const name = pull?.running.shift();
    if (pull === undefined || name === undefined) return;
    const fails = random() < 0.15;
    pull.failed ||= fails;
    world.addCheckRun({ ...AT, ref: pull.headSha, name, conclusion: fails ? "failure" : "success" });
  };
  const remark = (): void => {
    const pull = anyOf(open);
    if (pull !== undefined) world.addReviewComment({ ...AT, number: pull.number, body: "Why is that?", user: "sam" });
  };
  const merge = (): void => {
    const pull = anyOf(open.filter(({ running, failed }) => running.length === 0 && !failed));
    if (pull === undefined) return;
    world.mergePullRequest({ ...AT, number: pull.number }, "dana");
    open.splice(open.indexOf(pull), 1);
    openPull();
  };

  world.addRepository({ owner: AT.owner, name: AT.repo });
  for (let commit = 1; commit < commits; commit++) world.pushCommit({ ...AT, message: `Change ${commit}` });
  while (open.length < OPEN_PULLS) openPull();
  while (asked < 4) ask();

  /** What may happen, and the chance, in order, that it is this or something before it. */
  const chances = [
    [0.4, endCheck],
    [0.6, push],
    [0.8, remark],
    [0.9, ask],
    [1, merge],
  ] as const;
  return () => {
    const draw = random();
    chances.find(([chance]) => draw < chance)?.[1]();
  };
}

/** A linear congruential generator: good enough to choose by, and the same numbers everywhere. */
function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
