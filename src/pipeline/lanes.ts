import type { Call } from "./call.js";
import type { Engine } from "./engine.js";
import { laneOf } from "./lanes/lane-of.js";

/** Whether a call may be one of those that keep a pace. */
export function mayKeepPace({ options }: Engine, { facts }: Call): boolean {
  return options.pacing !== false && (facts.kind === "write" || facts.resource !== "core");
}

/** Finds out which way a call takes; for writes plugin-throttling's table of routes says it, loaded with the first. */
export async function chooseLane({ pacedLane }: Engine, call: Call): Promise<void> {
  if (call.facts.kind === "write") await pacedLane.ready();
  call.lane = laneOf(call.facts, call.url, (pathname) => pacedLane.triggersNotification(pathname));
}

/**
 * Makes an attempt in its lane. What has no pace goes direct, and so does an attempt without a permit, which is only to
 * find out whose quota it needs. What was sent before is made again by plugin-retry.
 */
export function throughLane<T>(engine: Engine, call: Call, attempt: () => Promise<T>): Promise<T> {
  const { pacedLane, retryLane } = engine;
  const { lane, permit, source, facts, url, principal } = call;
  // The host's own throttling, inside, spaces it as well.
  const isDirect = lane === "direct" || permit === undefined || source.inside.throttling;
  const make = isDirect
    ? attempt
    : (): Promise<T> => pacedLane.through(lane, { method: facts.method, url }, attempt, principal?.id);
  return call.attempts === 0 ? make() : retryLane.again(make);
}
