import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import type { Figures } from "./figures.js";
import type { Job } from "./job.js";

/** Does jobs in processes of their own, as many at once as there are cores. */
export class Children {
  readonly #entry: string;
  readonly #waiting: (() => void)[] = [];
  #free: number = availableParallelism();

  /** `entry` is a program that takes `--job` and sends the job's figures. */
  constructor(entry: string) {
    this.#entry = entry;
  }

  async do(job: Job): Promise<Figures> {
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

  #run(job: Job): Promise<Figures> {
    return new Promise((resolve, reject) => {
      // Without the loader of this process: see `compile`.
      const child = fork(this.#entry, ["--job", JSON.stringify(job)], { execArgv: [] });
      child.once("message", (figures) => resolve(figures as Figures));
      child.once("exit", (code) => reject(new Error(`${job.client} in ${job.scenario} ended with ${code}.`)));
    });
  }
}
