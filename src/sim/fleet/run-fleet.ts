import { createRandom, type Random } from "../github/random.js";
import { QuotaWindows } from "../github/windows.js";
import type { FleetClient, FleetClientFactory, FleetWorld } from "./client.js";
import { createEventLoop, type EventLoop } from "./event-loop.js";
import type { FleetAgent, FleetScenario } from "./scenario.js";
import { type FleetReport, Tally } from "./tally.js";

/** Midnight, so that resets are easy to read. */
const START_AT = Date.UTC(2030, 0, 1);
/** As long as a client waits for its store. */
const STORE_TIMEOUT_MS = 250;

/** Runs a scenario with one client per process, and counts what became of it. */
export function runFleet(scenario: FleetScenario, createClient: FleetClientFactory): FleetReport {
  return new Fleet(scenario, createClient).run();
}

interface Process {
  readonly name: string;
  readonly client: FleetClient;
  alive: boolean;
  /** Whether an answer has told GitHub's time. */
  clockKnown: boolean;
  /** While stopped: what is to happen when it goes on. */
  held: (() => void)[] | undefined;
}

class Fleet {
  readonly #scenario: FleetScenario;
  readonly #loop: EventLoop;
  readonly #windows: QuotaWindows;
  readonly #processes = new Map<string, Process>();
  readonly #tally: Tally;
  readonly #random: {
    readonly arrivals: Random;
    readonly net: Random;
    readonly hidden: Random;
    readonly clocks: Random;
  };
  #doc: unknown;
  #storeAway = false;

  constructor(scenario: FleetScenario, createClient: FleetClientFactory) {
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
    for (const { process } of scenario.agents) {
      if (!this.#processes.has(process)) this.#start(process, createClient);
    }
  }

  run(): FleetReport {
    const { agents, mishaps, hiddenPerWindow, windows, windowMs } = this.#scenario;
    for (const agent of agents) this.#arriveNext(agent);
    if (hiddenPerWindow > 0) this.#spendHidden();
    for (const mishap of mishaps) this.#loop.timer(mishap.atMs, () => this.#befall(mishap));
    this.#loop.run(START_AT + windows * windowMs);
    return this.#tally.report(this.#loop.fired);
  }

  #start(name: string, createClient: FleetClientFactory): void {
    const process: Process = {
      name,
      client: undefined as unknown as FleetClient,
      alive: true,
      clockKnown: false,
      held: undefined,
    };
    const skew = (2 * this.#random.clocks() - 1) * this.#scenario.clockSkewMs;
    const error = (2 * this.#random.clocks() - 1) * this.#scenario.clockErrorMs;
    const world: FleetWorld = {
      process: name,
      windowMs: this.#scenario.windowMs,
      clock: {
        now: () => this.#loop.now(),
        monotonic: () => this.#loop.monotonic(),
        timer: (ms, callback) => this.#loop.timer(ms, () => this.#in(process, callback)),
      },
      githubNow: () => this.#loop.now() + (process.clockKnown ? error : skew),
      send: (answered) => this.#send(process, answered),
      update: (change, done) => this.#update(process, change, done),
    };
    Object.assign(process, { client: createClient(world) });
    this.#processes.set(name, process);
  }

  /** Lets something happen in a process: not if it is dead, later if it is stopped. */
  #in(process: Process, callback: () => void): void {
    if (!process.alive) return;
    if (process.held !== undefined) process.held.push(callback);
    else callback();
  }

  #befall(mishap: FleetScenario["mishaps"][number]): void {
    if (mishap.kind === "store-away") {
      this.#storeAway = true;
      this.#loop.timer(mishap.forMs, () => {
        this.#storeAway = false;
      });
      return;
    }
    const process = this.#processes.get(mishap.process);
    if (process === undefined) return;
    if (mishap.kind === "kill") {
      process.alive = false;
      process.client.kill();
      return;
    }
    process.held = [];
    this.#loop.timer(mishap.forMs, () => {
      const held = process.held ?? [];
      process.held = undefined;
      for (const callback of held) this.#in(process, callback);
      if (process.alive) process.client.wake();
    });
  }

  #arriveNext(agent: FleetAgent): void {
    const gapMs = exponential(this.#random.arrivals, this.#scenario.windowMs / agent.callsPerWindow);
    this.#loop.timer(gapMs, () => {
      const process = this.#processes.get(agent.process) as Process;
      if (!process.alive) return;
      this.#arriveNext(agent);
      if (process.held !== undefined) return;
      const now = this.#loop.now();
      this.#tally.arrived(agent.priority);
      let told = false;
      process.client.call({
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

  #send(process: Process, answered: Parameters<FleetWorld["send"]>[0]): void {
    const { latencyMs, unchangedShare } = this.#scenario;
    const there = latencyMs / 8 + exponential(this.#random.net, (latencyMs * 3) / 8);
    const back = latencyMs / 8 + exponential(this.#random.net, (latencyMs * 3) / 8);
    const unchanged = unchangedShare > 0 && this.#random.net() < unchangedShare;
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
        this.#in(process, () => {
          process.clockKnown = true;
          answered({ refused, chargedUnits: units, limit: seen.limit, used: seen.used, resetAt: seen.resetAt });
        }),
      );
    });
  }

  #update<T>(
    process: Process,
    change: (doc: unknown) => { readonly doc: unknown; readonly result: T },
    done: (result?: T) => void,
  ): void {
    const there = exponential(this.#random.net, this.#scenario.storeLatencyMs / 2);
    const back = exponential(this.#random.net, this.#scenario.storeLatencyMs / 2);
    this.#tally.stored();
    this.#loop.timer(there, () => {
      if (this.#storeAway) {
        this.#loop.timer(STORE_TIMEOUT_MS, () => this.#in(process, () => done()));
        return;
      }
      // A request under way reaches the store even when its process has just died.
      const { doc, result } = change(this.#doc);
      this.#doc = doc;
      this.#loop.timer(back, () => this.#in(process, () => done(result)));
    });
  }
}

function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random());
}
