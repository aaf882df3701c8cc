import type { Priority, PriorityName } from "../options.js";

/** What `squad-rate.config.json` may say. Flags come first, then the environment, then this. */
export interface ConfigFile {
  readonly $schema?: string | undefined;
  readonly store?: string | undefined;
  readonly agent?: string | undefined;
  readonly priority?: Priority | PriorityName | undefined;
  readonly session?: string | undefined;
  readonly trace?: string | false | undefined;
  /** Joins several tokens of one GitHub user; see the option `pool.name`. */
  readonly pool?: string | undefined;
  readonly maxWaitMs?: number | undefined;
  readonly upstream?: string | undefined;
  readonly host?: string | undefined;
  readonly alsoHosts?: readonly string[] | undefined;
}

/** Where a setting came from, for `doctor` and for errors: `--store`, `SQUAD_RATE_STORE`, or the file and its key. */
export type SettingOrigin = string;

/** What can be set. */
export type SettingKey = Exclude<keyof ConfigFile, "$schema">;

/** Every setting after its check. Paths are absolute, unless they begin with `~`. */
export interface CheckedSettings extends Omit<ConfigFile, "$schema" | "priority"> {
  readonly priority?: Priority | undefined;
}

/** The settings that commands share, from flags, then environment, then file. */
export interface Settings extends CheckedSettings {
  /** The file that was read; undefined when there is none. */
  readonly configFile: string | undefined;
  readonly origins: Readonly<Partial<Record<SettingKey, SettingOrigin>>>;
}
