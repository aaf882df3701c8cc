import { type Clock, sleep } from "../../clock.js";
import type { FleetAgent, FleetClient } from "./client.js";
import type { MeasuredTime } from "./exchange-tally.js";
import { failureName } from "./failure-name.js";
import type { FleetSession, PollNeeds } from "./needs.js";
import type { FleetProcess } from "./process.js";
import type { FleetPolls } from "./report.js";
import { NameTally, TimeTally } from "./times.js";
import { unmetNeeds } from "./unmet-needs.js";
import type { WatchedWorld } from "./watched-world.js";

/** Sessions that are polled for together, and by whom. */
export interface PollGroup {
  readonly agents: readonly FleetAgent[];
  readonly client: FleetClient;
  readonly process: FleetProcess;
  /** When it begins and when no poll begins any more, epoch milliseconds. */
  readonly from: number;
  readonly until: number;
  readonly everyMs: number;
}

/** What {@link Polls} is made with. */
export interface PollsOptions {
  readonly clock: Clock;
  readonly world: WatchedWorld;
  readonly measured: MeasuredTime;
  readonly sessions: readonly FleetSession[];
  readonly targetMs: number;
}

/** Polls again and again, and looks at what it comes to. */
export class Polls {
  readonly #options: PollsOptions;
  readonly #neighbours = new Map<string, FleetSession[]>();
  readonly #underWay = new Map<PollGroup, number>();
  readonly #cycle = new TimeTally();
  readonly #took = new TimeTally();
  readonly #unmet = new NameTally();
  readonly #failures = new NameTally();
  #count = 0;
  #failed = 0;

  constructor(options: PollsOptions) {
    this.#options = options;
    for (const session of options.sessions) {
      const neighbours = this.#neighbours.get(session.repo);
      if (neighbours === undefined) this.#neighbours.set(session.repo, [session]);
      else neighbours.push(session);
    }
  }

  /** Sessions whose poll has begun and not ended, of processes that are alive. */
  get open(): number {
    return [...this.#underWay.keys()].reduce((sum, { agents, process }) => sum + (process.dead ? 0 : agents.length), 0);
  }

  /** A poll that takes longer than it should is followed by the next at once. */
  async repeat(group: PollGroup): Promise<void> {
    const { clock } = this.#options;
    const { from, until, everyMs, process, agents } = group;
    for (let at = from, before: number | undefined; at < until; at = Math.max(at + everyMs, clock.now())) {
      await sleep(process.clock, at - clock.now());
      const startedAt = clock.now();
      if (before !== undefined && this.#isMeasured(startedAt)) this.#cycle.add(startedAt - before, agents.length);
      before = startedAt;
      await this.#poll(group, startedAt);
      // Nothing follows the last poll, but what was too slow would have been followed at once.
      const tookMs = clock.now() - startedAt;
      if (startedAt + tookMs >= until && tookMs > everyMs) this.#cycle.add(tookMs, agents.length);
    }
  }

  figures(): FleetPolls {
    return {
      count: this.#count,
      failed: this.#failed,
      open: this.open,
      targetMs: this.#options.targetMs,
      cycle: this.#cycle.times(),
      took: this.#took.times(),
      unmet: this.#unmet.counts(),
      failures: this.#failures.counts(),
    };
  }

  async #poll(group: PollGroup, startedAt: number): Promise<void> {
    const { agents, client } = group;
    const isMeasured = this.#isMeasured(startedAt);
    if (isMeasured) this.#count += agents.length;
    this.#underWay.set(group, startedAt);
    try {
      const held = await client.poll(agents);
      const now = this.#options.clock.now();
      if (isMeasured) this.#took.add(now - startedAt, agents.length);
      for (const agent of agents) this.#judge(agent, held.get(agent), startedAt, now);
    } catch (error) {
      if (isMeasured) this.#failed += agents.length;
      this.#failures.add(failureName(error), agents.length);
    } finally {
      this.#underWay.delete(group);
    }
  }

  #judge({ session }: FleetAgent, needs: PollNeeds | undefined, from: number, to: number): void {
    if (session === undefined || needs === undefined) {
      this.#unmet.add("missing");
      return;
    }
    const truthsOf = (one: FleetSession) => this.#options.world.truths(one, from, to);
    const neighbours = this.#neighbours.get(session.repo) ?? [];
    for (const need of unmetNeeds(needs, session, neighbours, truthsOf)) this.#unmet.add(need);
  }

  #isMeasured(at: number): boolean {
    const { from, to } = this.#options.measured;
    return at >= from && at < to;
  }
}
