import type { CancelTimer, Clock } from "../../src/clock.js";
import type { ContentLimits } from "../../src/policy/content-writes.js";
import type { Priority } from "../../src/policy/light.js";
import { type ContentWord, ContentWrites } from "../../src/pool/content-writes.js";
import type { PoolDocuments } from "../../src/pool/documents.js";
import type { PoolIdentity } from "../../src/pool/keys.js";

export const POOL: PoolIdentity = { host: "api.github.com", name: "user-7" };
export const LIMITS: ContentLimits = { contentPerMinute: 80, contentPerHour: 500 };

/** One process whose calls wait as they do in a waiting room: asked in order, when told to, and when something changes. */
export interface WriterOptions {
  readonly clock: Clock;
  readonly documents: PoolDocuments;
  readonly id: string;
  readonly pool?: PoolIdentity;
  readonly limits?: ContentLimits;
  readonly processes?: number;
  /** How far this process has GitHub's clock wrong. */
  readonly skewMs?: number;
  /** How long a call that may go takes until it is sent. */
  readonly sendMs?: number;
  /** The shortest time between two that go. */
  readonly paceMs?: number;
  readonly clockKnown?: () => boolean;
}

/** A write that was sent: when, of which class. */
export interface SentWrite {
  readonly at: number;
  readonly priority: Priority;
}

export class Writer {
  readonly content: ContentWrites;
  readonly sent: SentWrite[] = [];
  readonly told: string[] = [];
  readonly words: ContentWord[] = [];
  changes = 0;
  /** Calls of each class that wait. */
  readonly waiting: [number, number, number] = [0, 0, 0];
  limits: ContentLimits;
  readonly #options: WriterOptions;
  #cancel: CancelTimer | undefined;
  #queued = false;
  #pacedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: WriterOptions) {
    const { clock, documents, id, pool = POOL, processes = 1, skewMs = 0, clockKnown } = options;
    this.#options = options;
    this.limits = options.limits ?? LIMITS;
    this.content = new ContentWrites({
      documents,
      pool,
      clock,
      processId: id,
      githubNow: () => clock.now() + skewMs,
      processes: () => processes,
      report: (what, cause) => this.told.push(`${what}: ${(cause as Error).message}`),
      onChange: () => {
        this.changes++;
        this.#queue();
      },
      ...(clockKnown === undefined ? {} : { clockKnown }),
    });
  }

  /** The last word that a call got. */
  get word(): ContentWord | undefined {
    return this.words.at(-1);
  }

  /** So many more calls want to write. */
  want(priority: Priority, calls: number): void {
    for (let call = 0; call < calls; call++) this.content.arrive(priority);
    this.waiting[priority] += calls;
    this.ask();
  }

  /** So many calls give up. */
  giveUp(priority: Priority, calls: number): void {
    this.waiting[priority] -= calls;
    for (let call = 0; call < calls; call++) this.content.leave(priority);
  }

  take(priority: Priority): ContentWord {
    const word = this.content.take(priority, this.limits, this.#options.clock.now() + (this.#options.skewMs ?? 0));
    this.words.push(word);
    return word;
  }

  ask(): void {
    const { clock, skewMs = 0, paceMs = 0 } = this.#options;
    this.#cancel?.();
    this.#cancel = undefined;
    for (const priority of [0, 1, 2] as const) {
      while (this.waiting[priority] > 0) {
        const pacedMs = this.#pacedUntil - clock.monotonic();
        const word = pacedMs > 0 ? undefined : this.take(priority);
        if (word?.kind !== "go") {
          this.#wakeIn(word === undefined ? pacedMs : word.untilAt - skewMs - clock.now());
          return;
        }
        this.waiting[priority]--;
        this.content.leave(priority);
        this.#pacedUntil = clock.monotonic() + paceMs;
        this.#send(priority, word);
      }
    }
  }

  #send(priority: Priority, { slot }: Extract<ContentWord, { kind: "go" }>): void {
    const { clock, sendMs = 0 } = this.#options;
    const send = (): void => {
      this.content.sent(slot);
      this.sent.push({ at: clock.now(), priority });
    };
    if (sendMs === 0) send();
    else clock.timer(sendMs, send);
  }

  /** Once per turn, as the waiting room does. */
  #queue(): void {
    if (this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => {
      this.#queued = false;
      this.ask();
    });
  }

  #wakeIn(ms: number): void {
    this.#cancel = this.#options.clock.timer(Math.max(1, ms), () => this.ask());
  }
}

/** Most of `times` that fall into one window; it holds its later edge and not the earlier. */
export function mostInAWindow(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  let most = 0;
  let first = 0;
  sorted.forEach((time, last) => {
    while ((sorted[first] as number) <= time - windowMs) first++;
    most = Math.max(most, last - first + 1);
  });
  return most;
}
