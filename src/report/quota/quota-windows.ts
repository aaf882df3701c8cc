import { windowLengthOf } from "../../call/window-length.js";
import { RESET_TOLERANCE_MS } from "../../policy/window.js";
import type { Exchange, ObservedRate, Reading } from "../observed.js";
import { quotaOwner } from "./owner.js";
import type { QuotaTotal, WindowRow } from "./rows.js";
import { type OpenWindow, observeWindow, openWindow, settleWindow } from "./window.js";

/** Answers that name a window may come this long after its reset. */
const SETTLE_AFTER_MS = 15 * 60_000;

/** Principals and resources that are kept apart; more is a broken trace. */
const MAX_QUOTAS = 2_000;

/** Charges without headers that wait for the window they belong to. */
const MAX_LOOSE = 1_000;

/** Is told of hidden use, and when it turned out, once a window is settled. */
export type BookHidden = (at: number, units: number) => void;

const MAX_RESETS = 100_000;

interface Quota {
  readonly ownerKey: string;
  readonly principal: string;
  readonly resource: string;
  open: OpenWindow[];
  /** Charges of answers without headers, by the time at which they began. */
  readonly loose: { readonly at: number; readonly units: number }[];
  /** The reset of the latest window that is settled. */
  settledResetAt: number;
  readonly total: {
    windows: number;
    used: number;
    charged: number;
    hidden: number;
    beforeTrace: number;
    unconfirmed: number;
  };
}

/**
 * Holds what the trace's requests were charged against what GitHub's headers showed, window by window. A request belongs
 * to the window that its own answer names, whenever it was sent; one whose answer names none belongs to the window that
 * was open then.
 */
export class QuotaWindows {
  readonly #quotas = new Map<string, Quota>();
  readonly #firstSeen = new Map<string, number>();
  readonly #settled: WindowRow[] = [];
  /** Of the windows that are settled, as many as are kept. */
  readonly #resets: { readonly at: number; readonly isGraphql: boolean }[] = [];
  readonly #maxRows: number;
  readonly #bookHidden: BookHidden;
  #rowsLeftOut = 0;

  constructor(maxRows: number, bookHidden: BookHidden) {
    this.#maxRows = maxRows;
    this.#bookHidden = bookHidden;
  }

  /** A request has begun. */
  began(exchange: Exchange): void {
    const quota = this.#quotaOf(exchange.principal, exchange.host, exchange.resource, exchange.at);
    if (quota === undefined) return;
    const units = exchange.units ?? 0;
    quota.total.charged += units;
    const window =
      exchange.rate === undefined ? undefined : this.#windowOf(quota, exchange.rate, exchange.endedAt, units > 0);
    if (window !== undefined) {
      window.charged += units;
      window.exchanges++;
      if (!exchange.isCostKnown) window.unknownCosts++;
    } else if (units > 0 && exchange.rate === undefined) {
      if (quota.loose.length < MAX_LOOSE) quota.loose.push({ at: exchange.at, units });
    }
    this.#settle(quota, exchange.at);
  }

  /** Its answer has come, and everything that began before that is known. */
  ended(exchange: Exchange): void {
    if (exchange.rate === undefined) return;
    const quota = this.#quotaOf(exchange.principal, exchange.host, exchange.resource, exchange.at);
    if (quota !== undefined) this.#observe(quota, exchange.rate, exchange.units ?? 0, exchange.endedAt);
  }

  read(reading: Reading): void {
    for (const [resource, rate] of reading.resources) {
      const quota = this.#quotaOf(reading.principal, reading.host, resource, reading.at);
      if (quota !== undefined) this.#observe(quota, rate, 0, reading.at);
    }
  }

