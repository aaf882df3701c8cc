import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { onTestFinished } from "vitest";
import type { SquadRateEvents } from "../../src/events.js";

/** Everything published on a channel until the test has finished. Tests that run at once would hear each other. */
export function recordEvents<Name extends keyof SquadRateEvents>(name: Name): SquadRateEvents[Name][] {
  const heard: SquadRateEvents[Name][] = [];
  const listen = (payload: unknown): void => void heard.push(payload as SquadRateEvents[Name]);
  subscribe(name, listen);
  onTestFinished(() => void unsubscribe(name, listen));
  return heard;
}
