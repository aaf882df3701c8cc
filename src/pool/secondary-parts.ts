import type { Clock } from "../clock.js";
import {
  type FleetUseDocument,
  type MinuteUse,
  REQUESTS_PER_REPORT,
  updateFleetUse,
  useReportEveryMs,
  usesAt,
} from "../policy/secondary/fleet-use.js";
import { GITHUB_SECONDARY_LIMITS, type SecondaryLimits } from "../policy/secondary/limits.js";
import { parseFleetUse } from "../policy/secondary/parse-fleet-use.js";
import { fleetPressure, type LimitParts, NO_USE, partsOf, WHOLE } from "../policy/secondary/parts.js";
import { measureUse, toldUse, type UseRate } from "../policy/secondary/use-rate.js";
import { unreadableDocument } from "../store/document.js";
import type { Changed, PoolDocuments } from "./documents.js";
import type { GitHubTime } from "./github-time.js";
import { type PoolIdentity, secondaryUseKey } from "./keys.js";
import { OutageReport } from "./outage-report.js";

/** What {@link SecondaryParts} are made with. */
export interface SecondaryPartsOptions {
  readonly documents: PoolDocuments;
  readonly pool: PoolIdentity;
  readonly clock: Clock;
  readonly time: GitHubTime;
  /** Unique and random: of this process and this principal. */
  readonly id: string;
  /** The parts may have changed: whoever waits may ask again. */
  readonly onChange: () => void;
  /** Told once of each outage. */
  readonly report: (what: string, cause: unknown) => void;
}

/** A newcomer looks soon what others came at the same time, and then ever less often. */
const FIRST_PAUSE_MS = 1_000;

/**
 * This process's parts of the secondary limits that GitHub counts for all processes together. They are divided by what
 * each sends, answers that cost nothing included, which a small document tells; see `policy/secondary/parts.ts`.
 *
 * It is updated in the background, by calls: no more than once a minute, and for four requests or more. So there is no
 * timer, whoever sends nothing writes nothing, and there is an update for every fourth request at most. While the store
 * fails the latest parts stand.
 *
 * @example
 * ```ts
 * parts.sent(use.total, 50); // with every request
 * parts.now(50, GITHUB_SECONDARY_LIMITS); // { points: 0.02, graphqlPoints: 0.02, responseMs: 0.021, graphqlResponseMs: 0.02 }
 * ```
 */
export class SecondaryParts {
  readonly #options: SecondaryPartsOptions;
  readonly #key: string;
  readonly #outage: OutageReport;
  #doc: FleetUseDocument | undefined;
  /** By GitHub's clock. That nobody could be heard since, because the store fails, is not their silence. */
  #readAt = 0;
  #rate: UseRate | undefined;
  /** Of how many processes the parts are; they are worked out anew when there are more or fewer. */
  #ofProcesses = 1;
  #limits: SecondaryLimits = GITHUB_SECONDARY_LIMITS;
  #parts: LimitParts = WHOLE;
  #total: MinuteUse = NO_USE;
  #requestsTold = 0;
  /** Since the rate was measured a call was held back by its part. */
  #isHeld = false;
  #busy = false;
  #isListed = false;
  #pauseMs = FIRST_PAUSE_MS;
  /** Monotonic. */
  #notBefore = Number.NEGATIVE_INFINITY;
  #saysGoodbye = false;
  #closing: Promise<void> | undefined;
  #closed: (() => void) | undefined;

  constructor(options: SecondaryPartsOptions) {
    this.#options = options;
    this.#key = secondaryUseKey(options.pool);
    this.#outage = new OutageReport(options.report);
  }

