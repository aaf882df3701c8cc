import { constants } from "node:os";
import { resolve } from "node:path";
import type { Listening } from "../../../sim/index.js";
import { CommandEnd } from "../../command-end.js";
import type { CommandContext } from "../../context.js";
import { notRun } from "../../exec/not-run.js";
import { type ChildOutcome, runChild } from "../../exec/run-child.js";
import { EXIT, type ExitCode } from "../../exit-code.js";
import type { Flags } from "../../shared-options.js";
import { paintFor } from "../../show/paint.js";
import { endProxies } from "./end-proxies.js";
import { createSimulation, type SimulateFlags, type Simulation } from "./simulation.js";
import { startedLines, trafficLines } from "./simulation-words.js";

/** Serves until the process is told to end, or as long as the command runs; then says what was asked of it. */
export async function runSimulation(
  context: CommandContext,
  words: readonly string[],
  options: SimulateFlags,
  flags: Flags,
): Promise<void> {
  const simulation = createSimulation(options, context);
  const listening = await listen(simulation, options, socketOf(options, context));
  const address = addressOf(listening, socketOf(options, context));
  try {
    if (words.length > 0) await serveCommand(context, words, simulation, address, flags);
    else await serveUntilEnd(context, options, simulation, listening, flags);
  } finally {
    await endProxies(address.upstream, context);
    await listening.close();
  }
}

async function serveCommand(
  context: CommandContext,
  words: readonly string[],
  { token, traffic }: Simulation,
  address: Address,
  flags: Flags,
): Promise<void> {
  const { apiUrl, upstream } = address;
  const env = {
    ...context.env,
    GITHUB_TOKEN: token,
    GH_TOKEN: token,
    SQUAD_RATE_UPSTREAM: upstream,
    // One that is there already would lead to another GitHub.
    GITHUB_API_URL: apiUrl,
    GITHUB_GRAPHQL_URL: apiUrl === undefined ? undefined : `${apiUrl}/graphql`,
  };
  const [command = "", ...args] = words;
  const exitCode = exitCodeOf(command, await runChild({ command, args, env, cwd: context.cwd }));
  if (flags.quiet !== true) {
    const paint = paintFor(context.err, context.env, flags.color);
    const lines = trafficLines(traffic.list(), context.err, paint);
    context.err.write(`\n${lines.join("\n")}\n`);
  }
  if (exitCode !== EXIT.ok) throw new CommandEnd(exitCode);
}

async function serveUntilEnd(
  context: CommandContext,
  options: SimulateFlags,
  { token, traffic }: Simulation,
  listening: Listening,
  flags: Flags,
): Promise<void> {
  const { out, env, signal } = context;
  const { user, owner, repos, pulls, issues } = options;
  const paint = paintFor(out, env, flags.color);
  const socket = socketOf(options, context);
  const { upstream } = addressOf(listening, socket);
  const started = { upstream, socket, token, user, owner, repos, pulls, issues };
  out.write(`${startedLines(started, paint).join("\n")}\n`);
  if (!signal.aborted) await new Promise((end) => signal.addEventListener("abort", end, { once: true }));
  // The terminal has shown ^C on a line that is still open.
  out.write(`${out.isTerminal ? "\r\u001b[2K" : ""}\n${trafficLines(traffic.list(), out, paint).join("\n")}\n`);
}

/** Where it is, for those that come over HTTP, and for squads. */
interface Address {
  /** None over a Unix socket. */
  readonly apiUrl: string | undefined;
  readonly upstream: string;
}

function addressOf({ url }: Listening, socket: string | undefined): Address {
  if (socket === undefined) return { apiUrl: url, upstream: url };
  return { apiUrl: undefined, upstream: `http+unix://${encodeURI(socket)}` };
}

function socketOf({ socket }: SimulateFlags, { cwd }: CommandContext): string | undefined {
  return socket === undefined ? undefined : resolve(cwd, socket);
}

function exitCodeOf(command: string, outcome: ChildOutcome): ExitCode {
  switch (outcome.kind) {
    case "exited":
      return outcome.code;
    case "signalled":
      return 128 + constants.signals[outcome.signal];
    case "not-run":
      throw notRun(command, outcome);
  }
}

async function listen(
  { github }: Simulation,
  { port, control }: SimulateFlags,
  socket: string | undefined,
): Promise<Listening> {
  try {
    return await github.listen({
      ...(port === undefined ? {} : { port }),
      ...(socket === undefined ? {} : { socketPath: socket }),
      ...(control === undefined ? {} : { control }),
    });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const where = socket ?? `port ${port}`;
    throw new CommandEnd(EXIT.unavailable, {
      message: `it cannot listen on ${where} (${code === "EADDRINUSE" ? "somebody else does" : (code ?? "unknown reason")})`,
      remedy: socket === undefined ? "give another --port, or none" : "give another --socket, or take the old one away",
      cause,
    });
  }
}
