import type { CancelTimer, Clock } from "../clock.js";
import { SquadRateError } from "../errors.js";
import { withDeadline } from "./deadline.js";
import { type Document, decodeDocument, encodeDocument, nextRevision } from "./document.js";
import type { Documents, Step } from "./documents.js";
import { storeError } from "./store-error.js";

/**
 * Makes the next document of the current one; undefined, or the very same object, leaves it as it is. Pure, quick and
 * synchronous: it may be run again on a newer document, and what its last run made is what counts. What it throws
 * rejects the update and changes nothing. It need not see to `revision`, but may raise it; see `Document`.
 */
export type Change = (current: Document | undefined) => Document | undefined;

interface Member {
  readonly change: Change;
  readonly ttlMs: number | undefined;
  readonly resolve: (document: Document | undefined) => void;
  readonly reject: (error: unknown) => void;
  readonly cancelTimer: CancelTimer;
  /** Settled, by its deadline or its outcome: its change must not be written any more. */
  over: boolean;
  /** Its change may be on its way to the store. */
  begun: boolean;
  outcome: { readonly document: Document | undefined } | { readonly error: unknown } | undefined;
}

/** What an {@link UpdateQueue} needs to know. */
export interface UpdateQueueOptions {
  /** Opens or proves the documents' side of the store; asked again after it failed. */
  readonly documents: () => Promise<Documents>;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** The store's address as it may be shown. */
  readonly where: string;
}

/**
 * The updates of one process, in line by key: while one round is under way the next gathers, and all that gathered goes
 * to the store as one change. A hundred agents in a process cost no more round trips than one.
 */
export class UpdateQueue {
  readonly #options: UpdateQueueOptions;
  readonly #lines = new Map<string, Member[]>();
  #closed = false;

  constructor(options: UpdateQueueOptions) {
    this.#options = options;
  }

  /** See `atomicUpdate`. */
  update(key: string, change: Change, ttlMs: number | undefined): Promise<Document | undefined> {
    const { clock, timeoutMs } = this.#options;
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(this.#closedError());
      const cancelTimer = clock.timer(timeoutMs, () => {
        if (member.over) return;
        member.over = true;
        const fate = member.begun ? "the change may have been made all the same" : "the change was not made";
        reject(this.#error("update", key, new Error(`no answer within ${timeoutMs} ms; ${fate}`)));
      });
      const member: Member = {
        change,
        ttlMs,
        resolve,
        reject,
        cancelTimer,
        over: false,
        begun: false,
        outcome: undefined,
      };
      const line = this.#lines.get(key);
      if (line !== undefined) {
        line.push(member);
        return;
      }
      this.#lines.set(key, [member]);
      void this.#serve(key);
    });
  }

  /** See `readDocument`. */
  async read(key: string): Promise<Document | undefined> {
    const { documents, clock, timeoutMs } = this.#options;
    if (this.#closed) throw this.#closedError();
    try {
      const text = await withDeadline(
        clock,
        timeoutMs,
        documents().then((open) => open.read(key)),
      );
      return decodeDocument(key, text, clock.now()).document;
    } catch (cause) {
      throw this.#error("read", key, cause);
    }
  }

  close(): void {
    this.#closed = true;
    for (const line of this.#lines.values()) {
      for (const member of line) if (!member.begun) settle(member, { error: this.#closedError() });
    }
  }

  async #serve(key: string): Promise<void> {
    for (;;) {
      const round = (this.#lines.get(key) ?? []).filter((member) => !member.over);
      if (round.length === 0) {
        this.#lines.delete(key);
        return;
      }
      this.#lines.set(key, []);
      try {
        await this.#run(key, round);
        for (const member of round) settle(member, member.outcome ?? { document: undefined });
      } catch (cause) {
        const error = this.#error("update", key, cause);
        for (const member of round) settle(member, { error });
      }
    }
  }

  /** One change of the stored document, made of the changes of all of `round` that still wait for it. */
  #run(key: string, round: readonly Member[]): Promise<void> {
    const { documents, clock, timeoutMs } = this.#options;
    const step: Step = (text) => {
      const now = clock.now();
      const stored = decodeDocument(key, text, now);
      let { document, revision } = stored;
      let ttlMs: number | undefined;
      for (const member of round) {
        if (member.over) continue;
        member.begun = true;
        try {
          const next = member.change(document);
          if (next !== undefined && next !== document) {
            revision = nextRevision(key, revision, next.revision);
            document = { ...next, revision };
            ttlMs = Math.max(ttlMs ?? 0, member.ttlMs ?? Number.POSITIVE_INFINITY);
          }
          member.outcome = { document };
        } catch (error) {
          member.outcome = { error };
        }
      }
      if (document === undefined || document === stored.document) return undefined;
      const livesMs = ttlMs === Number.POSITIVE_INFINITY ? undefined : ttlMs;
      return { text: encodeDocument(document, livesMs === undefined ? undefined : now + livesMs), ttlMs: livesMs };
    };
    const abandoned = (): boolean => round.every((member) => member.over);
    // A hung server answers neither way: the line must move on, and the step above makes nothing of what is over.
    return withDeadline(
      clock,
      timeoutMs,
      documents().then((open) => open.update(key, step, abandoned)),
    );
  }

  #error(doing: string, key: string, cause: unknown): SquadRateError {
    return storeError(this.#options.where, `${doing} ${key}`, cause);
  }

  #closedError(): SquadRateError {
    return new SquadRateError("SQUAD_RATE_CLOSED", `The store ${this.#options.where} is closed.`);
  }
}

function settle(member: Member, outcome: NonNullable<Member["outcome"]>): void {
  if (member.over) return;
  member.over = true;
  member.cancelTimer();
  if ("error" in outcome) member.reject(outcome.error);
  else member.resolve(outcome.document);
}
