import { LRUCache } from "lru-cache";
import { afterAnswer, afterTrouble, type BatchSize, UNTRIED } from "../policy/batch-size.js";

const MAX_SHAPES = 1_000;

/** How many items a query may ask for, by the shape of their selections: what is too much of one is little of another. */
export class BatchSizes {
  readonly #byShape = new LRUCache<string, BatchSize>({ max: MAX_SHAPES });

  atMost(shape: string): number {
    return this.#of(shape).atMost;
  }

  /** A query for `asked` items of these shapes was too much. Which of them was to blame nobody knows. */
  wasTooMuch(shapes: ReadonlySet<string>, asked: number, now: number): void {
    for (const shape of shapes) this.#byShape.set(shape, afterTrouble(this.#of(shape), asked, now));
  }

  /** A query for `asked` items of these shapes was answered. */
  wentWell(shapes: ReadonlySet<string>, asked: number, now: number): void {
    for (const shape of shapes) {
      const size = afterAnswer(this.#of(shape), asked, now);
      if (size === UNTRIED) this.#byShape.delete(shape);
      else this.#byShape.set(shape, size);
    }
  }

  #of(shape: string): BatchSize {
    return this.#byShape.get(shape) ?? UNTRIED;
  }
}
