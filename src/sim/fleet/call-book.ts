import type { Clock } from "../../clock.js";
import type { PlacedAgent } from "./agents.js";
import type { MeasuredTime } from "./exchange-tally.js";
import { failureName } from "./failure-name.js";
import type { Inversions, LinedUpCall, Overtaking } from "./inversions.js";
import type { FleetProcess } from "./process.js";
import type { FleetCallFigures, FleetCalls } from "./report.js";
import { NameTally, TimeTally } from "./times.js";

/** The header by which a request says for which call it is. */
export const CALL_HEADER = "x-fleet-call";

/** A call under way. */
export interface OpenCall {
  /** What {@link CALL_HEADER} says. */
  readonly tag: string;
  readonly placed: PlacedAgent;
  readonly madeAt: number;
  readonly isAlive: () => boolean;
  /** Set when its first request was sent. */
  overtaking: Overtaking | undefined;
  ended: boolean;
}

/** What {@link CallBook} is made with. */
export interface CallBookOptions {
  readonly clock: Clock;
  readonly measured: MeasuredTime;
  readonly inversions: Inversions;
  /** Which window of the core quota is open, by its reset. */
  readonly window: () => number;
}

/** Follows calls from their arrival to their answer, and adds up what became of them. */
export class CallBook {
  readonly #options: CallBookOptions;
  readonly #open = new Map<string, OpenCall>();
  readonly #all = new CallTally();
  readonly #byPriority: readonly CallTally[] = [new CallTally(), new CallTally(), new CallTally()];
  readonly #byName = new Map<string, CallTally>();
  readonly #ofPolls = new TimeTally();
  #made = 0;
  #stale = 0;

  constructor(options: CallBookOptions) {
    this.#options = options;
  }

  /** Calls under way, but for those that died with their process. */
  get open(): number {
    return [...this.#open.values()].reduce((sum, { isAlive }) => sum + (isAlive() ? 1 : 0), 0);
  }

  /** `queues`: whether more urgent calls of its kind go first, in a process that `runs`. */
  made(placed: PlacedAgent, process: FleetProcess, queues: boolean): OpenCall {
    const { clock, inversions } = this.#options;
    const call: OpenCall = {
      tag: String(++this.#made),
      placed,
      madeAt: clock.now(),
      isAlive: () => !process.dead,
      overtaking: undefined,
      ended: false,
    };
    this.#open.set(call.tag, call);
    for (const tally of this.#tallies(call)) tally.made += 1;
    if (queues) inversions.made(linedUp(call, process));
    return call;
  }

  /** A request for a call is being sent. */
  sent(tag: string): void {
    const call = this.#open.get(tag);
    if (call === undefined || call.overtaking !== undefined) return;
    const { clock, inversions, window } = this.#options;
    call.overtaking = inversions.sent(call.placed.agent.priority, clock.now(), window());
  }

  /** Core units were charged for it, in the window with that reset. */
  charged(tag: string, units: number, window: number): void {
    const call = this.#open.get(tag);
    if (call?.overtaking === undefined) return;
    this.#options.inversions.charged(call.placed.agent.priority, units, window, call.overtaking);
  }

  answered(call: OpenCall): void {
    this.#end(call);
    for (const tally of this.#tallies(call)) tally.took.add(this.#options.clock.now() - call.madeAt);
  }

  failed(call: OpenCall, error: unknown): void {
    this.#end(call);
    for (const tally of this.#tallies(call)) tally.failures.add(failureName(error));
  }

  /** An answer was such as things have never been meanwhile. */
  stale(): void {
    this.#stale += 1;
  }

  /** Times a call that is part of a poll. */
  async timed<T>(call: () => Promise<T>): Promise<T> {
    const startedAt = this.#options.clock.now();
    const result = await call();
    if (this.#isMeasured(startedAt)) this.#ofPolls.add(this.#options.clock.now() - startedAt);
    return result;
  }

  figures(): FleetCalls {
    const { from, to } = this.#options.measured;
    const figures = (tally: CallTally | undefined): FleetCallFigures => (tally ?? new CallTally()).figures(to - from);
    return {
      all: figures(this.#all),
      byPriority: [figures(this.#byPriority[0]), figures(this.#byPriority[1]), figures(this.#byPriority[2])],
      byName: Object.fromEntries([...this.#byName].map(([name, tally]) => [name, figures(tally)])),
      stale: this.#stale,
      ofPolls: this.#ofPolls.times(),
    };
  }

  #end(call: OpenCall): void {
    call.ended = true;
    this.#open.delete(call.tag);
  }

  #isMeasured(at: number): boolean {
    const { from, to } = this.#options.measured;
    return at >= from && at < to;
  }

  #tallies({ madeAt, placed }: OpenCall): readonly CallTally[] {
    if (!this.#isMeasured(madeAt)) return [];
    const { name } = placed.of;
    const byName = this.#byName.get(name) ?? new CallTally();
    this.#byName.set(name, byName);
    return [this.#all, this.#byPriority[placed.agent.priority] as CallTally, byName];
  }
}

function linedUp(call: OpenCall, process: FleetProcess): LinedUpCall {
  const isOver = (): boolean => call.ended || call.overtaking !== undefined || process.dead;
  return {
    priority: call.placed.agent.priority,
    madeAt: call.madeAt,
    isOver,
    waits: () => !isOver() && process.runs,
  };
}

class CallTally {
  made = 0;
  readonly took: TimeTally = new TimeTally();
  readonly failures: NameTally = new NameTally();

  figures(ms: number): FleetCallFigures {
    const took = this.took.times();
    const failures = this.failures.counts();
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
    return {
      made: this.made,
      answered: took.count,
      failed,
      open: this.made - took.count - failed,
      perMinute: (60_000 * this.made) / ms,
      took,
      failures,
    };
  }
}
