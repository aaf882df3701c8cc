import { Octokit } from "@octokit/core";
import { sleep } from "../../../../src/clock.js";
import type { FleetAgent, FleetCall, FleetClient, FleetSeat } from "../../../../src/sim/fleet/client.js";
import type { PollNeeds } from "../../../../src/sim/fleet/needs.js";
import { createRandom } from "../../../../src/sim/github/random.js";
import { octokitOptions } from "../octokit-options.js";
import { makeCall, readAll } from "../reads.js";
import type { Requester } from "../requester.js";
import { sessionOf } from "../sessions.js";
import { timedBy } from "../timed.js";
import { QuotaWatch } from "./quota-watch.js";
import { StaticPool } from "./rate-pool.js";
import { retryWaitMs } from "./retry-window.js";

type Headers = Readonly<Record<string, unknown>>;

/** Processes are not started at the same moment: with a file that nobody locks, all but one would be forgotten. */
const STARTS_APART_MS = 1_000;

/** As patient as the others. */
const POLL_WAIT_MS = 600_000;

/**
 * The cooperative rate limiting of agent squads, built from its description, with the faults that it describes or that its
 * published parts have: fixed parts of the quota in a shared JSON, a traffic light, a predictive breaker, and retries in a
 * window for each priority. The description says nothing of conditional requests, so each session asks for everything.
 */
export class StaticPoolClient implements FleetClient {
  readonly #octokit: Octokit;
  readonly #seat: FleetSeat;
  readonly #pool: StaticPool;
  readonly #random: () => number;
  readonly #watches = { core: new QuotaWatch(), graphql: new QuotaWatch() };

  constructor(seat: FleetSeat) {
    this.#seat = seat;
    this.#octokit = new Octokit(octokitOptions(seat));
    this.#octokit.hook.after("request", ({ headers }) => this.#note(headers));
    this.#octokit.hook.error("request", (error) => {
      this.#note((error as { readonly response?: { readonly headers?: Headers } }).response?.headers);
      throw error;
    });
    this.#pool = new StaticPool(seat.store, seat.clock, seat.agents);
    this.#random = createRandom(1_000 * seat.seed + seat.process);
    this.#pool.enterAfter(STARTS_APART_MS * seat.process);
  }

  async poll(group: readonly FleetAgent[]): Promise<ReadonlyMap<FleetAgent, PollNeeds>> {
    const needs = group.map(async (agent) => {
      const waiting = this.#waiting(agent, this.#seat.clock.now() + POLL_WAIT_MS);
      return [agent, await readAll(timedBy(this.#seat, waiting), sessionOf(agent))] as const;
    });
    return new Map(await Promise.all(needs));
  }

  call(call: FleetCall): Promise<unknown> {
    return makeCall(this.#waiting(call.agent, this.#seat.clock.now() + call.maxWaitMs), call);
  }

  async close(): Promise<void> {
    this.#pool.close();
  }

  /** An Octokit whose calls wait until they may go, and are tried again when they were refused, until a moment. */
  #waiting(agent: FleetAgent, until: number): Requester {
    const { request, graphql } = this.#octokit;
    return {
      request: ((...args: Parameters<typeof request>) =>
        this.#send(agent, "core", until, () => request(...args))) as typeof request,
      graphql: ((...args: Parameters<typeof graphql>) =>
        this.#send(agent, "graphql", until, () => graphql(...args))) as typeof graphql,
    };
  }

  async #send<T>(agent: FleetAgent, resource: "core" | "graphql", until: number, send: () => Promise<T>): Promise<T> {
    const { clock } = this.#seat;
    const watch = this.#watches[resource];
    for (let attempt = 0; ; attempt++) {
      let failure: unknown;
      if (watch.mayCall(agent, clock.now()) && (await this.#pool.mayCall(agent))) {
        try {
          const answer = await send();
          watch.succeeded();
          await this.#pool.book(agent, this.#watches.core.resetAt);
          return answer;
        } catch (error) {
          if (!isRefusal(error)) throw error;
          failure = error;
          watch.refused(clock.now());
        }
      }
      const waitMs = retryWaitMs(agent.priority, attempt, this.#random);
      if (clock.now() + waitMs > until) throw failure ?? new Error("There was no quota for this call in time.");
      await sleep(clock, waitMs);
    }
  }

  #note(headers: Headers | undefined): void {
    const resource = headers?.["x-ratelimit-resource"];
    if (resource !== "core" && resource !== "graphql") return;
    const numberOf = (name: string): number => Number(headers?.[name]);
    this.#watches[resource].note(
      {
        limit: numberOf("x-ratelimit-limit"),
        remaining: numberOf("x-ratelimit-remaining"),
        resetAt: 1_000 * numberOf("x-ratelimit-reset"),
      },
      this.#seat.clock.now(),
    );
  }
}

/** A 403 or 429 is taken for a refusal, and so is what GraphQL says of one. */
function isRefusal(error: unknown): boolean {
  const { status, message } = error as { readonly status?: unknown; readonly message?: unknown };
  return status === 403 || status === 429 || /rate limit/i.test(String(message));
}
