import type { Clock } from "../../clock.js";
import { createSimulatedGitHub } from "../github/simulated-github.js";
import type { SimulatedGitHub } from "../github/surface.js";
import { type PlacedAgent, placeAgents } from "./agents.js";
import { callAfterChange, callAtRandom, type Manned, type WorkPlace } from "./agents-at-work.js";
import { CALL_HEADER, CallBook } from "./call-book.js";
import { furnishCallWork } from "./call-work.js";
import { chanceFor, exponential } from "./chance.js";
import { arrangeChanges, changesPerHour } from "./changes.js";
import { checkScenario } from "./check-scenario.js";
import type { FleetClientFactory } from "./client.js";
import { ExchangeTally } from "./exchange-tally.js";
import { arrangeHappenings } from "./happenings.js";
import { Inversions } from "./inversions.js";
import type { FleetSession } from "./needs.js";
import { pollGroups, pollMs } from "./poll-groups.js";
import { Polls } from "./polls.js";
import { PoolGrants } from "./pool-grants.js";
import { FleetProcess } from "./process.js";
import type { FleetReport } from "./report.js";
import type { FleetScenario, WatchWork } from "./scenario.js";
import { seatFetch, skewedClock } from "./seat.js";
import { FleetStore } from "./store.js";
import { createFleetTime, type FleetTime, inWholeMilliseconds } from "./time.js";
import { issueTokens } from "./tokens.js";
import { WatchedWorld } from "./watched-world.js";
import { windowFigures } from "./window-figures.js";

const MINUTE_MS = 60_000;
/** What is under way when the measured time ends may take so long to come to an end. */
const LAST_MS = 15 * MINUTE_MS;

/** Settings of {@link runFleet}. */
export interface RunFleetOptions {
  /**
   * The time to run on. Default: one of the fleet's own, for clients that take the seat's clock. Clients that keep to
   * process-wide timers need one that takes those over.
   */
  readonly time?: FleetTime;
  /** Told every minute of the fleet's time how far it is. */
  readonly onProgress?: (progress: FleetProgress) => void;
}

/** How far a run is. */
export interface FleetProgress {
  /** Milliseconds of the fleet's time since the start. */
  readonly elapsedMs: number;
  /** Requests that GitHub has answered. */
  readonly exchanges: number;
}

/**
 * Runs a fleet of agents on virtual time against a simulated GitHub, with one client under test in each process, and says
 * what became of it. The same scenario and client always give the same report.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` for a scenario that is none, naming what is wrong.
 *
 * @example
 * ```ts
 * const report = await runFleet(watchFleet({ sessions: 50 }), createSquadClient());
 * report.exchanges.unitsPerHour.graphql; // what watching 50 pull requests costs
 * report.limits[0]; //                      what would be the first to stand in the way of more
 * ```
 */
export async function runFleet(
  scenario: FleetScenario,
  createClient: FleetClientFactory,
  options: RunFleetOptions = {},
): Promise<FleetReport> {
  return new FleetRun(checkScenario(scenario), options).run(createClient);
}

class FleetRun {
  readonly #scenario: FleetScenario;
  readonly #options: RunFleetOptions;
  readonly #time: FleetTime;
  readonly #clock: Clock;
  readonly #startAt: number;
  readonly #endAt: number;
  readonly #github: SimulatedGitHub;
  readonly #world: WatchedWorld;
  readonly #tokens: ReturnType<typeof issueTokens>;
  readonly #placed: readonly PlacedAgent[];
  readonly #store: FleetStore;
  readonly #exchanges: ExchangeTally;
  readonly #inversions: Inversions;
  readonly #grants: PoolGrants;
  readonly #book: CallBook;
  readonly #polls: Polls;
  readonly #processes: readonly FleetProcess[];
  /** Store operations before the measured time. */
  #firstOperations = 0;

