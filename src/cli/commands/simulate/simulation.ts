import { randomBytes } from "node:crypto";
import { requireChoice } from "../../../options/check.js";
import {
  createSimulatedGitHub,
  GITHUB_LIMITS,
  populateWorld,
  type ResourceLimit,
  type ResourceName,
  type SimulatedGitHub,
} from "../../../sim/index.js";
import { CommandEnd } from "../../command-end.js";
import type { CommandContext } from "../../context.js";
import { EXIT } from "../../exit-code.js";
import { Traffic } from "./traffic.js";

/** What the flags of `simulate` say. */
export interface SimulateFlags {
  readonly port?: number;
  readonly socket?: string;
  readonly owner: string;
  readonly repos: number;
  readonly pulls: number;
  readonly issues: number;
  readonly token?: string;
  readonly user: string;
  readonly limit?: readonly string[];
  readonly limits: boolean;
  readonly latencyMs?: number;
  readonly seed: number;
  readonly control?: boolean;
}

/** A simulated GitHub with something in it. */
export interface Simulation {
  readonly github: SimulatedGitHub;
  readonly token: string;
  readonly traffic: Traffic;
}

/** Makes it, as the flags say. */
export function createSimulation(flags: SimulateFlags, { clock }: Pick<CommandContext, "clock">): Simulation {
  const { owner, repos, pulls, issues, user, seed } = flags;
  const traffic = new Traffic();
  const github = createSimulatedGitHub({
    clock,
    seed,
    limits: limitsOf(flags),
    latency: latencyOf(flags),
    logLimit: 0,
    onExchange: (exchange) => traffic.add(exchange),
    ...(flags.limits ? {} : { secondary: false }),
  });
  const token = flags.token ?? madeUpToken();
  github.world.addToken(token, user);
  populateWorld(github.world, { owner, members: [user], repositories: repos, issues, pullRequests: pulls, seed });
  return { github, token, traffic };
}

/** As long as GitHub's, and plainly none of them. */
function madeUpToken(): string {
  return `ghp_simulated${randomBytes(14).toString("hex").slice(0, 27)}`;
}

/** Median of GraphQL answers by that of REST answers, as GitHub was measured. */
const GRAPHQL_FACTOR = 6.5;

function latencyOf({ latencyMs = 0 }: SimulateFlags): false | { restMedianMs: number; graphqlMedianMs: number } {
  return latencyMs > 0 && { restMedianMs: latencyMs, graphqlMedianMs: latencyMs * GRAPHQL_FACTOR };
}

const NO_LIMIT = 1_000_000_000;

function limitsOf({
  limits,
  limit = [],
}: SimulateFlags): Readonly<Partial<Record<ResourceName, Partial<ResourceLimit>>>> {
  const names = Object.keys(GITHUB_LIMITS) as ResourceName[];
  if (!limits) {
    return Object.fromEntries(names.map((name) => [name, { limit: NO_LIMIT, unauthenticatedLimit: NO_LIMIT }]));
  }
  const given: Partial<Record<ResourceName, Partial<ResourceLimit>>> = {};
  for (const text of limit) {
    const [, name, units, seconds] = /^([a-z_]+)=(\d+)(?:\/([1-9]\d*))?$/.exec(text) ?? [];
    if (name === undefined) {
      throw new CommandEnd(EXIT.usage, {
        message: `--limit takes a resource and units, not "${text}"`,
        remedy: "write --limit core=100, or --limit core=100/60 for windows of 60 seconds",
      });
    }
    given[requireChoice("--limit", name, names)] = {
      limit: Number(units),
      ...(seconds === undefined ? {} : { windowMs: Number(seconds) * 1_000 }),
    };
  }
  return given;
}
