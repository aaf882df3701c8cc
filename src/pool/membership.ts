import type { CancelTimer, Clock } from "../clock.js";
import type { Priority } from "../policy/light.js";
import { type MemberChange, type MemberReport, memberRenewalMs } from "../policy/membership.js";
import { type ListedMember, MembershipList, type MembershipListOptions } from "./membership-list.js";
import { isNews, newsDelayMs, newsIntervalMs, spreadOf } from "./membership-news.js";
import { Roster, type RosterAgent } from "./roster.js";

export type { ListedMember } from "./membership-list.js";

/** What is true of one agent of this process. `blockedUntil` is GitHub's time, epoch milliseconds; 0: it is not blocked. */
export interface MemberFacts extends Pick<MemberReport, "light" | "breakerOpen" | "blockedUntil" | "dependsOn"> {
  /** Something that it has begun waits here: it is alive and renewed, however long it makes no new call. Default: false. */
  readonly waiting?: boolean;
}

/** What a {@link Membership} is made with. */
export interface MembershipOptions extends Omit<MembershipListOptions, "idEnding"> {
  readonly clock: Clock;
  readonly machine: string;
  /** Unique and random: it tells agents of one name in two processes apart. */
  readonly processId: string;
  /** Asked at every renewal, and after {@link Membership.changed}, for each agent with its most urgent priority. */
  readonly facts: (agent: string, priority: Priority) => MemberFacts;
  /** The list has been read anew. */
  readonly onSeen?: () => void;
}

/** How soon a renewal that failed is tried again: a few times before the lease ends, without pressing a store that is ill. */
const RETRY_MS = 15_000;

/** Agents that start one after the other are joined by one update a second, rather than by one each. */
const GATHER_MS = 1_000;

/** Nothing is due. */
const NEVER = Number.POSITIVE_INFINITY;

