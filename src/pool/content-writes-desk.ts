import type { Clock } from "../clock.js";
import {
  type Amendment,
  type ContentDocument,
  type ContentLimits,
  type SentBy,
  sentSecond,
} from "../policy/content-writes.js";
import type { PerClass } from "../policy/share/quota-document.js";
import { isUnreadableDocument } from "../store/document.js";
import { type MadeContentUpdate, updateContent } from "./content-writes-update.js";
import type { PoolDocuments } from "./documents.js";
import { contentWritesKey, type PoolIdentity } from "./keys.js";
import { OutageReport } from "./outage-report.js";

/** What a {@link ContentDesk} is made with. */
export interface ContentDeskOptions {
  readonly documents: PoolDocuments;
  readonly pool: PoolIdentity;
  readonly clock: Clock;
  /** GitHub's time, epoch milliseconds. */
  readonly githubNow: () => number;
  /** Unique and random: no other process has it, or ever had. */
  readonly processId: string;
  /** Told once of each outage. */
  readonly report: (what: string, cause: unknown) => void;
}

/** What is asked of the document, decided when it is at hand. */
export interface ContentOrder {
  readonly waiting: PerClass<number>;
  readonly most: number;
  readonly limits: ContentLimits;
  /** Writes that the others do not know of, by when they were sent; GitHub's time. */
  readonly alone: readonly number[];
}

/** The store does not answer, or nobody here can read what it has. */
export interface ContentLoss {
  readonly unreadable: boolean;
  /** When it is tried again; monotonic. */
  readonly retryMono: number;
}

const RETRY_MS = 5_000;

/** That a write was sent sooner than it might have been is told with the next question, or after this. */
const GATHER_MS = 2_000;

const NEVER = Number.POSITIVE_INFINITY;

/** The document of content writes as one process sees it: what is to be told, one update at a time, and whether it is lost. */
export class ContentDesk {
  readonly #options: ContentDeskOptions;
  readonly #key: string;
  readonly #outage: OutageReport;
  #newest: ContentDocument | undefined;
  #amendments: Amendment[] = [];
  /** When that began to be too old to wait any longer; monotonic. */
  #tellMono = NEVER;
  #busy = false;
  #lost: ContentLoss | undefined;

  constructor(options: ContentDeskOptions) {
    this.#options = options;
    this.#key = contentWritesKey(options.pool);
    this.#outage = new OutageReport(options.report);
  }

  /** An update is under way. */
  get busy(): boolean {
    return this.#busy;
  }

  get lost(): ContentLoss | undefined {
    return this.#lost;
  }

  /** What all had sent when this process last saw the document. */
  get known(): readonly SentBy[] {
    return this.#newest?.sent ?? [];
  }

  /** Something is to be told. */
  get owes(): boolean {
    return this.#amendments.length > 0;
  }

  /** When to tell it at the latest, if nothing is asked before; monotonic. `Infinity` when there is nothing to tell. */
  get tellMono(): number {
    return this.#tellMono;
  }

  /** What is booked under this time will not be sent. */
  giveBack(booked: number): void {
    this.#amend({ from: booked, to: undefined }, 0);
  }

  /** What is booked under this time is sent at `now`. */
  sent(booked: number, now: number): void {
    const to = sentSecond(now);
    if (to < booked) this.#amend({ from: booked, to }, GATHER_MS);
  }

  /** Asks and tells. Without an update under way only. */
  update(order: () => ContentOrder, done: (made: MadeContentUpdate | undefined) => void): void {
    const { documents, githubNow, processId, clock } = this.#options;
    const telling = this.#amendments;
    this.#amendments = [];
    this.#tellMono = NEVER;
    this.#busy = true;
    documents.update(
      this.#key,
      (stored) => {
        const { waiting, most, limits, alone } = order();
        const amendments = [...telling, ...alone.map((at) => ({ from: undefined, to: sentSecond(at) }))];
        const ask = { spender: processId, waiting, most };
        return updateContent(this.#key, stored, this.#newest, { amendments, ask, limits, now: githubNow() });
      },
      (outcome) => {
        this.#busy = false;
        if (outcome.kind === "done") {
          this.#lost = undefined;
          this.#outage.over();
          this.#newest = outcome.result.doc;
          done(outcome.result);
          return;
        }
        // What was told may have been taken all the same, and nothing may be given back twice: it stays booked, and runs out.
        const { error } = outcome;
        this.#lost = { unreadable: isUnreadableDocument(error), retryMono: clock.monotonic() + RETRY_MS };
        this.#outage.failed(
          "The pool's content writes are not counted together; this process keeps to its part of GitHub's limits",
          error,
        );
        done(undefined);
      },
    );
  }

  #amend(amendment: Amendment, withinMs: number): void {
    this.#amendments.push(amendment);
    this.#tellMono = Math.min(this.#tellMono, this.#options.clock.monotonic() + withinMs);
  }
}
