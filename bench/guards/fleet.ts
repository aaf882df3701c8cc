import type { SimulatedGitHub } from "../../src/sim/github/surface.js";

/** The credential that all sessions share. */
export const TOKEN = "ghp_shared";
export const OWNER = "acme";

const SESSIONS_PER_REPOSITORY = 10;
const CHECKS = ["build", "lint", "test"];

/** An agent at work on a pull request of its own. */
export interface Session {
  readonly index: number;
  readonly repo: string;
  /** Its pull request. */
  readonly number: number;
}

/** What there is to know of a pull request. */
export interface PullFacts {
  readonly headSha: string;
  /** Names and conclusions of the head's check runs. */
  readonly checks: string;
  /** What was said in its review. */
  readonly comments: readonly string[];
}

/** What a pull request was like from `at` on, epoch milliseconds. */
interface Version {
  readonly at: number;
  readonly facts: PullFacts;
}

/** The sessions of each repository. */
export function byRepository(sessions: readonly Session[]): readonly (readonly Session[])[] {
  const repos = [...new Set(sessions.map(({ repo }) => repo))];
  return repos.map((repo) => sessions.filter((session) => session.repo === repo));
}

/** Sessions, their repositories in a simulated GitHub, and the whole truth about them at any moment. */
export class Fleet {
  readonly sessions: readonly Session[];
  readonly #github: SimulatedGitHub;
  readonly #now: () => number;
  readonly #histories = new Map<Session, Version[]>();
  #changes = 0;

  constructor(github: SimulatedGitHub, count: number, now: () => number) {
    const { world } = github;
    this.#github = github;
    this.#now = now;
    world.addUser("mona");
    world.addToken(TOKEN, "mona");
    world.addOrganization(OWNER);
    this.sessions = Array.from({ length: count }, (_, index) => {
      const repo = `app-${1 + Math.floor(index / SESSIONS_PER_REPOSITORY)}`;
      if (index % SESSIONS_PER_REPOSITORY === 0) world.addRepository({ owner: OWNER, name: repo });
      const { number, headSha } = world.addPullRequest({
        owner: OWNER,
        repo,
        title: `Change ${index}`,
        head: `s${index}`,
      });
      const session = { index, repo, number };
      this.#note(session, { headSha, checks: this.#check(session, headSha), comments: [] });
      return session;
    });
  }

  /** Somebody pushes to the session's pull request, or comments on it. */
  change(session: Session): void {
    const { world } = this.#github;
    const at = { owner: OWNER, repo: session.repo };
    const facts = this.#latest(session);
    this.#changes += 1;
    if (this.#changes % 2 === 0) {
      const body = `Comment ${this.#changes}`;
      world.addReviewComment({ ...at, number: session.number, body });
      this.#note(session, { ...facts, comments: [...facts.comments, body] });
    } else {
      const { sha } = world.pushCommit({ ...at, branch: `s${session.index}`, message: `Push ${this.#changes}` });
      this.#note(session, { ...facts, headSha: sha, checks: this.#check(session, sha) });
    }
  }

  /** Everything that was true of a session's pull request at some moment from `from` to `to`, epoch milliseconds. */
  truths(session: Session, from: number, to: number): readonly PullFacts[] {
    const history = this.#histories.get(session) ?? [];
    return history
      .filter(({ at }, index) => at <= to && (history[index + 1]?.at ?? Number.POSITIVE_INFINITY) > from)
      .map(({ facts }) => facts);
  }

  #latest(session: Session): PullFacts {
    return this.#histories.get(session)?.at(-1)?.facts as PullFacts;
  }

  #note(session: Session, facts: PullFacts): void {
    const history = this.#histories.get(session) ?? [];
    history.push({ at: this.#now(), facts });
    this.#histories.set(session, history);
  }

  /** Every third push breaks something. */
  #check({ repo }: Session, ref: string): string {
    const conclusions = CHECKS.map((name, index) => {
      const conclusion = this.#changes % 3 === 0 && index === 0 ? "failure" : "success";
      this.#github.world.addCheckRun({ owner: OWNER, repo, ref, name, conclusion });
      return `${name}: ${conclusion}`;
    });
    return conclusions.join(", ");
  }
}
