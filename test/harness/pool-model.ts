import fc from "fast-check";
import type { Priority } from "../../src/policy/light.js";
import { parseQuotaDocument } from "../../src/policy/share/parse-quota-document.js";
import type { QuotaDocument } from "../../src/policy/share/quota-document.js";
import { type SeenQuota, type ShareReport, type ShareUpdate, updateShare } from "../../src/policy/share.js";
import {
  adopt,
  arrive,
  beginReport,
  countedUntil,
  newSpender,
  reportFailed,
  type SpenderState,
  type SpendTicket,
  setClock,
  settle,
  spend,
  writeOff,
} from "../../src/policy/spender.js";

/** One thing that happens; numbers are taken modulo what there is. */
export type PoolStep =
  | { readonly kind: "call"; readonly who: number; readonly priority: Priority; readonly units: number }
  | { readonly kind: "send"; readonly who: number }
  | { readonly kind: "reach" | "answer"; readonly which: number }
  | { readonly kind: "report"; readonly who: number }
  /** The store changed, but its answer never came; the spender learns that much. */
  | { readonly kind: "report-unheard"; readonly who: number }
  /** The report travels: it is made, and delivered by a later `deliver`. */
  | { readonly kind: "report-slowly"; readonly who: number }
  | { readonly kind: "deliver" }
  /** Many calls at once: as many as there are units for are sent. */
  | { readonly kind: "rush"; readonly who: number; readonly priority: Priority; readonly calls: number }
  /** Every request reaches GitHub, and answers come back, the newest first if `reversed`, but for `lost` of them. */
  | { readonly kind: "flow"; readonly reversed: boolean; readonly lost: number }
  /** Two minutes in which one spender alone calls and reports. */
  | { readonly kind: "carry-on"; readonly who: number }
  | { readonly kind: "hidden"; readonly units: number }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "die"; readonly who: number };

export interface PoolModelOptions {
  readonly limit: number;
  readonly windowMs: number;
  readonly spenders: number;
  /** Share (0-1) of answered calls that cost nothing, decided by a call's number. */
  readonly unchangedEvery: number;
  /** What each spender believes GitHub's clock to be, minus what it is. */
  readonly clockErrorsMs: readonly number[];
  /** What each machine's clock is off by before an answer sets it. */
  readonly clockSkewsMs: readonly number[];
  readonly resetJitterMs: number;
}

interface Exchange {
  readonly who: number;
  readonly life: number;
  readonly ticket: SpendTicket;
  readonly sentAt: number;
  answer: { readonly charged: number; readonly refused: boolean; readonly header: Omit<SeenQuota, "at"> } | undefined;
}

/** A request that was given up without an answer. */
interface Doubt extends Exchange {
  /** When it cannot be charged any more; by true time, as the client measures it by the monotonic clock. */
  readonly dueAt: number;
}

interface Spender {
  life: number;
  state: SpenderState;
  clockKnown: boolean;
  /** The pool's last word to it was lost, so the two need not agree. */
  unheard: boolean;
  /** Until when the header has counted everything of which the pool has told it. */
  toldAt: number;
  readonly waiting: { readonly priority: Priority; readonly units: number }[];
}

const REQUEST_TIMEOUT_MS = 10_000;
const START_AT = Date.UTC(2030, 0, 1);

/**
 * A pool that is driven step by step, and a GitHub that counts for itself. Every document goes through JSON and the
 * reader, as in a store.
 */
