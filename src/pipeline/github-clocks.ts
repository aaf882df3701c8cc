import type { HeaderReader } from "../call/header-reader.js";
import type { Clock } from "../clock.js";
import { type ClockOffset, narrowOffset, offsetMs } from "../policy/clock-offset.js";
import { reportFault } from "./fault.js";

/** How much an answer's word on the time must be newer than the last to be worth hearing, in milliseconds. */
const SOON_MS = 100;
/** The wall clock may run this far ahead of the monotonic one before GitHub's time counts as unknown. */
const JUMP_MS = 1_000;
/** A host of which so many answers did not tell the time will not tell it. */
const UNDATED_ANSWERS = 3;

/** A `Date` further from this machine's clock is none. */
const FURTHEST_DATE_MS = 24 * 3_600_000;

/** When a request went out and its answer came in. */
export interface Exchanged {
  /** Both in {@link GitHubClocks.localTime}. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** How far wall time was ahead of local time when it was sent. */
  readonly sentLeadMs: number;
}

interface HostClock {
  /** Undefined: the host does not tell, and is taken to share this machine's wall clock. */
  readonly offset: ClockOffset | undefined;
  /** How far wall time was ahead of local time when an answer last named GitHub's. */
  readonly leadMs: number;
}

/** GitHub's clock, one for each host, as the `Date` headers of answers tell it. */
export class GitHubClocks {
  readonly #clock: Clock;
  readonly #hosts = new Map<string, HostClock>();
  /** Answers of hosts whose time is not known that did not tell it. */
  readonly #undated = new Map<string, number>();
  #lastDate = { text: "", host: "", dateMs: Number.NaN, receivedAt: Number.NEGATIVE_INFINITY };
  /** What to add to monotonic time to have the wall time of the start. */
  readonly #startedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now() - clock.monotonic();
  }

  /**
   * The wall time of the start plus what has passed since: what GitHub's clock is compared with, so that setting this
   * machine's clock neither ends nor lengthens a window.
   */
  localTime(): number {
    return this.#startedAt + this.#clock.monotonic();
  }

  /** The moment at which a request is sent, and how far wall time is ahead of local time at it. */
  sent(): { readonly at: number; readonly leadMs: number } {
    const at = this.localTime();
    return { at, leadMs: this.#clock.now() - at };
  }

  /** GitHub's time now, in whole milliseconds; it is not known any better. */
  now(host: string): number {
    const { offset, leadMs } = this.#hosts.get(host) ?? UNKNOWN;
    return Math.round(this.localTime() + (offset === undefined ? leadMs : offsetMs(offset)));
  }

  /**
   * GitHub's time as an answer with these headers comes in: by its own word where none is known yet, since what the very
   * first one says of times is said by GitHub's clock.
   */
  nowBy(host: string, headers: HeaderReader): number {
    const now = this.now(host);
    if (this.isKnown(host) || isOfAnotherMoment(headers)) return now;
    const dateMs = Date.parse(headers.get("date") ?? "");
    return Math.abs(dateMs - now) <= FURTHEST_DATE_MS ? dateMs : now;
  }

  /**
   * Whether an answer has told GitHub's time, and this machine's clocks have kept together since. A host that leaves it out
   * of its first answers is taken to share this machine's clock, until one tells otherwise.
   */
  isKnown(host: string): boolean {
    return this.#hosts.has(host) && this.jumpMs(host) <= JUMP_MS;
  }

  /**
   * How far the wall clock has moved against the monotonic one since an answer told the time: forwards when the machine
   * slept or its clock was set.
   */
  jumpMs(host: string): number {
    const known = this.#hosts.get(host);
    return known === undefined ? 0 : this.#leadMs() - known.leadMs;
  }

  /** Hears an answer's word on the time. Both times are local. */
  observe(host: string, headers: HeaderReader, { sentAt, sentLeadMs, receivedAt }: Exchanged): void {
    // The machine slept, or its clock was set, while the request was out: the answer's moment is not this one.
    if (Math.abs(this.#leadMs() - sentLeadMs) > JUMP_MS) return;
    const date = headers.get("date") ?? null;
    if (date === null || isOfAnotherMoment(headers)) {
      this.#hearUndated(host);
      return;
    }
    // Many answers come within one second, and those soon after each other tell the same.
    const last = this.#lastDate;
    const isSame = date === last.text && host === last.host;
    if (isSame && receivedAt - last.receivedAt < SOON_MS) return;
    const dateMs = isSame ? last.dateMs : Date.parse(date);
    if (Number.isNaN(dateMs)) {
      reportFault(`GitHub's Date header is not a date: ${date.slice(0, 40)}`, undefined);
      this.#hearUndated(host);
      return;
    }
    this.#lastDate = { text: date, host, dateMs, receivedAt };
    const step = narrowOffset(this.#hosts.get(host)?.offset, { sentAt, receivedAt, dateMs });
    if (step.kind === "ignored") {
      reportFault(step.why, undefined);
      // It tells that the two clocks are not the same, so that its silence will not mean that they are.
      this.#undated.set(host, Number.NEGATIVE_INFINITY);
    } else this.#hosts.set(host, { offset: step.state, leadMs: this.#leadMs() });
  }

  #hearUndated(host: string): void {
    if (this.isKnown(host) || this.#hosts.get(host)?.offset !== undefined) return;
    const answers = (this.#undated.get(host) ?? 0) + 1;
    const isEnough = answers >= UNDATED_ANSWERS;
    this.#undated.set(host, isEnough ? 0 : answers);
    if (isEnough) this.#hosts.set(host, { offset: undefined, leadMs: this.#leadMs() });
  }

  /** How far wall time is ahead of local time; it changes when the machine sleeps or its clock is set. */
  #leadMs(): number {
    return this.#clock.now() - this.localTime();
  }
}

const UNKNOWN: HostClock = { offset: undefined, leadMs: 0 };

/** Whether a cache in between has kept the answer for a while, so that its `Date` is not of now. */
function isOfAnotherMoment(headers: HeaderReader): boolean {
  const age = headers.get("age") ?? null;
  return age !== null && age.trim() !== "0";
}
