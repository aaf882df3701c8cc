import { resolve } from "node:path";
import type { Listening } from "../../../sim/index.js";
import { CommandEnd } from "../../command-end.js";
import type { CommandContext } from "../../context.js";
import { EXIT } from "../../exit-code.js";
import type { Flags } from "../../shared-options.js";
import { paintFor } from "../../show/paint.js";
import { runCommand } from "./run-command.js";
import { createSimulation, type SimulateFlags, type Simulation } from "./simulation.js";
import { startedLines, trafficLines } from "./simulation-words.js";

/** Serves until the process is told to end, or as long as the command runs; then says what was asked of it. */
export async function runSimulation(
  context: CommandContext,
  words: readonly string[],
  options: SimulateFlags,
  flags: Flags,
): Promise<void> {
  if (words.length > 0 && options.socket !== undefined) {
    throw new CommandEnd(EXIT.usage, {
      message: "a command cannot be told of a Unix socket",
      remedy: "leave out --socket, and the command finds the address in its environment",
    });
  }
  const simulation = createSimulation(options, context);
  const listening = await listen(simulation, options, context.cwd);
  try {
    if (words.length > 0) await serveCommand(context, words, simulation, listening, flags);
    else await serveUntilEnd(context, options, simulation, listening, flags);
  } finally {
    await listening.close();
  }
}

async function serveCommand(
  context: CommandContext,
  words: readonly string[],
  { token, traffic }: Simulation,
  { url }: Listening,
  flags: Flags,
): Promise<void> {
  const env = {
    ...context.env,
    GITHUB_TOKEN: token,
    GH_TOKEN: token,
    GITHUB_API_URL: url,
    GITHUB_GRAPHQL_URL: `${url}/graphql`,
    SQUAD_RATE_UPSTREAM: url,
  };
  const exitCode = await runCommand(words, env, context);
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
  { url }: Listening,
  flags: Flags,
): Promise<void> {
  const { out, env, cwd, signal } = context;
  const { socket, user, owner, repos, pulls, issues } = options;
  const paint = paintFor(out, env, flags.color);
  const started = {
    url,
    socket: socket === undefined ? undefined : resolve(cwd, socket),
    token,
    user,
    owner,
    repos,
    pulls,
    issues,
  };
  out.write(`${startedLines(started, paint).join("\n")}\n`);
  if (!signal.aborted) await new Promise((end) => signal.addEventListener("abort", end, { once: true }));
  // The terminal has shown ^C on a line that is still open.
  out.write(`${out.isTerminal ? "\r\u001b[2K" : ""}\n${trafficLines(traffic.list(), out, paint).join("\n")}\n`);
}

async function listen(
  { github }: Simulation,
  { port, socket, control }: SimulateFlags,
  cwd: string,
): Promise<Listening> {
  try {
    return await github.listen({
      ...(port === undefined ? {} : { port }),
      ...(socket === undefined ? {} : { socketPath: resolve(cwd, socket) }),
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