  constructor(scenario: FleetScenario, options: RunFleetOptions) {
    this.#scenario = scenario;
    this.#options = options;
    this.#time = options.time ?? createFleetTime();
    this.#clock = inWholeMilliseconds(this.#time.clock);
    const clock = this.#clock;
    this.#startAt = clock.now();
    const measured = {
      from: this.#startAt + scenario.warmUpMs,
      to: this.#startAt + scenario.warmUpMs + scenario.forMs,
    };
    this.#endAt = measured.to;
    this.#exchanges = new ExchangeTally(measured);
    this.#github = createSimulatedGitHub({
      latency: {},
      ...scenario.github,
      clock,
      seed: scenario.seed,
      logLimit: 0,
      onExchange: (exchange, { headers }) => {
        this.#exchanges.add(exchange);
        const tag = headers.get(CALL_HEADER);
        const { resource, chargedUnits, resetAt } = exchange;
        if (tag !== undefined && resource === "core" && chargedUnits > 0)
          this.#book.charged(tag, chargedUnits, resetAt);
      },
    });
    this.#tokens = issueTokens(this.#github, clock, scenario.tokenRotationMs);
    this.#world = new WatchedWorld(this.#github, () => clock.now(), chanceFor(scenario.seed, "kinds of change"));
    this.#placed = placeAgents(scenario, (session) => this.#world.open(session));
    if (this.#placed.some(({ of }) => of.work.kind === "calls")) furnishCallWork(this.#github);
    const latency = chanceFor(scenario.seed, "store latency");
    const { storeLatencyMs = 0 } = scenario;
    this.#grants = new PoolGrants(() => clock.now());
    this.#store = new FleetStore({
      clock,
      onReplaced: (key, before, after) => this.#grants.replaced(key, before, after),
      latencyMs: () => (storeLatencyMs === 0 ? 0 : exponential(latency, storeLatencyMs)),
    });
    const hiddenPerWindow = hiddenCore(scenario);
    this.#inversions = new Inversions(
      new Set(this.#placed.map(({ agent }) => agent.priority)),
      () => this.#github.usage(this.#tokens.current()).limit - hiddenPerWindow,
    );
    this.#book = new CallBook({
      clock,
      measured,
      inversions: this.#inversions,
      window: () => this.#github.usage(this.#tokens.current()).resetAt,
    });
    this.#polls = new Polls({
      clock,
      world: this.#world,
      measured,
      sessions: this.#placed.flatMap(({ agent: { session } }) => (session === undefined ? [] : [session])),
      targetMs: pollMs(this.#placed.find(({ of }) => of.work.kind === "watch")),
    });
    const used = Math.max(...this.#placed.map(({ process }) => process)) + 1;
    this.#processes = Array.from(
      { length: used },
      (_, index) => new FleetProcess(`process-${index}`, clock, { skewMs: 0, errorMs: 0 }),
    );
  }

  async run(createClient: FleetClientFactory): Promise<FleetReport> {
    const clock = this.#clock;
    const manned: Manned[] = [];
    for (const process of this.#processes) manned.push(await this.#man(process, createClient));
    this.#begin(manned);
    arrangeHappenings(this.#scenario, {
      clock,
      github: this.#github,
      token: this.#tokens.current,
      processes: this.#processes,
      store: this.#store,
    });
    clock.timer(this.#scenario.warmUpMs, () => {
      this.#firstOperations = this.#store.operations;
      this.#github.secondaryPeaks(this.#tokens.current(), { restart: true });
    });
    this.#watchProgress();
    await this.#time.run(() => false, this.#endAt);
    const atEnd = {
      operations: this.#store.operations - this.#firstOperations,
      peaks: this.#github.secondaryPeaks(this.#tokens.current()),
    };
    await this.#time.run(() => this.#polls.open === 0 && this.#book.open === 0, this.#endAt + LAST_MS);
    await this.#close(manned);
    return this.#report(atEnd);
  }

  async #man(process: FleetProcess, createClient: FleetClientFactory): Promise<Manned> {
    const index = this.#processes.indexOf(process);
    const { clockSkewMs = 0, seed } = this.#scenario;
    const skewMs = Math.round((2 * chanceFor(seed, `clock of process ${index}`)() - 1) * clockSkewMs);
    const client = await createClient({
      process: index,
      agents: this.#placed.filter((placed) => placed.process === index).map(({ agent }) => agent),
      fetch: seatFetch(this.#github, process, this.#book),
      clock: skewedClock(process, skewMs),
      token: this.#tokens.current,
      store: this.#store.seenBy(process),
      seed: Math.floor(chanceFor(seed, `process ${index}`)() * 2 ** 31),
      timed: (call) => this.#book.timed(call),
    });
    return { process, client };
  }

  /** Sets everybody to work. */
  #begin(manned: readonly Manned[]): void {
    const clock = this.#clock;
    const place: WorkPlace = {
      clock,
      book: this.#book,
      world: this.#world,
      seed: this.#scenario.seed,
      until: this.#endAt,
    };
    const mannedBy = ({ process }: PlacedAgent): Manned => manned[process] as Manned;
    const time = { from: this.#startAt, until: this.#endAt };
    for (const group of pollGroups(this.#placed, manned, time)) void this.#polls.repeat(group);
    for (const placed of this.#placed) {
      if (placed.of.work.kind === "calls") callAtRandom(placed, placed.of.work, mannedBy(placed), place);
    }
    const watchers = this.#placed.filter(({ of }) => of.work.kind === "watch");
    const perHour = changesPerHour(this.#scenario.changes, watchers.length, pollMs(watchers[0]));
    arrangeChanges(this.#scenario, perHour, watchers.length, clock, (index) => {
      const placed = watchers[index] as PlacedAgent;
      const session = placed.agent.session as FleetSession;
      this.#world.change(session);
      const count = (placed.of.work as WatchWork).ownCallsPerChange ?? 0;
      callAfterChange(placed, session, { count, withinMs: pollMs(placed) }, mannedBy(placed), place);
    });
  }

  #watchProgress(): void {
    const { onProgress } = this.#options;
    if (onProgress === undefined) return;
    const clock = this.#clock;
    clock.timer(MINUTE_MS, () => {
      onProgress({ elapsedMs: clock.now() - this.#startAt, exchanges: this.#exchanges.all });
      if (clock.now() < this.#endAt) this.#watchProgress();
    });
  }

  async #close(manned: readonly Manned[]): Promise<void> {
    const closing = manned.filter(({ process }) => process.runs).map(({ client }) => client.close());
    let closed = false;
    const all = Promise.all(closing).finally(() => {
      closed = true;
    });
    all.catch(() => {});
    await this.#time.run(() => closed, this.#clock.now() + LAST_MS);
    if (!closed) throw new Error("A client did not close within a quarter of an hour of the fleet's time.");
    await all;
  }

  #report({ operations, peaks }: AtEnd): FleetReport {
    const { forMs } = this.#scenario;
    const exchanges = this.#exchanges.figures();
    return {
      v: 1,
      measuredFrom: this.#endAt - forMs,
      measuredTo: this.#endAt,
      agents: this.#placed.length,
      sessions: this.#placed.filter(({ agent }) => agent.session !== undefined).length,
      processes: this.#processes.length,
      exchanges,
      polls: this.#polls.figures(),
      calls: this.#book.figures(),
      ...windowFigures(this.#github, this.#tokens, { exchanges, peaks, scenario: this.#scenario }),
      inversions: { ...this.#inversions.figures(), pool: this.#grants.figures() },
      store: { operations, perExchange: exchanges.count === 0 ? 0 : operations / exchanges.count },
      ledger: this.#github.ledger(),
      allExchanges: this.#exchanges.all,
    };
  }
}

/** What is read when the measured time ends. */
interface AtEnd {
  readonly operations: number;
  readonly peaks: ReturnType<SimulatedGitHub["secondaryPeaks"]>;
}

/** Units of a window of the core quota that somebody outside spends. */
function hiddenCore({ hidden = [], github }: FleetScenario): number {
  const hours = (github?.limits?.core?.windowMs ?? 60 * MINUTE_MS) / (60 * MINUTE_MS);
  return hidden.reduce((sum, { resource, unitsPerHour }) => sum + (resource === "core" ? unitsPerHour * hours : 0), 0);
}
