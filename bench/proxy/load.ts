import { Agent, type RequestOptions, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** One way to GitHub: straight, or through the proxy. */
export interface Way {
  readonly name: string;
  /** `host` and `port`, or `socketPath`; and what stands before each path. */
  readonly to: RequestOptions;
  readonly base: string;
  /** Whether a connection serves several requests; gh makes one for each. */
  readonly keepAlive: boolean;
}

/** A request to repeat. */
export interface Asked {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

/**
 * Sends so many requests a second, evenly and whatever became of those before, and returns what each took until its last
 * byte, in milliseconds, counted from the moment when it was due: whoever falls behind does not look faster for it.
 */
export class Load {
  readonly #way: Way;
  readonly #agent: Agent;

  constructor(way: Way) {
    this.#way = way;
    this.#agent = new Agent({ keepAlive: way.keepAlive, maxSockets: 64 });
  }

  async run(
    asked: Asked,
    headers: Readonly<Record<string, string>>,
    perSecond: number,
    count: number,
  ): Promise<number[]> {
    const startedAt = performance.now();
    const under: Promise<number>[] = [];
    for (let sent = 0; sent < count; sent++) {
      const dueAt = startedAt + (sent * 1000) / perSecond;
      const early = dueAt - performance.now();
      if (early > 0) await sleep(early);
      // A timer may be early by a part of a millisecond.
      under.push(this.#ask(asked, headers, Math.min(dueAt, performance.now())));
    }
    return Promise.all(under);
  }

  close(): void {
    this.#agent.destroy();
  }

  #ask({ method, path, body }: Asked, headers: Readonly<Record<string, string>>, from: number): Promise<number> {
    const { to, base } = this.#way;
    return new Promise((resolve, reject) => {
      const sent = request({ ...to, agent: this.#agent, method, path: base + path, headers }, (answer) => {
        if (answer.statusCode !== 200) {
          reject(new Error(`${this.#way.name} ${method} ${path}: ${answer.statusCode}`));
        }
        answer.on("end", () => resolve(performance.now() - from));
        answer.on("error", reject);
        answer.resume();
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }
}
