import { INJECTED_TOKEN } from "../../proxy/options.js";
import { CommandEnd } from "../command-end.js";
import { EXIT } from "../exit-code.js";

type Environment = Readonly<Record<string, string | undefined>>;

const CLOUD: readonly string[] = ["GH_TOKEN", "GITHUB_TOKEN"];
const ENTERPRISE: readonly string[] = ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];

/** Every variable in which gh looks for a token. */
export const TOKEN_VARIABLES: readonly string[] = [...CLOUD, ...ENTERPRISE];

/** Those of them that are for github.com, or for an Enterprise Server. */
export function tokenVariables(isEnterprise: boolean): readonly string[] {
  return isEnterprise ? ENTERPRISE : CLOUD;
}

/** Whose token the proxy is to add. */
export type InjectedToken =
  | { readonly kind: "none" }
  | { readonly kind: "token"; readonly token: string }
  /** That of the command around this one, by its secret. */
  | { readonly kind: "outer"; readonly secret: string };

/**
 * The token that is to be added for a command whose environment is `env`, by gh's rules: another host's is never taken.
 *
 * @throws CommandEnd when there is to be one and there is none.
 */
export function injectedToken(env: Environment, isWanted: boolean, isEnterprise: boolean): InjectedToken {
  const names = tokenVariables(isEnterprise);
  const token = names.map((name) => env[name]).find((value) => value !== undefined && value !== "");
  if (token === INJECTED_TOKEN) {
    const secret = outerSecret(env);
    if (secret !== undefined) return { kind: "outer", secret };
  } else if (!isWanted) {
    return { kind: "none" };
  } else if (token !== undefined) {
    return { kind: "token", token };
  }
  throw new CommandEnd(EXIT.usage, {
    message: `--inject-token finds no token in ${names.join(" or ")}`,
    remedy: `set one, as in ${names[0]}=$(gh auth token) squad-rate exec --inject-token …`,
  });
}

/** The secret in the base URL that a command around this one has set. */
function outerSecret(env: Environment): string | undefined {
  return /^http:\/\/127\.0\.0\.1:\d+\/([\w-]{43})(?:\/|$)/.exec(env.SQUAD_RATE_API_URL ?? "")?.[1];
}
