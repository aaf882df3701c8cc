import { LRUCache } from "lru-cache";
import { systemClock } from "../../clock.js";
import type { Lane, LaneSpacing } from "../../policy/pacing.js";
import { behindPlugin } from "./behind-plugin.js";
import { lanePath } from "./lane-of.js";
import {
  loadThrottling,
  type PrivateThrottling,
  privateThrottling,
  type ThrottlingPackages,
} from "./private-throttling.js";

/** Options of {@link PacedLane}. */
export interface PacedLaneOptions {
  readonly spacing: LaneSpacing;
  /**
   * Whether the lane keeps time by itself, on the machine's clock. False where a squad has another clock, as in
   * simulations: the waiting room then owns time alone.
   */
  readonly timed: boolean;
}

/** The limiters of one principal. */
interface Net {
  readonly throttling: PrivateThrottling;
  /** When it was last used, in the machine's wall time. */
  usedAt: number;
}

/** Whoever is forgotten loses the distance to their last write, which the waiting room has kept. */
const MAX_PRINCIPALS = 1_000;

/**
 * The way of calls that keep a pace, through plugin-throttling's limiters. It is a safety net: the waiting room lets a
 * call in only when its lane's spacing has passed, so that waits are by priority and can be aborted, and nobody waits in
 * here. Each principal has a pace of its own, as it has at GitHub.
 *
 * @example
 * ```ts
 * const paced = new PacedLane({ spacing: DEFAULT_LANE_SPACING, timed: true });
 * await paced.ready();
 * const lane = laneOf(call.facts, url, (pathname) => paced.triggersNotification(pathname));
 * await paced.through(lane, { method, url }, attempt, call.principal?.id);
 * ```
 */
export class PacedLane {
  readonly #options: PacedLaneOptions;
  readonly #nets = new LRUCache<string, Net>({ max: MAX_PRINCIPALS });
  #loading: Promise<ThrottlingPackages> | undefined;
  #packages: ThrottlingPackages | undefined;
  #closed = false;

  constructor(options: PacedLaneOptions) {
    this.#options = options;
  }

  /** Loads plugin-throttling, once; the lane does so by itself when the first call enters. */
  async ready(): Promise<void> {
    await this.#load();
  }

  /**
   * Whether GitHub notifies people of a write to `pathname` (a path, a template or an address), by plugin-throttling's
   * table.
   *
   * @throws Error before {@link PacedLane.ready} has resolved.
   */
  triggersNotification(pathname: string): boolean {
    if (this.#packages === undefined) throw new Error("PacedLane.triggersNotification was asked before ready()");
    return this.#packages.throttling.triggersNotification(lanePath(pathname));
  }

  /**
   * Makes a request in its lane: `make` is called once, and what it resolves to or rejects with comes out as it is. A call
   * that enters too soon is held until the spacing has passed.
   *
   * @param principal - whose pace it keeps; calls of different principals do not hold each other up
   */
  through<T>(
    lane: Lane,
    request: { readonly method: string; readonly url: string },
    make: () => Promise<T>,
    principal = "",
  ): Promise<T> {
    if (lane === "direct" || this.#closed) return make();
    const throttled = { method: request.method.toUpperCase(), url: lanePath(request.url) };
    return behindPlugin(make, async (start) => {
      const packages = this.#packages ?? (await this.#load());
      await this.#netOf(principal, packages).enter(throttled, start);
    });
  }

  /** Holds nobody any longer: whoever is in here goes at once, and it is the pipeline that sends nothing more. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const { throttling } of this.#nets.values()) throttling.stop();
    this.#nets.clear();
  }

  #load(): Promise<ThrottlingPackages> {
    this.#loading ??= loadThrottling(this.#options.timed).then(
      (packages) => {
        this.#packages = packages;
        return packages;
      },
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }

  #netOf(principal: string, packages: ThrottlingPackages): PrivateThrottling {
    const usedAt = systemClock.now();
    let net = this.#nets.get(principal);
    // Bottleneck goes by wall time: after the clock was set back an hour, it would hold the next write for an hour.
    if (net === undefined || usedAt < net.usedAt) {
      net = { throttling: privateThrottling(packages, this.#options.spacing, principal), usedAt };
      this.#nets.set(principal, net);
    }
    net.usedAt = usedAt;
    return net.throttling;
  }
}
