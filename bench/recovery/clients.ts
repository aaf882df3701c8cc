import type { Octokit } from "@octokit/core";
import type { Clock } from "../../src/clock.js";
import { createRandom } from "../../src/sim/github/random.js";
import type { Agent } from "./demand.js";

/** Who is compared. */
export const CLIENTS = ["plain", "throttled", "persistent", "squad"] as const;
export type ClientName = (typeof CLIENTS)[number];

/** How they are called in tables. */
export const CLIENT_LABELS: Readonly<Record<ClientName, string>> = {
  plain: "plain",
  throttled: "throttling+retry",
  persistent: "same, more patient",
  squad: "squadRate",
};

/** What an agent's client is given: its name, the credential that all share, and its way to GitHub. */
export interface Seat {
  readonly agent: Agent;
  readonly auth: string;
  readonly fetch: typeof globalThis.fetch;
}

export interface Surroundings {
  readonly clock: Clock;
  readonly seed: number;
  /** How long a call may wait, where that can be said. */
  readonly maxWaitMs: number;
}

type MakeClients = (seats: readonly Seat[], surroundings: Surroundings) => Promise<readonly Octokit[]>;

/** One Octokit for each agent. Everything is loaded here, so that it finds whatever timers are installed by now. */
export function makeClients(
  name: ClientName,
  seats: readonly Seat[],
  surroundings: Surroundings,
): Promise<readonly Octokit[]> {
  return MAKERS[name](seats, surroundings);
}

const MAKERS: Readonly<Record<ClientName, MakeClients>> = {
  plain: async (seats) => {
    const { Octokit } = await import("@octokit/core");
    return seats.map((seat) => new Octokit(constructorOptions(seat)));
  },
  // As its README says: a call refused for lack of quota is tried again (twice here), one refused by a secondary limit not.
  throttled: (seats) => throttledClients(seats, () => false),
  persistent: (seats) => throttledClients(seats, (retryCount) => retryCount < 2),
  squad: squadClients,
};

/** What plugin-throttling asks with whether to try again. */
type Told = readonly [retryAfter: number, options: object, octokit: object, retryCount: number];

async function throttledClients(
  seats: readonly Seat[],
  onSecondary: (retryCount: number) => boolean,
): Promise<readonly Octokit[]> {
  const [{ Octokit }, { retry }, { throttling }] = await Promise.all([
    import("@octokit/core"),
    import("@octokit/plugin-retry"),
    import("@octokit/plugin-throttling"),
  ]);
  // In the order in which the package `octokit` has them.
  const Throttled = Octokit.plugin(retry, throttling);
  return seats.map(
    (seat) =>
      new Throttled({
        ...constructorOptions(seat),
        throttle: {
          // Limiters are a process's own, and so are an agent's here.
          id: seat.agent.name,
          onRateLimit: (...[, , , retryCount]: Told) => retryCount < 2,
          onSecondaryRateLimit: (...[, , , retryCount]: Told) => onSecondary(retryCount),
        },
      }),
  );
}

async function squadClients(
  seats: readonly Seat[],
  { clock, seed, maxWaitMs }: Surroundings,
): Promise<readonly Octokit[]> {
  const [{ Octokit }, { Keyv }, { squadRate }] = await Promise.all([
    import("@octokit/core"),
    import("keyv"),
    import("../../src/index.js"),
  ]);
  const SquadOctokit = Octokit.plugin(squadRate);
  const store = new Keyv();
  return seats.map((seat, index) => {
    const { name, priority } = seat.agent;
    const random = createRandom(1_000 * seed + index);
    // Options of its own make each agent a squad of its own, as it would be in a process of its own.
    const squad = { agent: name, priority, store, clock, random, maxWaitMs };
    return new SquadOctokit({ ...constructorOptions(seat), squad });
  });
}

const QUIET = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function constructorOptions({ auth, fetch }: Seat) {
  return { auth, log: QUIET, request: { fetch } };
}

function ignore(): void {}
