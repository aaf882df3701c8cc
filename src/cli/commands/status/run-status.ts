import { CommandEnd } from "../../command-end.js";
import type { CommandContext } from "../../context.js";
import { EXIT } from "../../exit-code.js";
import { loadSettings } from "../../settings.js";
import type { Flags } from "../../shared-options.js";
import { paintFor } from "../../show/paint.js";
import { tableWidth } from "../../show/table.js";
import { renderStatus } from "./render.js";
import { type StatusSnapshot, takeSnapshot } from "./snapshot.js";
import { watch } from "./watch.js";

/** Options of `squad-rate status`. */
export interface StatusOptions {
  readonly all?: boolean;
  readonly json?: boolean;
  /** Seconds; `true`: as often as by default. */
  readonly watch?: number | true;
}

const WATCH_SECONDS = 2;

/** What `squad-rate status` does. */
export async function runStatus(context: CommandContext, options: StatusOptions, flags: Flags): Promise<void> {
  const settings = await loadSettings(context, flags);
  const { out, env } = context;
  const look = { paint: paintFor(out, env, flags.color), all: options.all };
  const take = (): Promise<StatusSnapshot> => takeSnapshot(context, settings, options.all);
  if (options.watch !== undefined) {
    const seconds = options.watch === true ? WATCH_SECONDS : options.watch;
    await watch(context, seconds * 1_000, async () => {
      const snapshot = await take();
      if (options.json === true) return [JSON.stringify(snapshot)];
      const problem = problemOf(snapshot);
      const lines = renderStatus(snapshot, { ...look, width: tableWidth(out) });
      return problem === undefined
        ? lines
        : [...lines, problem.remedy === undefined ? problem.message : `${problem.message}; ${problem.remedy}`];
    });
    return;
  }
  const snapshot = await take();
  if (options.json === true) out.write(`${JSON.stringify(snapshot, null, 2)}\n`);
  else {
    const lines = renderStatus(snapshot, { ...look, width: tableWidth(out) });
    if (lines.length > 0) out.write(`${lines.join("\n")}\n`);
  }
  const problem = problemOf(snapshot);
  if (problem !== undefined) throw problem;
}

/** Undefined if there was something to look at. */
function problemOf({ store, proxies }: StatusSnapshot): CommandEnd | undefined {
  if (store === null) {
    if (proxies.length > 0) return undefined;
    return new CommandEnd(EXIT.unavailable, {
      message: "no store is named, and no proxy of yours runs on this machine",
      remedy: "name the store of your agents with --store or SQUAD_RATE_STORE, or begin one with squad-rate exec",
    });
  }
  if (store.problem === null) return undefined;
  const { message, remedy } = store.problem;
  return new CommandEnd(EXIT.unavailable, { message, ...(remedy === undefined ? {} : { remedy }) });
}
