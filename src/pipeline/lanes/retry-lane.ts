import type { HookCollection } from "before-after-hook";
import { behindPlugin } from "./behind-plugin.js";

/** Options of {@link RetryLane}. */
export interface RetryLaneOptions {
  /**
   * Whether plugin-retry may run on the machine's timers, the only ones it knows. False where a squad has another clock,
   * as in simulations: a retry is then made at once, without it.
   */
  readonly timed: boolean;
}

/** plugin-retry on a hook collection of its own. */
interface PrivateRetry {
  readonly hook: HookCollection;
  /** Marks an error as one to be retried. */
  readonly retryRequest: (error: Error, retries: number, retryAfter: number) => Error;
}

/**
 * Carries out a verdict to try again. Whether, and after how long, was decided and waited for before: plugin-retry gets a
 * request that has just failed and is to be retried at once, and decides nothing.
 */
export class RetryLane {
  readonly #timed: boolean;
  #loading: Promise<PrivateRetry> | undefined;

  constructor({ timed }: RetryLaneOptions) {
    this.#timed = timed;
  }

  /** Makes the request once more: `make` is called once, and what it resolves to or rejects with comes out as it is. */
  again<T>(make: () => Promise<T>): Promise<T> {
    if (!this.#timed) return make();
    return behindPlugin(make, async (start) => {
      const { hook, retryRequest } = await this.#load();
      let failed = false;
      const attempt = (): Promise<unknown> => {
        if (failed) return start();
        failed = true;
        throw retryRequest(Object.assign(new Error("to be made again"), { request: {} }), 1, 0);
      };
      await hook("request", attempt, { request: {} });
    });
  }

  #load(): Promise<PrivateRetry> {
    this.#loading ??= loadRetry().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }
}

async function loadRetry(): Promise<PrivateRetry> {
  const [{ retry }, { default: Hook }] = await Promise.all([
    import("@octokit/plugin-retry"),
    import("before-after-hook"),
  ]);
  const hook: HookCollection = new Hook.Collection();
  // Marked errors are retried whatever their status; this keeps it from any idea of its own.
  const doNotRetry = Array.from({ length: 200 }, (_, index) => 400 + index);
  const octokit = { hook } as unknown as Parameters<typeof retry>[0];
  const plugin = retry(octokit, { retry: { doNotRetry, retries: 0, retryAfterBaseValue: 1 } });
  return { hook, retryRequest: plugin.retry.retryRequest as unknown as PrivateRetry["retryRequest"] };
}
