import type { SimulatedExchange } from "../../../src/sim/index.js";
import { HIDDEN, type StormGitHub } from "./storm-github.js";

/** One window as GitHub counted it. Units, but for `resetAt` (epoch milliseconds). */
export interface WindowFigures {
  readonly resetAt: number;
  /** Spent by whomever. Refused requests, which GitHub counts as well, are no use. */
  readonly used: number;
  /** Requests of the pool that were refused, for whatever limit. */
  readonly refused: number;
  /** By name; the hidden consumer's is `hidden`. */
  readonly byAgent: Readonly<Record<string, number>>;
}

/** Whose request it was: the agents and the hidden consumer say so in the query. */
export function agentOf({ path }: SimulatedExchange): string {
  return new URLSearchParams(path.split("?")[1]).get("agent") ?? "nobody";
}

/** The first `count` windows: totals by GitHub's ledger, who and what by its log. */
export function windowFigures(github: StormGitHub, count: number): readonly WindowFigures[] {
  const windows = github.windows().slice(0, count);
  const byWindow = windows.map(() => ({ refused: 0, byAgent: {} as Record<string, number> }));
  for (const exchange of github.log) {
    // A request takes effect half-way between its arrival and its answer.
    const at = (exchange.startedAt + exchange.endedAt) / 2;
    const figures = byWindow[windows.findIndex(({ resetAt }) => at < resetAt)];
    if (figures === undefined) continue;
    const agent = agentOf(exchange);
    if (exchange.refusedBy === undefined)
      figures.byAgent[agent] = (figures.byAgent[agent] ?? 0) + exchange.chargedUnits;
    else if (agent !== HIDDEN) figures.refused += 1;
  }
  return windows.map(({ resetAt, chargedUnits, hiddenUnits, refusedByPrimary }, index) => ({
    resetAt,
    used: chargedUnits + hiddenUnits - refusedByPrimary,
    ...(byWindow[index] as { refused: number; byAgent: Record<string, number> }),
  }));
}
