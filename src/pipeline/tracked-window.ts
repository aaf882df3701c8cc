import type { Light } from "../policy/light.js";
import type { RateWindow } from "../policy/window.js";
import type { Principal } from "./principal.js";

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
}
