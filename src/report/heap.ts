/** A binary heap: the least by key comes first, of equals the one that was put in first. */
export class Heap<T> {
  readonly #keys: number[] = [];
  readonly #orders: number[] = [];
  readonly #items: T[] = [];
  #order = 0;

  get size(): number {
    return this.#items.length;
  }

  /** The least key; undefined when empty. */
  get least(): number | undefined {
    return this.#keys[0];
  }

  push(key: number, item: T): void {
    let index = this.#items.length;
    const order = this.#order++;
    this.#keys.push(key);
    this.#orders.push(order);
    this.#items.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(index, parent)) break;
      this.#swap(index, parent);
      index = parent;
    }
  }

  pop(): T | undefined {
    const last = this.#items.length - 1;
    if (last < 0) return undefined;
    this.#swap(0, last);
    this.#keys.pop();
    this.#orders.pop();
    const item = this.#items.pop();
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= last) break;
      if (child + 1 < last && this.#isBefore(child + 1, child)) child++;
      if (!this.#isBefore(child, index)) break;
      this.#swap(index, child);
      index = child;
    }
    return item;
  }

  #isBefore(a: number, b: number): boolean {
    const difference = (this.#keys[a] as number) - (this.#keys[b] as number);
    return difference !== 0 ? difference < 0 : (this.#orders[a] as number) < (this.#orders[b] as number);
  }

  #swap(a: number, b: number): void {
    for (const list of [this.#keys, this.#orders]) {
      const held = list[a] as number;
      list[a] = list[b] as number;
      list[b] = held;
    }
    const item = this.#items[a] as T;
    this.#items[a] = this.#items[b] as T;
    this.#items[b] = item;
  }
}
