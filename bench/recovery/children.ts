import { fork } from "node:child_process";
import { availableParallelism } from "node:os";

/** Does jobs in processes of their own. */
export class Children<J extends { readonly client: string }, R> {
  readonly #entry: string;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** `entry` is a program that takes `--job` and sends what came of it. As many at once as there are cores by default. */
  constructor(entry: string, atOnce: number = availableParallelism()) {
    this.#entry = entry;
    this.#free = atOnce;
  }

  async do(job: J): Promise<R> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#run(job);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #run(job: J): Promise<R> {
    return new Promise((resolve, reject) => {
      // Without the loader of this process: see `compile`.
      const child = fork(this.#entry, ["--job", JSON.stringify(job)], { execArgv: ["--expose-gc"] });
      child.once("message", (result) => resolve(result as R));
      child.once("exit", (code) => reject(new Error(`The run of ${job.client} ended with ${code}.`)));
    });
  }
}
