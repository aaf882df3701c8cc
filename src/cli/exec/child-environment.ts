import type { Priority } from "../../options.js";
import type { Admitted } from "../../proxy/control/protocol.js";
import { INJECTED_TOKEN } from "../../proxy/options.js";
import { TOKEN_VARIABLES, tokenVariables } from "./injected-token.js";

/** What a command is to find in its environment. */
export interface Surroundings {
  readonly admitted: Admitted;
  /** gh's configuration. */
  readonly ghFolder: string;
  readonly agent: string;
  readonly priority: Priority;
  readonly session: string | undefined;
  /** Of the proxy; so that a command inside has the same one, and the plugin the same pool. */
  readonly settings: {
    readonly store?: string | undefined;
    readonly pool?: string | undefined;
    readonly trace?: string | false | undefined;
    readonly upstream?: string | undefined;
    readonly host?: string | undefined;
    readonly alsoHosts?: readonly string[] | undefined;
    readonly maxWaitMs?: number | undefined;
  };
  /** Where proxies have their folders; undefined where that goes without saying. */
  readonly runtimeFolder: string | undefined;
  /** The file that was named for settings. */
  readonly configFile: string | undefined;
  /** Whether the proxy adds the token. */
  readonly hasToken: boolean;
  /** The Enterprise Server that gh is to ask where nothing else is said. */
  readonly enterpriseHost: string | undefined;
}

/** `env` for a command whose calls go through the proxy; a variable without a value is taken out. */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  {
    admitted,
    ghFolder,
    agent,
    priority,
    session,
    settings,
    runtimeFolder,
    configFile,
    hasToken,
    enterpriseHost,
  }: Surroundings,
): Record<string, string> {
  const ours: Record<string, string | undefined> = {
    GH_CONFIG_DIR: ghFolder,
    // Newer versions of gh would ask another host by it.
    GH_API_URL: undefined,
    GITHUB_API_URL: admitted.apiUrl,
    GITHUB_GRAPHQL_URL: admitted.graphqlUrl,
    SQUAD_RATE_AGENT: agent,
    SQUAD_RATE_PRIORITY: String(priority),
    SQUAD_RATE_SESSION: session,
    SQUAD_RATE_STORE: settings.store,
    SQUAD_RATE_POOL: settings.pool,
    SQUAD_RATE_TRACE: settings.trace === false ? undefined : settings.trace,
    SQUAD_RATE_UPSTREAM: settings.upstream,
    SQUAD_RATE_HOST: settings.host,
    SQUAD_RATE_ALSO_HOSTS: settings.alsoHosts?.join(","),
    SQUAD_RATE_MAX_WAIT_MS: settings.maxWaitMs?.toString(),
    SQUAD_RATE_SOCKET: admitted.socketPath,
    SQUAD_RATE_API_URL: admitted.apiUrl,
    SQUAD_RATE_ROOTED_API_URL: admitted.rootedApiUrl,
  };
  if (runtimeFolder !== undefined) ours.SQUAD_RATE_RUNTIME_DIR = runtimeFolder;
  if (configFile !== undefined) ours.SQUAD_RATE_CONFIG = configFile;
  if (enterpriseHost !== undefined) ours.GH_HOST = env.GH_HOST || enterpriseHost;
  if (hasToken) {
    for (const name of TOKEN_VARIABLES) ours[name] = undefined;
    // gh asks for a login where it sees no token, and scripts read one variable or the other.
    for (const name of tokenVariables(enterpriseHost !== undefined)) ours[name] = INJECTED_TOKEN;
  }
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...env, ...ours })) if (value !== undefined) child[name] = value;
  return child;
}