/**
 * This process's agents in the list of those who share a pool. Who calls is joined, and renewed every two minutes for as
 * long as it calls or waits; who is silent runs out. One update serves all agents that have called, and without any there
 * is no timer. Nothing waits for it: an agent that could not be listed is served all the same.
 *
 * What others wait for is told sooner: within two seconds in a small squad, within five in a large fleet, and at most
 * every ten seconds; and only if somebody depends on whom it is about.
 *
 * @example
 * ```ts
 * membership.seen("reviewer", 1);
 * membership.members(); // [{ id: "reviewer~5f0c…", agent: "reviewer", machine: "build-1", … }, …]
 * await membership.leave();
 * ```
 */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #idEnding: string;
  readonly #spread: number;
  readonly #roster: Roster;
  readonly #list: MembershipList;
  /** When the update that read the list last had begun. This and all moments below are monotonic. */
  #seenAt = Number.NEGATIVE_INFINITY;
  #asking = false;
  /** The store is not asked before. */
  #notBefore = Number.NEGATIVE_INFINITY;
  /** When the agents' facts are compared with the list. */
  #newsAt = NEVER;
  #newsNotBefore = Number.NEGATIVE_INFINITY;
  /** When somebody wants to read the list. */
  #lookAt = NEVER;
  /** When the timer fires. */
  #wakeAt = NEVER;
  #cancelWake: CancelTimer | undefined;
  #left: Promise<void> | undefined;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#idEnding = `~${options.processId}`;
    this.#spread = spreadOf(options.processId);
    this.#roster = new Roster(options.clock);
    this.#list = new MembershipList({ ...options, idEnding: this.#idEnding });
  }

  /** To be called with every call that is admitted or waits, and when an agent asks whether it may begin work. */
  seen(agent: string, priority: Priority): void {
    if (this.#left !== undefined) return;
    const due = this.#roster.hear(agent, priority);
    if (due !== undefined) this.#plan(this.#renewalAt(due));
  }

  /** To be called when the facts of an agent may have changed; cheap, since it only takes note. */
  changed(): void {
    if (this.#left !== undefined || this.#newsAt !== NEVER || this.#roster.isEmpty) return;
    const delayMs = newsDelayMs(this.#list.size, this.#spread);
    this.#newsAt = Math.max(this.#options.clock.monotonic() + delayMs, this.#newsNotBefore);
    this.#plan(this.#newsAt);
  }

  /**
   * Reads the list if what was last seen of it is older than so many milliseconds. Never waits for the store: returns
   * whether an answer is on its way. It is not while the store fails; what was last seen counts until its leases end.
   */
  refreshIfOlder(ms: number): boolean {
    const now = this.#options.clock.monotonic();
    if (this.#left !== undefined || this.#seenAt >= now - ms) return false;
    if (this.#asking) return true;
    if (this.#notBefore > now + GATHER_MS) return false;
    this.#lookAt = now;
    this.#plan(now);
    return true;
  }

  /** Who shared the pool when this process last saw the document, less those whose lease has ended since. */
  members(): readonly ListedMember[] {
    return this.#list.members();
  }

  /** Takes this process's agents off the list, for good. If the store does not take it, they run out; never rejects. */
  leave(): Promise<void> {
    this.#left ??= new Promise((resolve) => {
      this.#cancelWake?.();
      const leaving = this.#roster.clear().map((name) => ({ id: this.#idOf(name), report: undefined }));
      if (leaving.length === 0) resolve();
      else
        this.#list.update(
          () => leaving,
          () => resolve(),
        );
    });
    return this.#left;
  }

  #renewalAt(agent: RosterAgent): number {
    return agent.renewedAt + memberRenewalMs(this.#list.size);
  }

  #idOf(name: string): string {
    return `${name}${this.#idEnding}`;
  }

  /** Sees to it that the timer fires by then. What is under way plans for everybody when it is answered. */
  #plan(dueAt: number): void {
    if (this.#asking || this.#left !== undefined) return;
    const { clock } = this.#options;
    const now = clock.monotonic();
    const at = Math.max(now, dueAt, this.#notBefore);
    if (at >= this.#wakeAt) return;
    this.#cancelWake?.();
    this.#wakeAt = at;
    this.#cancelWake = clock.timer(at - now, () => this.#wake(), { unref: true });
  }

  #planAll(): void {
    const renewals = this.#roster.heard().map((agent) => this.#renewalAt(agent));
    this.#plan(Math.min(this.#newsAt, this.#lookAt, ...renewals));
  }

  #wake(): void {
    const now = this.#options.clock.monotonic();
    this.#wakeAt = NEVER;
    const news = this.#newsAt <= now ? this.#news() : [];
    if (this.#newsAt <= now) this.#newsAt = NEVER;
    const isRenewal = this.#roster.heard().some((agent) => this.#renewalAt(agent) <= now);
    if (isRenewal || news.length > 0 || this.#lookAt <= now) this.#ask(news, isRenewal);
    else this.#planAll();
  }

  /** Tells the news, renews whom there is to renew, and reads the list, all in one update. */
  #ask(news: readonly MemberChange[], isRenewal: boolean): void {
    const { clock, onSeen } = this.#options;
    const now = clock.monotonic();
    // Some of the news is of those who are silent; who is renewed says the same once more.
    const changes = isRenewal ? [...news, ...this.#renewals()] : news;
    if (news.length > 0) this.#newsNotBefore = now + newsIntervalMs(this.#list.size);
    this.#lookAt = NEVER;
    this.#asking = true;
    this.#notBefore = now + GATHER_MS;
    this.#list.update(
      // One that has its turn after `leave` must not bring anybody back.
      () => (this.#left === undefined ? changes : []),
      (taken) => {
        this.#asking = false;
        this.#roster.end(taken);
        if (taken) this.#seenAt = now;
        else this.#notBefore = clock.monotonic() + RETRY_MS;
        // It failed, or nobody depends on them yet; who comes to do so is not to read an old word until the renewal.
        if (news.length > 0 && this.#news().length > 0) this.#newsAt = this.#newsNotBefore;
        this.#planAll();
        if (taken) onSeen?.();
      },
    );
  }

  /** Everybody who has called, due or not, so that they are due together from now on. */
  #renewals(): readonly MemberChange[] {
    return this.#roster.begin().map(({ name, priority }) => {
      const { waiting, ...facts } = this.#options.facts(name, priority);
      if (waiting === true) this.#roster.hear(name, priority);
      return this.#change(name, priority, facts);
    });
  }

  /** Those of whom the list says what is not true any more and others may wait for. */
  #news(): readonly MemberChange[] {
    const now = this.#options.githubNow();
    const changes: MemberChange[] = [];
    for (const { name, priority } of this.#roster.agents) {
      const listed = this.#list.member(this.#idOf(name));
      if (listed === undefined) continue;
      const { waiting: _, ...facts } = this.#options.facts(name, priority);
      if (isNews(listed, facts, now)) changes.push({ ...this.#change(name, priority, facts), amends: true });
    }
    return changes;
  }

  #change(agent: string, priority: Priority, facts: Omit<MemberFacts, "waiting">): MemberChange {
    return { id: this.#idOf(agent), report: { agent, priority, machine: this.#options.machine, ...facts } };
  }
}
