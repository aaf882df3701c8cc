import { sleep } from "../../src/clock.js";
import { createRandom } from "../../src/sim/github/random.js";
import { createSimulatedGitHub } from "../../src/sim/github/simulated-github.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
// Imported on first use otherwise, for which virtual time does not wait.
import "@octokit/plugin-retry";
import "@octokit/plugin-throttling";
import "graphql/language/parser.js";
import "../../src/store/open-target.js";
import type { Client } from "./client.js";
import { countExchanges, type Figures } from "./figures.js";
import { Fleet, type Session } from "./fleet.js";
import { type ClientName, makeClient } from "./make-client.js";
import { violations } from "./needs.js";
import { POLL_MS, type Scenario } from "./scenario.js";

/** Puts one client through one scenario, on virtual time of its own. */
export async function play(name: ClientName, scenario: Scenario, seed: number): Promise<Figures> {
  const clock = createVirtualClock();
  const github = createSimulatedGitHub({ clock, seed, latency: {}, logLimit: 10_000_000 });
  const fleet = new Fleet(github, scenario.sessions, () => clock.now());
  const client = makeClient(name, { sessions: fleet.sessions, fetch: github.fetch, clock, seed });
  const { warmUpMs, forMs } = scenario;
  const startAt = clock.now();
  const measuredAt = startAt + warmUpMs;
  const endAt = measuredAt + forMs;
  const polls = new Polls(fleet, client, clock, measuredAt);
  let producedFirst = 0;
  clock.timer(warmUpMs, () => {
    producedFirst = client.produced;
  });
  const begun = client.groups.map((group, index) => {
    const delayMs = scenario.start === "together" ? 0 : Math.floor((index * POLL_MS) / client.groups.length);
    return polls.repeat(group, startAt + delayMs, endAt);
  });
  arrangeChanges(fleet, scenario, seed, clock);
  await clock.settle(Promise.all(begun));
  await clock.settle(client.close());
  return {
    ...countExchanges(github.log, measuredAt, forMs),
    produced: client.produced - producedFirst,
    ...polls.figures(scenario.sessions * forMs),
  };
}

/** Each session changes in its turn, at any moment of the 30 s. The last changes have a poll's time to be noticed. */
function arrangeChanges(fleet: Fleet, scenario: Scenario, seed: number, clock: VirtualClock): void {
  const random = createRandom(seed + 99);
  let turn = 0;
  const { warmUpMs, forMs, changesPerPoll } = scenario;
  for (let from = warmUpMs - POLL_MS; from < warmUpMs + forMs - POLL_MS; from += POLL_MS) {
    for (let count = 0; count < changesPerPoll; count++) {
      // Neighbours are in one repository, so a step wider than a repository spreads changes over all of them.
      const session = fleet.sessions[(turn++ * 11) % fleet.sessions.length] as Session;
      clock.timer(from + Math.floor(random() * POLL_MS), () => fleet.change(session));
    }
  }
}

/** Polls again and again, and looks at what they came to. */
class Polls {
  readonly #fleet: Fleet;
  readonly #client: Client;
  readonly #clock: VirtualClock;
  readonly #violations: Record<string, number> = {};
  readonly #measuredAt: number;
  #polls = 0;
  #failed = 0;

  constructor(fleet: Fleet, client: Client, clock: VirtualClock, measuredAt: number) {
    this.#fleet = fleet;
    this.#client = client;
    this.#clock = clock;
    this.#measuredAt = measuredAt;
  }

  /** `sessionMs`: the measured time of all sessions together. */
  figures(sessionMs: number): Pick<Figures, "polls" | "failed" | "cycleMs" | "violations"> {
    return {
      polls: this.#polls,
      failed: this.#failed,
      cycleMs: sessionMs / this.#polls,
      violations: this.#violations,
    };
  }

  /** A poll that takes longer than 30 s is followed by the next at once. */
  async repeat(group: readonly Session[], from: number, to: number): Promise<void> {
    for (let at = from; at < to; at = Math.max(at + POLL_MS, this.#clock.now())) {
      await sleep(this.#clock, at - this.#clock.now());
      await this.#poll(group);
    }
  }

  async #poll(group: readonly Session[]): Promise<void> {
    const startedAt = this.#clock.now();
    if (startedAt >= this.#measuredAt) this.#polls += group.length;
    try {
      const held = await this.#client.poll(group);
      const now = this.#clock.now();
      const truthsOf = (session: Session) => this.#fleet.truths(session, startedAt, now);
      for (const session of group) {
        const needs = held.get(session);
        const neighbours = this.#fleet.sessions.filter(({ repo }) => repo === session.repo);
        const broken = needs === undefined ? ["all"] : violations(needs, session, neighbours, truthsOf);
        for (const need of broken) this.#violations[need] = (this.#violations[need] ?? 0) + 1;
      }
    } catch (error) {
      this.#failed += group.length;
      const why = `failed: ${(error as Error).message.slice(0, 30)}`;
      this.#violations[why] = (this.#violations[why] ?? 0) + group.length;
    }
  }
}
