import type { ContentSlot } from "./content-writes-word.js";

/** Between its admission and its departure a write may still fetch a token; a slot with less time left is given back. */
const TIME_TO_SEND_MS = 5_000;

/** The content writes that this process has reserved and not begun. Times are GitHub's. */
export class ContentHand {
  /** Those that must be sent first come first. */
  readonly #slots: ContentSlot[] = [];

  get size(): number {
    return this.#slots.length;
  }

  /** When the first of them is too old to be used; `Infinity` without any. */
  get keepsUntil(): number {
    const [first] = this.#slots;
    return first === undefined ? Number.POSITIVE_INFINITY : first.sendBy - TIME_TO_SEND_MS;
  }

  /** Slots that have just been reserved. */
  add(sendBy: number, slots: number): void {
    for (let each = 0; each < slots; each++) this.putBack({ sendBy });
  }

  /** A slot whose call was not sent. */
  putBack(slot: ContentSlot): void {
    const later = this.#slots.findIndex(({ sendBy }) => sendBy > slot.sendBy);
    this.#slots.splice(later < 0 ? this.#slots.length : later, 0, slot);
  }

  take(): ContentSlot | undefined {
    return this.#slots.shift();
  }

  /** Takes those out that are too old to be used. */
  dropOld(now: number): readonly ContentSlot[] {
    const first = this.#slots.findIndex(({ sendBy }) => now < sendBy - TIME_TO_SEND_MS);
    return this.#slots.splice(0, first < 0 ? this.#slots.length : first);
  }

  /** Takes all of them out. */
  dropAll(): readonly ContentSlot[] {
    return this.#slots.splice(0);
  }
}