  /** Settles what is open, as far as it has come. */
  finish(): {
    readonly windows: readonly WindowRow[];
    readonly leftOut: number;
    readonly totals: readonly QuotaTotal[];
  } {
    for (const quota of this.#quotas.values()) this.#settle(quota, Number.POSITIVE_INFINITY);
    this.#trim(this.#maxRows);
    const totals = [...this.#quotas.values()]
      .map(({ principal, resource, total }) => ({ principal, resource, ...total }))
      .filter(({ windows, charged }) => windows > 0 || charged > 0)
      .sort((a, b) => b.used + b.charged - a.used - a.charged);
    const windows = [...this.#settled].sort((a, b) => a.resetAt - b.resetAt);
    return { windows, leftOut: this.#rowsLeftOut, totals };
  }

  /** Resets of windows of which something was used, in between. */
  resetsBetween(from: number, to: number): { readonly rest: number; readonly graphql: number } {
    const inside = this.#resets.filter(({ at }) => at > from && at < to);
    const graphql = inside.filter(({ isGraphql }) => isGraphql).length;
    return { rest: inside.length - graphql, graphql };
  }

  #observe(quota: Quota, rate: ObservedRate, ownUnits: number, at: number): void {
    const window = this.#windowOf(quota, rate, at, rate.used > 0);
    if (window === undefined) return;
    observeWindow(window, rate, ownUnits, at);
  }

  /** A window in which nothing is used is not open, and its reset floats. */
  #windowOf(quota: Quota, rate: ObservedRate, at: number, mayOpen: boolean): OpenWindow | undefined {
    const { resetAt } = rate;
    if (resetAt === undefined) return undefined;
    for (let index = quota.open.length - 1; index >= 0; index--) {
      const window = quota.open[index] as OpenWindow;
      if (Math.abs(window.resetAt - resetAt) > RESET_TOLERANCE_MS) continue;
      window.resetAt = Math.max(window.resetAt, resetAt);
      return window;
    }
    if (!mayOpen || resetAt <= quota.settledResetAt + RESET_TOLERANCE_MS) return undefined;
    const opened = openWindow(rate, resetAt, at, this.#beganBefore(quota, resetAt));
    quota.open.push(opened);
    return opened;
  }

  /** Whether the trace begins in the middle of this window, as far as this principal goes. */
  #beganBefore(quota: Quota, resetAt: number): boolean {
    const hadWindow = quota.settledResetAt > 0 || quota.open.some((window) => window.resetAt < resetAt);
    if (hadWindow) return false;
    const first = this.#firstSeen.get(quota.ownerKey) ?? Number.POSITIVE_INFINITY;
    return first > resetAt - windowLengthOf(quota.resource) + RESET_TOLERANCE_MS;
  }

  #settle(quota: Quota, now: number): void {
    const isDue = (window: OpenWindow): boolean => now > window.resetAt + SETTLE_AFTER_MS;
    if (!quota.open.some(isDue)) return;
    const due = quota.open.filter(isDue).sort((a, b) => a.resetAt - b.resetAt);
    quota.open = quota.open.filter((window) => !isDue(window));
    for (const window of due) this.#close(quota, window, now);
  }

  #close(quota: Quota, window: OpenWindow, now: number): void {
    // Of several windows at once the earliest that was open then: the others had not begun.
    for (let index = quota.loose.length - 1; index >= 0; index--) {
      const charge = quota.loose[index] as Quota["loose"][number];
      if (charge.at >= window.resetAt) continue;
      if (charge.at >= window.resetAt - windowLengthOf(quota.resource) - RESET_TOLERANCE_MS)
        window.charged += charge.units;
      quota.loose.splice(index, 1);
    }
    const balance = settleWindow(window);
    for (const { at, units } of balance.bookings) this.#bookHidden(at, units);
    if (this.#resets.length < MAX_RESETS) {
      this.#resets.push({ at: window.resetAt, isGraphql: quota.resource === "graphql" });
    }
    quota.settledResetAt = Math.max(quota.settledResetAt, window.resetAt);
    const { total } = quota;
    total.windows++;
    total.used += window.used;
    total.hidden += balance.hidden;
    total.beforeTrace += balance.beforeTrace;
    total.unconfirmed += balance.unconfirmed;
    this.#settled.push({
      principal: quota.principal,
      resource: quota.resource,
      resetAt: window.resetAt,
      limit: window.limit,
      firstSeenAt: window.firstSeenAt,
      lastSeenAt: window.lastSeenAt,
      usedUnits: window.used,
      chargedUnits: window.charged,
      hiddenUnits: balance.hidden,
      beforeTraceUnits: balance.beforeTrace,
      unconfirmedUnits: balance.unconfirmed,
      exchanges: window.exchanges,
      unknownCosts: window.unknownCosts,
      isOver: now !== Number.POSITIVE_INFINITY || window.lastSeenAt >= window.resetAt,
    });
    if (this.#settled.length >= 2 * this.#maxRows + 2) this.#trim(this.#maxRows);
  }

  /** Keeps the windows in which most was used. */
  #trim(rows: number): void {
    if (this.#settled.length <= rows) return;
    this.#settled.sort((a, b) => b.usedUnits - a.usedUnits);
    this.#rowsLeftOut += this.#settled.length - rows;
    this.#settled.length = rows;
  }

  #quotaOf(named: string | undefined, host: string, resource: string, at: number): Quota | undefined {
    const owner = quotaOwner(named, host);
    const key = `${owner.key}\n${resource}`;
    const known = this.#quotas.get(key);
    if (known !== undefined) return known;
    if (this.#quotas.size >= MAX_QUOTAS) return undefined;
    if (!this.#firstSeen.has(owner.key)) this.#firstSeen.set(owner.key, at);
    const total = { windows: 0, used: 0, charged: 0, hidden: 0, beforeTrace: 0, unconfirmed: 0 };
    const quota: Quota = {
      ownerKey: owner.key,
      principal: owner.name,
      resource,
      open: [],
      loose: [],
      settledResetAt: 0,
      total,
    };
    this.#quotas.set(key, quota);
    return quota;
  }
}
