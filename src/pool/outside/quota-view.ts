import type { Forecast } from "../../policy/forecast.js";
import { type Light, lightOf } from "../../policy/light.js";
import { openBook } from "../../policy/share/book.js";
import { rateOf, usesOf } from "../../policy/share/hidden-use.js";
import type { QuotaDocument } from "../../policy/share/quota-document.js";
import { RESET_GUARD_MS } from "../../policy/window.js";
import { type LeaseView, leaseViews } from "./lease-view.js";
import type { Seen } from "./read-pool.js";

/** One resource's quota, as its document tells it. Times are GitHub's, epoch milliseconds. */
export interface QuotaView {
  readonly resource: string;
  /**
   * `open`: the window is known. `over`: it has ended, and nobody has called since. `unknown`: no answer has told of it yet.
   * `unreadable`: the document is there, and nobody can say what it holds.
   */
  readonly state: "open" | "over" | "unknown" | "unreadable";
  /** Of an unreadable one. */
  readonly why: string | undefined;
  readonly limit: number;
  /** The most that headers have shown or spenders have told, whoever spent it. */
  readonly usedUnits: number;
  readonly remainingUnits: number;
  /** Handed to spenders and not spent, as far as they have told. */
  readonly heldUnits: number;
  /** Of requests without an answer. */
  readonly inFlightUnits: number;
  /** What waiting calls need beyond what their spenders hold. */
  readonly waitingUnits: number;
  readonly waitingSpenders: number;
  readonly resetAt: number | undefined;
  readonly windowMs: number;
  readonly light: Light;
  /** By what agents expect to need, and others were seen to spend; undefined where nobody is expected to. */
  readonly forecast: Forecast | undefined;
  /** Used in this window by others than the pool, as far as it can be told, and at the least; and what is expected in an hour. */
  readonly hiddenUnits: number;
  readonly hiddenAtLeastUnits: number;
  readonly hiddenPerHour: number;
  /** When the newest header came; undefined before the first. */
  readonly seenAt: number | undefined;
  readonly leases: readonly LeaseView[];
}

/** The defaults of the options; a squad's own are not in the document. */
const THRESHOLDS = { amberBelow: 0.2, redBelow: 0.05 };

const HOUR_MS = 3_600_000;

const NOTHING = {
  why: undefined,
  limit: 0,
  usedUnits: 0,
  remainingUnits: 0,
  heldUnits: 0,
  inFlightUnits: 0,
  waitingUnits: 0,
  waitingSpenders: 0,
  resetAt: undefined,
  windowMs: 0,
  light: "green",
  forecast: undefined,
  hiddenUnits: 0,
  hiddenAtLeastUnits: 0,
  hiddenPerHour: 0,
  seenAt: undefined,
  leases: [],
} as const satisfies Omit<QuotaView, "resource" | "state">;

/** `now` is GitHub's time, as far as it is known. */
export function quotaView(resource: string, seen: Seen<QuotaDocument>, now: number): QuotaView {
  if (seen.kind === "unreadable") return { ...NOTHING, resource, state: "unreadable", why: seen.why };
  if (seen.kind === "none") return { ...NOTHING, resource, state: "unknown" };
  const { doc } = seen;
  const { totalLimit: limit, resetAt, windowMs, previousResetAt } = doc;
  const book = openBook(doc);
  const uses = usesOf(book);
  const isOver = resetAt !== null && now >= resetAt + RESET_GUARD_MS;
  const leases = leaseViews(doc, now);
  const alive = leases.filter(({ state }) => state === "alive");
  const usedUnits = isOver ? 0 : Math.max(doc.used, uses.spent);
  const remainingUnits = Math.max(0, limit - usedUnits);
  const window = {
    limit,
    used: usedUnits,
    resetAt: resetAt ?? 0,
    provisional: resetAt === null,
    next: undefined,
    passedResetAt: previousResetAt,
  };
  const isKnown = limit > 0 && doc.usedAt > 0;
  const hiddenPerHour = rateOf(book, uses);
  const wanted = hiddenPerHour + alive.reduce((sum, { wantPerHour }) => sum + wantPerHour, 0);
  const perHour = alive.length === 0 ? wanted : Math.max(wanted, pacePerHour(doc));
  const sum = (of: (lease: LeaseView) => number, over = leases): number =>
    over.reduce((units, lease) => units + of(lease), 0);
  return {
    resource,
    state: isOver ? "over" : isKnown ? "open" : "unknown",
    why: undefined,
    limit,
    usedUnits,
    remainingUnits,
    heldUnits: sum(({ heldUnits }) => heldUnits),
    inFlightUnits: sum(({ inFlightUnits }) => inFlightUnits),
    waitingUnits: sum(({ waitingUnits }) => waitingUnits, alive),
    waitingSpenders: alive.filter(({ waitingUnits }) => waitingUnits > 0).length,
    resetAt: isOver ? undefined : (resetAt ?? undefined),
    windowMs,
    light: isKnown ? lightOf(window, now, { ...THRESHOLDS, windowMs }, "glide") : "green",
    forecast: isKnown && !isOver ? forecastOf(remainingUnits, perHour) : undefined,
    hiddenUnits: isOver ? 0 : Math.round(uses.hidden),
    hiddenAtLeastUnits: isOver ? 0 : Math.max(0, Math.floor(doc.used - uses.allocated)),
    hiddenPerHour: Math.round(hiddenPerHour),
    seenAt: doc.usedAt === 0 ? undefined : doc.usedAt,
    leases,
  };
}

/**
 * What was spent since the pool began to watch the window, in the first quarter of an hour of it: agents' own averages reach
 * five minutes back, and say too little before they have been filled. 0 later, and in the first seconds.
 */
function pacePerHour({ used, usedBefore, usedAt, watchedSince }: QuotaDocument): number {
  const watchedMs = usedAt - watchedSince;
  if (watchedMs < FEW_SECONDS_MS || watchedMs > FILLED_AFTER_MS) return 0;
  return (Math.max(0, used - usedBefore) * HOUR_MS) / watchedMs;
}

const FEW_SECONDS_MS = 5_000;
const FILLED_AFTER_MS = 15 * 60_000;

/** One unit an hour is nobody's pace: it is what is left of a guess. */
function forecastOf(remainingUnits: number, perHour: number): Forecast | undefined {
  if (perHour < 1) return undefined;
  return { unitsPerMinute: perHour / 60, exhaustedInMs: (remainingUnits / perHour) * HOUR_MS };
}
