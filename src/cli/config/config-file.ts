import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { describeValue, isCredential } from "../../options/describe-value.js";
import { nearestKey } from "../../options/nearest-key.js";
import { CommandEnd } from "../command-end.js";
import type { CheckedSettings } from "../config.js";
import { EXIT } from "../exit-code.js";
import { checkSetting, SETTING_KEYS } from "./check-setting.js";
import { parseJson } from "./parse-json.js";

/** The name of the file that is looked for. */
export const CONFIG_FILE = "squad-rate.config.json";

/** A configuration file that has been read and checked. */
export interface ReadConfig {
  /** Its absolute path. */
  readonly file: string;
  /** How it is called in messages. */
  readonly shown: string;
  readonly settings: CheckedSettings;
}

/** Where to look: in `cwd` and its parents, up to `home` or the root. */
export interface Places {
  readonly cwd: string;
  readonly home: string;
}

/** Reads the file that was named. */
export async function readNamedConfig(name: string, { cwd }: Places): Promise<ReadConfig> {
  const file = resolve(cwd, name);
  const text = await textOf(file);
  if (text !== undefined) return configOf(file, text, cwd);
  throw new CommandEnd(EXIT.usage, {
    message: `there is no configuration file ${shownPath(file, cwd)}`,
    remedy: "give --config the path of one, or leave it out",
  });
}

/** Reads the nearest file of the usual name; undefined if there is none. */
export async function readNearestConfig({ cwd, home }: Places): Promise<ReadConfig | undefined> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, CONFIG_FILE);
    const text = await textOf(file);
    if (text !== undefined) return configOf(file, text, cwd);
    if (folder === resolve(home) || folder === dirname(folder)) return undefined;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // A folder of that name, or a file where a folder should be, is no configuration.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR") return undefined;
    throw new CommandEnd(EXIT.usage, {
      message: `${file} cannot be read (${code ?? "unknown reason"})`,
      remedy: "make it readable, or pass --no-config",
      cause,
    });
  }
}

/** Relative where that is shorter to read. */
function shownPath(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return path.startsWith("..") ? file : path;
}

function configOf(file: string, text: string, cwd: string): ReadConfig {
  const shown = shownPath(file, cwd);
  const record = parseJson(shown, text);
  if (typeof record !== "object" || record === null || Array.isArray(record)) {
    throw new CommandEnd(EXIT.usage, {
      message: `${shown} must hold an object; it holds ${describeValue(record)}`,
      remedy: 'begin with { "store": "file:~/.squad/store" }',
    });
  }
  refuseSecrets(shown, record);
  const settings: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    const known = SETTING_KEYS.find((one) => one === key);
    if (known !== undefined) settings[known] = checkSetting(known, value, `${shown}: ${known}`, dirname(file));
    else if (key !== "$schema") throw unknownKey(shown, key);
  }
  return { file, shown, settings };
}

function unknownKey(shown: string, key: string): CommandEnd {
  const meant = nearestKey(key, SETTING_KEYS);
  return new CommandEnd(EXIT.usage, {
    message: `${shown}: there is no setting ${describeValue(key)}`,
    remedy: meant === undefined ? `there are: ${SETTING_KEYS.join(", ")}` : `did you mean "${meant}"?`,
  });
}

const PASSWORD_IN_URL = /:\/\/[^/@\s]*:[^/@\s]+@|[?&]\w*(?:password|pwd|secret|token)=/i;

/** Files are committed, copied and backed up. */
function refuseSecrets(shown: string, record: object): void {
  for (const [key, value] of Object.entries(record)) {
    const texts = [key, ...(Array.isArray(value) ? value : [value])].filter((one) => typeof one === "string");
    if (!texts.some((text) => isCredential(text) || PASSWORD_IN_URL.test(text))) continue;
    throw new CommandEnd(EXIT.usage, {
      message: `${shown}: ${describeValue(key)} holds what looks like a credential, which belongs never in a file`,
      remedy:
        key === "store"
          ? "say the address in SQUAD_RATE_STORE instead"
          : "take it out, and revoke it if others could read the file; tokens come from GITHUB_TOKEN or gh's login",
    });
  }
}
