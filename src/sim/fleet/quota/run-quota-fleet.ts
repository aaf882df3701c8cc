import { createRandom, type Random } from "../../github/random.js";
import { QuotaWindows } from "../../github/windows.js";
import { createEventLoop, type EventLoop } from "../event-loop.js";
import { FleetProcess } from "../process.js";
import type { QuotaClient, QuotaClientFactory, QuotaWorld } from "./client.js";
import type { QuotaAgent, QuotaMishap, QuotaScenario } from "./scenario.js";
import { FleetStore } from "./store.js";
import { type QuotaReport, Tally } from "./tally.js";

/** Midnight, so that resets are easy to read. */
const START_AT = Date.UTC(2030, 0, 1);

/** Runs a scenario with one client per process, and counts what became of it. */
export function runQuotaFleet(scenario: QuotaScenario, createClient: QuotaClientFactory): QuotaReport {
  return new Fleet(scenario, createClient).run();
}

interface Member {
  readonly process: FleetProcess;
  readonly client: QuotaClient;
}

class Fleet {
  readonly #scenario: QuotaScenario;
  readonly #loop: EventLoop;
  readonly #windows: QuotaWindows;
  readonly #members = new Map<string, Member>();
  readonly #store: FleetStore;
  readonly #tally: Tally;
  readonly #random: {
    readonly arrivals: Random;
    readonly net: Random;
    readonly hidden: Random;
    readonly clocks: Random;
  };

  constructor(scenario: QuotaScenario, createClient: QuotaClientFactory) {
    const { seed } = scenario;
    this.#scenario = scenario;
    this.#loop = createEventLoop(START_AT);
    this.#windows = new QuotaWindows(
      { resetJitterMs: scenario.resetJitterMs, twoRegions: false },
      createRandom(seed + 5),
    );
    // A stream for each purpose: a change in one part leaves the others' draws alone.
    this.#random = {
      arrivals: createRandom(seed),
      net: createRandom(seed + 1),
      hidden: createRandom(seed + 2),
      clocks: createRandom(seed + 3),
    };
    this.#tally = new Tally(scenario, START_AT);
    this.#store = new FleetStore({
      loop: this.#loop,
      latencyMs: () => exponential(this.#random.net, scenario.storeLatencyMs / 2),
      onOperation: () => this.#tally.stored(),
    });
    for (const { process } of scenario.agents) {
      if (!this.#members.has(process)) this.#start(process, createClient);
    }
  }

  run(): QuotaReport {
    const { agents, mishaps, hiddenPerWindow, windows, windowMs } = this.#scenario;
    for (const agent of agents) this.#arriveNext(agent);
    if (hiddenPerWindow > 0) this.#spendHidden();
    for (const mishap of mishaps) this.#schedule(mishap);
    this.#loop.run(START_AT + windows * windowMs);
    return this.#tally.report(this.#loop.fired);
  }

  #start(name: string, createClient: QuotaClientFactory): void {
    const { clockSkewMs, clockErrorMs, windowMs } = this.#scenario;
    const within = (ms: number): number => (2 * this.#random.clocks() - 1) * ms;
    const process = new FleetProcess(name, this.#loop, { skewMs: within(clockSkewMs), errorMs: within(clockErrorMs) });
    const client = createClient({
      process: name,
      clock: process.clock,
      time: process.time,
      documents: this.#store.seenBy(process),
      windowMs,
      send: (answered) => this.#send(process, answered),
    });
    this.#members.set(name, { process, client });
  }

  #schedule(mishap: QuotaMishap): void {
    const at = (ms: number, happens: () => void): unknown => this.#loop.timer(ms, happens);
    const { atMs } = mishap;
    if (mishap.kind === "store-away") {
      at(atMs, () => this.#store.goAway(mishap.forMs));
    } else if (mishap.kind === "store-emptied") {
      at(atMs, () => this.#store.putBack(new Map()));
    } else if (mishap.kind === "store-rolled-back") {
      at(atMs - mishap.byMs, () => {
        const { documents } = this.#store;
        at(mishap.byMs, () => this.#store.putBack(documents));
      });
    } else {
      const process = this.#members.get(mishap.process)?.process;
      if (process === undefined) throw new Error(`A mishap befalls ${mishap.process}, which is not in the fleet.`);
      at(atMs, () => process[mishap.kind]());
      if (mishap.kind !== "kill") at(atMs + mishap.forMs, () => process.goOn());
    }
  }

  #arriveNext(agent: QuotaAgent): void {
    const gapMs = exponential(this.#random.arrivals, this.#scenario.windowMs / agent.callsPerWindow);
    this.#loop.timer(gapMs, () => {
      const { process, client } = this.#members.get(agent.process) as Member;
      if (process.dead) return;
      this.#arriveNext(agent);
      if (!process.runs) return;
      const now = this.#loop.now();
      this.#tally.arrived(agent.priority);
      let told = false;
      client.call({
        agent: agent.name,
        priority: agent.priority,
        deadlineAt: now + this.#scenario.maxWaitMs,
        done: (outcome) => {
          if (told) throw new Error(`A call of ${agent.name} ended twice.`);
          told = true;
          this.#tally.ended(agent.priority, outcome, this.#loop.now() - now);
        },
      });
    });
  }

  #spendHidden(): void {
    const { windowMs, hiddenPerWindow } = this.#scenario;
    this.#loop.timer(exponential(this.#random.hidden, windowMs / hiddenPerWindow), () => {
      this.#spendHidden();
      const quota = this.#quota();
      const before = this.#windows.read(quota, this.#loop.now(), 0);
      if (before.remaining <= 0) return;
      this.#tally.charged("hidden", 1, this.#windows.charge(quota, 1, this.#loop.now(), 0));
    });
  }

  #quota(process?: string) {
    const { limit, limits, windowMs } = this.#scenario;
    const own = process === undefined ? undefined : limits[process];
    return { principal: "fleet", resource: "core" as const, limit: own ?? limit, windowMs };
  }

  #send(process: FleetProcess, answered: Parameters<QuotaWorld["send"]>[0]): void {
    const { latencyMs, unchangedShare } = this.#scenario;
    const there = latencyMs / 8 + exponential(this.#random.net, (latencyMs * 3) / 8);
    const back = latencyMs / 8 + exponential(this.#random.net, (latencyMs * 3) / 8);
    const unchanged = unchangedShare > 0 && this.#random.net() < unchangedShare;
    const sentAt = this.#loop.now();
    this.#loop.timer(there, () => {
      const quota = this.#quota(process.name);
      const now = this.#loop.now();
      const refused = this.#windows.read(quota, now, 0).remaining <= 0;
      const units = refused || unchanged ? 0 : 1;
      const reading = this.#windows.charge(quota, units, now, 0);
      if (refused) this.#tally.refused(reading);
      else this.#tally.charged("pool", units, reading);
      const seen = this.#windows.jittered(reading);
      this.#loop.timer(back, () =>
        process.in(() => {
          process.tellTime(sentAt);
          answered({ refused, chargedUnits: units, limit: seen.limit, used: seen.used, resetAt: seen.resetAt });
        }),
      );
    });
  }
}

function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random());
}
