import type { SimulatedExchange } from "../../src/sim/github/exchange-log.js";
import { createSimulatedGitHub } from "../../src/sim/github/simulated-github.js";
import type { SimulatedGitHub } from "../../src/sim/github/surface.js";
import { countDuplicatedWrites } from "./audit.js";
import { Callers } from "./callers.js";
import { type ClientName, makeClients, type Seat } from "./clients.js";
import { breakThings, furnish, TOKEN } from "./furnish.js";
import type { Observation, ObservedExchange } from "./observation.js";
import { HOUR_MS, type Scenario } from "./scenarios.js";
import { taggingFetch, tagOf } from "./tagging-fetch.js";
import type { VirtualTime } from "./virtual-time.js";

/** Puts one client through one scenario. */
export async function play(
  client: ClientName,
  scenario: Scenario,
  seed: number,
  time: VirtualTime,
): Promise<Observation> {
  const { clock } = time;
  const github = createSimulatedGitHub({
    clock,
    seed,
    latency: {},
    limits: { core: { limit: scenario.coreLimit } },
    secondary: scenario.secondary,
    logLimit: 10_000_000,
  });
  const principal = furnish(github);
  if (scenario.usedUpSinceMs !== undefined) {
    github.consume(TOKEN, "core", scenario.coreLimit);
    await time.run(() => false, clock.now() + scenario.usedUpSinceMs);
  }
  const startAt = clock.now();
  const contentRefusals = new Set<string>();
  const seats = scenario.demand.agents.map(
    (agent, index): Seat => ({ agent, auth: TOKEN, fetch: taggingFetch(github.fetch, index, contentRefusals) }),
  );
  const octokits = await makeClients(client, seats, { clock, seed, maxWaitMs: scenario.maxWaitMs });
  const faults = scenario.faults ? breakThings(github) : [];
  for (const { atMs, forMs } of scenario.strikes) clock.timer(atMs, () => github.block(TOKEN, forMs));

  const callers = new Callers(scenario.demand, octokits, clock);
  await time.run(() => callers.allEnded, startAt + scenario.latestMs);
  const calls = callers.observed();

  for (const fault of faults) fault.cancel();
  const duplicatedWrites = await time.until(countDuplicatedWrites(github));
  const resets = resetsOf(github, principal, startAt);
  return {
    calls,
    exchanges: github.log.flatMap((exchange) => observed(exchange, startAt, contentRefusals, resets)),
    struckAt: scenario.strikes.map(({ atMs }) => atMs),
    resetsAt: resets.get("core") ?? [],
    duplicatedWrites,
    availableUnits: scenario.availableUnits,
    availableUntil: scenario.availableUntil,
    evenPerSecond: (1_000 * scenario.coreLimit) / HOUR_MS,
  };
}

type Resets = ReadonlyMap<string, readonly number[]>;

/** When each resource's windows end, after the scenario's start. */
function resetsOf(github: SimulatedGitHub, principal: string, startAt: number): Resets {
  const resets = new Map<string, number[]>();
  for (const { resource, resetAt } of github.ledger(principal)) {
    const known = resets.get(resource) ?? [];
    known.push(resetAt - startAt);
    resets.set(resource, known);
  }
  return resets;
}

function observed(
  exchange: SimulatedExchange,
  startAt: number,
  contentRefusals: ReadonlySet<string>,
  resets: Resets,
): readonly ObservedExchange[] {
  const tag = tagOf(exchange.path);
  if (tag === undefined) return [];
  const startedAt = exchange.startedAt - startAt;
  return [
    {
      id: exchange.id,
      ...tag,
      resource: exchange.resource,
      startedAt,
      endedAt: exchange.endedAt - startAt,
      chargedUnits: exchange.chargedUnits,
      refusedBy: contentRefusals.has(exchange.requestId) ? "content" : exchange.refusedBy,
      breaksLimit: !exchange.sentWhileBlocked,
      resetAt: resets.get(exchange.resource)?.find((resetAt) => resetAt > startedAt),
    },
  ];
}
