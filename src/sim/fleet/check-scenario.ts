import { optionError } from "../../options/check.js";
import { LATENCY_DEFAULTS } from "../github/latency.js";
import { RESOURCE_NAMES } from "../github/resource.js";
import { SECONDARY_DEFAULTS } from "../github/secondary-options.js";
import {
  type Check,
  falseOr,
  flag,
  kindOf,
  listOf,
  matching,
  numberFrom,
  oneOf,
  optional,
  recordOf,
  share,
  wholeFrom,
} from "./checks.js";
import type { FleetFault, FleetGitHub, FleetScenario } from "./scenario.js";

const DAY_MS = 86_400_000;
const MAX_AGENTS = 10_000;

const duration = numberFrom(0, 7 * DAY_MS, "milliseconds");
const positiveDuration = numberFrom(1_000, 7 * DAY_MS, "milliseconds");
const rate = numberFrom(0, 1_000_000, "units");
const count = wholeFrom(0, 1_000_000, "units");
const process = wholeFrom(0, 999, "the process");
const resource = oneOf(...RESOURCE_NAMES);
const text: Check = matching(/^.{1,1000}$/s, "a text of 1 to 1,000 characters");

const work: Check = kindOf({
  watch: {
    everyMs: optional(numberFrom(1_000, DAY_MS, "milliseconds")),
    start: optional(oneOf("spread", "together")),
    // The list's first page shows no more.
    perRepository: optional(wholeFrom(1, 100, "sessions")),
    ownCallsPerChange: optional(wholeFrom(0, 1_000, "calls")),
  },
  calls: {
    perHour: numberFrom(0, 100_000, "calls"),
    unchanged: optional(share),
    writes: optional(share),
    graphql: optional(share),
    maxWaitMs: optional(numberFrom(0, DAY_MS, "milliseconds")),
  },
});

const agents: Check = recordOf({
  // It becomes part of the names of agents and repositories.
  name: matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/, "1 to 41 letters, digits, dots, underscores or hyphens"),
  count: wholeFrom(1, MAX_AGENTS, "agents"),
  priority: oneOf(0, 1, 2),
  fromMs: optional(duration),
  untilMs: optional(duration),
  work,
});

const limit = recordOf({
  limit: optional(count),
  unauthenticatedLimit: optional(count),
  windowMs: optional(positiveDuration),
});

const secondary: Readonly<Record<keyof typeof SECONDARY_DEFAULTS, Check>> = {
  ...numbers(SECONDARY_DEFAULTS, numberFrom(0, 1e9, "units")),
  by: optional(oneOf("template", "path")),
  headerProfile: optional(oneOf("bare", "retry-after")),
  recoveryMs: optional(listOf(duration, 2)),
  growingPenalty: optional(falseOr(recordOf({ perRequestMs: duration, maxMs: duration }))),
  countNotModified: optional(flag),
};

const github: Readonly<Record<keyof FleetGitHub, Check>> = {
  limits: optional(recordOf(Object.fromEntries(RESOURCE_NAMES.map((name) => [name, optional(limit)])))),
  secondary: optional(falseOr(recordOf(secondary))),
  latency: optional(falseOr(recordOf(numbers(LATENCY_DEFAULTS, numberFrom(0, DAY_MS, "milliseconds"))))),
  resetJitterMs: optional(duration),
};

const mishap: Check = kindOf({
  kill: { process, atMs: duration },
  stop: { process, atMs: duration, forMs: duration },
  suspend: { process, atMs: duration, forMs: duration },
  "store-away": { atMs: duration, forMs: duration },
});

const scripted: Check = kindOf({
  status: {
    status: optional(wholeFrom(400, 599, "status")),
    body: optional(oneOf("json", "html")),
    extraUnits: optional(count),
  },
  reset: { when: optional(oneOf("before", "after")) },
  truncate: {},
  html: {},
  slow: { ms: duration },
  "retry-after-date": { seconds: optional(duration) },
  "primary-limit": {},
  "secondary-limit": {},
  "malformed-headers": { headers: optional(headers) },
  "resource-limits": {},
} satisfies Readonly<Record<FleetFault["fault"]["kind"], object>>);

const fault: Check = recordOf({
  atMs: duration,
  forMs: duration,
  fault: scripted,
  method: optional(text),
  pathPattern: optional(expression),
  times: optional(count),
  every: optional(wholeFrom(1, 1_000_000, "requests")),
});

const scenarioChecks: Readonly<Record<keyof FleetScenario, Check>> = {
  seed: wholeFrom(0, Number.MAX_SAFE_INTEGER, "the seed"),
  warmUpMs: duration,
  forMs: positiveDuration,
  agents: listOf(agents, 1_000),
  processes: optional(wholeFrom(1, 1_000, "processes")),
  github: optional(recordOf(github)),
  hidden: optional(listOf(recordOf({ resource, unitsPerHour: rate }), 100)),
  changes: optional(kindOf({ share: { sharePerPoll: numberFrom(0, 100, "changes") }, rate: { perHour: rate } })),
  mishaps: optional(listOf(mishap, 10_000)),
  clockSkewMs: optional(duration),
  storeLatencyMs: optional(numberFrom(0, 60_000, "milliseconds")),
  tokenRotationMs: optional(positiveDuration),
  faults: optional(listOf(fault, 10_000)),
};

const checkAll = recordOf(scenarioChecks);

/**
 * Looks at a scenario, which may come out of a file, and gives it back.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` that names what is wrong, its bound and what was given.
 */
export function checkScenario(given: unknown): FleetScenario {
  checkAll("scenario", given);
  const scenario = given as FleetScenario;
  const all = scenario.agents.reduce((sum, one) => sum + one.count, 0);
  if (all < 1 || all > MAX_AGENTS) throw optionError("scenario.agents", `1 to ${MAX_AGENTS} agents in all`, all);
  const names = scenario.agents.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw optionError("scenario.agents", "of different names", twice);
  for (const [index, one] of scenario.agents.entries()) {
    if (one.work.kind !== "calls") continue;
    const { unchanged = 0, writes = 0, graphql = 0 } = one.work;
    const sum = unchanged + writes + graphql;
    // Shares that were meant to make 1 may miss it by a rounding.
    if (sum > 1 + 1e-9)
      throw optionError(`scenario.agents[${index}].work`, "of shares that are 1 together at most", sum);
  }
  const { processes = 1 } = scenario;
  for (const [index, one] of (scenario.mishaps ?? []).entries()) {
    if (one.kind === "store-away" || one.process < processes) continue;
    throw optionError(`scenario.mishaps[${index}].process`, `below ${processes}, the number of processes`, one.process);
  }
  return scenario;
}

/** The keys of `defaults` whose values are numbers. */
function numbers<T extends object>(defaults: T, check: Check): Record<keyof T, Check> {
  const names = Object.entries(defaults).filter(([, value]) => typeof value === "number");
  return Object.fromEntries(names.map(([name]) => [name, optional(check)])) as Record<keyof T, Check>;
}

function headers(path: string, value: unknown): void {
  const isText = (one: unknown): boolean => one === null || typeof one === "string";
  if (typeof value === "object" && value !== null && Object.values(value).every(isText)) return;
  throw optionError(path, "an object of texts and nulls", value);
}

function expression(path: string, value: unknown): void {
  text(path, value);
  try {
    new RegExp(value as string);
  } catch {
    throw optionError(path, "the source of a regular expression", value);
  }
}
