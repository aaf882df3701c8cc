import { checkRecord, requireChoice } from "../../options/check.js";
import { LATENCY_DEFAULTS, type LatencyOptions } from "../github/latency.js";
import { GITHUB_LIMITS, RESOURCE_NAMES } from "../github/resource.js";
import { SECONDARY_DEFAULTS, type SecondaryLimitOptions } from "../github/secondary-options.js";
import { checkAmount, requireAmount } from "./check-amount.js";
import { PLANNED_RESOURCES, type PlannedResource, type Quota } from "./checked-scenario.js";
import { CREDENTIALS, limitOf, type PlanCredential } from "./credential-limits.js";

/** What GitHub allows the credential, and how fast it answers. */
export interface CheckedGitHub {
  readonly quotas: Readonly<Record<PlannedResource, Quota>>;
  readonly secondary: false | SecondaryLimitOptions;
  readonly latency: false | LatencyOptions;
}

const PATH = "plan.github";

export function checkGitHub(given: unknown, credential: unknown): CheckedGitHub {
  const github =
    given === undefined ? {} : checkRecord(PATH, given, ["limits", "secondary", "latency", "resetJitterMs"]);
  return {
    quotas: checkQuotas(github.limits, checkCredential(credential)),
    secondary:
      github.secondary === false ? false : checkNumbers(`${PATH}.secondary`, github.secondary, SECONDARY_DEFAULTS),
    latency: github.latency === false ? false : checkNumbers(`${PATH}.latency`, github.latency, LATENCY_DEFAULTS),
  };
}

function checkCredential(given: unknown): PlanCredential {
  const path = "plan.credential";
  if (given === undefined) return "user";
  if (typeof given === "string") return requireChoice(path, given, CREDENTIALS);
  const rule = `one of ${CREDENTIALS.map((name) => `"${name}"`).join(", ")} or { kind: "installation", repositories }`;
  const { kind, repositories, users } = checkRecord(path, given, ["kind", "repositories", "users"], rule);
  return {
    kind: requireChoice(`${path}.kind`, kind, ["installation"] as const),
    repositories: requireAmount(`${path}.repositories`, repositories, { unit: "repositories", whole: true }),
    users: checkAmount(`${path}.users`, users, { unit: "users", whole: true }, 0),
  };
}

function checkQuotas(given: unknown, credential: PlanCredential): Record<PlannedResource, Quota> {
  const path = `${PATH}.limits`;
  const limits = given === undefined ? {} : checkRecord(path, given, RESOURCE_NAMES);
  const quota = (resource: PlannedResource): Quota => {
    const at = `${path}.${resource}`;
    const own =
      limits[resource] === undefined
        ? {}
        : checkRecord(at, limits[resource], ["limit", "unauthenticatedLimit", "windowMs"]);
    const name = credential === "anonymous" ? "unauthenticatedLimit" : "limit";
    return {
      limit: checkAmount(`${at}.${name}`, own[name], { unit: "units" }, limitOf(credential, resource)),
      windowMs: checkAmount(
        `${at}.windowMs`,
        own.windowMs,
        { min: 1_000, unit: "milliseconds" },
        GITHUB_LIMITS[resource].windowMs,
      ),
    };
  };
  const [core, search, graphql] = PLANNED_RESOURCES.map(quota) as [Quota, Quota, Quota];
  return { core, search, graphql };
}

/** Options of the simulated GitHub with its defaults; those that are numbers are checked, the others have no bearing. */
function checkNumbers<T extends object>(path: string, given: unknown, defaults: T): T {
  const options = given === undefined ? {} : checkRecord(path, given, Object.keys(defaults));
  for (const [name, fallback] of Object.entries(defaults)) {
    if (typeof fallback === "number") checkAmount(`${path}.${name}`, options[name], { unit: "units" }, fallback);
  }
  return { ...defaults, ...options };
}
