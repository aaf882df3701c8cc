import type { Clock } from "../../clock.js";
import type { SimulatedGitHub } from "../github/surface.js";
import { chanceFor, exponential } from "./chance.js";
import type { FleetProcess } from "./process.js";
import type { FleetFault, FleetMishap, FleetScenario, HiddenUse } from "./scenario.js";
import type { FleetStore } from "./store.js";

/** What a scenario's happenings befall. */
export interface Befallen {
  readonly clock: Clock;
  readonly github: SimulatedGitHub;
  readonly token: () => string;
  readonly processes: readonly FleetProcess[];
  readonly store: FleetStore;
}

/** Sets timers for all that happens to a fleet from outside, but for what changes in its pull requests. */
export function arrangeHappenings(scenario: FleetScenario, befallen: Befallen): void {
  for (const mishap of scenario.mishaps ?? []) arrangeMishap(mishap, befallen);
  for (const fault of scenario.faults ?? []) arrangeFault(fault, befallen);
  for (const [index, use] of (scenario.hidden ?? []).entries()) spendHidden(use, index, scenario.seed, befallen);
}

function arrangeMishap(mishap: FleetMishap, { clock, processes, store }: Befallen): void {
  if (mishap.kind === "store-away") {
    clock.timer(mishap.atMs, () => store.goAway(mishap.forMs));
    return;
  }
  const process = processes[mishap.process];
  // Who has no agents is not there to be befallen.
  if (process === undefined) return;
  clock.timer(mishap.atMs, () => process[mishap.kind]());
  if (mishap.kind !== "kill") clock.timer(mishap.atMs + mishap.forMs, () => process.goOn());
}

function arrangeFault({ atMs, forMs, fault, method, pathPattern, times, every }: FleetFault, befallen: Befallen): void {
  const { clock, github } = befallen;
  clock.timer(atMs, () => {
    const handle = github.fault({
      ...fault,
      match: {
        ...(method === undefined ? {} : { method }),
        ...(pathPattern === undefined ? {} : { path: new RegExp(pathPattern) }),
      },
      times: times ?? Number.POSITIVE_INFINITY,
      ...(every === undefined ? {} : { every }),
    });
    clock.timer(forMs, () => handle.cancel());
  });
}

/** Somebody outside calls with the same identity, and is refused like everybody when nothing is left. */
function spendHidden({ resource, unitsPerHour }: HiddenUse, index: number, seed: number, befallen: Befallen): void {
  const random = chanceFor(seed, `hidden use ${index}`);
  const { clock, github, token } = befallen;
  const next = (): void => {
    clock.timer(exponential(random, 3_600_000 / unitsPerHour), () => {
      next();
      if (github.usage(token(), resource).remaining > 0) github.consume(token(), resource, 1);
    });
  };
  if (unitsPerHour > 0) next();
}
