import type { Random } from "./random.js";
import type { ResourceName } from "./resource.js";

/** What the five rate headers say about one window. Times are GitHub's clock, in epoch milliseconds. */
export interface WindowReading {
  readonly resource: ResourceName;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/** A quota as one credential sees it: whose it is, how large, how long a window lasts. */
export interface Quota {
  readonly principal: string;
  readonly resource: ResourceName;
  readonly limit: number;
  readonly windowMs: number;
}

interface Window {
  used: number;
  resetAt: number;
}

/** How windows deviate from a perfectly regular one. */
export interface WindowOptions {
  /** The `reset` of some answers is off by this much, either way; GitHub's by a second. */
  readonly resetJitterMs: number;
  /** Requests fall at random into one of two windows with counters of their own, as was once reported. */
  readonly twoRegions: boolean;
}

/**
 * Fixed windows per (principal, resource). A window opens at its first charge; `used` belongs to the principal, the
 * limit to the credential that asks.
 */
export class QuotaWindows {
  readonly #windows = new Map<string, Window>();
  readonly #options: WindowOptions;
  readonly #random: Random;

  constructor(options: WindowOptions, random: Random) {
    this.#options = options;
    this.#random = random;
  }

  /** The region that a request lands in: one of two where there are two. */
  region(): number {
    return this.#options.twoRegions && this.#random() < 0.5 ? 1 : 0;
  }

  /** Adds `units`, opening a window if none is open, and reads the result. `used` may overshoot the limit. */
  charge(quota: Quota, units: number, now: number, region: number): WindowReading {
    if (units > 0) {
      const key = keyOf(quota, region);
      const open = this.#windows.get(key);
      if (open === undefined || now >= open.resetAt) {
        this.#windows.set(key, { used: units, resetAt: wholeSecond(now) + quota.windowMs });
      } else {
        open.used += units;
      }
    }
    return this.read(quota, now, region);
  }

  /** Reads without charging. A window that is not open reads as unused and resets a full window from now. */
  read(quota: Quota, now: number, region: number): WindowReading {
    const window = this.#windows.get(keyOf(quota, region));
    const open = window !== undefined && now < window.resetAt;
    const used = open ? window.used : 0;
    return {
      resource: quota.resource,
      limit: quota.limit,
      used,
      remaining: Math.max(0, quota.limit - used),
      resetAt: open ? window.resetAt : wholeSecond(now) + quota.windowMs,
    };
  }

  /** `resetAt` as one answer reports it: usually exact, in one answer of 25 off by the jitter either way. */
  jittered(reading: WindowReading): WindowReading {
    const jitterMs = this.#options.resetJitterMs;
    if (jitterMs === 0) return reading;
    const draw = this.#random();
    if (draw >= 0.04) return reading;
    return { ...reading, resetAt: reading.resetAt + (draw < 0.02 ? -jitterMs : jitterMs) };
  }

  /** Closes every window, as if all resets had passed. */
  clear(): void {
    this.#windows.clear();
  }
}

function keyOf(quota: Quota, region: number): string {
  return `${region} ${quota.resource} ${quota.principal}`;
}

/** Resets are sent in whole seconds; a window shorter than a second still ends where it should. */
function wholeSecond(now: number): number {
  return Math.floor(now / 1_000) * 1_000;
}
