import { Heap } from "./heap.js";
import type { EndedCall, Exchange, Observed } from "./observed.js";
import type { ResolvedReportOptions } from "./options.js";
import { Brackets } from "./quota/brackets.js";
import { QuotaWindows } from "./quota/quota-windows.js";
import { StandingLimits } from "./quota/standing-limits.js";
import { ClassTally } from "./replay/classes.js";
import { Replay } from "./replay/replay.js";
import { Score } from "./tally/score.js";
import { SPEND_BY, Spend, type SpendBy } from "./tally/spend.js";
import { Timeline } from "./tally/timeline.js";

/** Requests under way at once that are kept in mind; more are the work of broken durations. */
const MAX_UNDER_WAY = 100_000;

/** Everything that is counted, fed with records by the time at which they began. */
export class Tally {
  readonly score: Score = new Score();
  readonly limits: StandingLimits = new StandingLimits();
  readonly brackets: Brackets = new Brackets();
  readonly classes: ClassTally = new ClassTally();
  readonly timeline: Timeline;
  readonly windows: QuotaWindows;
  readonly replay: Replay;
  readonly spend: Readonly<Record<SpendBy, Spend>>;
  /** Records by kind. */
  readonly records: { attempts: number; calls: number; readings: number; outsideTime: number } = {
    attempts: 0,
    calls: 0,
    readings: 0,
    outsideTime: 0,
  };
  readonly #since: number;
  readonly #until: number;
  readonly #underWay = new Heap<Exchange>();
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;

  constructor(options: ResolvedReportOptions) {
    this.#since = options.since;
    this.#until = options.until;
    this.timeline = new Timeline(options.maxBuckets);
    this.windows = new QuotaWindows(options.maxWindows, (at, units) => this.timeline.hidden(at, units));
    this.replay = new Replay(options.maxTargets);
    this.spend = mapSpend(() => new Spend());
  }

  /** The time from the first record to the end of the last; undefined when there is none. */
  get span(): { readonly from: number; readonly to: number } | undefined {
    return this.#from === Number.POSITIVE_INFINITY ? undefined : { from: this.#from, to: this.#to };
  }

  take(observed: Observed): void {
    const { at } = observed;
    if (at < this.#since || at >= this.#until) {
      this.records.outsideTime++;
      return;
    }
    this.#endUntil(at);
    this.#from = Math.min(this.#from, at);
    this.#to = Math.max(this.#to, endOf(observed));
    if (observed.kind === "exchange") this.#began(observed);
    else if (observed.kind === "call") this.#called(observed);
    else {
      this.records.readings++;
      this.windows.read(observed);
      this.brackets.read(observed);
      for (const [resource, rate] of observed.resources) {
        // Of resources that nobody uses there is nothing to show.
        if (rate.used > 0) this.timeline.remaining(at, observed.principal, observed.host, resource, rate);
      }
    }
  }

  /** No more comes. */
  end(): void {
    this.#endUntil(Number.POSITIVE_INFINITY);
  }

  #began(exchange: Exchange): void {
    this.records.attempts++;
    this.windows.began(exchange);
    this.brackets.began(exchange);
    const sparedUnits = this.classes.add(exchange, this.replay.began(exchange, this.limits.began(exchange)));
    this.score.exchange(exchange);
    this.timeline.exchange(exchange);
    for (const [by, nameOf] of SPEND_ENTRIES) {
      const name = nameOf(exchange);
      this.spend[by].exchange(name, exchange, sparedUnits);
      if (exchange.origin === "foreign") this.spend[by].call(name, exchange.waitMs ?? 0);
    }
    if (exchange.origin === "foreign") this.score.callOf(exchange);
    this.#underWay.push(exchange.endedAt, exchange);
    if (this.#underWay.size > MAX_UNDER_WAY) this.#endNext();
  }

  #called(call: EndedCall): void {
    this.records.calls++;
    this.score.call(call);
    for (const [by, nameOf] of SPEND_ENTRIES) this.spend[by].call(nameOf(call), call.waitMs);
  }

  #endUntil(now: number): void {
    while (this.#underWay.least !== undefined && this.#underWay.least <= now) this.#endNext();
  }

  #endNext(): void {
    const exchange = this.#underWay.pop() as Exchange;
    this.windows.ended(exchange);
    this.limits.ended(exchange);
    this.replay.ended(exchange);
    const { rate } = exchange;
    if (rate !== undefined) {
      this.timeline.remaining(exchange.endedAt, exchange.principal, exchange.host, exchange.resource, rate);
    }
  }
}

const SPEND_ENTRIES = Object.entries(SPEND_BY) as [SpendBy, (typeof SPEND_BY)[SpendBy]][];

/** Makes something for each of the ways in which spending is told. */
export function mapSpend<T>(make: (by: SpendBy) => T): Record<SpendBy, T> {
  return Object.fromEntries(SPEND_ENTRIES.map(([by]) => [by, make(by)])) as Record<SpendBy, T>;
}

function endOf(observed: Observed): number {
  if (observed.kind === "exchange") return observed.endedAt;
  return observed.kind === "call" ? observed.at + observed.durationMs : observed.at;
}
