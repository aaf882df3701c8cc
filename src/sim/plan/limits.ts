import type { SecondaryLimitName } from "../github/secondary-peaks.js";
import { type CheckedScenario, PLANNED_RESOURCES, type PlannedResource } from "./checked-scenario.js";
import type { Demand } from "./demand.js";
import { type Load, NO_LOAD, together } from "./load.js";
import type { PlanUnits } from "./units.js";

/**
 * The limits that a plan knows, called as in a `FleetReport`: GitHub's primary quotas, its secondary limits, and two that
 * are not GitHub's: `write-pace`, since a process with squadRate sends writes a second apart, three if they notify people;
 * and `poll-time`, since the requests of a poll go one after the other and should be through before the next.
 */
export type PlanLimitName =
  | `${PlannedResource}-units`
  | Exclude<SecondaryLimitName, "tokens-per-hour">
  | "write-pace"
  | "poll-time";

/** How much of a limit is used. */
export interface LimitUse {
  readonly limit: PlanLimitName;
  /** In the mean: units in a window; points, writes or milliseconds in a minute; requests at once; seconds of pauses. */
  readonly used: number;
  /** The most of it that is to be expected now and then: in one minute of some hundred, in the window of the first polls. */
  readonly peak: number;
  readonly allowed: number;
  /** `used / allowed`: 1 is all of it. */
  readonly share: number;
}

/** Whether it is one of GitHub's primary quotas. */
export function isUnits(limit: PlanLimitName): boolean {
  return limit.endsWith("-units");
}

const HOUR_MS = 3_600_000;
const MINUTES = 60;

/** Of a few hundred minutes one has so many standard deviations more than the mean. */
const PEAK_DEVIATIONS = 3;

/**
 * How much of each limit that demand uses, fullest first; the time of polls comes last as long as they are short enough,
 * since more agents do not make them longer. `once`: units that come on top in the fullest window.
 */
export function limitUses(scenario: CheckedScenario, demand: Demand, once?: PlanUnits): readonly LimitUse[] {
  const minutes = secondary(scenario, demand).map((use) => (scenario.conditional ? heldBack(use) : use));
  const uses = [...primary(scenario, demand, once), ...minutes, ...ownPace(scenario, demand)];
  const rank = ({ limit, share }: LimitUse): number =>
    limit === "poll-time" && share <= scenario.assume.safeShare ? -1 : share;
  return uses.sort((a, b) => rank(b) - rank(a));
}

function primary({ quotas, hidden }: CheckedScenario, { units }: Demand, once?: PlanUnits): LimitUse[] {
  return PLANNED_RESOURCES.map((resource) => {
    const { limit, windowMs } = quotas[resource];
    const perHour = units[resource] + (hidden[resource] ?? 0);
    const mean = (perHour * windowMs) / HOUR_MS;
    return { ...use(`${resource}-units`, { mean, variance: 0 }, limit), peak: mean + (once?.[resource] ?? 0) };
  });
}

function secondary(scenario: CheckedScenario, demand: Demand): LimitUse[] {
  const { secondary: limits, assume } = scenario;
  if (limits === false) return [];
  const graphqlMs = answerMs(demand.graphql, assume.graphqlAnswerMs, scenario);
  const allMs = together([answerMs(demand.rest, assume.restAnswerMs, scenario), graphqlMs]);
  const atOnce = allMs.mean / HOUR_MS;
  return [
    use("concurrency", { mean: atOnce, variance: atOnce }, limits.concurrency),
    use("endpoint-points", perMinute(busiest(demand)), limits.pointsPerEndpointPerMinute),
    use("graphql-points", perMinute(demand.graphqlPoints), limits.graphqlPointsPerMinute),
    use("response-time", perMinute(allMs), limits.cpuMsPerMinute),
    use("graphql-response-time", perMinute(graphqlMs), limits.graphqlCpuMsPerMinute),
    use("content-per-minute", perMinute(demand.contentWrites), limits.contentPerMinute),
    use("content-per-hour", demand.contentWrites, limits.contentPerHour),
  ];
}

/** A squad that comes near a limit waits a little. */
function heldBack(use: LimitUse): LimitUse {
  return { ...use, peak: Math.min(use.peak, Math.max(use.used, use.allowed)) };
}

const WRITE_PAUSE_S = 1;
const NOTIFICATION_PAUSE_S = 3;
const SECONDS = 3_600;

function ownPace({ client, processes }: CheckedScenario, { writes, contentWrites, pollShare }: Demand): LimitUse[] {
  const polls = use("poll-time", { mean: pollShare, variance: 0 }, 1);
  if (client !== "squadRate") return [polls];
  // Most of what creates content notifies people too.
  const pausesS = contentWrites.mean * NOTIFICATION_PAUSE_S + (writes - contentWrites.mean) * WRITE_PAUSE_S;
  return [polls, use("write-pace", { mean: pausesS, variance: 0 }, SECONDS * processes)];
}

/** Each answer takes its own time, and comes as its request does. */
function answerMs({ mean, variance }: Load, ms: number, { answerSpread }: CheckedScenario): Load {
  return { mean: mean * ms, variance: (mean * answerSpread + variance) * ms ** 2 };
}

function busiest({ endpointPoints }: Demand): Load {
  return Object.values(endpointPoints).reduce((most, one) => (one.mean > most.mean ? one : most), NO_LOAD);
}

function perMinute({ mean, variance }: Load): Load {
  return { mean: mean / MINUTES, variance: variance / MINUTES };
}

function use(limit: PlanLimitName, { mean, variance }: Load, allowed: number): LimitUse {
  const peak = mean + PEAK_DEVIATIONS * Math.sqrt(variance);
  return { limit, used: mean, peak, allowed, share: mean === 0 ? 0 : mean / allowed };
}
