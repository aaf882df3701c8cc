import type { Priority } from "../../policy/light.js";
import type { FleetInversions } from "./report.js";

/** How long more urgent calls have waited that others are held against, in milliseconds. */
const WAITS_MS = [5_000, 30_000, 120_000] as const;

/** Of what the fleet has, by class, as squads entitle them. */
const SHARES = [0.4, 0.35, 0.25] as const;

/** A call as far as its place in the line goes. */
export interface LinedUpCall {
  readonly priority: Priority;
  readonly madeAt: number;
  /** Whether it has been neither sent nor given up, and its process runs. */
  readonly waits: () => boolean;
  /** It will never wait again. */
  readonly isOver: () => boolean;
}

/** A call that is being sent: by the waits of {@link WAITS_MS}, whether it has gone before its turn. */
export type Overtaking = readonly boolean[];

/** Watches who is sent before whom, of one resource. */
export class Inversions {
  readonly #limit: () => number;
  readonly #classes: ReadonlySet<Priority>;
  /** By class, in the order of arrival; those that wait no more are dropped when they come to the front. */
  readonly #lines: readonly LinedUpCall[][] = [[], [], []];
  readonly #charged = [0, 0, 0];
  readonly #counts: number[] = WAITS_MS.map(() => 0);
  #window = 0;

  /** `limit`: units of a window that the fleet has. */
  constructor(classes: ReadonlySet<Priority>, limit: () => number) {
    this.#classes = classes;
    this.#limit = limit;
  }

  made(call: LinedUpCall): void {
    const line = this.#lines[call.priority] ?? [];
    // Nobody may ever look at it: that of the least urgent, or of those who have had their part.
    dropThoseOver(line);
    line.push(call);
  }

  /** Whom a call of that class overtakes that is sent now. */
  sent(priority: Priority, now: number, window: number): Overtaking {
    this.#turn(window);
    const longest = Math.max(0, ...this.#above(priority).map((line) => now - (firstOf(line)?.madeAt ?? now)));
    return WAITS_MS.map((waitMs) => longest >= waitMs);
  }

  /** It was charged, in that window. */
  charged(priority: Priority, units: number, window: number, overtaking: Overtaking): void {
    this.#turn(window);
    if (window === this.#window) this.#charged[priority] = (this.#charged[priority] ?? 0) + units;
    for (const [index, overtakes] of overtaking.entries())
      if (overtakes) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  figures(): Pick<FleetInversions, "byWait"> {
    return { byWait: WAITS_MS.map((waitedMs, index) => ({ waitedMs, count: this.#counts[index] ?? 0 })) };
  }

  #turn(window: number): void {
    if (window <= this.#window) return;
    this.#window = window;
    this.#charged.fill(0);
  }

  /** The lines of more urgent classes that have not had their part yet. */
  #above(priority: Priority): readonly LinedUpCall[][] {
    const present = SHARES.filter((_, one) => this.#classes.has(one as Priority)).reduce(
      (sum, share) => sum + share,
      0,
    );
    return this.#lines.filter((_, urgent) => {
      const share = (SHARES[urgent] ?? 0) / present;
      return urgent < priority && (this.#charged[urgent] ?? 0) + 1 <= share * this.#limit();
    });
  }
}

function firstOf(line: LinedUpCall[]): LinedUpCall | undefined {
  dropThoseOver(line);
  return line.find((call) => call.waits());
}

function dropThoseOver(line: LinedUpCall[]): void {
  while (line[0]?.isOver() === true) line.shift();
}
