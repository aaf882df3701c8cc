import { publish } from "../events.js";
import type { Engine } from "../pipeline/engine.js";
import { type CheckedGuard, checkGuard, checkRead, checkReads } from "./check-guard.js";
import { type Course, type Outcome, runGuard } from "./guard.js";
import type { Guarded, Guards } from "./guarded.js";
import { jsonOf } from "./json-value.js";
import type { GuardClient, GuardRequest } from "./look.js";
import { type GuardRoom, newClient, roomOf } from "./room.js";

/**
 * The guards of one Octokit, whose own `request` makes the reads. What it guards is kept for its squad, whose `engine` it
 * is.
 *
 * @example
 * ```ts
 * const { guard, guards } = guardsFor(engine, octokit.request);
 * ```
 */
export function guardsFor(engine: Engine, request: GuardRequest): Guards {
  // Most Octokits guard nothing.
  let client: GuardClient | undefined;
  const run = <T>(asked: CheckedGuard, produce: () => Promise<T> | T): Promise<Guarded<T>> => {
    const room = roomOf(engine);
    client ??= newClient(room, request);
    return guarded(room, client, asked, produce);
  };
  return {
    guard: async (route, params, produce, options) =>
      run(checkGuard([checkRead("guard", route, params)], produce, options), produce),
    guards: async (reads, produce, options) => run(checkGuard(checkReads(reads), produce, options), produce),
  };
}

async function guarded<T>(
  room: GuardRoom,
  client: GuardClient,
  asked: CheckedGuard,
  produce: () => Promise<T> | T,
): Promise<Guarded<T>> {
  const { clock, options } = room.engine;
  if (!options.enabled) return { value: JSON.parse(jsonOf(await produce())) as T, how: "produced", ageMs: 0 };
  const beganAt = clock.monotonic();
  const course: Course = { key: undefined, calls: [], failed: 0 };
  let outcome: Outcome | undefined;
  try {
    outcome = await runGuard(room, client, asked, produce, course);
  } finally {
    tell(room.engine, course, outcome, clock.monotonic() - beganAt);
  }
  const { value, ...rest } = outcome;
  return { value: JSON.parse(value.text) as T, ...rest };
}

function tell(
  { options }: Engine,
  { key, calls, failed }: Course,
  outcome: Outcome | undefined,
  durationMs: number,
): void {
  publish("squad-rate:guard", () => {
    const begun = calls.filter((call) => call !== undefined);
    return {
      agent: begun[0]?.request.agent ?? options.agent,
      key,
      routes: [...new Set(begun.map(({ facts }) => facts.route()))],
      reads: calls.length,
      revalidated: begun.filter((call) => call.outcome === "revalidated").length,
      failed,
      how: outcome?.how ?? "failed",
      ageMs: outcome?.ageMs,
      durationMs,
    };
  });
}
