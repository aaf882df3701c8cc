import type { Random } from "../github/random.js";
import type { SimulatedGitHub } from "../github/surface.js";
import type { NewSession } from "./agents.js";
import type { FleetSession } from "./needs.js";

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

const CHECKS = ["build", "lint", "test"];

const KINDS = ["push", "comment", "check"] as const;

/** The sessions' pull requests in a simulated GitHub, and the whole truth about them at any moment. */
export class WatchedWorld {
  readonly #github: SimulatedGitHub;
  readonly #now: () => number;
  readonly #random: Random;
  readonly #repositories = new Set<string>();
  readonly #histories: Version[][] = [];
  #changes = 0;
  #kinds: (typeof KINDS)[number][] = [];

  constructor(github: SimulatedGitHub, now: () => number, random: Random) {
    this.#github = github;
    this.#now = now;
    this.#random = random;
  }

  /** Opens a pull request, with its repository if that is new, and gives its number. */
  open({ index, owner, repo }: NewSession): number {
    const { world } = this.#github;
    if (!this.#repositories.has(repo)) world.addRepository({ owner, name: repo });
    this.#repositories.add(repo);
    const { number, headSha } = world.addPullRequest({ owner, repo, title: `Change ${index}`, head: `s${index}` });
    this.#histories[index] = [];
    this.#note(index, { headSha, checks: this.#check({ owner, repo }, headSha), comments: [] });
    return number;
  }

  /** Somebody pushes to the session's pull request, comments on it, or runs a check again, each as often as the others. */
  change({ index, owner, repo, number }: FleetSession): void {
    const { world } = this.#github;
    const facts = this.#histories[index]?.at(-1)?.facts as PullFacts;
    const change = this.#changes++;
    const kind = this.#nextKind();
    if (kind === "push") {
      const { sha } = world.pushCommit({ owner, repo, branch: `s${index}`, message: `Push ${change}` });
      this.#note(index, { ...facts, headSha: sha, checks: this.#check({ owner, repo }, sha) });
    } else if (kind === "comment") {
      const body = `Comment ${change}`;
      world.addReviewComment({ owner, repo, number, body });
      this.#note(index, { ...facts, comments: [...facts.comments, body] });
    } else {
      const failing = facts.checks.startsWith(`${CHECKS[0]}: failure`) ? "success" : "failure";
      this.#note(index, { ...facts, checks: this.#check({ owner, repo }, facts.headSha, failing) });
    }
  }

  /** Three kinds in any order, again and again: in turn, sessions that change in turn would see one kind for ever. */
  #nextKind(): (typeof KINDS)[number] {
    if (this.#kinds.length === 0) this.#kinds = [...KINDS];
    return this.#kinds.splice(Math.floor(this.#random() * this.#kinds.length), 1)[0] as (typeof KINDS)[number];
  }

  /** Everything that was true of a session's pull request at some moment from `from` to `to`, epoch milliseconds. */
  truths({ index }: FleetSession, from: number, to: number): readonly PullFacts[] {
    const history = this.#histories[index] ?? [];
    const truths: PullFacts[] = [];
    // What is asked about is hardly ever long ago.
    for (let position = history.length - 1; position >= 0; position--) {
      const { at, facts } = history[position] as Version;
      if (at <= to) truths.push(facts);
      if (at <= from) break;
    }
    return truths;
  }

  #note(index: number, facts: PullFacts): void {
    this.#histories[index]?.push({ at: this.#now(), facts });
  }

  #check(at: { readonly owner: string; readonly repo: string }, ref: string, first: "success" | "failure" = "success") {
    const conclusions = CHECKS.map((name, index) => {
      const conclusion = index === 0 ? first : "success";
      this.#github.world.addCheckRun({ ...at, ref, name, conclusion });
      return `${name}: ${conclusion}`;
    });
    return conclusions.join(", ");
  }
}
