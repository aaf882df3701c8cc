import type { Reply } from "./ask.js";
import type { AskableEntry } from "./next-query.js";

/** So many items of one shape, each asked for alone, and each too much: so are the others, or GitHub is unwell. */
const ENOUGH = 5;

/** What stands in the way of all items of a shape: without it an outage would be asked about each of them, for a unit each. */
export class HopelessShapes {
  readonly #failures = new Map<string, { count: number; readonly error: Error }>();

  /** Takes in what became of a query. */
  heard<I, V>(chosen: readonly AskableEntry<I, V>[], reply: Reply): void {
    const [first] = chosen;
    if (reply.kind !== "too-much") for (const { selection } of chosen) this.#failures.delete(selection.shape);
    if (reply.kind !== "too-much" || first === undefined || chosen.length > 1) return;
    const { shape } = first.selection;
    this.#failures.set(shape, { count: (this.#failures.get(shape)?.count ?? 0) + 1, error: reply.error });
  }

  /** Gives the items of hopeless shapes that error without asking; whether there were any. */
  fail<I, V>(chosen: readonly AskableEntry<I, V>[]): boolean {
    let any = false;
    for (const entry of chosen) {
      const failure = this.#failures.get(entry.selection.shape);
      if (failure === undefined || failure.count < ENOUGH) continue;
      entry.result = { item: entry.item, error: failure.error };
      any = true;
    }
    return any;
  }
}
