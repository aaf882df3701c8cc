import { checkSetting, SETTING_KEYS } from "./config/check-setting.js";
import { type ReadConfig, readNamedConfig, readNearestConfig } from "./config/config-file.js";
import type { SettingKey, SettingOrigin, Settings } from "./config.js";
import type { CommandContext } from "./context.js";
import type { Flags } from "./shared-options.js";

/** The variables, where there is one. An empty one counts as unset. */
const VARIABLES: Readonly<Partial<Record<SettingKey, string>>> = {
  store: "SQUAD_RATE_STORE",
  agent: "SQUAD_RATE_AGENT",
  priority: "SQUAD_RATE_PRIORITY",
  session: "SQUAD_RATE_SESSION",
  trace: "SQUAD_RATE_TRACE",
  pool: "SQUAD_RATE_POOL",
  maxWaitMs: "SQUAD_RATE_MAX_WAIT_MS",
  upstream: "SQUAD_RATE_UPSTREAM",
  host: "SQUAD_RATE_HOST",
  alsoHosts: "SQUAD_RATE_ALSO_HOSTS",
};

const FLAG_NAMES: Readonly<Record<SettingKey, string>> = {
  store: "--store",
  agent: "--agent",
  priority: "--priority",
  session: "--session",
  trace: "--trace",
  pool: "--pool",
  maxWaitMs: "--max-wait-ms",
  upstream: "--upstream",
  host: "--host",
  alsoHosts: "--also-host",
};

/**
 * The settings of a command: each from its flag, else the environment, else the configuration file; all of them checked.
 *
 * @throws CommandEnd or SquadRateError that names the flag, variable or key, its bound and the value.
 *
 * @example
 * ```ts
 * const { store, origins } = await loadSettings(context, flagsOf(command));
 * ```
 */
export async function loadSettings(context: CommandContext, flags: Flags = {}): Promise<Settings> {
  const config = await readConfig(context, flags.config);
  const settings: Record<string, unknown> = {};
  const origins: Partial<Record<SettingKey, SettingOrigin>> = {};
  for (const key of SETTING_KEYS) {
    const given = fromFlag(key, flags) ?? fromEnvironment(key, context.env);
    if (given !== undefined) {
      settings[key] = checkSetting(key, given.value, given.origin, context.cwd);
      origins[key] = given.origin;
    } else if (config?.settings[key] !== undefined) {
      settings[key] = config.settings[key];
      origins[key] = `${config.shown}: ${key}`;
    }
  }
  return { ...settings, configFile: config?.file, origins };
}

interface Given {
  readonly value: unknown;
  readonly origin: SettingOrigin;
}

async function readConfig(context: CommandContext, flag: string | false | undefined): Promise<ReadConfig | undefined> {
  if (flag === false) return undefined;
  const named = flag ?? (context.env.SQUAD_RATE_CONFIG || undefined);
  return named === undefined ? readNearestConfig(context) : readNamedConfig(named, context);
}

function fromFlag(key: SettingKey, flags: Flags): Given | undefined {
  const value = key === "alsoHosts" ? flags.alsoHost : flags[key];
  if (value === undefined) return undefined;
  return { value: typed(key, value), origin: value === false ? `--no-${key}` : FLAG_NAMES[key] };
}

function fromEnvironment(key: SettingKey, env: CommandContext["env"]): Given | undefined {
  const origin = VARIABLES[key];
  const value = origin === undefined ? undefined : env[origin] || undefined;
  return origin === undefined || value === undefined ? undefined : { value: typed(key, value), origin };
}

/** Words of a command line and variables are texts; what is none of what is wanted stays one, for the check to show. */
function typed(key: SettingKey, value: unknown): unknown {
  if (typeof value !== "string") return value;
  switch (key) {
    case "priority":
      if (/^[012]$/.test(value)) return Number(value);
      return /^p[012]$/.test(value) ? value.toUpperCase() : value;
    case "maxWaitMs":
      return /^\d+$/.test(value) ? Number(value) : value;
    case "alsoHosts":
      return value.split(",").map((host) => host.trim());
    default:
      return value;
  }
}
