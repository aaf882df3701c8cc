/** How many buckets the time may step back without anything being forgotten or counted anew. */
export const STEP_BACK_BUCKETS = 4;

/**
 * The sum of what was added of late, in a ring of buckets of time. It never counts less than what lies in the last
 * `bucketMs * buckets`, both ends included, and never more than in the last `bucketMs * (buckets + 1)`: a bucket counts
 * until its last moment has left the window.
 *
 * Every time is in epoch milliseconds on one clock, which may step back. Up to {@link STEP_BACK_BUCKETS} buckets are made
 * good exactly: what had just left the window is counted again. After a longer step all that is still counted is taken to
 * be of that moment, so that nothing is lost, and nothing stays for as long as the clock was ahead.
 *
 * Mutable, and nothing is allocated after its construction: it is asked several times for each call. Amounts are whole
 * numbers, so that what is added and taken away leaves no rest.
 *
 * @example
 * ```ts
 * const points = new SlidingSum(1_000, 60);
 * points.add(5, now);
 * points.total(now + 60_000); // 5
 * points.total(now + 61_000); // 0
 * ```
 */
export class SlidingSum {
  readonly #bucketMs: number;
  readonly #buckets: number;
  readonly #ring: Float64Array;
  /** The latest bucket that the ring has a place for. Buckets are numbered from the epoch. */
  #newest = 0;
  /** The bucket of the time last heard; at most {@link STEP_BACK_BUCKETS} before the newest. */
  #current = 0;
  #sum = 0;

  constructor(bucketMs: number, buckets: number) {
    this.#bucketMs = bucketMs;
    this.#buckets = buckets;
    this.#ring = new Float64Array(buckets + 1 + STEP_BACK_BUCKETS);
  }

  add(amount: number, now: number): void {
    this.#turnTo(now);
    const slot = this.#slot(this.#current);
    this.#ring[slot] = this.#at(slot) + amount;
    this.#sum += amount;
  }

  /** Undoes an `add` of the same amount at the time `addedAt`. */
  takeBack(amount: number, addedAt: number): void {
    const bucket = Math.floor(addedAt / this.#bucketMs);
    if (bucket > this.#newest || bucket <= this.#newest - this.#ring.length) return;
    const slot = this.#slot(bucket);
    // After a long step back of the clock it may be booked elsewhere. Then it stays: too much is safe, too little is not.
    const taken = Math.min(amount, this.#at(slot));
    this.#ring[slot] = this.#at(slot) - taken;
    if (bucket >= this.#current - this.#buckets) this.#sum -= taken;
  }

  total(now: number): number {
    this.#turnTo(now);
    return this.#sum;
  }

  /** The first time, from `now` on, at which the total is at most `most` if nothing is added. `most` is 0 or more. */
  fallsTo(most: number, now: number): number {
    let left = this.total(now);
    if (left <= most) return now;
    for (let bucket = this.#current - this.#buckets; bucket < this.#newest; bucket++) {
      left -= this.#at(this.#slot(bucket));
      if (left <= most) return this.#leavesAt(bucket);
    }
    return this.#leavesAt(this.#newest);
  }

  /** Whether nothing is left that could count again, even if the clock stepped back a little. */
  isEmpty(now: number): boolean {
    this.#turnTo(now);
    return this.#ring.every((amount) => amount === 0);
  }

  #leavesAt(bucket: number): number {
    return (bucket + this.#buckets + 1) * this.#bucketMs;
  }

  #turnTo(now: number): void {
    const bucket = Math.floor(now / this.#bucketMs);
    if (bucket === this.#current) return;
    if (bucket < this.#newest - STEP_BACK_BUCKETS) this.#beginAt(bucket, this.#sum);
    else if (bucket - this.#newest >= this.#ring.length) this.#beginAt(bucket, 0);
    else this.#slideTo(bucket);
  }

  #beginAt(bucket: number, sum: number): void {
    this.#ring.fill(0);
    this.#ring[this.#slot(bucket)] = sum;
    this.#newest = bucket;
    this.#current = bucket;
    this.#sum = sum;
  }

  #slideTo(bucket: number): void {
    const wasOldest = this.#current - this.#buckets;
    const oldest = bucket - this.#buckets;
    for (let left = wasOldest; left < oldest && left <= this.#newest; left++) this.#sum -= this.#at(this.#slot(left));
    for (let back = oldest; back < wasOldest; back++) this.#sum += this.#at(this.#slot(back));
    while (this.#newest < bucket) this.#ring[this.#slot(++this.#newest)] = 0;
    this.#current = bucket;
  }

  #slot(bucket: number): number {
    const slot = bucket % this.#ring.length;
    return slot < 0 ? slot + this.#ring.length : slot;
  }

  #at(slot: number): number {
    return this.#ring[slot] ?? 0;
  }
}
