import type { FleetScenario } from "../../src/sim/fleet/scenario.js";
import { oversubscribedFleet, reactiveFleet, watchFleet } from "../../src/sim/fleet/scenarios.js";
import type { SquadSettings } from "./clients/squad-octokit.js";
import type { ClientName } from "./clients.js";
import type { Extent } from "./extent.js";
import type { FamilyName } from "./family-names.js";
import { throughputFleet } from "./throughput-fleet.js";

const MINUTE_MS = 60_000;

export const SIZES: readonly number[] = [5, 10, 20, 30, 40, 50, 100, 200, 500];
export const SHORT_SIZES: readonly number[] = [5, 20];

/** What fleets do, which decides what there is to tell of them. */
export type FamilyKind = "watch" | "call";

/** Scenarios alike, which the same clients are put through. */
export interface Family {
  readonly name: FamilyName;
  readonly kind: FamilyKind;
  readonly title: string;
  /** What `rows` differ in. */
  readonly by: string;
  readonly rows: readonly FamilyRow[];
  readonly clients: readonly ClientName[];
  readonly settings: SquadSettings;
  readonly heapEveryMs: number | undefined;
  /** Whether squads trace what they do. */
  readonly traced: boolean;
}

export interface FamilyRow {
  readonly label: string;
  readonly scenario: FleetScenario;
  readonly clients: readonly ClientName[];
}

type MakeFamily = (extent: Extent) => Family;

const MAKERS: Readonly<Record<FamilyName, MakeFamily>> = { quiet, measured, reactive, oversubscribed, throughput };

/** A family, as much of it as is wanted. */
export function familyOf(name: FamilyName, extent: Extent): Family {
  const family = MAKERS[name](extent);
  const wanted = (clients: readonly ClientName[]): readonly ClientName[] =>
    clients.filter((client) => extent.clients.includes(client));
  const rows = family.rows.map((row) => ({ ...row, clients: wanted(row.clients) }));
  return { ...family, rows, clients: wanted(family.clients) };
}

const WATCHING = { kind: "watch", settings: {}, heapEveryMs: undefined, traced: true } as const;
const CALLING = { kind: "call", settings: {}, heapEveryMs: undefined, traced: true } as const;
const EVERYBODY: readonly ClientName[] = ["a", "b", "c", "d", "e", "e1", "e2"];
/** Sizes at which both ways to guard single pull requests are shown; beyond, GitHub's response time binds them anyway. */
const GUARDED: readonly number[] = [5, 20, 50, 100];
const MANY: readonly ClientName[] = ["a", "b", "c", "d", "e"];

/** How long before and while anything is measured. */
function lengthOf({ short }: Extent): { readonly warmUpMs: number; readonly forMs: number } {
  return short
    ? { warmUpMs: 2 * MINUTE_MS, forMs: 4 * MINUTE_MS }
    : { warmUpMs: 10 * MINUTE_MS, forMs: 60 * MINUTE_MS };
}

function quiet(extent: Extent): Family {
  const { sizes, seed } = extent;
  return {
    ...WATCHING,
    name: "quiet",
    title: "Quiet: sessions watch their pull requests, and nothing changes",
    by: "sessions",
    rows: sizes.map((sessions) => ({
      label: String(sessions),
      scenario: watchFleet({ sessions, seed, ...lengthOf(extent) }),
      clients: GUARDED.includes(sessions) ? EVERYBODY : MANY,
    })),
    clients: EVERYBODY,
  };
}

/** Sizes at which real squads were measured. */
const MEASURED_MOST = 50;

function measured(extent: Extent): Family {
  const { sizes, seed } = extent;
  const clients: readonly ClientName[] = ["c", "e"];
  return {
    ...WATCHING,
    name: "measured",
    title: "As measured: the same with 30 changes an hour in all, the one parameter that was fitted",
    by: "sessions",
    rows: sizes
      .filter((sessions) => sessions <= MEASURED_MOST)
      .map((sessions) => ({
        label: String(sessions),
        scenario: watchFleet({ sessions, changes: "measured", seed, ...lengthOf(extent) }),
        clients,
      })),
    clients,
  };
}

function reactive(extent: Extent): Family {
  const { short, seed } = extent;
  const sessions = short ? 20 : 50;
  const clients: readonly ClientName[] = ["a", "b", "c", "d", "e", "e2"];
  return {
    ...WATCHING,
    name: "reactive",
    title: `Reactive: of ${sessions} sessions a share changes per poll, and each looks three times at what it has changed`,
    by: "change per poll",
    rows: [0.02, 0.1].map((sharePerPoll) => ({
      label: `${100 * sharePerPoll} %`,
      scenario: reactiveFleet({ sessions, sharePerPoll, seed, ...lengthOf(extent) }),
      clients,
    })),
    clients,
  };
}

function oversubscribed({ short, seed }: Extent): Family {
  const shape = short
    ? { agents: 60, processes: 6, windows: 1, kills: 1, limit: 1_000 }
    : { agents: 500, processes: 20, windows: 3, kills: 3 };
  // The static pool deals with a limit of 5,000 only.
  const clients: readonly ClientName[] = short ? ["a", "e"] : ["a", "b", "d", "e"];
  return {
    ...CALLING,
    name: "oversubscribed",
    title: `Oversubscribed: ${shape.agents} agents in ${shape.processes} processes want 160 % of the core quota; clocks are off by up to 30 s, and ${shape.kills === 1 ? "a process dies" : `${shape.kills} processes die`}`,
    by: "hidden use",
    rows: [0, 0.1].map((hidden) => ({
      label: `${100 * hidden} %`,
      scenario: oversubscribedFleet({
        ...shape,
        ...{ demand: 1.6, hidden, clockSkewMs: 30_000, maxWaitMs: 10 * MINUTE_MS, seed },
      }),
      clients,
    })),
    clients,
  };
}

function throughput({ short, seed }: Extent): Family {
  const forMs = (short ? 1 : 120) * MINUTE_MS;
  const clients: readonly ClientName[] = ["a", "e"];
  return {
    ...CALLING,
    name: "throughput",
    title: `Throughput: 500 agents in 20 processes make 480 calls an hour each, secondary limits off`,
    by: "minutes",
    rows: [{ label: String(forMs / MINUTE_MS), scenario: throughputFleet({ forMs, seed }), clients }],
    clients,
    // Squads are told what GitHub is told: otherwise they keep to its published limits. Twenty caches in one process are
    // kept small, and out of the store that lies beside them, so that memory tells what the rest of it keeps.
    settings: { secondary: false, cache: { maxBytes: 2 ** 20, store: false } },
    heapEveryMs: forMs / 12,
    traced: false,
  };
}
