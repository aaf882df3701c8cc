import { fork } from "node:child_process";
import type { Figures } from "./figures.js";
import type { Job } from "./job.js";

/** Does jobs in processes of their own, without the loader of this one; `entry` takes `--job` and sends its figures. */
export class Children {
  readonly #entry: string;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(entry: string, atOnce: number) {
    this.#entry = entry;
    this.#free = atOnce;
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
      const child = fork(this.#entry, ["--job", JSON.stringify(job)], { execArgv: [] });
      child.once("message", (figures) => resolve(figures as Figures));
      child.once("exit", (code) => reject(new Error(`${job.client} ended with ${code}.`)));
    });
  }
}
