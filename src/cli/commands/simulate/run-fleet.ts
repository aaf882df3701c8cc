import {
  createSquadClient,
  type FleetClientFactory,
  type FleetScenario,
  reactiveFleet,
  runFleet,
  watchFleet,
} from "../../../sim/index.js";
import type { CommandContext } from "../../context.js";
import type { Flags } from "../../shared-options.js";
import { paintFor } from "../../show/paint.js";
import { showProgress } from "../../show/progress.js";
import type { FleetClientName, FleetFlags } from "./fleet-flags.js";
import { fleetLines } from "./fleet-lines.js";

const MINUTE_MS = 60_000;
const WARM_UP_MINUTES = 10;

/** Runs the fleet and prints its scorecard. */
export async function runSimulatedFleet(context: CommandContext, options: FleetFlags, flags: Flags): Promise<void> {
  const all = WARM_UP_MINUTES + options.minutes;
  let minutes = 0;
  let requests = 0;
  const progress = showProgress({
    output: context.err,
    clock: context.clock,
    text: () => `minute ${minutes} of ${all}, ${requests.toLocaleString("en-US")} requests`,
    quiet: flags.quiet,
  });
  try {
    const report = await runFleet(scenarioOf(options), clientOf(options.client), {
      onProgress: ({ elapsedMs, exchanges }) => {
        minutes = Math.round(elapsedMs / MINUTE_MS);
        requests = exchanges;
      },
    });
    progress.end();
    if (options.json === true) context.out.write(`${JSON.stringify(report, null, 2)}\n`);
    else {
      const paint = paintFor(context.out, context.env, flags.color);
      context.out.write(`${fleetLines(report, options, context.out, paint).join("\n")}\n`);
    }
  } finally {
    progress.end();
  }
}

function scenarioOf({ sessions, minutes, workload, changes, processes, seed }: FleetFlags): FleetScenario {
  const shape = { sessions, processes, seed, warmUpMs: WARM_UP_MINUTES * MINUTE_MS, forMs: minutes * MINUTE_MS };
  return workload === "reactive"
    ? reactiveFleet({ ...shape, sharePerPoll: changes })
    : watchFleet({ ...shape, changes: workload });
}

/** A squad that is switched off lets everything pass as it comes. */
function clientOf(name: FleetClientName): FleetClientFactory {
  if (name === "plain") return createSquadClient({ pollBy: "session", squad: { enabled: false } });
  return createSquadClient({ pollBy: name === "squad" ? "repository" : "session" });
}
