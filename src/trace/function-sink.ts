import type { TraceRecord } from "./record.js";
import type { OnSinkFailure, TraceCounts, TraceSink } from "./sink.js";

/** Hands records to a function of the user's. That it throws, or returns a promise that rejects, does not reach a call. */
export class FunctionSink implements TraceSink {
  readonly where = "function";
  readonly #take: (record: TraceRecord) => unknown;
  readonly #onFailure: OnSinkFailure;
  #records = 0;
  #dropped = 0;
  #isFailing = false;

  constructor(take: (record: TraceRecord) => unknown, onFailure: OnSinkFailure) {
    this.#take = take;
    this.#onFailure = onFailure;
  }

  write(record: TraceRecord): void {
    this.#records++;
    try {
      const result = this.#take(record);
      if (isPromise(result)) result.then(() => this.#worked(), this.#failed);
      else this.#worked();
    } catch (error) {
      this.#failed(error);
    }
  }

  counts(): TraceCounts {
    return { records: this.#records, dropped: this.#dropped };
  }

  flush(): void {}

  async close(): Promise<void> {}

  #worked(): void {
    this.#isFailing = false;
  }

  readonly #failed = (cause: unknown): void => {
    this.#dropped++;
    if (!this.#isFailing) this.#onFailure("the function that takes the trace failed", cause);
    this.#isFailing = true;
  };
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}
