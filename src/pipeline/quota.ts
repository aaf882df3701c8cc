import { LRUCache } from "lru-cache";
import type { HeaderReader } from "../call/header-reader.js";
import { parseRateHeaders } from "../call/rate-headers.js";
import type { Clock } from "../clock.js";
import { publish } from "../events.js";
import type { ResolvedLightOptions } from "../options.js";
import { type ClockOffset, narrowOffset, offsetMs } from "../policy/clock-offset.js";
import { decideLight, lightOf } from "../policy/light.js";
import { observe, remaining } from "../policy/window.js";
import type { Call } from "./call.js";
import { reportFault } from "./fault.js";
import { Permit } from "./permit.js";
import { Principal, type TrackedWindow } from "./principal.js";
import type { MustWait } from "./waiting-room.js";

/** A call may go, and holds what it needs. */
export interface Admitted {
  readonly kind: "go";
  readonly permit: Permit;
}

/** One answer, as far as quota is concerned. */
export interface Observation {
  readonly principal: Principal;
  /** The resource that the request was expected to count against. */
  readonly expected: string;
  readonly headers: HeaderReader;
  /** Both in {@link Quota.localTime}. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** Tokens rotate hourly and tests make thousands; what is known of the least used is forgotten first. */
const MAX_PRINCIPALS = 1_000;
/** How much an answer's word on the time must be newer than the last to be worth hearing, in milliseconds. */
const SOON_MS = 100;
/** GitHub has about sixteen resources; more than this is a server that invents names. */
const MAX_RESOURCES = 64;

/** What this process knows of every quota it has seen, and who may spend of it. */
export class Quota {
  readonly #clock: Clock;
  readonly #light: ResolvedLightOptions | false;
  readonly #principals = new LRUCache<string, Principal>({ max: MAX_PRINCIPALS });
  readonly #offsets = new Map<string, ClockOffset>();
  readonly #onMore: () => void;
  #lastDate = { text: "", host: "", dateMs: Number.NaN, receivedAt: Number.NEGATIVE_INFINITY };
  /** What to add to monotonic time to have the wall time of the start. */
  readonly #startedAt: number;

  /** `onMore` is called when a window has more to give than was known. */
  constructor(clock: Clock, light: ResolvedLightOptions | false, onMore: () => void) {
    this.#clock = clock;
    this.#light = light;
    this.#onMore = onMore;
    this.#startedAt = clock.now() - clock.monotonic();
  }

  principal(host: string, id: string): Principal {
    const key = `${host} ${id}`;
    let principal = this.#principals.get(key);
    if (principal === undefined) {
      principal = new Principal(id, host);
      this.#principals.set(key, principal);
    }
    return principal;
  }

  /**
   * The wall time of the start plus what has passed since: what GitHub's clock is compared with, so that setting this
   * machine's clock neither ends nor lengthens a window.
   */
  localTime(): number {
    return this.#startedAt + this.#clock.monotonic();
  }

  /** GitHub's time now, as its `Date` headers tell. */
  githubNow(host: string): number {
    return this.localTime() + offsetMs(this.#offsets.get(host));
  }

  /** Every principal seen, most recently used first. */
  principals(): Iterable<Principal> {
    return this.#principals.values();
  }

  /** Whether `call` may be sent now; on "go" its units are taken. */
  admit(call: Call, principal: Principal | undefined): Admitted | MustWait {
    const light = this.#light;
    if (light === false || call.facts.exempt || principal === undefined)
      return { kind: "go", permit: new Permit(undefined, 0) };
    const tracked = principal.window(call.facts.resource);
    const { window, reservedUnits, windowMs, resource } = tracked;
    const githubNow = this.githubNow(principal.host);
    const decision = decideLight({
      window,
      reservedUnits,
      windowMs,
      resource,
      githubNow,
      costUnits: call.facts.costUnits,
      priority: call.request.priority,
      emergency: call.request.emergency,
      mode: light.mode,
      amberBelow: light.amberBelow,
      redBelow: light.redBelow,
      emergencyReserveUnits: light.emergencyReserveUnits,
    });
    if (decision.kind === "go") return { kind: "go", permit: new Permit(tracked, call.facts.costUnits) };
    return { kind: "wait", untilAt: this.#clock.now() + decision.untilAt - githubNow, why: decision.why };
  }

  /** Takes in what an answer's headers say. Returns the resource that they name, if they name one. */
  observe(seen: Observation): string | undefined {
    this.#observeDate(seen);
    const rate = parseRateHeaders((name) => seen.headers.get(name) ?? null);
    if (rate.kind === "none") return undefined;
    if (rate.kind === "nonsense") {
      reportFault(`GitHub's rate headers make no sense and are ignored: ${rate.why}`, undefined);
      return undefined;
    }
    const resource = rate.resource ?? seen.expected;
    const { principal } = seen;
    if (!principal.windows.has(resource) && principal.windows.size >= MAX_RESOURCES) return undefined;
    const tracked = principal.window(resource);
    const githubNow = this.githubNow(principal.host);
    const before = remaining(tracked.window, githubNow);
    tracked.window = observe(tracked.window, rate, githubNow);
    const after = remaining(tracked.window, githubNow);
    if (before !== undefined && after !== undefined && after > before) this.#onMore();
    // A window opens with its first unit, so its first header tells its length, whatever the server's is.
    if (rate.used === 1 && rate.resetAt > githubNow) tracked.windowMs = rate.resetAt - githubNow;
    this.#publishLight(tracked, githubNow);
    return rate.resource;
  }

  #observeDate({ principal, headers, sentAt, receivedAt }: Observation): void {
    const date = headers.get("date") ?? null;
    if (date === null || (headers.get("age") ?? null) !== null) return;
    // Many answers come within one second, and those soon after each other tell the same.
    const last = this.#lastDate;
    const isSame = date === last.text && principal.host === last.host;
    if (isSame && receivedAt - last.receivedAt < SOON_MS) return;
    const dateMs = isSame ? last.dateMs : Date.parse(date);
    if (Number.isNaN(dateMs)) {
      reportFault(`GitHub's Date header is not a date: ${date.slice(0, 40)}`, undefined);
      return;
    }
    this.#lastDate = { text: date, host: principal.host, dateMs, receivedAt };
    const step = narrowOffset(this.#offsets.get(principal.host), { sentAt, receivedAt, dateMs });
    if (step.kind === "ignored") reportFault(step.why, undefined);
    else this.#offsets.set(principal.host, step.state);
  }

  #publishLight(tracked: TrackedWindow, githubNow: number): void {
    if (this.#light === false || tracked.window === undefined) return;
    const from = tracked.light;
    const to = this.lightOf(tracked, githubNow);
    if (from === to) return;
    tracked.light = to;
    publish("squad-rate:light", () => ({
      principal: tracked.principal.id,
      resource: tracked.resource,
      from,
      to,
      remaining: remaining(tracked.window, githubNow) ?? 0,
      limit: tracked.window?.limit ?? 0,
    }));
  }

  /** The light that GitHub's own numbers show; what calls in flight hold comes and goes too fast to be shown. */
  lightOf(tracked: TrackedWindow, githubNow: number): TrackedWindow["light"] {
    if (this.#light === false) return "green";
    const { amberBelow, redBelow, mode } = this.#light;
    const thresholds = { amberBelow, redBelow, windowMs: tracked.windowMs };
    return lightOf(tracked.window, githubNow, thresholds, mode);
  }
}
