import { launchProxy } from "../../proxy/control/launch.js";
import { obtainLease } from "../../proxy/control/obtain-lease.js";
import type { Admission, Admitted } from "../../proxy/control/protocol.js";
import { makeProxyFolder, openProxyFolder } from "../../proxy/control/proxy-folder.js";
import { runtimeRoot } from "../../proxy/control/runtime-root.js";
import { settledIn } from "../../proxy/control/settings.js";
import { CommandEnd } from "../command-end.js";
import type { CommandContext } from "../context.js";
import { EXIT } from "../exit-code.js";
import { loadSettings } from "../settings.js";
import type { Flags } from "../shared-options.js";
import { childEnvironment } from "./child-environment.js";
import { daemonProgram } from "./daemon-program.js";
import { endBySignal } from "./end-as.js";
import { hostOf, isEnterprise } from "./host.js";
import { injectedToken } from "./injected-token.js";
import { keepLease } from "./keep-lease.js";
import { notRun } from "./not-run.js";
import { createOverlay, sweepOverlays, userGhFolder } from "./overlay.js";
import { type ChildOutcome, runChild } from "./run-child.js";
import { whoAsks } from "./who-asks.js";

export interface ExecOptions {
  readonly injectToken?: boolean;
  readonly idleMinutes: number;
}

const MINUTE_MS = 60_000;

/** Runs `words` as a command whose calls to GitHub go through the proxy of this machine, and ends as it ends. */
export async function runExec(
  context: CommandContext,
  words: readonly string[],
  options: ExecOptions,
  flags: Flags,
): Promise<void> {
  const { env, clock, cwd } = context;
  const warn = (message: string): void => context.err.write(`squad-rate: ${message}\n`);
  const given = await loadSettings(context, flags);
  const { agent, priority, session } = whoAsks(given);
  const settings = settledIn(cwd, given);
  const enterprise = isEnterprise(settings) ? hostOf(settings) : undefined;
  const injected = injectedToken(env, options.injectToken === true, enterprise !== undefined);

  const root = runtimeRoot(env);
  const folder = openProxyFolder(root, settings);
  sweepOverlays(folder.overlays, clock.now());
  const admission: Admission = {
    agent,
    priority,
    session,
    ...(injected.kind === "token" ? { token: injected.token } : {}),
    ...(injected.kind === "outer" ? { tokenOf: injected.secret } : {}),
  };
  const program = daemonProgram(env);
  const obtain = (before?: Admitted) => {
    makeProxyFolder(folder, root.uid);
    return obtainLease(
      folder,
      before === undefined ? admission : { ...admission, socketPath: before.socketPath, secret: before.secret },
      () => launchProxy(folder, program, settings, options.idleMinutes * MINUTE_MS, clock),
      clock,
      Math.random,
    );
  };
  const first = await obtain();
  if (first.kind === "none") throw new CommandEnd(EXIT.unavailable, first);
  const { admitted } = first.lease;
  const lease = keepLease(first.lease, obtain, warn, clock);

  let outcome: ChildOutcome;
  try {
    const overlay = createOverlay(folder.overlays, {
      userFolder: userGhFolder(env),
      socketPath: admitted.socketPath,
      hasLogin: injected.kind === "none",
    });
    try {
      if (overlay.replaced !== undefined && overlay.replaced !== env.SQUAD_RATE_SOCKET) {
        warn(`the http_unix_socket of your gh configuration (${overlay.replaced}) is not used under exec`);
      }
      outcome = await runChild({
        command: words[0] as string,
        args: words.slice(1),
        cwd,
        env: childEnvironment(env, {
          admitted,
          ghFolder: overlay.path,
          agent,
          priority,
          session,
          settings,
          // As an absolute path: the command may be in another folder.
          runtimeFolder: env.SQUAD_RATE_RUNTIME_DIR ? root.path : undefined,
          configFile: flags.config !== undefined || env.SQUAD_RATE_CONFIG ? given.configFile : undefined,
          hasToken: injected.kind !== "none",
          enterpriseHost: enterprise,
        }),
      });
    } finally {
      overlay.remove();
    }
  } finally {
    lease.leave();
  }
  endAs(outcome, words[0] as string);
}

/** Not by returning: whatever of ours is still under way, such as coming back to a proxy, is of no use any more. */
function endAs(outcome: ChildOutcome, command: string): void {
  switch (outcome.kind) {
    case "exited":
      process.exit(outcome.code);
      break;
    case "signalled":
      endBySignal(outcome.signal);
      break;
    case "not-run":
      throw notRun(command, outcome);
  }
}
