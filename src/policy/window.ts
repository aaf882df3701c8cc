/** What one answer's rate headers say. Times are epoch milliseconds on GitHub's clock. */
export interface RateSeen {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/** Units charged in a window, and that window's end. */
export interface RateClaim {
  readonly used: number;
  /** Epoch milliseconds, GitHub's clock. */
  readonly resetAt: number;
}

/** What is believed of one resource's window for one principal. Plain data, made by {@link observe}. */
export interface RateWindow extends RateClaim {
  readonly limit: number;
  /** The most units that any header of this window has shown; may exceed `limit`. */
  readonly used: number;
  /** Nothing was charged yet: the window has not opened, and `resetAt` floats. */
  readonly provisional: boolean;
  /** A window that ends later was named before this one's end: it counts where it is stricter, and follows this one. */
  readonly next: RateClaim | undefined;
  /** The end of the last window known to be over (0: none). A late answer that names it is not heard. */
  readonly passedResetAt: number;
}

/** `reset` differs by up to a second either way between answers of one window, so two of them by up to two. */
export const RESET_TOLERANCE_MS = 2_000;

/** A window counts as over this long after its reset: for the header's jitter and what is left of clock error. */
export const RESET_GUARD_MS = 1_000;

/** GitHub's longest window is an hour; a reset beyond a day is a broken header and would lock the resource. */
const MAX_AHEAD_MS = 24 * 3_600_000;

/**
 * Takes in one answer's rate headers. Answers arrive in any order and GitHub's counters may go backwards, so within a
 * window the strictest word stands; a later window is believed when GitHub time has passed the old one, and a window
 * that is over never returns. Returns the same object when nothing changed.
 *
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export function observe(window: RateWindow | undefined, seen: RateSeen, githubNow: number): RateWindow | undefined {
  const believed = window === undefined ? undefined : moveOn(window, githubNow);
  if (isOver(seen, githubNow) || seen.resetAt > githubNow + MAX_AHEAD_MS) return believed;
  if (believed === undefined) return open(seen, 0);
  if (seen.resetAt <= believed.passedResetAt + RESET_TOLERANCE_MS) return believed;
  if (isOver(believed, githubNow)) {
    if (believed.provisional) return open(seen, believed.passedResetAt);
    const late = seen.resetAt <= believed.resetAt + RESET_TOLERANCE_MS;
    return late ? believed : open(seen, believed.resetAt);
  }
  if (believed.provisional) return openFromProvisional(believed, seen);
  return join(believed, seen);
}

/**
 * Units left on GitHub's side: after the reset the whole limit, before the first header `undefined`. Reservations in
 * flight are the caller's to subtract.
 */
export function remaining(window: RateWindow | undefined, githubNow: number): number | undefined {
  return window === undefined ? undefined : Math.max(0, window.limit - usedUnits(window, githubNow));
}

/** Units charged in the strictest window that is not over. */
function usedUnits(window: RateWindow, githubNow: number): number {
  return strictest(window, githubNow)?.used ?? 0;
}

/** When the strictest window ends; `undefined` when none is known to be open, so that its end is not known either. */
export function endOfWindow(window: RateWindow, githubNow: number): number | undefined {
  const claim = strictest(window, githubNow);
  return claim === window && window.provisional ? undefined : claim?.resetAt;
}

function strictest(window: RateWindow, githubNow: number): RateClaim | undefined {
  const next = window.next !== undefined && !isOver(window.next, githubNow) ? window.next : undefined;
  if (isOver(window, githubNow)) return next;
  return next !== undefined && next.used > window.used ? next : window;
}

function isOver(claim: { readonly resetAt: number }, githubNow: number): boolean {
  return githubNow >= claim.resetAt + RESET_GUARD_MS;
}

/**
 * Charged units as one number that holds for every credential of the principal, whatever its limit; where the two
 * headers disagree, the stricter.
 */
function usedOf(seen: RateSeen): number {
  return Math.max(seen.used, seen.limit - seen.remaining);
}

function open(seen: RateSeen, passedResetAt: number): RateWindow {
  const used = usedOf(seen);
  return { limit: seen.limit, used, resetAt: seen.resetAt, provisional: used === 0, next: undefined, passedResetAt };
}

/** Lets the window that was named early follow the one that is over. */
function moveOn(window: RateWindow, githubNow: number): RateWindow {
  if (window.next === undefined || !isOver(window, githubNow)) return window;
  return { ...window, ...window.next, next: undefined, passedResetAt: window.resetAt };
}

/** Each answer of an unopened window names a reset one window length ahead of itself; the first charge fixes it. */
function openFromProvisional(window: RateWindow, seen: RateSeen): RateWindow {
  if (usedOf(seen) > 0) return open(seen, window.passedResetAt);
  return change(window, { limit: seen.limit, resetAt: Math.max(window.resetAt, seen.resetAt) });
}

function join(window: RateWindow, seen: RateSeen): RateWindow {
  const { limit, resetAt } = seen;
  const claim: RateClaim = { used: usedOf(seen), resetAt };
  // The usual answer: nothing new, and nothing to allocate.
  if (limit === window.limit && claim.used <= window.used && isSame(window, claim) && resetAt <= window.resetAt)
    return window;
  // A floating reset is no word on the open window's end.
  if (claim.used === 0) return change(window, { limit });
  if (isSame(window, claim)) return change(window, { limit, ...strict(window, claim) });
  if (resetAt > window.resetAt) return change(window, { limit, next: stricter(window.next, claim) });
  const later = stricter(window.next, { used: window.used, resetAt: window.resetAt });
  return change(window, { limit, ...claim, next: later });
}

function isSame(a: RateClaim, b: RateClaim): boolean {
  return Math.abs(a.resetAt - b.resetAt) <= RESET_TOLERANCE_MS;
}

function strict(a: RateClaim, b: RateClaim): RateClaim {
  return { used: Math.max(a.used, b.used), resetAt: Math.max(a.resetAt, b.resetAt) };
}

/** Of two later windows one is kept: no credential has been seen in more than two at a time. */
function stricter(kept: RateClaim | undefined, claim: RateClaim): RateClaim {
  if (kept === undefined) return claim;
  if (isSame(kept, claim)) {
    const both = strict(kept, claim);
    return both.used === kept.used && both.resetAt === kept.resetAt ? kept : both;
  }
  return claim.used > kept.used || (claim.used === kept.used && claim.resetAt > kept.resetAt) ? claim : kept;
}

function change(window: RateWindow, to: Partial<RateWindow>): RateWindow {
  const { limit = window.limit, used = window.used, resetAt = window.resetAt } = to;
  const next = "next" in to ? to.next : window.next;
  const same = limit === window.limit && used === window.used && resetAt === window.resetAt && next === window.next;
  if (same) return window;
  return { limit, used, resetAt, provisional: window.provisional, next, passedResetAt: window.passedResetAt };
}
