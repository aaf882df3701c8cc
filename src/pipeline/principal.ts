import { windowLengthOf } from "../call/window-length.js";
import type { Light } from "../policy/light.js";
import type { ReleaseWindow } from "../policy/retry-windows.js";
import { type RateWindow, RESET_GUARD_MS } from "../policy/window.js";
import type { Cooldown } from "../pool/cooldown.js";
import type { OperationCosts } from "../pool/operation-costs.js";
import type { PoolSpender } from "../pool/pool-spender.js";
import type { PrincipalPool } from "../pool/principal-pool.js";
import { Breaker } from "./breaker.js";
import { Rises } from "./rises.js";
import type { SecondaryGuard } from "./secondary-guard.js";

/** What a {@link Principal} is made with. */
export interface PrincipalParts {
  /** A fingerprint or an app's ids; never a credential. */
  readonly id: string;
  readonly host: string;
  /** Undefined when its quota is nobody else's. */
  readonly pool: PrincipalPool | undefined;
  /** The pool's, if there is one. */
  readonly cooldown: Cooldown;
  readonly secondary: SecondaryGuard;
  /** The pool's, if there is one. */
  readonly operationCosts: OperationCosts;
  /** The breaker of one of its resources has opened or closed. */
  readonly onBreaker: () => void;
}

/** The GitHub identity that owns a quota, on one host. */
export class Principal {
  readonly id: string;
  readonly host: string;
  readonly pool: PrincipalPool | undefined;
  readonly cooldown: Cooldown;
  readonly secondary: SecondaryGuard;
  readonly operationCosts: OperationCosts;
  readonly onBreaker: () => void;
  readonly windows: Map<string, TrackedWindow> = new Map();
  /** To be called when it is forgotten. */
  forget: () => void = () => undefined;

  constructor({ id, host, pool, cooldown, secondary, operationCosts, onBreaker }: PrincipalParts) {
    this.id = id;
    this.host = host;
    this.pool = pool;
    this.cooldown = cooldown;
    this.secondary = secondary;
    this.operationCosts = operationCosts;
    this.onBreaker = onBreaker;
  }

  /** The window of `resource`, unknown at first. */
  window(resource: string): TrackedWindow {
    let tracked = this.windows.get(resource);
    if (tracked === undefined) {
      tracked = new TrackedWindow(this, resource);
      this.windows.set(resource, tracked);
    }
    return tracked;
  }
}

/** Calls that a reset or a cooldown held back start class by class. Times are GitHub's, epoch milliseconds. */
export interface StartingOrder {
  /** When the reset or the cooldown was over. */
  readonly at: number;
  readonly after: "reset" | "cooldown";
  readonly windows: readonly [ReleaseWindow, ReleaseWindow, ReleaseWindow];
}

const LONG_MS = 600_000;

/** What this process knows of one resource of one principal, and what it holds of it. Times are GitHub's, epoch milliseconds. */
export class TrackedWindow {
  readonly principal: Principal;
  readonly resource: string;
  readonly breaker: Breaker;
  readonly rises: Rises = new Rises();
  window: RateWindow | undefined;
  /** Units that calls in flight hold. */
  reservedUnits = 0;
  /** The window's length. */
  windowMs: number;
  light: Light = "green";
  /** This process's part in it, once a call has needed units of a quota that a pool shares. */
  spender: PoolSpender | undefined;
  /** GitHub has refused a request because the quota is used up, and gives none before then; 0: it has not. */
  refusedUntil = 0;
  /** The reset that this is for; undefined when none was told. */
  refusedResetAt: number | undefined;
  /** Calls that wait for quota or for a cooldown's end, by priority. */
  readonly held: [number, number, number] = [0, 0, 0];
  /** The latest reset or cooldown that calls had to start after in order. */
  release: StartingOrder | undefined;

  constructor(principal: Principal, resource: string) {
    this.principal = principal;
    this.resource = resource;
    this.windowMs = windowLengthOf(resource);
    this.breaker = new Breaker(this);
  }

  /** Whether it lasts an hour, or nearly: the quota of a minute comes back too soon to hold anybody's work up. */
  get isLong(): boolean {
    return this.windowMs >= LONG_MS;
  }

  /** Whether GitHub has refused a request of it and gives nothing yet. */
  isRefused(githubNow: number): boolean {
    return githubNow < this.refusedUntil;
  }

  /** When the latest window that is known to be over counted as over; 0: none is. */
  lastEndBy(githubNow: number): number {
    const { window, refusedUntil } = this;
    const refused = refusedUntil <= githubNow ? refusedUntil : 0;
    if (window === undefined) return refused;
    const over = !window.provisional && window.resetAt + RESET_GUARD_MS <= githubNow;
    const resetAt = over ? window.resetAt : window.passedResetAt;
    return Math.max(refused, resetAt === 0 ? 0 : resetAt + RESET_GUARD_MS);
  }
}
