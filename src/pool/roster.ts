import type { Clock } from "../clock.js";
import type { Priority } from "../policy/light.js";

/** An agent of this process that has called, and may be listed in the pool. */
export interface RosterAgent {
  readonly name: string;
  /** The most urgent of its calls since its renewal began. */
  priority: Priority;
  /** It has called since its renewal began, so it is to be renewed again. */
  heard: boolean;
  /** When the last renewal that the store took had begun; monotonic. */
  renewedAt: number;
}

/**
 * A program that makes a name up for every task would fill the document that everybody reads; with this bound it takes
 * ten of them. Agents beyond are served like any other, only not listed.
 */
const MAX_AGENTS = 500;

/** Of agents that have been silent for longer no list speaks any more. */
const FORGOTTEN_MS = 25 * 60_000;

/** Which agents of this process have called and are to be renewed. */
export class Roster {
  readonly #clock: Clock;
  readonly #agents = new Map<string, RosterAgent>();
  #renewing: readonly RosterAgent[] = [];
  #begunAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Everybody of whom a list may speak, and possibly some of whom none does any more. */
  get agents(): Iterable<RosterAgent> {
    return this.#agents.values();
  }

  get isEmpty(): boolean {
    return this.#agents.size === 0;
  }

  /** Notes a call. Returns its agent when this makes it one that is to be renewed; mostly it is that already. */
  hear(name: string, priority: Priority): RosterAgent | undefined {
    const known = this.#agents.get(name);
    if (known === undefined) return this.#enter(name, priority);
    if (known.heard) {
      if (priority < known.priority) known.priority = priority;
      return undefined;
    }
    known.heard = true;
    known.priority = priority;
    return known;
  }

  /** Those who have called since their renewal began. */
  heard(): readonly RosterAgent[] {
    return [...this.#agents.values()].filter(({ heard }) => heard);
  }

  /** Begins a renewal of all of them; what is heard from now on is for the next. */
  begin(): readonly RosterAgent[] {
    this.#begunAt = this.#clock.monotonic();
    this.#renewing = this.heard();
    for (const agent of this.#renewing) agent.heard = false;
    return this.#renewing;
  }

  /** Ends that renewal. Who was not renewed is still to be. */
  end(taken: boolean): void {
    for (const agent of this.#renewing) {
      if (taken) agent.renewedAt = this.#begunAt;
      else agent.heard = true;
    }
    this.#renewing = [];
  }

  /** Forgets everybody, and says who that was. */
  clear(): readonly string[] {
    const names = [...this.#agents.keys()];
    this.#agents.clear();
    return names;
  }

  #enter(name: string, priority: Priority): RosterAgent | undefined {
    if (this.#agents.size >= MAX_AGENTS) this.#forgetSilent();
    if (this.#agents.size >= MAX_AGENTS) return undefined;
    const agent = { name, priority, heard: true, renewedAt: Number.NEGATIVE_INFINITY };
    this.#agents.set(name, agent);
    return agent;
  }

  /** Not while a renewal is under way: those it is for look silent, and their lease is about to be known. */
  #forgetSilent(): void {
    if (this.#renewing.length > 0) return;
    const endedBefore = this.#clock.monotonic() - FORGOTTEN_MS;
    for (const { name, heard, renewedAt } of this.#agents.values()) {
      if (!heard && renewedAt < endedBefore) this.#agents.delete(name);
    }
  }
}
