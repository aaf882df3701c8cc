/** Which of Octokit's own plugins an Octokit has beside ours, switched on. */
export interface HostPlugins {
  /** plugin-retry would retry inside ours, after waits that nobody can abort. */
  readonly retry: boolean;
  /** plugin-throttling spaces requests inside ours once more. */
  readonly throttling: boolean;
}

/** The parts of a constructor's options that switch the two off. */
export interface HostPluginOptions {
  readonly retry?: unknown;
  readonly throttle?: unknown;
}

const WHAT_IT_DOES =
  "this Octokit has plugin-throttling as well, which sends one GraphQL query a second, in turn and without regard to " +
  "priorities.";
const HOW_TO_STOP_IT = "Switch it off with new Octokit({ throttle: { enabled: false } }).";

/** To be said once to whoever runs a program whose Octokit has plugin-throttling too. */
export const HOST_THROTTLING_WARNING: string = `${WHAT_IT_DOES} Writes and searches are spaced by squad-rate already. ${HOW_TO_STOP_IT}`;

/** The same, where ours was told not to space them. */
export const UNPACED_HOST_THROTTLING_WARNING: string = `${WHAT_IT_DOES} It also spaces writes and searches, which squad-rate does not with pacing: false. ${HOW_TO_STOP_IT}`;

/**
 * Whether the host of our plugin has plugin-retry and plugin-throttling, as the `octokit` package and Probot do.
 *
 * To be asked when the first request comes: while Octokit is being constructed, plugins that come after ours have not run.
 *
 * @param options - those that Octokit handed to our plugin. The instance does not keep them, and plugin-retry leaves
 * `octokit.retry` behind even where it is switched off.
 */
export function hostPlugins(octokit: object, options: HostPluginOptions): HostPlugins {
  return {
    retry: hasRetry(octokit) && retryEnabled(options.retry),
    throttling: hasThrottling(octokit) && throttlingEnabled(options.throttle),
  };
}

function hasRetry(octokit: object): boolean {
  const { retry } = octokit as { readonly retry?: { readonly retryRequest?: unknown } | null };
  return typeof retry?.retryRequest === "function";
}

function hasThrottling(octokit: object): boolean {
  const plugins = (octokit.constructor as { readonly plugins?: unknown } | undefined)?.plugins;
  return Array.isArray(plugins) && plugins.some((plugin) => typeof plugin?.triggersNotification === "function");
}

/** As plugin-retry takes it: `Object.assign` over its default, so that an explicit `undefined` switches it off. */
function retryEnabled(retry: unknown): boolean {
  return Boolean(Object.assign({ enabled: true }, retry).enabled);
}

/** As plugin-throttling takes it: a default in a pattern, so that an explicit `undefined` leaves it on. */
function throttlingEnabled(throttle: unknown): boolean {
  const { enabled = true } = (throttle || {}) as { readonly enabled?: unknown };
  return Boolean(enabled);
}
