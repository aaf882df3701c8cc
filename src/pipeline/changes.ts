/** Tells whoever listens that something has changed: quota, a cooldown, who shares the pool. */
export class Changes {
  readonly #listeners = new Set<() => void>();

  /** Returns what takes the listener off again. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
