import { windowLengthOf } from "../call/resource.js";
import type { TrackedWindow } from "./tracked-window.js";

/** The GitHub identity that owns a quota, on one host. */
export class Principal {
  /** A fingerprint or an app's ids; never a credential. */
  readonly id: string;
  readonly host: string;
  readonly windows: Map<string, TrackedWindow> = new Map();

  constructor(id: string, host: string) {
    this.id = id;
    this.host = host;
  }

  /** The window of `resource`, unknown at first. */
  window(resource: string): TrackedWindow {
    let tracked = this.windows.get(resource);
    if (tracked === undefined) {
      const windowMs = windowLengthOf(resource);
      tracked = { principal: this, resource, window: undefined, reservedUnits: 0, windowMs, light: "green" };
      this.windows.set(resource, tracked);
    }
    return tracked;
  }
}
