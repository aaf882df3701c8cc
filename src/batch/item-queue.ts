import type { BatchResult } from "./batch-result.js";
import type { WeighedSelection } from "./weigh-item.js";

/** An item on its way through a batch. */
export interface Entry<I, V> {
  readonly item: I;
  /** Undefined for one that cannot be asked for; it has its result. */
  readonly selection: WeighedSelection | undefined;
  result: BatchResult<I, V> | undefined;
  /** It was in a query that was too much, and goes into smaller ones only, whatever is learnt meanwhile: so it comes to an end. */
  atMost: number;
  /** A query for several shapes was turned down, and it does not go with another one again. */
  apart: boolean;
}

/** Behind an item that is asked for again so many may wait, answered or not. */
const MAX_KEPT = 200;

/** The items of a batch whose results have not been given out, in their order. Its source is read only as far as needed. */
export class ItemQueue<I, V> {
  readonly #source: Iterator<I> | AsyncIterator<I>;
  readonly #enter: (item: I, index: number) => Entry<I, V>;
  readonly #entries: Entry<I, V>[] = [];
  #entered = 0;
  #end: { readonly failure: unknown } | undefined;

  constructor(items: Iterable<I> | AsyncIterable<I>, enter: (item: I, index: number) => Entry<I, V>) {
    this.#source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    this.#enter = enter;
  }

  /** The result of the first item, if it is there; the item is gone then. */
  shift(): BatchResult<I, V> | undefined {
    const result = this.#entries[0]?.result;
    if (result !== undefined) this.#entries.shift();
    return result;
  }

  /** Items without a result, as far as somebody asks for them; none behind one whose result can be given out. */
  async *unanswered(): AsyncGenerator<Entry<I, V>, void, undefined> {
    for (let index = 0; ; index++) {
      if (index === this.#entries.length && !(await this.#pull())) return;
      if (this.#entries[0]?.result !== undefined) return;
      const entry = this.#entries[index];
      if (entry !== undefined && entry.result === undefined) yield entry;
    }
  }

  /** Whether all results were given out. Throws what the source threw, now that no item is left that came before. */
  isOver(): boolean {
    if (this.#entries.length > 0 || this.#end === undefined) return false;
    const { failure } = this.#end;
    if (failure !== undefined) throw failure;
    return true;
  }

  /** Lets the source go. */
  async close(): Promise<void> {
    if (this.#end === undefined) await this.#source.return?.();
  }

  async #pull(): Promise<boolean> {
    if (this.#end !== undefined || this.#entries.length >= MAX_KEPT) return false;
    let next: IteratorResult<I>;
    try {
      next = await this.#source.next();
    } catch (failure) {
      this.#end = { failure };
      return false;
    }
    if (next.done === true) this.#end = { failure: undefined };
    else this.#entries.push(this.#enter(next.value, this.#entered++));
    return this.#end === undefined;
  }
}
