/** The sum of what was added during the last `spanMs`, in steps of a second. */
export class SlidingSum {
  readonly #spanMs: number;
  #steps: { readonly second: number; amount: number }[] = [];
  #first = 0;
  #sum = 0;

  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  add(amount: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1_000);
    const last = this.#steps[this.#steps.length - 1];
    if (last?.second === second) last.amount += amount;
    else this.#steps.push({ second, amount });
    this.#sum += amount;
  }

  total(nowMs: number): number {
    const oldest = Math.floor((nowMs - this.#spanMs) / 1_000);
    for (let step = this.#steps[this.#first]; step !== undefined && step.second <= oldest; ) {
      this.#sum -= step.amount;
      step = this.#steps[++this.#first];
    }
    if (this.#first > 256) {
      this.#steps = this.#steps.slice(this.#first);
      this.#first = 0;
    }
    return this.#first === this.#steps.length ? 0 : this.#sum;
  }
}
