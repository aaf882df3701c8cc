import type { Clock } from "../clock.js";
import { RESERVED_FOR_MS } from "../policy/content-writes.js";
import type { ContentSlot } from "./content-writes-word.js";

/** No window is longer, and what is uncertain about one is less than the second that is added. */
const FORGET_MS = 3_601_000 + RESERVED_FOR_MS;

/** A write of which the others do not know yet. */
interface AloneSlot extends ContentSlot {
  /** When it was sent; while that is not known, the last moment at which it may be. Monotonic. */
  sentMono: number;
}

/**
 * The content writes that this process sends without telling the others, in the order of their admission. They are kept in
 * monotonic time, because GitHub's may not be known yet.
 */
export class AloneWrites {
  readonly #clock: Clock;
  readonly #slots = new Set<ContentSlot & AloneSlot>();
  #newestMono = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#slots.size;
  }

  /** How long ago the latest was admitted. */
  get newestAgoMs(): number {
    return this.#clock.monotonic() - this.#newestMono;
  }

  /** One more is admitted. `now` is GitHub's time. */
  admit(now: number): ContentSlot {
    this.#newestMono = this.#clock.monotonic();
    const slot = { sendBy: now + RESERVED_FOR_MS, sentMono: this.#newestMono + RESERVED_FOR_MS };
    this.#slots.add(slot);
    return slot;
  }

  /** It is being sent now. False when it is none of these. */
  sent(slot: ContentSlot): boolean {
    if (!this.#has(slot)) return false;
    slot.sentMono = Math.min(slot.sentMono, this.#clock.monotonic());
    return true;
  }

  /** It was told to the others, or not sent. False when it is none of these. */
  forget(slot: ContentSlot): boolean {
    return this.#has(slot) && this.#slots.delete(slot);
  }

  /** All of them with their times, GitHub's, without those that no window counts any more. `now` is GitHub's time. */
  list(now: number): readonly { readonly slot: ContentSlot; readonly at: number }[] {
    const nowMono = this.#clock.monotonic();
    for (const slot of this.#slots) if (slot.sentMono + FORGET_MS < nowMono) this.#slots.delete(slot);
    return Array.from(this.#slots, (slot) => ({ slot, at: now - nowMono + slot.sentMono }));
  }

  #has(slot: ContentSlot): slot is AloneSlot {
    return this.#slots.has(slot as AloneSlot);
  }
}
