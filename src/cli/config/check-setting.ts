import { resolve } from "node:path";
import { checkInteger, checkPath, checkPriority, optionError } from "../../options/check.js";
import { checkKeyPart, checkLabel } from "../../options/check-name.js";
import { isCredential } from "../../options/describe-value.js";
import { MAX_WAIT_MS } from "../../options/resolve.js";
import type { Priority } from "../../options/types.js";
import { parseStoreAddress } from "../../store/address.js";
import { CommandEnd } from "../command-end.js";
import type { SettingKey } from "../config.js";
import { EXIT } from "../exit-code.js";

/** Every setting after its check. */
export interface CheckedSettings {
  readonly store?: string | undefined;
  readonly agent?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly session?: string | undefined;
  readonly trace?: string | false | undefined;
  readonly pool?: string | undefined;
  readonly maxWaitMs?: number | undefined;
  readonly upstream?: string | undefined;
  readonly host?: string | undefined;
  readonly alsoHosts?: readonly string[] | undefined;
}

/** Checks one setting: `name` is how errors call it, `folder` what relative paths are relative to. */
export function checkSetting<K extends SettingKey>(
  key: K,
  value: unknown,
  name: string,
  folder: string,
): CheckedSettings[K] {
  if (value === undefined) return undefined;
  return CHECKS[key](value, name, folder);
}

export const SETTING_KEYS: readonly SettingKey[] = [
  "store",
  "agent",
  "priority",
  "session",
  "trace",
  "pool",
  "maxWaitMs",
  "upstream",
  "host",
  "alsoHosts",
];

type Checks = { readonly [K in SettingKey]: (value: unknown, name: string, folder: string) => CheckedSettings[K] };

const MAX_HOSTS = 100;

const CHECKS: Checks = {
  store: checkStore,
  agent: (value, name) => checkLabel(name, value, undefined),
  priority: (value, name) => checkPriority(name, value, 1),
  session: (value, name) => checkLabel(name, value, undefined),
  trace: (value, name, folder) => (value === false ? false : checkTrace(value, name, folder)),
  pool: (value, name) => checkKeyPart(name, value),
  maxWaitMs: (value, name) => checkInteger(name, value, { min: 0, max: MAX_WAIT_MS, unit: "milliseconds" }, 0),
  upstream: checkUpstream,
  host: (value, name) => checkHost(value, name, HOST, "the name of a host, such as github.com"),
  alsoHosts: checkHosts,
};

function checkStore(value: unknown, name: string, folder: string): string {
  if (typeof value !== "string") throw optionError(name, "the address of a store, such as file:~/.squad/store", value);
  try {
    const address = parseStoreAddress(value);
    return address.kind === "file" ? `file:${pathFrom(folder, address.path)}` : value;
  } catch (cause) {
    const { message } = cause as Error;
    throw new CommandEnd(EXIT.usage, {
      message: `${name}: ${message}`,
      remedy: "the address is not shown here because it may hold a password",
      cause,
    });
  }
}

function checkTrace(value: unknown, name: string, folder: string): string {
  const path = checkPath(name, value) as string;
  if (isCredential(path)) throw optionError(name, "the path of a file", value);
  return pathFrom(folder, path);
}

/** A `~` is left for whoever opens it. */
function pathFrom(folder: string, path: string): string {
  return /^~(?=$|[/\\])/.test(path) ? path : resolve(folder, path);
}

const UPSTREAM = "the address of a server, http:// or https://, with neither user nor query";

function checkUpstream(value: unknown, name: string): string {
  if (typeof value !== "string" || !URL.canParse(value)) throw optionError(name, UPSTREAM, value);
  const { protocol, username, password, search, hash } = new URL(value);
  const plain = /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === "");
  if (!plain || isCredential(value)) throw optionError(name, UPSTREAM, value);
  return value;
}

/** A host name, or a port after it. */
const HOST = /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?$/;
const HOST_OR_SUBDOMAINS = /^(?=.{1,253}$)(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?$/;

function checkHost(value: unknown, name: string, pattern: RegExp, rule: string): string {
  if (typeof value !== "string" || !pattern.test(value) || isCredential(value)) throw optionError(name, rule, value);
  return value;
}

function checkHosts(value: unknown, name: string): readonly string[] {
  if (!Array.isArray(value) || value.length > MAX_HOSTS) {
    throw optionError(name, `a list of at most ${MAX_HOSTS} host names`, value);
  }
  return value.map((host: unknown, index) =>
    checkHost(host, `${name}[${index}]`, HOST_OR_SUBDOMAINS, "the name of a host, with or without a leading *."),
  );
}
