/** How a call ended, as its agent saw it. */
export type Result = "answered" | "refused by GitHub" | "refused by the squad" | "failed";

/** What one agent has lived through. Times are milliseconds since the demo began. */
export interface AgentTally {
  readonly agent: string;
  readonly priority: 0 | 1 | 2;
  readonly results: Readonly<Record<Result, number>>;
  /** Answered without a unit of quota: confirmed by a 304, shared, or stale. */
  readonly free: number;
  readonly latenciesMs: readonly number[];
  /** When it last had an answer; 0 before the first. */
  readonly newsAtMs: number;
  /** The longest it has been without an answer while it had work. */
  readonly longestSilenceMs: number;
  /** It had something to do once, and has done it. */
  readonly finished: boolean;
}

/** How many calls each of a squad's agents had answered and refused, how fast, and how long each heard nothing. */
export class Tally {
  readonly #agents = new Map<
    string,
    { -readonly [K in keyof AgentTally]: AgentTally[K] } & { latenciesMs: number[] }
  >();
  readonly #unexpected: string[] = [];

  enrol(agent: string, priority: 0 | 1 | 2, startsAtMs: number): void {
    const results = { answered: 0, "refused by GitHub": 0, "refused by the squad": 0, failed: 0 };
    const none = { results, free: 0, latenciesMs: [], longestSilenceMs: 0, finished: false };
    this.#agents.set(agent, { agent, priority, newsAtMs: startsAtMs, ...none });
  }

  record(
    name: string,
    call: { readonly result: Result; readonly free: boolean; readonly durationMs: number; readonly atMs: number },
  ): void {
    const agent = this.#agent(name);
    agent.results = { ...agent.results, [call.result]: agent.results[call.result] + 1 };
    if (call.result !== "answered") return;
    if (call.free) agent.free++;
    agent.latenciesMs.push(call.durationMs);
    this.#silence(agent, call.atMs);
    agent.newsAtMs = call.atMs;
  }

  /** A failure that is nobody's limit: the demo should not have any. */
  unexpected(what: string): void {
    this.#unexpected.push(what);
  }

  /** The agent stops, because it has `done` all that it had to do or because the demo ends. */
  stop(name: string, atMs: number, done: boolean): void {
    const agent = this.#agent(name);
    this.#silence(agent, atMs);
    agent.finished = done;
  }

  get agents(): readonly AgentTally[] {
    return [...this.#agents.values()];
  }

  get failures(): readonly string[] {
    return this.#unexpected;
  }

  #agent(name: string) {
    const agent = this.#agents.get(name);
    if (agent === undefined) throw new RangeError(`No agent "${name}" was enrolled.`);
    return agent;
  }

  #silence(agent: { longestSilenceMs: number; readonly newsAtMs: number }, atMs: number): void {
    agent.longestSilenceMs = Math.max(agent.longestSilenceMs, atMs - agent.newsAtMs);
  }
}

/** Calls with this result, all agents together. */
export function total(tally: Tally, result: Result): number {
  return tally.agents.reduce((sum, { results }) => sum + results[result], 0);
}

/** The value that `share` (0 to 1) of the values do not exceed; undefined of none. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