export class PoolModel {
  readonly options: PoolModelOptions;
  readonly spenders: Spender[];
  now: number = START_AT;
  doc: QuotaDocument | undefined;
  refused = 0;
  used = 0;
  hidden = 0;
  #resetAt = 0;
  #calls = 0;
  #exchanges: Exchange[] = [];
  readonly #doubts: Doubt[] = [];
  #slow: { readonly who: number; readonly life: number; readonly id: number; readonly report: ShareReport }[] = [];
  readonly #onUpdate: (
    update: ShareUpdate,
    report: ShareReport,
    before: QuotaDocument | undefined,
    now: number,
  ) => void;

  constructor(
    options: PoolModelOptions,
    onUpdate: (update: ShareUpdate, report: ShareReport, before: QuotaDocument | undefined, now: number) => void,
  ) {
    this.options = options;
    this.#onUpdate = onUpdate;
    this.spenders = Array.from({ length: options.spenders }, (_, index) => this.#born(index, 0));
  }

  believedNow(who: number): number {
    const spender = this.spenders[who] as Spender;
    const { clockErrorsMs, clockSkewsMs } = this.options;
    return this.now + ((spender.clockKnown ? clockErrorsMs : clockSkewsMs)[who] ?? 0);
  }

  step(step: PoolStep): void {
    switch (step.kind) {
      case "call": {
        const who = step.who % this.spenders.length;
        const spender = this.spenders[who] as Spender;
        spender.state = arrive(spender.state, step.priority, step.units, this.believedNow(who));
        spender.waiting.push({ priority: step.priority, units: step.units });
        return;
      }
      case "send":
        this.#send(step.who % this.spenders.length);
        return;
      case "reach": {
        const open = this.#exchanges.filter(({ answer }) => answer === undefined);
        if (open.length > 0) this.#reach(open[step.which % open.length] as Exchange);
        return;
      }
      case "answer": {
        const answered = this.#exchanges.filter(({ answer }) => answer !== undefined);
        if (answered.length > 0) this.#answer(answered[step.which % answered.length] as Exchange);
        return;
      }
      case "report":
      case "report-unheard":
      case "report-slowly":
        this.#report(step.who % this.spenders.length, step.kind);
        return;
      case "deliver":
        this.#deliver();
        return;
      case "rush":
        for (let call = 0; call < step.calls; call++) {
          this.step({ kind: "call", who: step.who, priority: step.priority, units: 1 });
        }
        this.step({ kind: "report", who: step.who });
        for (let call = 0; call < step.calls; call++) this.step({ kind: "send", who: step.who });
        return;
      case "flow": {
        for (const exchange of this.#exchanges) if (exchange.answer === undefined) this.#reach(exchange);
        const back = step.reversed ? this.#exchanges.toReversed() : [...this.#exchanges];
        for (const exchange of back.slice(step.lost)) this.#answer(exchange);
        return;
      }
      case "carry-on":
        for (let part = 0; part < 8; part++) {
          this.step({ kind: "pass", ms: 15_000 });
          this.step({ kind: "rush", who: step.who, priority: 0, calls: 1 });
          this.step({ kind: "flow", reversed: false, lost: 0 });
        }
        return;
      case "hidden":
        this.#charge(step.units, true);
        return;
      case "pass":
        this.#pass(step.ms);
        return;
      case "die": {
        const who = step.who % this.spenders.length;
        this.spenders[who] = this.#born(who, (this.spenders[who] as Spender).life + 1);
      }
    }
  }

  #born(who: number, life: number): Spender {
    const { windowMs } = this.options;
    const spender = `spender-${who}.${life}`;
    const state = newSpender({ spender, windowMs, requestTimeoutMs: REQUEST_TIMEOUT_MS });
    return { life, state, clockKnown: false, unheard: false, toldAt: 0, waiting: [] };
  }

  #send(who: number): void {
    const spender = this.spenders[who] as Spender;
    spender.waiting.sort((a, b) => a.priority - b.priority);
    const call = spender.waiting[0];
    if (call === undefined) return;
    const outcome = spend(spender.state, call.priority, call.units, this.believedNow(who));
    spender.state = outcome.state;
    if (outcome.kind === "wait") return;
    spender.waiting.shift();
    this.#exchanges.push({ who, life: spender.life, ticket: outcome.ticket, sentAt: this.now, answer: undefined });
  }

  /** The request arrives at GitHub. */
  #reach(exchange: Exchange): void {
    this.#calls += 1;
    const unchanged = this.options.unchangedEvery > 0 && this.#calls % this.options.unchangedEvery === 0;
    const open = this.now < this.#resetAt;
    const { units } = exchange.ticket;
    const refused = open && this.used + units > this.options.limit;
    if (refused) this.refused += 1;
    const charged = refused || unchanged ? 0 : units;
    if (charged > 0) this.#charge(charged, false);
    const known = this.now < this.#resetAt;
    const jitter = this.#calls % 7 === 0 ? this.options.resetJitterMs * (this.#calls % 2 === 0 ? 1 : -1) : 0;
    const header = {
      limit: this.options.limit,
      used: known ? this.used : 0,
      resetAt: (known ? this.#resetAt : wholeSecond(this.now) + this.options.windowMs) + jitter,
    };
    exchange.answer = { charged, refused, header };
  }

  #charge(units: number, hidden: boolean): void {
    if (this.now >= this.#resetAt) {
      this.#resetAt = wholeSecond(this.now) + this.options.windowMs;
      this.used = 0;
      this.hidden = 0;
    }
    if (hidden && this.used + units > this.options.limit) return;
    this.used += units;
    if (hidden) this.hidden += units;
  }

  #answer(exchange: Exchange): void {
    this.#exchanges.splice(this.#exchanges.indexOf(exchange), 1);
    const spender = this.spenders[exchange.who] as Spender;
    if (spender.life !== exchange.life || exchange.answer === undefined) return;
    const isFirst = !spender.clockKnown;
    spender.clockKnown = true;
    const at = this.believedNow(exchange.who);
    if (isFirst) spender.state = setClock(spender.state, at);
    const { charged, header } = exchange.answer;
    spender.state = settle(spender.state, exchange.ticket, { answered: true, charged, header: { ...header, at } }, at);
    this.#look(exchange.who);
  }

  #report(who: number, how: "report" | "report-unheard" | "report-slowly"): void {
    const spender = this.spenders[who] as Spender;
    if (spender.state.reporting) return;
    const { clockKnown } = spender;
    const { state, report } = beginReport(spender.state, this.believedNow(who), { clockKnown, mode: "lend" });
    spender.state = state;
    if (how === "report-slowly") {
      this.#slow.push({ who, life: spender.life, id: state.reportId, report });
      return;
    }
    const update = this.#update(who, report);
    spender.unheard = how === "report-unheard";
    if (how === "report") this.#adopt(who, state.reportId, update);
    // Pacing is another property; here a lost answer only means asking again.
    else spender.state = { ...reportFailed(spender.state, state.reportId, this.believedNow(who)), lost: false };
  }

  #adopt(who: number, reportId: number, { doc, grant }: ShareUpdate): void {
    const spender = this.spenders[who] as Spender;
    spender.state = adopt(spender.state, reportId, grant, this.believedNow(who));
    spender.toldAt = doc.countedAt;
    this.#look(who);
  }

  #deliver(): void {
    const slow = this.#slow.shift();
    if (slow === undefined) return;
    const spender = this.spenders[slow.who] as Spender;
    if (spender.life !== slow.life) return;
    const update = this.#update(slow.who, slow.report);
    spender.unheard = false;
    this.#adopt(slow.who, slow.id, update);
  }

  #update(who: number, report: ShareReport): ShareUpdate {
    const now = this.believedNow(who);
    const before = this.doc;
    const update = updateShare(before, report, now);
    const parsed = parseQuotaDocument(JSON.parse(JSON.stringify(update.doc)), now);
    if (parsed.kind === "unreadable") throw new Error(`The pool wrote what it cannot read: ${parsed.why}`);
    this.doc = parsed.doc;
    this.#onUpdate(update, report, before, now);
    return update;
  }

  /** Time passes; an exchange that is not answered in time is aborted, whether GitHub charged it or not. */
  #pass(ms: number): void {
    this.now += ms;
    for (const exchange of this.#exchanges.filter(({ sentAt }) => this.now - sentAt >= REQUEST_TIMEOUT_MS)) {
      this.#exchanges.splice(this.#exchanges.indexOf(exchange), 1);
      this.#doubts.push({ ...exchange, dueAt: this.now + REQUEST_TIMEOUT_MS });
    }
    for (let who = 0; who < this.spenders.length; who++) this.#look(who);
  }

  /**
   * Writes off a spender's requests without an answer that cannot be charged any more, when a header has counted them if
   * they were, or when whatever window they were charged in is over.
   */
  #look(who: number): void {
    const spender = this.spenders[who] as Spender;
    const headerAt = Math.max(countedUntil(spender.state), spender.toldAt);
    const seenAgoMs = spender.clockKnown ? Math.max(0, this.believedNow(who) - headerAt) : Number.POSITIVE_INFINITY;
    const until = this.now - Math.min(seenAgoMs, spender.state.windowMs);
    for (const doubt of this.#doubts.filter((one) => one.who === who && one.dueAt < until)) {
      this.#doubts.splice(this.#doubts.indexOf(doubt), 1);
      if (doubt.life === spender.life) spender.state = writeOff(spender.state, doubt.ticket, this.believedNow(who));
    }
  }
}

