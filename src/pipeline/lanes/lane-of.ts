import type { IdentifiedCall } from "../../call/identify.js";
import { pathSegments, wordOf } from "../../call/path.js";
import type { Lane } from "../../policy/pacing.js";

/**
 * The lane that a call takes. Reads and GraphQL queries go direct, and so does what mints tokens, since it happens inside
 * a call that has waited already. `url` is a template, a path or an address. `triggersNotification` is plugin-throttling's
 * table of writes that notify people; it is asked about writes only, so reads need not load it.
 */
export function laneOf(
  { method, kind, exempt }: Pick<IdentifiedCall, "method" | "kind" | "exempt">,
  url: string,
  triggersNotification: (pathname: string) => boolean,
): Lane {
  if (exempt) return "direct";
  if (kind === "write") return triggersNotification(lanePath(url)) ? "notification" : "write";
  const [first = "", second] = pathSegments(url);
  const searches = method.toUpperCase() === "GET" && second !== undefined && wordOf(first) === "search";
  return searches ? "search" : "direct";
}

/**
 * The path as plugin-throttling knows it, below the API's root: its table is anchored there, and misses GitHub Enterprise
 * Server's `/api/v3`.
 */
export function lanePath(url: string): string {
  return `/${pathSegments(url).join("/")}`;
}
