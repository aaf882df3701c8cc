import { AsyncLocalStorage } from "node:async_hooks";
import { Engine } from "../../src/sim/github/engine.js";
import { createInProcessFetch } from "../../src/sim/github/in-process-fetch.js";
import { resolveOptions, type SimulatedGitHubOptions } from "../../src/sim/github/options.js";
import type { GitHubHost, Origins, WireReply } from "../../src/sim/github/wire.js";
import { createWorld, type SimulatedWorld } from "../../src/sim/github/world/world.js";
import type { VirtualClock } from "../../src/sim/virtual-clock.js";

/** A request as it determines an answer. */
export interface View {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly accept: string;
  readonly userAgent: string;
}

export interface Peeked {
  readonly reply: WireReply;
  /** Where a redirect led. */
  readonly movedTo: string | undefined;
}

/** A simulated GitHub, and a second look at the very same world that costs nothing and is never late, limited or broken. */
export interface ObservedGitHub {
  readonly fetch: typeof globalThis.fetch;
  readonly engine: Engine;
  readonly world: SimulatedWorld;
  /** What an uncached client would be told at this moment, redirects followed. Decided before anything else happens. */
  peek(view: View): Promise<Peeked>;
}

const ORIGINS: Origins = {
  api: "https://api.github.com",
  html: "https://github.com",
  uploads: "https://uploads.github.com",
  codeload: "https://codeload.github.com",
  raw: "https://raw.githubusercontent.com",
};
const ADDRESS = "203.0.113.7";

export function observeGitHub(options: SimulatedGitHubOptions): ObservedGitHub {
  const engine = new Engine(resolveOptions(options));
  const pristine = {
    ...resolveOptions({ ...options, latency: false, secondary: false, logLimit: 1 }),
    rateLimits: false,
  };
  const reference = new Engine(pristine);
  Object.assign(reference, { state: engine.state });
  const hostOf = (origin: string): GitHubHost | undefined => (origin === ORIGINS.api ? "api" : undefined);
  return {
    fetch: createInProcessFetch(engine, ORIGINS, hostOf, ADDRESS),
    engine,
    world: createWorld(engine.state),
    peek: async ({ method, url: first, authorization, accept, userAgent }) => {
      const headers = new Map([
        ["accept", accept],
        ["user-agent", userAgent],
        ...(authorization === undefined ? [] : [["authorization", authorization] as const]),
      ]);
      let url = new URL(first);
      for (;;) {
        const request = {
          method,
          url,
          headers,
          body: undefined,
          address: ADDRESS,
          origins: ORIGINS,
          host: "api" as const,
        };
        const reply = await reference.answer(request);
        const location = reply.headers.find(([name]) => name === "location")?.[1];
        if (reply.status < 300 || reply.status >= 400 || location === undefined)
          return { reply, movedTo: url.href === first ? undefined : url.href };
        url = new URL(location, url);
      }
    },
  };
}

/** Tells which exchange a timer belongs to, and counts what happens, so that two events never have the same moment. */
export class Chronicle<Owner> {
  readonly #owners = new AsyncLocalStorage<Owner>();
  #moments = 0;

  /** The next moment; moments are totally ordered. */
  tick(): number {
    return ++this.#moments;
  }

  /** Runs `work`; timers that it starts belong to `owner`. */
  owned<T>(owner: Owner, work: () => T): T {
    return this.#owners.run(owner, work);
  }

  /** Ends the watch; every promise in the process pays for one that goes on. */
  close(): void {
    this.#owners.disable();
  }

  /** Whom the running code works for. */
  owner(): Owner | undefined {
    return this.#owners.getStore();
  }

  /** `clock`, telling `fired` of each timer of an owner, at its moment, before the timer does its work. */
  watch(clock: VirtualClock, fired: (owner: Owner, moment: number) => void): VirtualClock {
    const watched = Object.create(clock) as { -readonly [K in keyof VirtualClock]: VirtualClock[K] };
    watched.timer = (ms, callback, options) => {
      const owner = this.#owners.getStore();
      const fire = (): void => {
        if (owner !== undefined) fired(owner, this.tick());
        callback();
      };
      return clock.timer(ms, fire, options);
    };
    return watched;
  }
}