function wholeSecond(now: number): number {
  return Math.floor(now / 1_000) * 1_000;
}

const who = fc.nat(5);
const rush = fc.record({
  kind: fc.constant("rush" as const),
  who,
  priority: fc.constantFrom<Priority>(0, 1, 2),
  calls: fc.integer({ min: 2, max: 20 }),
});
const flow = fc.record({ kind: fc.constant("flow" as const), reversed: fc.boolean(), lost: fc.nat(2) });

const priority = fc.constantFrom<Priority>(0, 1, 2);

/** Steps in the proportions of a busy fleet; a burst is several at once. */
export function poolSteps(options: { readonly hidden: boolean; readonly windowMs: number }): fc.Arbitrary<PoolStep[]> {
  const { windowMs } = options;
  return fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant("call" as const), who, priority, units: fc.constant(1) }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant("call" as const),
          who,
          priority,
          units: fc.integer({ min: 2, max: 6 }),
        }),
      },
      { weight: 6, arbitrary: rush },
      { weight: 4, arbitrary: flow },
      { weight: 8, arbitrary: fc.record({ kind: fc.constant("send" as const), who }) },
      { weight: 8, arbitrary: fc.record({ kind: fc.constant("reach" as const), which: fc.nat(20) }) },
      { weight: 8, arbitrary: fc.record({ kind: fc.constant("answer" as const), which: fc.nat(20) }) },
      { weight: 8, arbitrary: fc.record({ kind: fc.constant("report" as const), who }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("report-unheard" as const), who }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("report-slowly" as const), who }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("deliver" as const) }) },
      {
        weight: options.hidden ? 3 : 0,
        arbitrary: fc.record({ kind: fc.constant("hidden" as const), units: fc.integer({ min: 1, max: 5 }) }),
      },
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 3_000 }) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("pass" as const),
          ms: fc.integer({ min: 3_000, max: Math.round(windowMs / 2) }),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 20_000, max: 90_000 }) }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("carry-on" as const), who }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("die" as const), who }) },
    ),
    { minLength: 40, maxLength: 160, size: "max" },
  );
}
