import { CommandEnd } from "../../command-end.js";
import type { CommandContext } from "../../context.js";
import { isEnterprise } from "../../exec/host.js";
import { EXIT } from "../../exit-code.js";
import { loadSettings } from "../../settings.js";
import type { Flags } from "../../shared-options.js";
import { paintFor } from "../../show/paint.js";
import { showProgress } from "../../show/progress.js";
import { tableWidth } from "../../show/table.js";
import { askGitHub, type GitHubAnswer } from "./ask-github.js";
import { type Check, runCheck } from "./check.js";
import { ghCheck } from "./check-gh.js";
import { clockCheck, tokenCheck } from "./check-github.js";
import { nodeCheck } from "./check-node.js";
import { runtimeCheck } from "./check-runtime.js";
import { type LoadedSettings, leftOut, settingsCheck } from "./check-settings.js";
import { storeCheck } from "./check-store.js";
import { traceCheck } from "./check-trace.js";
import { renderResult, showsUnicode } from "./render.js";

const WIDEST = 110;

/** What `squad-rate doctor` does. */
export async function runDoctor(
  context: CommandContext,
  { json = false }: { readonly json?: boolean },
  flags: Flags,
): Promise<void> {
  const { clock, env, err, out } = context;
  const loaded = await load(context, flags);
  const checks = checksOf(context, loaded);
  const left = new Set(checks.map(({ name }) => name));
  const progress = showProgress({
    output: err,
    clock,
    text: () => `looking at ${[...left].join(", ")}`,
    quiet: flags.quiet,
  });
  const results = await Promise.all(
    checks.map((check) => runCheck(check, clock).finally(() => left.delete(check.name))),
  ).finally(() => progress.end());
  const ok = results.every(({ state }) => state !== "bad");
  if (json) out.write(`${JSON.stringify({ version: 1, ok, checks: results }, null, 2)}\n`);
  else {
    const width = Math.min(tableWidth(out), WIDEST);
    const look = { width, paint: paintFor(out, env, flags.color), unicode: showsUnicode(env) };
    out.write(`${results.flatMap((result) => renderResult(result, look)).join("\n")}\n`);
  }
  if (!ok) throw new CommandEnd(EXIT.found);
}

async function load(context: CommandContext, flags: Flags): Promise<LoadedSettings> {
  try {
    return { kind: "loaded", settings: await loadSettings(context, flags) };
  } catch (error) {
    return { kind: "failed", error };
  }
}

function checksOf(context: CommandContext, loaded: LoadedSettings): readonly Check[] {
  const { env, clock } = context;
  const general = [nodeCheck(process.version), settingsCheck(loaded)];
  if (loaded.kind === "failed") {
    const rest = ["store", "token", "clock", "gh"].map(leftOut);
    return [...general, ...rest, runtimeCheck(env, clock), leftOut("trace")];
  }
  const { settings } = loaded;
  const names = isEnterprise(settings)
    ? ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]
    : ["GH_TOKEN", "GITHUB_TOKEN"];
  const token = names.map((name) => env[name]).find((value) => value !== undefined && value !== "");
  let asked: Promise<GitHubAnswer> | undefined;
  const ask = (): Promise<GitHubAnswer> => {
    asked ??= askGitHub(settings, token, () => clock.now());
    return asked;
  };
  return [
    ...general,
    storeCheck(context, settings.store),
    tokenCheck(token, ask),
    clockCheck(ask),
    ghCheck(env, settings),
    runtimeCheck(env, clock),
    traceCheck(settings.trace),
  ];
}
