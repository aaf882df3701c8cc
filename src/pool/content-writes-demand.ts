import { withoutMostUrgent } from "../policy/content-writes.js";
import type { Priority } from "../policy/light.js";
import { type PerClass, PRIORITIES } from "../policy/share/quota-document.js";

const NOTHING: PerClass<number> = [0, 0, 0];

/** One reservation serves as many calls at most: what a process that dies had reserved is lost to the others for a minute. */
const CHUNK = 8;

/**
 * How many content writes wait in this process, and how many of them the others are to know of.
 *
 * Those are all, as long as it uses what it reserves. A process that sends its writes a second apart does not, and its
 * long queue must not hold up others that could use now what it can use in a minute: it tells only as many as it has
 * turned out to use, and twice as many each time that it used all.
 */
export class ContentDemand {
  readonly #waiting: [number, number, number] = [0, 0, 0];
  /** What the document says that waits here. */
  #told: PerClass<number> = NOTHING;
  #reach = Number.POSITIVE_INFINITY;
  #usedOfChunk = 0;
  /** Some of the latest reservation were wasted. */
  #isSlow = false;

  arrive(priority: Priority): void {
    this.#waiting[priority]++;
  }

  leave(priority: Priority): void {
    this.#waiting[priority] = Math.max(0, this.#waiting[priority] - 1);
  }

  /** Calls that wait, of all classes. */
  get size(): number {
    return this.#waiting[0] + this.#waiting[1] + this.#waiting[2];
  }

  /** Calls that wait and are more urgent. */
  before(priority: Priority): number {
    return PRIORITIES.reduce<number>((sum, of) => sum + (of < priority ? this.#waiting[of] : 0), 0);
  }

  /** What to ask for, with so many reserved already. */
  wants(inHand: number): { readonly waiting: PerClass<number>; readonly most: number } {
    const unserved = withoutMostUrgent(this.#waiting, inHand);
    const beyond = withoutMostUrgent(unserved, this.#reach);
    const waiting: PerClass<number> = [unserved[0] - beyond[0], unserved[1] - beyond[1], unserved[2] - beyond[2]];
    return { waiting, most: Math.min(CHUNK, this.#reach) };
  }

  /** The others have been told that so much waits. */
  told(waiting: PerClass<number>): void {
    this.#told = waiting;
  }

  get isTold(): boolean {
    return this.#told.some((waiting) => waiting > 0);
  }

  /** Whether the others hold back for calls that have gone. */
  isOverstated(inHand: number): boolean {
    const { waiting } = this.wants(inHand);
    return PRIORITIES.some((priority) => this.#told[priority] > waiting[priority]);
  }

  /** A reserved write was begun. */
  used(): void {
    this.#usedOfChunk++;
  }

  /** A reservation has come; `isUsedUp`: nothing of the one before is left. */
  granted(isUsedUp: boolean): void {
    if (isUsedUp && !this.#isSlow) this.#reach *= 2;
    this.#isSlow = false;
    this.#usedOfChunk = 0;
  }

  /** Reserved writes were not begun in time. Where calls wait all the same, they go slower than was thought. */
  wasted(): void {
    if (this.size === 0) return;
    this.#isSlow = true;
    this.#reach = this.#usedOfChunk + 1;
  }
}
