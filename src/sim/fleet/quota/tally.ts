import type { Priority } from "../../../policy/light.js";
import type { WindowReading } from "../../github/windows.js";
import type { QuotaOutcome } from "./client.js";
import type { QuotaScenario } from "./scenario.js";

/** What happened in one window of GitHub's. Units and requests. */
export interface QuotaWindow {
  readonly resetAt: number;
  readonly limit: number;
  /** Units charged, by everybody. */
  readonly used: number;
  readonly hidden: number;
  /** Requests of the pool refused for lack of quota. */
  readonly refused: number;
}

/** What became of one class's calls. */
export interface QuotaClass {
  readonly arrived: number;
  readonly answered: number;
  readonly refused: number;
  readonly gaveUp: number;
  /** Of the answered calls, from arrival to answer. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface QuotaReport {
  /** Windows that ended within the run; the last, cut off by the end, is left out. */
  readonly windows: readonly QuotaWindow[];
  readonly classes: readonly [QuotaClass, QuotaClass, QuotaClass];
  /** Requests of the pool that reached GitHub, refused ones included. */
  readonly sent: number;
  readonly refused: number;
  readonly storeOperations: number;
  readonly events: number;
}

interface Counts {
  used: number;
  hidden: number;
  refused: number;
}

export class Tally {
  readonly #windows = new Map<number, Counts>();
  readonly #classes = [newClass(), newClass(), newClass()] as const;
  readonly #scenario: QuotaScenario;
  readonly #startAt: number;
  #sent = 0;
  #refused = 0;
  #stored = 0;

  constructor(scenario: QuotaScenario, startAt: number) {
    this.#scenario = scenario;
    this.#startAt = startAt;
  }

  arrived(priority: Priority): void {
    this.#classes[priority].arrived += 1;
  }

  ended(priority: Priority, outcome: QuotaOutcome, tookMs: number): void {
    const of = this.#classes[priority];
    if (outcome === "answered") of.tookMs.push(tookMs);
    else if (outcome === "refused") of.refused += 1;
    else of.gaveUp += 1;
  }

  charged(by: "pool" | "hidden", units: number, reading: WindowReading): void {
    if (by === "pool") this.#sent += 1;
    if (units === 0) return;
    const window = this.#window(reading);
    window.used += units;
    if (by === "hidden") window.hidden += units;
  }

  refused(reading: WindowReading): void {
    this.#sent += 1;
    this.#refused += 1;
    this.#window(reading).refused += 1;
  }

  stored(): void {
    this.#stored += 1;
  }

  report(events: number): QuotaReport {
    const { limit, windowMs, windows } = this.#scenario;
    const endAt = this.#startAt + windows * windowMs;
    const ended = [...this.#windows].filter(([resetAt]) => resetAt <= endAt);
    return {
      windows: ended.map(([resetAt, counts]) => ({ resetAt, limit, ...counts })),
      classes: [close(this.#classes[0]), close(this.#classes[1]), close(this.#classes[2])],
      sent: this.#sent,
      refused: this.#refused,
      storeOperations: this.#stored,
      events,
    };
  }

  #window({ resetAt }: WindowReading): Counts {
    let window = this.#windows.get(resetAt);
    if (window === undefined) {
      window = { used: 0, hidden: 0, refused: 0 };
      this.#windows.set(resetAt, window);
    }
    return window;
  }
}

interface OpenClass {
  arrived: number;
  refused: number;
  gaveUp: number;
  readonly tookMs: number[];
}

function newClass(): OpenClass {
  return { arrived: 0, refused: 0, gaveUp: 0, tookMs: [] };
}

function close({ arrived, refused, gaveUp, tookMs }: OpenClass): QuotaClass {
  tookMs.sort((a, b) => a - b);
  const at = (share: number): number => tookMs[Math.min(tookMs.length - 1, Math.floor(share * tookMs.length))] ?? 0;
  return { arrived, answered: tookMs.length, refused, gaveUp, p50Ms: at(0.5), p99Ms: at(0.99) };
}
