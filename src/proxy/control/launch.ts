import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { type Clock, sleep } from "../../clock.js";
import { isServed } from "./is-served.js";
import { readProcessFile } from "./process-file.js";
import type { ProxyFolder } from "./proxy-folder.js";
import type { ProxySettings } from "./settings.js";

/** How the program that serves is run. */
export interface Program {
  readonly command: string;
  /** Everybody on the machine can read them: no secret may be among them. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** What the program is told on its standard input, where nobody else reads it. */
export interface Orders {
  readonly folder: string;
  readonly settings: ProxySettings;
  /** To be had again, if it is free. */
  readonly port: number;
  readonly idleMs: number;
}

export type Launched = { readonly kind: "up" } | { readonly kind: "failed"; readonly why: string };

/** Longer than a lock that cannot be read counts as somebody's. */
const START_MS = 15_000;
const LOOK_AGAIN_MS = 20;
/** Of the log, in an error. */
const TAIL_CHARACTERS = 600;

/**
 * Starts a proxy that outlives this process, and waits until it answers. To be called under the folder's start lock, or two
 * would be started, of which one gives up.
 */
export async function launchProxy(
  folder: ProxyFolder,
  program: Program,
  settings: ProxySettings,
  idleMs: number,
  clock: Clock,
): Promise<Launched> {
  const port = readProcessFile(folder.processFile)?.port ?? 0;
  const orders: Orders = { folder: folder.path, settings, port, idleMs };
  // Emptied by "w"; both ends append, so that it can be cut short while it is written.
  closeSync(openSync(folder.log, "w", 0o600));
  const log = openSync(folder.log, "a", 0o600);
  const child = spawn(program.command, program.args, {
    cwd: program.cwd,
    env: program.env,
    detached: true,
    stdio: ["pipe", log, log],
  });
  closeSync(log);
  let ended: string | undefined;
  child.once("error", (error) => {
    ended = error.message;
  });
  child.once("exit", (code, signal) => {
    ended = `it ended with ${signal ?? code}`;
  });
  // It may end before it has read.
  child.stdin?.on("error", () => {});
  child.stdin?.end(JSON.stringify(orders));
  child.unref();

  const until = clock.monotonic() + START_MS;
  for (;;) {
    if (await isServed(folder.controlSocket)) return { kind: "up" };
    if (ended !== undefined) return { kind: "failed", why: `${ended}: ${tailOf(folder.log)}` };
    if (clock.monotonic() >= until) {
      child.kill("SIGTERM");
      return { kind: "failed", why: `it did not answer within ${START_MS / 1_000} s: ${tailOf(folder.log)}` };
    }
    await sleep(clock, LOOK_AGAIN_MS);
  }
}

function tailOf(path: string): string {
  const text = readFileSync(path, "utf8").trim();
  if (text === "") return `its log ${path} is empty`;
  return text.length > TAIL_CHARACTERS ? `…${text.slice(-TAIL_CHARACTERS)}` : text;
}
