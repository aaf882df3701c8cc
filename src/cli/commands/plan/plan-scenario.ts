import { requireChoice } from "../../../options/check.js";
import { GITHUB_LIMITS, type ResourceName } from "../../../sim/github/resource.js";
import type { PlanCredential } from "../../../sim/plan/credential-limits.js";
import type { PlanAgents, PlanClient, PlanPolls, PlanScenario } from "../../../sim/plan/scenario.js";
import { CommandEnd } from "../../command-end.js";
import { EXIT } from "../../exit-code.js";

/** What the flags of `plan` say. */
export interface PlanFlags {
  readonly agents: number;
  readonly every?: number;
  readonly perRepository?: number;
  readonly callsPerHour?: number;
  readonly unchanged?: number;
  readonly writes?: number;
  readonly queries?: number;
  readonly polls?: PlanPolls;
  readonly changes?: number;
  readonly changesPerHour?: number;
  readonly credential?: string;
  readonly repositories?: number;
  readonly users?: number;
  readonly others?: readonly string[];
  readonly processes?: number;
  readonly client?: PlanClient;
  readonly scenario?: string;
  readonly json?: boolean;
}

/** The scenario that the flags describe. */
export function scenarioOf(flags: PlanFlags): PlanScenario {
  const { polls, processes, client } = flags;
  const changes = changesOf(flags);
  const credential = credentialOf(flags);
  return {
    agents: [agentsOf(flags)],
    hidden: (flags.others ?? []).map(hiddenOf),
    ...(polls === undefined ? {} : { polls }),
    ...(processes === undefined ? {} : { processes }),
    ...(client === undefined ? {} : { client }),
    ...(changes === undefined ? {} : { changes }),
    ...(credential === undefined ? {} : { credential }),
  };
}

function agentsOf(flags: PlanFlags): PlanAgents {
  const { agents: count, callsPerHour, every, perRepository, unchanged, writes, queries } = flags;
  if (callsPerHour === undefined) {
    refuse(flags, ["unchanged", "writes", "queries"], "--calls-per-hour");
    return {
      count,
      work: {
        kind: "watch",
        ...(every === undefined ? {} : { everyMs: every * 1_000 }),
        ...(perRepository === undefined ? {} : { perRepository }),
      },
    };
  }
  if (every !== undefined || perRepository !== undefined) {
    throw usage("with --calls-per-hour agents do not watch", "leave out --every and --per-repository");
  }
  const shares = { unchanged: unchanged ?? 0, writes: writes ?? 0, graphql: queries ?? 0 };
  if (shares.unchanged + shares.writes + shares.graphql > 1 + 1e-9) {
    throw usage("--unchanged, --writes and --queries are more than 1 together", "they are shares of the same calls");
  }
  return { count, work: { kind: "calls", perHour: callsPerHour, ...shares } };
}

function changesOf({ changes, changesPerHour }: PlanFlags): PlanScenario["changes"] {
  if (changes !== undefined && changesPerHour !== undefined) {
    throw usage("--changes and --changes-per-hour say the same in two ways", "give one of them");
  }
  if (changes !== undefined) return { kind: "share", sharePerPoll: changes };
  return changesPerHour === undefined ? undefined : { kind: "rate", perHour: changesPerHour };
}

function credentialOf(flags: PlanFlags): PlanCredential | undefined {
  const { credential, repositories = 0, users = 0 } = flags;
  if (credential === "installation") return { kind: "installation", repositories, users };
  refuse(flags, ["repositories", "users"], "--credential installation");
  return credential as PlanCredential | undefined;
}

function hiddenOf(text: string): { readonly resource: ResourceName; readonly unitsPerHour: number } {
  const [, name, units] = /^([a-z_]+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (name === undefined) throw usage("--others takes a resource and units an hour", "write --others core=300");
  const resource = requireChoice("--others", name, Object.keys(GITHUB_LIMITS) as ResourceName[]);
  return { resource, unitsPerHour: Number(units) };
}

function refuse(flags: PlanFlags, keys: readonly (keyof PlanFlags)[], without: string): void {
  const given = keys.find((key) => flags[key] !== undefined);
  if (given !== undefined)
    throw usage(`--${given} says something only with ${without}`, `add ${without}, or leave it out`);
}

function usage(message: string, remedy: string): CommandEnd {
  return new CommandEnd(EXIT.usage, { message, remedy });
}
