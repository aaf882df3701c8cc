import { type Member, type MemberChange, type MembershipDocument, updateMembership } from "../policy/membership.js";
import { isUnreadableDocument } from "../store/document.js";
import type { PoolDocuments } from "./documents.js";
import { membersKey, type PoolIdentity } from "./keys.js";
import { changeMembers, onlyMembers } from "./members-document.js";
import { OutageReport } from "./outage-report.js";

/** What a {@link MembershipList} is made with. */
export interface MembershipListOptions {
  readonly documents: PoolDocuments;
  readonly pool: PoolIdentity;
  /** GitHub's time, epoch milliseconds. */
  readonly githubNow: () => number;
  /** Whether an answer has named it. */
  readonly clockKnown: () => boolean;
  /** How the ids of this process's members end. */
  readonly idEnding: string;
  /** Told once of each outage. */
  readonly report: (what: string, cause: unknown) => void;
}

/** A member, and the id that is its own. */
export interface ListedMember extends Member {
  readonly id: string;
}

/** The list of those who share a pool, as this process has last seen it in the store. */
export class MembershipList {
  readonly #options: MembershipListOptions;
  readonly #key: string;
  readonly #outage: OutageReport;
  #lastSeen: MembershipDocument | undefined;
  /** Its members with their ids; undefined until somebody has asked. */
  #withIds: readonly ListedMember[] | undefined;

  constructor(options: MembershipListOptions) {
    this.#options = options;
    this.#key = membersKey(options.pool);
    this.#outage = new OutageReport(options.report);
  }

  /** How many were listed, whether or not their lease has ended since. */
  get size(): number {
    return Object.keys(this.#lastSeen?.members ?? {}).length;
  }

  /** Those whose lease has not ended since. */
  members(): readonly ListedMember[] {
    const now = this.#options.githubNow();
    this.#withIds ??= Object.entries(this.#lastSeen?.members ?? {}).map(([id, member]) => ({ id, ...member }));
    return this.#withIds.filter(({ leaseExpiry }) => now < leaseExpiry);
  }

  /** The member of this id, unless its lease has ended since. */
  member(id: string): Member | undefined {
    const member = this.#lastSeen?.members[id];
    return member !== undefined && this.#options.githubNow() < member.leaseExpiry ? member : undefined;
  }

  /**
   * Reads the list and makes `changes`, in one step; without any it only reads. They are asked for when the store has its
   * turn, possibly more than once. `answered` is told whether the store took it.
   */
  update(changes: () => readonly MemberChange[], answered: (taken: boolean) => void): void {
    const { documents, githubNow, clockKnown, idEnding } = this.#options;
    documents.update(
      this.#key,
      (stored) => changeMembers(this.#key, stored, changes(), githubNow(), clockKnown()),
      (outcome) => {
        if (outcome.kind === "done") {
          this.#outage.over();
          this.#see(outcome.result);
          answered(true);
        } else if (isUnreadableDocument(outcome.error)) {
          this.#outage.failed("The pool's members are unknown", outcome.error);
          this.#see(updateMembership(onlyMembers(this.#lastSeen, idEnding), changes(), githubNow()));
          // The store has answered: to ask it again sooner would read the same.
          answered(true);
        } else {
          this.#outage.failed("This process's agents could not be listed in the pool", outcome.error);
          answered(false);
        }
      },
    );
  }

  #see(doc: MembershipDocument | undefined): void {
    this.#lastSeen = doc;
    this.#withIds = undefined;
  }
}