  /** This process's parts, as far as it knows of the others. `processes` are known to share the limits, this one included. */
  now(processes: number, limits: SecondaryLimits): LimitParts {
    if (processes !== this.#ofProcesses || limits !== this.#limits) this.#divide(processes, limits);
    return this.#parts;
  }

  /** How near all processes together are to the nearest of these limits, as far as they have told: 1 is all of it. */
  pressure(limits: SecondaryLimits): number {
    return fleetPressure(this.#doc, limits, this.#readAt);
  }

  /** To be called when a call is held back by one of the parts. */
  heldBack(): void {
    this.#isHeld = true;
  }

  /** To be called when a request is sent and when it ends: `total` is what this process has used, ever. */
  sent(total: MinuteUse, processes: number): void {
    this.#total = total;
    const mono = this.#options.clock.monotonic();
    const isFirst = this.#rate === undefined;
    this.#rate ??= { since: mono, total: NO_USE, perMinute: undefined, told: NO_USE };
    if (this.#busy || this.#closing !== undefined || mono < this.#notBefore) return;
    // A newcomer has to hear how many others come with it, and to be heard, or it would be held back for long.
    const due = this.#rate.perMinute === undefined ? 1 : REQUESTS_PER_REPORT;
    if (!isFirst && total.requests - this.#requestsTold < due) return;
    this.#notBefore = mono + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, useReportEveryMs(processes));
    this.#requestsTold = total.requests;
    const rate = measureUse(this.#rate, total, this.#isHeld, mono);
    if (rate !== this.#rate) this.#isHeld = false;
    this.#rate = rate;
    this.#update();
  }

  /** Takes this process off the document, as far as the store answers. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#closed = resolve;
      if (!this.#busy) this.#sayGoodbye();
    });
    return this.#closing;
  }

  #update(): void {
    const { documents, time, id } = this.#options;
    const rate = this.#rate;
    this.#busy = true;
    documents.update(
      this.#key,
      (stored): Changed<FleetUseDocument | undefined> => {
        const now = time.now();
        const doc = this.#newest(stored, now);
        // By a clock that nobody knows it might be told of the future, and nobody could read it.
        if (rate === undefined || !time.known()) return { doc: undefined, result: doc };
        const others = Object.entries(usesAt(doc, now)).flatMap(([other, use]) => (other === id ? [] : [use]));
        const use = this.#closing === undefined ? toldUse(rate, this.#total, others) : undefined;
        if (use !== undefined) this.#rate = { ...rate, told: use };
        const next = updateFleetUse(doc, { id, use }, now);
        return { doc: next, result: next };
      },
      (outcome) => {
        this.#busy = false;
        if (outcome.kind === "done") {
          this.#outage.over();
          this.#doc = outcome.result;
          this.#readAt = time.now();
          this.#isListed = this.#doc !== undefined && Object.hasOwn(this.#doc.processes, id);
          this.#divide(this.#ofProcesses, this.#limits);
        } else {
          this.#outage.failed("Processes do not hear how much of the secondary limits the others use", outcome.error);
        }
        if (this.#closing !== undefined) this.#sayGoodbye();
        else this.#options.onChange();
      },
    );
  }

  /** The stored document, or the one that is remembered if the store has lost it. */
  #newest(stored: unknown, now: number): FleetUseDocument | undefined {
    if (stored === undefined) return this.#doc;
    const parsed = parseFleetUse(stored, this.#options.time.known() ? now : Number.POSITIVE_INFINITY);
    if (parsed.kind === "unreadable") throw unreadableDocument(this.#key, parsed.why);
    return parsed.doc.revision < (this.#doc?.revision ?? 0) ? this.#doc : parsed.doc;
  }

  #divide(processes: number, limits: SecondaryLimits): void {
    const { id } = this.#options;
    this.#ofProcesses = processes;
    this.#limits = limits;
    const isNew = this.#rate?.perMinute === undefined;
    this.#parts = partsOf(this.#doc, { id, isNew, processes, limits }, this.#readAt);
  }

  /** Once: whose clock was set meanwhile stays on the document, until its silence tells. */
  #sayGoodbye(): void {
    if (this.#isListed && !this.#saysGoodbye) {
      this.#saysGoodbye = true;
      this.#update();
    } else {
      this.#closed?.();
    }
  }
}
