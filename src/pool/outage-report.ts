import { SquadRateError } from "../errors.js";

/** Tells of an outage once, however often what failed is tried again; and of the next one anew. */
export class OutageReport {
  readonly #report: (what: string, cause: unknown) => void;
  #told = false;

  constructor(report: (what: string, cause: unknown) => void) {
    this.#report = report;
  }

  failed(what: string, cause: unknown): void {
    // A store that was closed is no outage.
    if (this.#told || (cause instanceof SquadRateError && cause.code === "SQUAD_RATE_CLOSED")) return;
    this.#told = true;
    this.#report(what, cause);
  }

  over(): void {
    this.#told = false;
  }
}
