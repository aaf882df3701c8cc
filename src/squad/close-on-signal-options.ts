import type { Clock } from "../clock.js";
import { checkClock, checkInteger, checkMethods, checkRecord, optionError, requireChoice } from "../options/check.js";

/** What can be closed: a squad, a store, anything that is to end first. */
export interface Closeable {
  close(): Promise<unknown>;
}

/** Signals by which processes are told to end and that a process can hear. */
export type ClosingSignal = "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGQUIT" | "SIGBREAK" | "SIGUSR2";

/** Settings of {@link closeOnSignal}. */
export interface CloseOnSignalOptions {
  /**
   * The signals at which to close.
   * @defaultValue `["SIGTERM", "SIGINT"]`
   */
  readonly signals?: readonly ClosingSignal[] | undefined;
  /**
   * How long closing may take before the process ends all the same, in milliseconds from 0 to 600,000. Keep it below what
   * stands between the signal and SIGKILL: 30 s in Kubernetes, 10 s in Docker.
   * @defaultValue 5,000
   */
  readonly graceMs?: number | undefined;
  /**
   * Time, for tests and simulations.
   * @defaultValue the system's clock
   */
  readonly clock?: Clock | undefined;
}

const OPTION_KEYS: readonly (keyof CloseOnSignalOptions)[] = ["signals", "graceMs", "clock"];
const SIGNALS: readonly ClosingSignal[] = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGBREAK", "SIGUSR2"];
const USUAL: readonly ClosingSignal[] = ["SIGTERM", "SIGINT"];
const GRACE = { min: 0, max: 600_000, unit: "milliseconds" };

/** What {@link CloseOnSignalOptions} and the squads beside them come to. */
export interface ResolvedCloseOnSignal {
  readonly closeables: readonly Closeable[];
  readonly signals: readonly ClosingSignal[];
  readonly graceMs: number;
  readonly clock: Clock;
}

/** @throws SquadRateError `SQUAD_RATE_OPTIONS` that names the argument, its bound and the value. */
export function resolveCloseOnSignal(squads: unknown, options: unknown): ResolvedCloseOnSignal {
  const given = checkRecord("closeOnSignal", options, OPTION_KEYS);
  return {
    closeables: checkEach("closeOnSignal: squads", Array.isArray(squads) ? squads : [squads], checkCloseable),
    signals: checkEach("closeOnSignal.signals", given.signals === undefined ? USUAL : given.signals, checkSignal),
    graceMs: checkInteger("closeOnSignal.graceMs", given.graceMs, GRACE, 5_000),
    clock: checkClock("closeOnSignal.clock", given.clock),
  };
}

function checkEach<T>(path: string, values: unknown, check: (path: string, value: unknown) => T): readonly T[] {
  if (!Array.isArray(values) || values.length === 0) throw optionError(path, "an array of at least one", values);
  return Array.from(values, (value: unknown, index) => check(`${path}[${index}]`, value));
}

function checkCloseable(path: string, value: unknown): Closeable {
  checkMethods(path, value, ["close"], "a squad");
  return value as Closeable;
}

function checkSignal(path: string, value: unknown): ClosingSignal {
  return requireChoice(path, value, SIGNALS);
}
