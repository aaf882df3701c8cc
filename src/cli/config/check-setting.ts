import { resolve } from "node:path";
import { isSquadRateError, SquadRateError } from "../../errors.js";
import { checkInteger, checkPath, checkPriority, optionError } from "../../options/check.js";
import { checkKeyPart, checkLabel } from "../../options/check-name.js";
import { isCredential } from "../../options/describe-value.js";
import { MAX_WAIT_MS } from "../../options/resolve.js";
import { checkProxyOptions } from "../../proxy/check-options.js";
import type { ProxyOptions } from "../../proxy/options.js";
import { parseStoreAddress } from "../../store/address.js";
import { CommandEnd } from "../command-end.js";
import type { CheckedSettings, SettingKey } from "../config.js";
import { EXIT } from "../exit-code.js";

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

const CHECKS: Checks = {
  store: checkStore,
  agent: (value, name) => checkLabel(name, value, undefined),
  priority: (value, name) => checkPriority(name, value, 1),
  session: (value, name) => checkLabel(name, value, undefined),
  trace: (value, name, folder) => (value === false ? false : checkTrace(value, name, folder)),
  pool: (value, name) => checkKeyPart(name, value),
  maxWaitMs: (value, name) => checkInteger(name, value, { min: 0, max: MAX_WAIT_MS, unit: "milliseconds" }, 0),
  upstream: checkUpstream,
  host: checkHost,
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

/** What only the proxy uses is checked as the proxy checks it. */
function checkForProxy(option: keyof ProxyOptions, value: unknown, name: string): void {
  // It takes any host that looks like one, and so do many tokens.
  const texts = Array.isArray(value) ? value : [value];
  if (texts.some((text) => typeof text === "string" && isCredential(text))) {
    throw optionError(name, "an address, never a credential", value);
  }
  try {
    checkProxyOptions({ [option]: value });
  } catch (error) {
    if (!isSquadRateError(error)) throw error;
    // An object stands for what must not be shown.
    const inOurs = (text: string): string =>
      text.replaceAll(`proxy.${option}`, () => name).replace(/; got an object\.$/, ".");
    const { code, message, remedy } = error;
    throw new SquadRateError(code, inOurs(message), { remedy: remedy && inOurs(remedy) });
  }
}

function checkUpstream(value: unknown, name: string): string {
  checkForProxy("upstream", value, name);
  return value as string;
}

function checkHost(value: unknown, name: string): string {
  checkForProxy("host", value, name);
  return value as string;
}

function checkHosts(value: unknown, name: string): readonly string[] {
  checkForProxy("alsoHosts", value, name);
  return value as readonly string[];
}
