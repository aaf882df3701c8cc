import type { Clock } from "../../src/clock.js";
import type { Changed, PoolDocuments, UpdateOutcome } from "../../src/pool/documents.js";

/** What the store does with an update. `loses the answer`: the change is made, and the update fails all the same. */
type Manner = "answers" | "fails" | "loses the answer" | "hangs";

/** Documents in memory, on a clock. Every change is run twice, as a store does that was overtaken. */
export class FakeDocuments implements PoolDocuments {
  readonly values = new Map<string, unknown>();
  manner: Manner = "answers";
  /** When a change has its turn, and how long its answer takes from then on. */
  turnAfterMs = 1;
  answerAfterMs = 1;
  error: unknown = new Error("no route to host");
  updates = 0;
  writes = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  update<Result>(
    key: string,
    change: (doc: unknown) => Changed<Result>,
    done: (outcome: UpdateOutcome<Result>) => void,
  ): void {
    this.updates++;
    const { manner, turnAfterMs, answerAfterMs } = this;
    if (manner === "hangs") return;
    this.#clock.timer(turnAfterMs, () => {
      const outcome: UpdateOutcome<Result> =
        manner === "fails" ? { kind: "failed", error: this.error } : this.#make(key, change);
      const heard: UpdateOutcome<Result> =
        manner === "loses the answer" ? { kind: "failed", error: new Error("connection reset") } : outcome;
      this.#clock.timer(answerAfterMs, () => done(heard));
    });
  }

  #make<Result>(key: string, change: (doc: unknown) => Changed<Result>): UpdateOutcome<Result> {
    try {
      change(structuredClone(this.values.get(key)));
      const { doc, result } = change(structuredClone(this.values.get(key)));
      if (doc !== undefined) {
        this.writes++;
        this.values.set(key, JSON.parse(JSON.stringify(doc)));
      }
      return { kind: "done", result };
    } catch (error) {
      return { kind: "failed", error };
    }
  }
}
