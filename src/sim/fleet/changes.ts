import type { Clock } from "../../clock.js";
import { chanceFor } from "./chance.js";
import type { FleetScenario } from "./scenario.js";

const POLL_MS = 30_000;
const HOUR_MS = 3_600_000;

/** How many changes there are in an hour, over all sessions. */
export function changesPerHour(changes: FleetScenario["changes"], sessions: number, everyMs: number): number {
  if (changes === undefined) return 0;
  return changes.kind === "rate" ? changes.perHour : (changes.sharePerPoll * sessions * HOUR_MS) / everyMs;
}

/**
 * Lets sessions change in turn, each at any moment of its part of the time. Changes begin a poll before the measured time,
 * and the last have a poll's time to be noticed. `change` is told whose turn it is.
 */
export function arrangeChanges(
  { seed, warmUpMs, forMs }: FleetScenario,
  perHour: number,
  sessions: number,
  clock: Clock,
  change: (index: number) => void,
): void {
  if (sessions === 0 || perHour <= 0) return;
  const random = chanceFor(seed, "changes");
  const everyMs = HOUR_MS / perHour;
  const firstMs = Math.max(0, warmUpMs - POLL_MS);
  const lastMs = warmUpMs + forMs - POLL_MS;
  const stride = strideOver(sessions);
  const arrange = (turn: number): void => {
    const startMs = firstMs + turn * everyMs;
    if (startMs >= lastMs) return;
    // One timer at a time: a long run has many changes.
    const atMs = startMs + random() * everyMs;
    clock.timer(atMs - elapsedMs(), () => {
      change((turn * stride) % sessions);
      arrange(turn + 1);
    });
  };
  const startedAt = clock.now();
  const elapsedMs = (): number => clock.now() - startedAt;
  arrange(0);
}

/** Neighbours are in one repository: a step wider than most of them spreads changes over all, and comes to everybody. */
function strideOver(sessions: number): number {
  for (let stride = 11; ; stride += 2) if (greatestCommonDivisor(stride, sessions) === 1) return stride;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
