import {
  type ContentLimits,
  decideAlone,
  RENEW_WAIT_MS,
  RESERVED_FOR_MS,
  sentSecond,
  withoutMostUrgent,
} from "../policy/content-writes.js";
import type { Priority } from "../policy/light.js";
import { type PerClass, PRIORITIES } from "../policy/share/quota-document.js";
import { AloneWrites } from "./content-writes-alone.js";
import { ContentDemand } from "./content-writes-demand.js";
import { type ContentDenial, isDenied } from "./content-writes-denial.js";
import { ContentDesk, type ContentDeskOptions, type ContentOrder } from "./content-writes-desk.js";
import { ContentHand } from "./content-writes-hand.js";
import { ContentTimer } from "./content-writes-timer.js";
import type { MadeContentUpdate } from "./content-writes-update.js";
import type { ContentSlot, ContentWord } from "./content-writes-word.js";

export type { ContentSlot, ContentWord } from "./content-writes-word.js";

/** What {@link ContentWrites} are made with. */
export interface ContentWritesOptions extends ContentDeskOptions {
  /** Whether GitHub's time is known. While it is not, nothing can be booked. Default: it is. */
  readonly clockKnown?: () => boolean;
  /** How many processes share the limits, as far as is known, this one included; asked while the store is lost. */
  readonly processes: () => number;
  /** Whoever waits may ask again: a slot has come, or the time until one comes has become known. */
  readonly onChange: () => void;
}

/** How soon to ask again for what is about to be known. */
const SOON_MS = 1_000;
/**
 * Between two reservations as large as they may be: long enough that all who begin at once are known to each other before
 * one of them has taken everything.
 */
const PAUSE_MS = 100;
/** How often to look whether GitHub's time is known, so that what was sent before can be told. */
const LOOK_MS = 5_000;

const NOTHING: PerClass<number> = [0, 0, 0];
const NEVER = Number.POSITIVE_INFINITY;

/**
 * This process's part in the content writes that GitHub takes of a principal in a minute and in an hour, whoever sends
 * them. Each is reserved in a document that all processes share, in the background and a few at a time; the answer to a
 * call that asks is always there at once. The rules are `policy/content-writes.ts`.
 *
 * While the store is lost the process keeps to an even part of the limits, and tells the others later. Its timer does not
 * keep the process alive, and there is none while nothing waits, is reserved or is to be told.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
 *
 * @example
 * ```ts
 * content.arrive(1); // once per call
 * const word = content.take(1, { contentPerMinute: 80, contentPerHour: 500 }, githubNow);
 * if (word.kind === "wait") return word; // ask again at `untilAt`, or when `onChange` says so
 * content.leave(1); // once per call, whether it goes or gives up
 * content.sent(word.slot); // when the request leaves; `release` if it does not
 * ```
 */
export class ContentWrites {
  readonly #options: ContentWritesOptions;
  readonly #desk: ContentDesk;
  readonly #demand: ContentDemand = new ContentDemand();
  readonly #hand: ContentHand = new ContentHand();
  readonly #alone: AloneWrites;
  readonly #timer: ContentTimer;
  /** Slots of calls that are about to be sent. */
  readonly #taken = new WeakSet<ContentSlot>();
  /** Nothing is asked before the first call has brought its own. */
  #limits: ContentLimits = { contentPerMinute: 1, contentPerHour: 1 };
  #denial: ContentDenial | undefined;
  /** Monotonic. */
  #pauseUntilMono = Number.NEGATIVE_INFINITY;
  #closing: Promise<void> | undefined;
  #closed: (() => void) | undefined;
  #saidGoodbye = false;

  constructor(options: ContentWritesOptions) {
    this.#options = options;
    this.#desk = new ContentDesk(options);
    this.#alone = new AloneWrites(options.clock);
    this.#timer = new ContentTimer(options.clock, () => this.#plan());
  }

  /** A call wants to write content. Once per call, before its first {@link take}. */
  arrive(priority: Priority): void {
    this.#demand.arrive(priority);
  }

