import type { HostPlugins } from "../pipeline/call.js";
import { type HostPluginOptions, hostPlugins } from "./host-plugins.js";

/** The host's plugins that a request goes through after ours, and those that call ours. */
export interface PluginsAround {
  readonly inside: HostPlugins;
  readonly outside: HostPlugins;
}

/**
 * Tells on which side of ours the host's plugin-retry and plugin-throttling are: plugins that were registered earlier are
 * inside. To be made while ours, `self`, is registered; the answer is known from the first request on.
 */
export function pluginsAround(octokit: object, options: HostPluginOptions, self: unknown): () => PluginsAround {
  const retryCameFirst = hostPlugins(octokit, options).retry;
  let around: PluginsAround | undefined;
  return () => {
    if (around !== undefined) return around;
    const { retry, throttling } = hostPlugins(octokit, options);
    const throttlingCameFirst = throttling && comesFirst(octokit, self);
    around = {
      inside: { retry: retry && retryCameFirst, throttling: throttlingCameFirst },
      outside: { retry: retry && !retryCameFirst, throttling: throttling && !throttlingCameFirst },
    };
    return around;
  };
}

/** Whether plugin-throttling stands before `self` in the list that Octokit registers in order. */
function comesFirst(octokit: object, self: unknown): boolean {
  const plugins = (octokit.constructor as { readonly plugins?: readonly unknown[] }).plugins ?? [];
  const own = plugins.indexOf(self);
  const throttling = plugins.findIndex(
    (plugin) => typeof (plugin as { readonly triggersNotification?: unknown }).triggersNotification === "function",
  );
  return own < 0 || throttling < own;
}
