import type { CancelTimer, Clock } from "../clock.js";
import type { Priority } from "../policy/light.js";
import type { PerClass, QuotaDocument } from "../policy/share/quota-document.js";
import type { Denial, ShareMode } from "../policy/share.js";
import {
  adopt,
  arrive,
  beginReport,
  countedUntil,
  leave,
  measureWindow,
  newSpender,
  planReport,
  reportFailed,
  restart,
  type SpenderState,
  type SpendTicket,
  setClock,
  settle,
  spend,
  writeOff,
} from "../policy/spender.js";
import { hasJumped } from "./github-time.js";
import { InDoubt } from "./in-doubt.js";
import { type MadeUpdate, makeReport, type PoolDesk, type PoolFailure, type PoolUpdate } from "./pool-update.js";
import type { ExchangeEnd, SpendWord } from "./spend-word.js";
import { whyWait } from "./why-wait.js";

/** What a {@link PoolSpender} is made with. */
export interface PoolSpenderOptions extends PoolDesk {
  /** GitHub's name of the resource, for explanations. */
  readonly resource: string;
  /** A name that no other spender of the pool has, or ever had. */
  readonly newName: () => string;
  /** How long a window is expected to last. */
  readonly windowMs: number;
  /** A request is answered or given up within this. */
  readonly requestTimeoutMs: number;
  readonly share: ShareMode;
  readonly clock: Clock;
  /** Until when nobody may send, as far as this process has heard; passed on to the others. 0: nothing heard. */
  readonly blockedUntil?: () => number;
  /** There may be more to spend than there was: waiting calls should ask again. */
  readonly onMore: () => void;
  /** Sees every update that was made, and why one was not. */
  readonly onUpdate: (update: PoolUpdate) => void;
}

/** A call that wants units of this pool, from its first question until it is sent or gives up. */
export interface Arrival {
  readonly spender: PoolSpender;
  readonly priority: Priority;
  readonly units: number;
}

/** A call whose turn has come without the store may be held back elsewhere; it is not to be asked without end. */
const SOONEST_MS = 100;

/**
 * One process's part in the quota of one resource: spends what it was granted without asking anybody, and reports to the
 * shared document when that runs low, a call waits in vain, units lie idle, or a heartbeat is due. The rules are
 * `policy/spender.ts`; this gives them a clock, a timer and a store.
 */
export class PoolSpender {
  readonly #options: PoolSpenderOptions;
  #state: SpenderState;
  /** The newest document seen: told in status, and what the store is reminded of if it has lost its own. */
  #newest: QuotaDocument | undefined;
  readonly #denials: [Denial | undefined, Denial | undefined, Denial | undefined] = [undefined, undefined, undefined];
  /** Why the latest report was not made; undefined when it was. */
  #failure: PoolFailure | undefined;
  readonly #inDoubt: InDoubt;
  #jumped = false;
  #clockKnown = false;
  #closed = false;
  #closing: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;
  #cancelWake: CancelTimer | undefined;
  /** Monotonic: GitHub's time, in which plans are made, moves when an answer sets it. */
  #wakeMono = Number.POSITIVE_INFINITY;

