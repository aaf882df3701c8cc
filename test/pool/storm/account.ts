import type { AgentProcess } from "./agent-process.js";
import { HIDDEN } from "./storm-github.js";
import type { WindowFigures } from "./windows.js";

const MAX_LINES = 80;
/** What would fill the page: grants and denials come all the time, and every lost update is a fault. */
const EVERYDAY = new Set(["granted", "denied", "lent"]);
const MANY = new Set(["fault", "warning"]);

/** A storm in a screenful, so that a failure can be understood: windows by agent, calls by class, what was told. */
export function accountOf(
  windows: readonly WindowFigures[],
  limit: number,
  agents: readonly AgentProcess[],
  startedAt: number,
): string {
  const names = [...agents.map(({ name }) => name), HIDDEN];
  const rows = [
    ["window", "used", "%", "refused", ...names],
    ...windows.map(({ used, refused, byAgent }, index) => [
      index + 1,
      used,
      ((100 * used) / limit).toFixed(1),
      refused,
      ...names.map((name) => byAgent[name] ?? 0),
    ]),
  ];
  return [columns(rows), columns(classRows(agents)), ...notable(agents, startedAt)].join("\n");
}

function classRows(agents: readonly AgentProcess[]): readonly (readonly (string | number)[])[] {
  const outcomes = ["answered", "gave-up", "refused", "failed", "closed"] as const;
  const rows = [0, 1, 2].map((priority) => {
    const calls = agents.filter(({ task }) => task.priority === priority).flatMap((agent) => agent.linesOf("call"));
    const took = calls
      .filter(({ outcome }) => outcome === "answered")
      .map(({ startedAt, endedAt }) => endedAt - startedAt)
      .sort((a, b) => a - b);
    const at = (share: number): number => took[Math.floor(share * took.length)] ?? 0;
    const counts = outcomes.map((outcome) => calls.filter((call) => call.outcome === outcome).length);
    return [`P${priority}`, calls.length, ...counts, at(0.5), at(0.99), took.at(-1) ?? 0];
  });
  return [["class", "calls", ...outcomes, "p50 ms", "p99 ms", "max ms"], ...rows];
}

function notable(agents: readonly AgentProcess[], startedAt: number): readonly string[] {
  const lines = agents.flatMap((agent) => [
    ...agent
      .linesOf("event")
      .filter(({ name, payload }) => !MANY.has(name) && !EVERYDAY.has((payload as { kind?: string }).kind ?? ""))
      .map(({ at, name, payload }) => [at, agent.name, `${name} ${brief(payload)}`] as const),
    ...agent
      .linesOf("call")
      .filter(({ outcome }) => outcome === "failed" || outcome === "refused")
      .map(({ endedAt, outcome, why }) => [endedAt, agent.name, `call ${outcome}: ${why?.slice(0, 100)}`] as const),
    ...agent
      .linesOf("woke")
      .filter(({ at }) => at > startedAt)
      .map(({ at, sleptMs }) => [at, agent.name, `woke after ${sleptMs} ms`] as const),
    ...agent.linesOf("uncaught").map(({ at, what }) => [at, agent.name, `uncaught ${what}`] as const),
  ]);
  const sorted = lines.sort(([a], [b]) => a - b).map(([at, ...of]) => `${seconds(at - startedAt)} ${of.join(" ")}`);
  return sorted.length <= MAX_LINES
    ? sorted
    : [...sorted.slice(0, MAX_LINES), `… and ${sorted.length - MAX_LINES} more`];
}

/** What everybody knows is left out. */
function brief(payload: unknown): string {
  const { principal: _, host: __, resource: ___, store: ____, ...rest } = payload as Readonly<Record<string, unknown>>;
  return JSON.stringify(rest).slice(0, 200);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`.padStart(8);
}

function columns(rows: readonly (readonly (string | number)[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, String(cell).length);
    });
  return rows
    .map((row) => row.map((cell, index) => String(cell).padStart(widths[index] as number)).join("  "))
    .join("\n");
}
