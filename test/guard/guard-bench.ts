import type { Guards } from "../../src/guard.js";
import type { KeyvLike, SquadOptions, StoreLike } from "../../src/options.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { createSquad, type Squad } from "../../src/squad.js";
// It is imported on first use, for which a virtual clock does not wait.
import "../../src/store/open-target.js";
import { AS_IT_COMES, SquadOctokit } from "../harness/octokit-in-squad.js";
import { createStubGithub, type StubGithub } from "../harness/stub-github.js";

/** What the pull requests of `o/r` are; the guards of these tests ask for them. */
export const PULLS = "GET /repos/{owner}/{repo}/pulls";
export const REPOSITORY = { owner: "o", repo: "r" };
export const PULLS_PATH = "/repos/o/r/pulls";

/** An Octokit in a squad, and its guards. */
export interface Guarding extends Guards {
  readonly squad: Squad;
  readonly octokit: InstanceType<typeof SquadOctokit>;
  /** Guards the list of pull requests. */
  pulls<T>(produce: () => Promise<T> | T, options?: Parameters<Guards["guard"]>[3]): ReturnType<Guards["guard"]>;
}

/** Squads on one virtual clock before one stub of GitHub. */
export interface GuardBench {
  readonly clock: VirtualClock;
  readonly github: StubGithub;
  /** Sets the list of pull requests. */
  setPulls(...titles: string[]): void;
  /** A squad of its own, and an Octokit in it. */
  guarding(options?: SquadOptions & { readonly token?: string }): Guarding;
  /** Another Octokit in the same squad. */
  beside(squad: Squad, token?: string): Guarding;
}

export function guardBench(store?: KeyvLike | StoreLike): GuardBench {
  const clock = createVirtualClock();
  const startAt = clock.now();
  // Whoever sets this machine's clock does not set GitHub's.
  const github = createStubGithub({ clock: { ...clock, now: () => startAt + clock.monotonic() } });
  const beside = (squad: Squad, token?: string): Guarding => {
    const auth = token === undefined ? {} : { auth: token };
    const octokit = new SquadOctokit({ ...auth, squad, log: SILENT, request: { fetch: github.fetch } });
    return guardingWith(octokit, squad);
  };
  return {
    clock,
    github,
    beside,
    setPulls: (...titles) => github.route(PULLS_PATH, { json: titles.map((title) => ({ title })) }),
    guarding: ({ token = "ghp_shared", ...options } = {}) => {
      const shared = store === undefined ? {} : { store };
      const squad = createSquad({
        agent: "ralph",
        clock,
        fetch: github.fetch,
        pool: false,
        ...AS_IT_COMES,
        ...shared,
        ...options,
      });
      return beside(squad, token);
    },
  };
}

/** The guards of an Octokit. */
export function guardingWith(octokit: InstanceType<typeof SquadOctokit>, squad: Squad): Guarding {
  const { guard, guards } = octokit.squad;
  return { guard, guards, squad, octokit, pulls: (produce, options) => guard(PULLS, REPOSITORY, produce, options) };
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
