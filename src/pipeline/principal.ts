import { windowLengthOf } from "../call/window-length.js";
import type { Light } from "../policy/light.js";
import type { RateWindow } from "../policy/window.js";
import type { PoolSpender } from "../pool/pool-spender.js";
import type { PrincipalPool } from "../pool/principal-pool.js";

/** What this process knows of one resource of one principal, and what it holds of it. */
export interface TrackedWindow {
  readonly principal: Principal;
  readonly resource: string;
  window: RateWindow | undefined;
  /** Units that calls in flight hold. */
  reservedUnits: number;
  /** The window's length. */
  windowMs: number;
  light: Light;
  /** This process's part in it, once a call has needed units of a quota that a pool shares. */
  spender: PoolSpender | undefined;
}

/** The GitHub identity that owns a quota, on one host. */
export class Principal {
  /** A fingerprint or an app's ids; never a credential. */
  readonly id: string;
  readonly host: string;
  /** Undefined when its quota is nobody else's. */
  readonly pool: PrincipalPool | undefined;
  readonly windows: Map<string, TrackedWindow> = new Map();

  constructor(id: string, host: string, pool: PrincipalPool | undefined) {
    this.id = id;
    this.host = host;
    this.pool = pool;
  }

  /** The window of `resource`, unknown at first. */
  window(resource: string): TrackedWindow {
    let tracked = this.windows.get(resource);
    if (tracked === undefined) {
      const windowMs = windowLengthOf(resource);
      tracked = {
        principal: this,
        resource,
        window: undefined,
        reservedUnits: 0,
        windowMs,
        light: "green",
        spender: undefined,
      };
      this.windows.set(resource, tracked);
    }
    return tracked;
  }
}
