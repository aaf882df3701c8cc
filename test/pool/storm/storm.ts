import { quotaKey } from "../../../src/pool/keys.js";
import { accountOf } from "./account.js";
import { AgentProcess } from "./agent-process.js";
import { castOf } from "./cast.js";
import { DocumentWatch } from "./document-watch.js";
import { type StormGitHub, startStormGitHub } from "./storm-github.js";
import { type WindowFigures, windowFigures } from "./windows.js";

/** What a {@link Storm} is made with. */
export interface StormOptions {
  readonly storeUrl: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly seed: number;
  /** Demand of the agents, and use by somebody outside the pool, as shares of the limit. */
  readonly demand: number;
  readonly hidden: number;
  /** What the agents' clocks are off by, in turn. */
  readonly clockSkewsMs: readonly number[];
  readonly maxWaitMs: number;
  readonly requestTimeoutMs: number;
  readonly storeTimeoutMs: number;
}

/** Eight agents in processes of their own, a GitHub, and an onlooker at their store. */
export class Storm {
  readonly options: StormOptions;
  readonly github: StormGitHub;
  readonly agents: readonly AgentProcess[];
  readonly watch: DocumentWatch;
  #startedAt = 0;
  #endedAt = Number.POSITIVE_INFINITY;

  private constructor(options: StormOptions, github: StormGitHub, watch: DocumentWatch) {
    this.options = options;
    this.github = github;
    this.watch = watch;
    const { storeUrl, maxWaitMs, requestTimeoutMs, storeTimeoutMs } = options;
    const { url: githubUrl, token } = github;
    const common = { githubUrl, token, storeUrl, poolName: POOL, maxWaitMs, requestTimeoutMs, storeTimeoutMs };
    this.agents = castOf(options, common).map((task) => new AgentProcess(task));
  }

  /** Starts everything; the agents call from then on. */
  static async start(options: StormOptions): Promise<Storm> {
    const { limit, windowMs, hidden, seed, storeUrl } = options;
    const github = await startStormGitHub({ limit, windowMs, hiddenPerWindow: hidden * limit, seed });
    const watch = await DocumentWatch.start(storeUrl, quotaKey({ host: github.host, name: POOL }, "core"));
    const storm = new Storm(options, github, watch);
    try {
      await storm.#begin();
    } catch (error) {
      await storm.remove();
      throw error;
    }
    return storm;
  }

  async #begin(): Promise<void> {
    await Promise.all(this.agents.map((agent) => agent.ready()));
    this.#startedAt = Date.now();
    for (const agent of this.agents) agent.go();
    // The answer that opens the first window tells the pool how long this GitHub's windows are.
    await this.github.opened(0);
    this.github.startHiddenUse();
  }

  /** When the agents were told to end; their last updates are none of the storm's. */
  get endedAt(): number {
    return this.#endedAt;
  }

  agent(name: string): AgentProcess {
    const found = this.agents.find((agent) => agent.name === name);
    if (found === undefined) throw new Error(`There is no agent ${name}.`);
    return found;
  }

  /** Resolves with its reset when this window (0 is the first) has been open for `ms`. */
  async inWindow(window: number, ms: number): Promise<number> {
    const resetAt = await this.github.opened(window);
    await until(resetAt - this.options.windowMs + ms);
    return resetAt;
  }

  /** Lets everybody who lives close and end. */
  async end(): Promise<readonly { readonly agent: string; readonly how: string; readonly stderr: string }[]> {
    this.#endedAt = Date.now();
    await this.watch.end();
    const living = this.agents.filter(({ killedAt }) => killedAt === undefined);
    return Promise.all(living.map(async (agent) => ({ agent: agent.name, ...(await agent.end()) })));
  }

  figures(windows: number): readonly WindowFigures[] {
    return windowFigures(this.github, windows);
  }

  account(windows: number): string {
    return accountOf(this.figures(windows), this.options.limit, this.agents, this.#startedAt);
  }

  /** Leaves no process behind. */
  async remove(): Promise<void> {
    await this.watch.end();
    await Promise.all(this.agents.map((agent) => agent.remove()));
    await this.github.close();
  }
}

/** Two tokens of one user would be two pools; a name joins whoever gives it. */
const POOL = "storm";

export function until(at: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, at - Date.now())));
}
