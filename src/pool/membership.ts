import type { CancelTimer, Clock } from "../clock.js";
import type { Priority } from "../policy/light.js";
import {
  type Member,
  type MemberChange,
  type MemberReport,
  type MembershipDocument,
  memberRenewalMs,
  updateMembership,
} from "../policy/membership.js";
import { isUnreadableDocument } from "../store/document.js";
import type { PoolDocuments } from "./documents.js";
import { membersKey, type PoolIdentity } from "./keys.js";
import { changeMembers, onlyMembers } from "./members-document.js";
import { OutageReport } from "./outage-report.js";
import { Roster, type RosterAgent } from "./roster.js";

/** What is true of all agents of this process. */
export type MemberFacts = Pick<MemberReport, "light" | "breakerOpen" | "blockedUntil">;

/** What a {@link Membership} is made with. */
export interface MembershipOptions {
  readonly documents: PoolDocuments;
  readonly pool: PoolIdentity;
  readonly clock: Clock;
  /** GitHub's time, epoch milliseconds. */
  readonly githubNow: () => number;
  readonly machine: string;
  /** Unique and random: it tells agents of one name in two processes apart. */
  readonly processId: string;
  /** Asked at every renewal. */
  readonly facts: () => MemberFacts;
  /** Told once of each outage. */
  readonly report: (what: string, cause: unknown) => void;
}

/** A member, and the id that is its own. */
export interface ListedMember extends Member {
  readonly id: string;
}

/** How soon a renewal that failed is tried again: a few times before the lease ends, without pressing a store that is ill. */
const RETRY_MS = 15_000;

/** Agents that start one after the other are joined by one update a second, rather than by one each. */
const GATHER_MS = 1_000;

/**
 * This process's agents in the list of those who share a pool. Who calls is joined, and renewed every two minutes for as
 * long as it calls; who is silent runs out. One update serves all agents that have called, and without any there is no
 * timer. Nothing waits for it: an agent that could not be listed is served all the same.
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
  readonly #key: string;
  readonly #idEnding: string;
  readonly #roster: Roster;
  readonly #outage: OutageReport;
  #lastSeen: MembershipDocument | undefined;
  #renewing = false;
  #notBefore = Number.NEGATIVE_INFINITY;
  /** When the timer fires, monotonic; `Infinity` without one. */
  #wakeAt = Number.POSITIVE_INFINITY;
  #cancelWake: CancelTimer | undefined;
  #left: Promise<void> | undefined;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#key = membersKey(options.pool);
    this.#idEnding = `~${options.processId}`;
    this.#roster = new Roster(options.clock);
    this.#outage = new OutageReport(options.report);
  }

  /** To be called with every call that is admitted or waits. */
  seen(agent: string, priority: Priority): void {
    if (this.#left !== undefined) return;
    const due = this.#roster.hear(agent, priority);
    if (due !== undefined) this.#plan(due);
  }

  /** Who shared the pool when this process last saw the document, less those whose lease has ended since. */
  members(): readonly ListedMember[] {
    const now = this.#options.githubNow();
    return Object.entries(this.#lastSeen?.members ?? {})
      .filter(([, { leaseExpiry }]) => now < leaseExpiry)
      .map(([id, member]) => ({ id, ...member }));
  }

  /** Takes this process's agents off the list, for good. If the store does not take it, they run out; never rejects. */
  leave(): Promise<void> {
    this.#left ??= new Promise((resolve) => {
      this.#cancelWake?.();
      const leaving = this.#roster.clear().map((name) => ({ id: this.#idOf(name), report: undefined }));
      if (leaving.length === 0) resolve();
      else
        this.#update(
          () => leaving,
          () => resolve(),
        );
    });
    return this.#left;
  }

  #renewalMs(): number {
    return memberRenewalMs(Object.keys(this.#lastSeen?.members ?? {}).length);
  }

  #idOf(name: string): string {
    return `${name}${this.#idEnding}`;
  }

  /** Sees to it that the timer fires when `agent` is due. A renewal under way plans for everybody when it is answered. */
  #plan(agent: RosterAgent): void {
    if (this.#renewing) return;
    const { clock } = this.#options;
    const now = clock.monotonic();
    const at = Math.max(now, agent.renewedAt + this.#renewalMs(), this.#notBefore);
    if (at >= this.#wakeAt) return;
    this.#cancelWake?.();
    this.#wakeAt = at;
    this.#cancelWake = clock.timer(at - now, () => this.#renew(), { unref: true });
  }

  /** Renews everybody who has called, due or not, so that they are due together from now on. */
  #renew(): void {
    const { clock, machine, facts } = this.#options;
    const common = { machine, dependsOn: [], ...facts() };
    const changes = this.#roster
      .begin()
      .map(({ name, priority }) => ({ id: this.#idOf(name), report: { agent: name, priority, ...common } }));
    this.#wakeAt = Number.POSITIVE_INFINITY;
    this.#renewing = true;
    this.#notBefore = clock.monotonic() + GATHER_MS;
    this.#update(
      // One that has its turn after `leave` must not bring anybody back.
      () => (this.#left === undefined ? changes : []),
      (taken) => {
        this.#renewing = false;
        this.#roster.end(taken);
        if (!taken) this.#notBefore = clock.monotonic() + RETRY_MS;
        for (const agent of this.#roster.heard()) this.#plan(agent);
      },
    );
  }

  #update(changes: () => readonly MemberChange[], answered: (taken: boolean) => void): void {
    const { documents, githubNow } = this.#options;
    documents.update(
      this.#key,
      (stored) => changeMembers(this.#key, stored, changes(), githubNow()),
      (outcome) => {
        if (outcome.kind === "done") {
          this.#outage.over();
          this.#lastSeen = outcome.result;
          answered(true);
        } else if (isUnreadableDocument(outcome.error)) {
          this.#outage.failed("The pool's members are unknown", outcome.error);
          this.#lastSeen = updateMembership(onlyMembers(this.#lastSeen, this.#idEnding), changes(), githubNow());
          // The store has answered: to ask it again sooner would read the same.
          answered(true);
        } else {
          this.#outage.failed("This process's agents could not be listed in the pool", outcome.error);
          answered(false);
        }
      },
    );
  }
}
