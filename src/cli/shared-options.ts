import { type Command, InvalidArgumentError, Option } from "commander";

/** The settings that a command can take by flags; see `Settings`. */
export type SettingFlag =
  | "store"
  | "agent"
  | "priority"
  | "session"
  | "trace"
  | "pool"
  | "maxWaitMs"
  | "upstream"
  | "host"
  | "alsoHosts";

/** What flags say, as far as they were given. */
export interface Flags {
  readonly store?: string;
  readonly agent?: string;
  readonly priority?: string;
  readonly session?: string;
  readonly trace?: string | false;
  readonly pool?: string;
  readonly maxWaitMs?: number;
  readonly upstream?: string;
  readonly host?: string;
  readonly alsoHost?: readonly string[];
  /** The configuration file; `false`: none is read. */
  readonly config?: string | false;
  readonly quiet?: boolean;
  readonly color?: boolean;
}

const SETTINGS_GROUP = "Settings (then the environment, then squad-rate.config.json):";
export const EVERYWHERE_GROUP = "Everywhere:";

/**
 * Adds the flags of settings to a command whose action reads them with `loadSettings(context, flagsOf(command))`.
 *
 * @example
 * ```ts
 * const command = addSettingOptions(new Command("status"), ["store", "pool"]);
 * ```
 */
export function addSettingOptions(command: Command, flags: readonly SettingFlag[]): Command {
  for (const flag of flags) for (const option of OPTIONS[flag]()) command.addOption(option.helpGroup(SETTINGS_GROUP));
  return command;
}

/** What proxies differ in, and whose their first client is. */
export const PROXY_SETTINGS: readonly SettingFlag[] = [
  "agent",
  "priority",
  "session",
  "upstream",
  "host",
  "alsoHosts",
  "store",
  "pool",
  "trace",
  "maxWaitMs",
];

/** The flags that every command takes. */
export function addEverywhereOptions(command: Command): Command {
  return command
    .addOption(new Option("--config <file>", "Read settings from this file.").helpGroup(EVERYWHERE_GROUP))
    .addOption(new Option("--no-config", "Read no configuration file.").helpGroup(EVERYWHERE_GROUP))
    .addOption(new Option("-q, --quiet", "No progress, no hints.").helpGroup(EVERYWHERE_GROUP))
    .addOption(new Option("--color", "Colour, also where output is no terminal.").helpGroup(EVERYWHERE_GROUP))
    .addOption(new Option("--no-color", "No colour.").helpGroup(EVERYWHERE_GROUP));
}

/** What the flags of this command and those above it say. */
export function flagsOf(command: Command): Flags {
  return command.optsWithGlobals<Flags>();
}

/** Collects an option that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** A parser of whole numbers, for `argParser`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** A parser of numbers with a fraction. */
export function anyNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d*\.?\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
  };
}

const MAX_WAIT_MS = 86_400_000;

const OPTIONS: Readonly<Record<SettingFlag, () => readonly Option[]>> = {
  store: () => [
    new Option("--store <uri>", "Where agents share quota and answers: file:<directory>, redis://…, postgres://…"),
  ],
  agent: () => [new Option("--agent <name>", "Whom calls are booked to.")],
  priority: () => [new Option("--priority <0|1|2>", "How much they matter: 0 is the most urgent.")],
  session: () => [new Option("--session <name>", "The piece of work they belong to.")],
  trace: () => [
    new Option("--trace <file>", "Where each call and each request is recorded."),
    new Option("--no-trace", "Record nothing."),
  ],
  pool: () => [new Option("--pool <name>", "Joins several tokens of one GitHub user.")],
  maxWaitMs: () => [
    new Option("--max-wait-ms <ms>", "How long a call may wait for quota.").argParser(wholeNumber(0, MAX_WAIT_MS)),
  ],
  upstream: () => [new Option("--upstream <url>", "The GitHub to ask: an Enterprise Server, or a simulated one.")],
  host: () => [new Option("--host <name>", "Which GitHub it is, as in GH_HOST.")],
  alsoHosts: () => [
    new Option("--also-host <name>", "One more host that may be asked; may be given again.").argParser(collect),
  ],
};
