import type { CancelTimer, Clock } from "../clock.js";
import type { CostReport, OperationCostsDocument } from "../policy/operation-costs.js";
import type { PoolDocuments } from "./documents.js";
import type { GitHubTime } from "./github-time.js";
import { operationCostsKey, type PoolIdentity } from "./keys.js";
import { changeCosts } from "./operation-costs-document.js";
import { CostsLedger } from "./operation-costs-ledger.js";
import { OutageReport } from "./outage-report.js";

/** What {@link OperationCosts} are made with. */
export interface OperationCostsOptions {
  /** Undefined: nobody else is told, and nobody tells. */
  readonly documents: PoolDocuments | undefined;
  readonly pool: PoolIdentity;
  readonly clock: Clock;
  readonly time: GitHubTime;
  /** Unique and random. */
  readonly processId: string;
  /** Told once of each outage. */
  readonly report: (what: string, cause: unknown) => void;
}

/** Operations that are seen for the first time mostly come several at once. */
const GATHER_MS = 2_000;
/** A process neither reads nor writes the document more often; at a hundred kilobytes that is next to nothing. */
const PAUSE_MS = 60_000;
/** That all is as everybody knows is said so often, lest it be taken for forgotten. */
const CONFIRM_MS = 10 * 60_000;

/** Nothing is due. */
const NEVER = Number.POSITIVE_INFINITY;

/**
 * What GraphQL operations are charged, as all processes of a pool have learnt it: an agent that never sent a query
 * reserves for it what others have paid. Answers are always there at once; the document is read and written in the
 * background. A store that fails loses nothing: what was learnt goes on counting here, and is told later.
 *
 * Its timer does not keep the process alive, and there is none unless something is to be told.
 *
 * @example
 * ```ts
 * costs.refresh();
 * const reserved = costs.expected(operation.costKey(variables)) ?? operation.estimate(variables).units;
 * costs.learn(operation.costKey(variables), rateLimit.cost);
 * ```
 */
export class OperationCosts {
  readonly #options: OperationCostsOptions;
  readonly #key: string;
  readonly #ledger: CostsLedger;
  readonly #outage: OutageReport;
  #busy = false;
  /** When the document was read last, or nearly so. This and all moments below are monotonic. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Nothing is reported before. */
  #notBefore = Number.NEGATIVE_INFINITY;
  /** When something is to be told that others would reserve differently by. */
  #newsAt = NEVER;
  /** When it is to be told that there is none. */
  #confirmAt = NEVER;
  #wakeAt = NEVER;
  #cancelWake: CancelTimer | undefined;
  #closing: Promise<void> | undefined;
  #closed: (() => void) | undefined;

  constructor(options: OperationCostsOptions) {
    this.#options = options;
    this.#key = operationCostsKey(options.pool);
    this.#ledger = new CostsLedger(options.documents === undefined ? undefined : options.processId);
    this.#outage = new OutageReport(options.report);
  }

  /** Whole units, at least 1, to reserve for the next call of this operation; `undefined` when nothing is known of it. */
  expected(key: string): number | undefined {
    return this.#ledger.expected(key, this.#options.time.now());
  }

  /** A call of this operation was charged so many units. What cannot be is ignored. `key`: 32 hex digits. */
  learn(key: string, units: number): void {
    const learnt = this.#ledger.learn(key, units, this.#options.time.now());
    if (learnt === "nothing" || !this.#isShared) return;
    if (learnt === "news" && this.#newsAt === NEVER) this.#newsAt = this.#in(GATHER_MS);
    else if (this.#confirmAt === NEVER) this.#confirmAt = this.#in(CONFIRM_MS);
    else return;
    this.#plan();
  }

  /** Reads what the others have learnt, unless that was done within the last minute. Never waits for the store. */
  refresh(): void {
    if (!this.#isShared || this.#busy || this.#options.clock.monotonic() - this.#lookedAt < PAUSE_MS) return;
    this.#exchange(undefined);
  }

  /** Tells what nobody has been told, as far as the store answers. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#closed = resolve;
      this.#cancelWake?.();
      if (!this.#busy) this.#sayGoodbye();
    });
    return this.#closing;
  }

  get #isShared(): boolean {
    return this.#options.documents !== undefined && this.#closing === undefined;
  }

  #in(ms: number): number {
    return this.#options.clock.monotonic() + ms;
  }

  /** Sees to it that the timer fires when something is due. What is under way plans once it is answered. */
  #plan(): void {
    if (this.#busy || this.#closing !== undefined) return;
    const at = Math.max(this.#notBefore, Math.min(this.#newsAt, this.#confirmAt));
    if (at === this.#wakeAt) return;
    this.#cancelWake?.();
    this.#wakeAt = at;
    if (at === NEVER) return;
    const { clock } = this.#options;
    this.#cancelWake = clock.timer(at - clock.monotonic(), () => this.#wake(), { unref: true });
  }

  #wake(): void {
    this.#wakeAt = NEVER;
    if (this.#busy) return;
    // By a clock that nobody knows it might be told of the future, and nobody could read it.
    if (this.#options.time.known()) this.#exchange(this.#ledger.takeReport());
    else {
      this.#notBefore = this.#in(PAUSE_MS);
      this.#plan();
    }
  }

  /** Tells, if there is a report, and reads. An attempt that fails counts as one. */
  #exchange(report: CostReport | undefined): void {
    const { documents, time } = this.#options;
    if (documents === undefined) return;
    this.#busy = true;
    this.#lookedAt = this.#in(0);
    if (report !== undefined) this.#notBefore = this.#in(PAUSE_MS);
    documents.update(
      this.#key,
      (stored) => changeCosts(this.#key, stored, this.#ledger.document, report, time),
      (outcome) => {
        this.#busy = false;
        if (outcome.kind === "done") {
          this.#outage.over();
          this.#adopt(outcome.result, report !== undefined);
        } else {
          this.#outage.failed(
            "What GraphQL operations cost is not shared; this process goes on by what it has learnt itself",
            outcome.error,
          );
        }
        if (this.#closing === undefined) this.#plan();
        else if (outcome.kind === "done") this.#sayGoodbye();
        else this.#closed?.();
      },
    );
  }

  #adopt(document: OperationCostsDocument | undefined, isReported: boolean): void {
    const hasNews = this.#ledger.adopt(document, this.#options.time.now());
    // What seemed new may be known to all others, and what was learnt meanwhile may not.
    this.#newsAt = hasNews ? Math.min(this.#newsAt, this.#in(GATHER_MS)) : NEVER;
    if (isReported) this.#confirmAt = NEVER;
    if (this.#ledger.owes) this.#confirmAt = Math.min(this.#confirmAt, this.#in(CONFIRM_MS));
  }

  /** Until all is told: first a report whose answer was missing, then what came after it. */
  #sayGoodbye(): void {
    const { documents, time } = this.#options;
    const report = documents !== undefined && time.known() ? this.#ledger.takeReport() : undefined;
    if (report === undefined) this.#closed?.();
    else this.#exchange(report);
  }
}