  /** A call that arrived waits no longer: it was let go, or gave up. Once per call. */
  leave(priority: Priority): void {
    this.#demand.leave(priority);
    this.#plan();
  }

  /**
   * Lets an arrived call go if there is a slot for it; slots are for the most urgent calls of this process. Otherwise the
   * store is asked, unless its last word still holds. `now` is GitHub's time.
   */
  take(priority: Priority, limits: ContentLimits, now: number): ContentWord {
    this.#limits = limits;
    if (this.#dropOld(now)) this.#plan();
    const before = this.#demand.before(priority);
    const slot = this.#hand.size > before ? this.#hand.take() : undefined;
    if (slot !== undefined) {
      this.#demand.used();
      return this.#go(slot);
    }
    if (!this.#isKnown()) return this.#takeUnknown(now);
    if (this.#closing !== undefined || this.#desk.lost !== undefined) return this.#takeAlone(before, now);
    const denial = this.#denial;
    if (denial !== undefined && isDenied(denial, priority, limits, now, this.#options.clock.monotonic())) {
      return { kind: "wait", untilAt: denial.untilAt, brief: false, why: denial.why };
    }
    const pauseMs = this.#pauseUntilMono - this.#options.clock.monotonic();
    if (!this.#desk.busy && pauseMs <= 0) this.#update();
    const untilAt = now + (pauseMs > 0 ? pauseMs : SOON_MS);
    return { kind: "wait", untilAt, brief: true, why: "asking the pool for a content write" };
  }

  /**
   * The write is being sent, or was by now. Until this is told it counts as sent at the last moment at which it may be, up
   * to ten seconds late, so that everybody waits for longer.
   */
  sent(slot: ContentSlot): void {
    if (!this.#taken.delete(slot) || this.#alone.sent(slot) || !this.#isKnown()) return;
    this.#desk.sent(slot.sendBy, this.#options.githubNow());
    this.#plan();
  }

  /**
   * The write was not sent after all: whoever is asked next gets its slot. Nobody is told, lest a call that something else
   * holds back be asked without end.
   */
  release(slot: ContentSlot): void {
    if (!this.#taken.delete(slot) || this.#alone.forget(slot)) return;
    this.#hand.putBack(slot);
    this.#plan();
  }

  /** Gives back what is in hand and withdraws what waits, as far as the store answers. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#closed = resolve;
      this.#timer.set(NEVER);
      if (!this.#desk.busy) this.#sayGoodbye();
    });
    return this.#closing;
  }

  #isKnown(): boolean {
    return this.#options.clockKnown?.() ?? true;
  }

  #go(slot: ContentSlot): ContentWord {
    this.#taken.add(slot);
    return { kind: "go", slot };
  }

  /** The call that finds out GitHub's time cannot know when it is. */
  #takeUnknown(now: number): ContentWord {
    if (this.#alone.newestAgoMs >= RESERVED_FOR_MS) return this.#goAlone(now);
    const why = "one content write goes to find out GitHub's time, by which they are counted";
    return { kind: "wait", untilAt: now + SOON_MS, brief: false, why };
  }

  #takeAlone(before: number, now: number): ContentWord {
    const { lost, known, busy } = this.#desk;
    if (lost !== undefined && !busy && this.#options.clock.monotonic() >= lost.retryMono) this.#update();
    const own = this.#alone.list(now).map(({ at }) => at);
    const processes = this.#options.processes();
    const word = decideAlone({ sent: known, own, processes, limits: this.#limits, before, now });
    if (word.kind === "go") return this.#goAlone(now);
    const cause = lost?.unreadable === true ? "the pool's document cannot be read" : "the pool's store does not answer";
    return { kind: "wait", untilAt: word.untilAt, brief: false, why: `${cause}; ${word.why}` };
  }

  #goAlone(now: number): ContentWord {
    const word = this.#go(this.#alone.admit(now));
    this.#plan();
    return word;
  }

  /** Gives back what is too old to be used. What was reserved by a clock that has jumped since may be over. */
  #dropOld(now: number): boolean {
    const old = this.#isKnown() ? this.#hand.dropOld(now) : this.#hand.dropAll();
    if (old.length === 0) return false;
    for (const { sendBy } of old) this.#desk.giveBack(sendBy);
    this.#demand.wasted();
    return true;
  }

  #update(): void {
    // A reservation of which nobody hears is lost for a minute, so the first question after a loss asks for nothing.
    const asks = this.#desk.lost === undefined;
    let untold: ReturnType<AloneWrites["list"]> = [];
    this.#desk.update(
      (): ContentOrder => {
        untold = this.#alone.list(this.#options.githubNow());
        const { waiting, most } = this.#demand.wants(this.#hand.size);
        return {
          waiting: asks && this.#closing === undefined ? waiting : NOTHING,
          most,
          limits: this.#limits,
          alone: untold.map(({ at }) => at),
        };
      },
      (made) => {
        // Unanswered, what waits here may have been recorded or not; it runs out.
        if (made === undefined) this.#hear(NOTHING, undefined);
        else this.#adopt(made, untold);
        if (this.#closing !== undefined) this.#sayGoodbye();
        else if (this.#demand.size > 0) this.#options.onChange();
        this.#plan();
      },
    );
  }

  #adopt(made: MadeContentUpdate, told: ReturnType<AloneWrites["list"]>): void {
    for (const { slot, at } of told) {
      this.#taken.delete(slot);
      // It was released while it was being told.
      if (!this.#alone.forget(slot)) this.#desk.giveBack(sentSecond(at));
    }
    if (made.granted > 0) {
      this.#demand.granted(this.#hand.size === 0);
      this.#hand.add(made.at, made.granted);
      if (made.granted === made.ask.most) this.#pauseUntilMono = this.#options.clock.monotonic() + PAUSE_MS;
    }
    this.#hear(withoutMostUrgent(made.ask.waiting, made.granted), made);
  }

  /** What the document has of this process's waits now, and what it says to them. */
  #hear(waiting: PerClass<number>, made: MadeContentUpdate | undefined): void {
    this.#demand.told(waiting);
    const priority = PRIORITIES.find((of) => waiting[of] > 0);
    const heardMono = this.#options.clock.monotonic();
    this.#denial =
      made === undefined || priority === undefined
        ? undefined
        : { priority, untilAt: made.untilAt, why: made.why, limits: this.#limits, heardMono };
  }

  /** Updates if something is due, and otherwise sees to it that the timer fires when it is. */
  #plan(): void {
    if (this.#desk.busy || this.#closing !== undefined) return;
    this.#dropOld(this.#options.githubNow());
    const nowMono = this.#options.clock.monotonic();
    const dueMono = this.#dueMono(nowMono);
    this.#timer.set(dueMono <= nowMono ? NEVER : dueMono);
    if (dueMono <= nowMono) this.#update();
  }

  #dueMono(nowMono: number): number {
    const { lost, owes, tellMono } = this.#desk;
    const untold = this.#alone.size > 0;
    if (!this.#isKnown()) return untold || owes ? nowMono + LOOK_MS : NEVER;
    if (lost !== undefined) return untold || owes || this.#demand.size > 0 ? lost.retryMono : NEVER;
    if (untold || this.#demand.isOverstated(this.#hand.size)) return nowMono;
    const renewMono = this.#demand.isTold ? (this.#denial?.heardMono ?? NEVER) + RENEW_WAIT_MS : NEVER;
    return Math.min(tellMono, renewMono, nowMono + this.#hand.keepsUntil - this.#options.githubNow());
  }

  /** The last update, if there is anything to tell; by a clock that nobody knows none can be made. */
  #sayGoodbye(): void {
    for (const { sendBy } of this.#hand.dropAll()) this.#desk.giveBack(sendBy);
    const hasMore = this.#desk.owes || this.#alone.size > 0 || this.#demand.isTold;
    if (hasMore && this.#isKnown() && !this.#saidGoodbye) {
      this.#saidGoodbye = true;
      this.#update();
    } else {
      this.#closed?.();
    }
  }
}