  constructor(options: PoolSpenderOptions) {
    this.#options = options;
    const { windowMs, requestTimeoutMs, clock } = options;
    this.#inDoubt = new InDoubt(clock, requestTimeoutMs, {
      seenAgoMs: () => this.#seenAgoMs(),
      windowMs: () => this.#state.windowMs,
    });
    this.#state = newSpender({ spender: options.newName(), windowMs, requestTimeoutMs });
  }

  /** What this process holds and has heard. */
  get state(): SpenderState {
    return this.#state;
  }

  get newest(): QuotaDocument | undefined {
    return this.#newest;
  }

  get failure(): PoolFailure | undefined {
    return this.#failure;
  }

  /** A call wants units. Once per call, before its first {@link spend}. */
  arrive(priority: Priority, units: number): Arrival {
    const now = this.#now();
    this.#state = arrive(this.#state, priority, units, now);
    return { spender: this, priority, units };
  }

  /** A call that arrived will not be sent: it gave up, or was answered from a cache. */
  leave({ priority, units }: Arrival): void {
    this.#state = leave(this.#state, priority, units);
    this.#plan(this.#now());
    this.#tellIdle();
  }

  /** Until when the pool has said that it has nothing for a class, and why; undefined when it may have. */
  denial(priority: Priority): { readonly until: number; readonly why: string } | undefined {
    const now = this.#now();
    const { balance, retryAt } = this.#state.classes[priority];
    if (this.#state.lost || balance > 0 || retryAt <= now) return undefined;
    return { until: retryAt, why: this.#why(priority, now) };
  }

  #why(priority: Priority, now: number): string {
    return whyWait({
      resource: this.#options.resource,
      priority,
      state: this.#state,
      denial: this.#denials[priority],
      unreadable: this.#failure?.of === "document",
      now,
    });
  }

  /** Takes an arrived call's units if it may be sent now. */
  spend({ priority, units }: Arrival): SpendWord {
    const now = this.#now();
    const outcome = spend(this.#state, priority, units, now);
    this.#state = outcome.state;
    this.#plan(now);
    if (outcome.kind === "go") return outcome;
    // A probe of the pool is answered as soon as a report is, for whoever counts in seconds.
    const probing = this.#denials[priority]?.probing === true && now < this.#state.classes[priority].retryAt;
    const brief = !this.#state.lost && (this.#state.reporting || probing);
    return { kind: "wait", untilAt: outcome.untilAt, brief, why: () => this.#why(priority, now) };
  }

  /**
   * An exchange has ended; without a ticket it was sent all the same, and what it cost is taken off the balance.
   *
   * Of one without an answer the units stay in flight until it cannot be charged any more and a header has come since, which
   * counts it if GitHub did charge it. What was set aside then goes back to the pool, which is told that it may have been
   * charged, and not to the balance: nothing is to be spent twice.
   */
  settle(ticket: SpendTicket | undefined, priority: Priority, end: ExchangeEnd): void {
    const { charged } = end;
    if (charged !== undefined) {
      this.#settle(ticket, priority, { ...end, charged });
      return;
    }
    if (ticket === undefined) return;
    const settle = (isCharged: boolean): void => {
      if (isCharged) this.#settle(ticket, priority, { ...end, charged: ticket.units });
      else this.#writeOff(ticket);
    };
    if (this.#closed) settle(true);
    else this.#inDoubt.hold(settle);
  }

  /**
   * A call takes nothing after all, because another gate has nothing for it: its units are there for whoever asks next.
   * Nobody is told, lest everybody who waits for that gate be asked without end.
   */
  putBack(ticket: SpendTicket): void {
    const now = this.#now();
    this.#state = settle(this.#state, ticket, { answered: false, charged: 0, header: undefined }, now);
    this.#plan(now);
  }

  /** A header has told how long this resource's windows last. */
  measured(windowMs: number): void {
    this.#state = measureWindow(this.#state, windowMs);
  }

  /** Whether no call waits for units or holds any. */
  get idle(): boolean {
    return this.#state.classes.every(({ waiting, inFlight }) => waiting === 0 && inFlight === 0);
  }

  /** Calls back once, when this is {@link idle} next. */
  whenIdle(callback: () => void): void {
    this.#onIdle = callback;
    this.#tellIdle();
  }

  /** Gives everything back and ends the lease, as far as the store answers. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #close(): Promise<void> {
    this.#closed = true;
    this.#onIdle = undefined;
    this.#cancelWake?.();
    this.#inDoubt.close();
    // Who never reported is in no document.
    if (this.#state.window === undefined && !this.#state.reporting) return Promise.resolve();
    return new Promise((resolve) => this.#report(this.#now(), true, resolve));
  }

  #tellIdle(): void {
    if (this.#onIdle === undefined || !this.idle) return;
    const callback = this.#onIdle;
    this.#onIdle = undefined;
    callback();
  }

  #settle(ticket: SpendTicket | undefined, priority: Priority, end: ExchangeEnd & { readonly charged: number }): void {
    const now = this.#now();
    const sentAt = now - this.#options.requestTimeoutMs;
    const untaken: SpendTicket = { priority, units: 0, window: this.#state.window, granted: false, sentAt };
    const before = this.#state;
    this.#state = settle(before, ticket ?? untaken, end, now);
    this.#plan(now);
    if (end.header !== undefined) this.#inDoubt.look();
    if (ticket !== undefined && end.charged < ticket.units) this.#options.onMore();
    else if (this.#state.unmetered !== before.unmetered) this.#options.onMore();
    this.#tellIdle();
  }

  #writeOff(ticket: SpendTicket): void {
    const now = this.#now();
    this.#state = writeOff(this.#state, ticket, now);
    this.#plan(now);
    this.#options.onMore();
    this.#tellIdle();
  }

  /** A clock that nobody has set cannot tell whether a header is older than a request. */
  #seenAgoMs(): number {
    const { time } = this.#options;
    if (!time.known()) return Number.POSITIVE_INFINITY;
    return Math.max(0, time.now() - Math.max(countedUntil(this.#state), this.#newest?.countedAt ?? 0));
  }

  /** GitHub's time; when the machine's clocks have come apart, nothing that was granted before is trusted. */
  #now(): number {
    const { time, newName } = this.#options;
    if (!hasJumped(time)) this.#jumped = false;
    else if (!this.#jumped) {
      this.#jumped = true;
      this.#state = restart(this.#state, newName());
    }
    const known = time.known();
    const now = time.now();
    if (known && !this.#clockKnown) this.#state = setClock(this.#state, now);
    this.#clockKnown = known;
    return now;
  }

  #plan(now: number): void {
    if (this.#closed) return;
    const plan = planReport(this.#state, now);
    if (plan.kind === "now") this.#report(now, false, () => undefined);
    else if (plan.kind === "at") this.#wakeUpIn(Math.max(plan.at - now, SOONEST_MS));
  }

  #wakeUpIn(ms: number): void {
    const { clock } = this.#options;
    const wakeMono = clock.monotonic() + ms;
    // A timer that is set too early asks again; setting one anew at each call would cost more. Clocks are rounded.
    if (wakeMono > this.#wakeMono - 1) return;
    this.#cancelWake?.();
    this.#wakeMono = wakeMono;
    this.#cancelWake = clock.timer(
      ms,
      () => {
        this.#wakeMono = Number.POSITIVE_INFINITY;
        this.#cancelWake = undefined;
        // While the store is lost, a call's turn may have come instead of a report's.
        if (this.#state.lost) this.#options.onMore();
        this.#plan(this.#now());
      },
      { unref: true },
    );
  }

  #report(now: number, closing: boolean, done: () => void): void {
    const { time, share, blockedUntil } = this.#options;
    const terms = { clockKnown: time.known(), mode: share, blockedUntil: blockedUntil?.() ?? 0, closing };
    const { state, report } = beginReport(this.#state, now, terms);
    this.#state = state;
    const { reportId } = state;
    makeReport(
      this.#options,
      report,
      () => this.#newest,
      (update) => {
        if (update.kind === "made") this.#adopt(reportId, update);
        else this.#failed(reportId, update.failure);
        this.#options.onMore();
        done();
      },
    );
  }

  #adopt(reportId: number, update: MadeUpdate): void {
    const now = this.#now();
    this.#state = adopt(this.#state, reportId, update.grant, now);
    this.#newest = update.doc;
    this.#failure = undefined;
    for (const event of update.events) if (event.kind === "denied") this.#denials[event.denial.priority] = event.denial;
    this.#options.onUpdate(update);
    this.#inDoubt.look();
    this.#plan(now);
  }

  #failed(reportId: number, failure: PoolFailure): void {
    const now = this.#now();
    this.#state = reportFailed(this.#state, reportId, now);
    this.#failure = failure;
    this.#options.onUpdate({ kind: "failed", failure });
    this.#plan(now);
  }
}

/** Units granted and not spent, by class; a call that cost more than was set aside takes the rest from the next grant. */
export function balances({ classes }: SpenderState): PerClass<number> {
  const held = (priority: Priority): number => Math.max(0, classes[priority].balance);
  return [held(0), held(1), held(2)];
}
