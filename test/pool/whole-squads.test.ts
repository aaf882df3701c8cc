import { describe, expect, it } from "vitest";
import { isSquadRateError } from "../../src/errors.js";
import { createSimulatedGitHub, createVirtualClock } from "../../src/sim/index.js";
import { createSquad, type Squad } from "../../src/squad.js";
import { openStore } from "../../src/store/open-store.js";

const MINUTE_MS = 60_000;
const TOKEN = "ghp_shared";
const REPOSITORY = "https://api.github.com/repos/mona/hello";

/** Mulberry32: small, and the same on every machine. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Eight whole squads at 160 % of a limit, on virtual time before the simulated GitHub. */
async function runSquads(shape: {
  readonly limit: number;
  readonly windowMs: number;
  readonly windows: number;
  readonly hidden: number;
}) {
  const { limit, windowMs, windows } = shape;
  const clock = createVirtualClock();
  const random = seeded(7);
  const github = createSimulatedGitHub({
    clock,
    latency: {},
    secondary: false,
    limits: { core: { limit, windowMs } },
  });
  github.world.addToken(TOKEN, "mona");
  github.world.addRepository({ owner: "mona", name: "hello" });
  const store = await openStore("memory:", { clock });
  const outcomes = { answered: [0, 0, 0], held: 0 };
  const running: Promise<void>[] = [];
  const endAt = clock.monotonic() + windows * windowMs;
  const every = (perWindow: number, act: () => void): void => {
    clock.timer((-Math.log(1 - random()) * windowMs) / perWindow, () => {
      if (clock.monotonic() >= endAt) return;
      act();
      every(perWindow, act);
    });
  };
  const call = async (squad: Squad, priority: 0 | 1 | 2): Promise<void> => {
    try {
      const response = await squad.fetch(REPOSITORY, { headers: { authorization: `token ${TOKEN}` } });
      if (response.status === 200) outcomes.answered[priority] = (outcomes.answered[priority] ?? 0) + 1;
    } catch (error) {
      if (!isSquadRateError(error)) throw error;
      outcomes.held++;
    }
  };
  const squads = Array.from({ length: 8 }, (_, index) => {
    const priority = index < 2 ? 0 : index < 4 ? 1 : 2;
    const squad = createSquad({
      agent: `agent-${index}`,
      priority,
      store,
      clock,
      fetch: github.fetch,
      cache: false,
      secondary: false,
    });
    const perWindow = (1.6 * limit * ([0.2, 0.3, 0.5][priority] as number)) / (priority === 2 ? 4 : 2);
    every(perWindow, () => void running.push(call(squad, priority)));
    return squad;
  });
  if (shape.hidden > 0) every(shape.hidden * limit, () => github.consume(TOKEN, "core", 1));
  await clock.advance(windows * windowMs);
  const ledger = github.ledger().filter(({ resource }) => resource === "core");
  const closing = Promise.all(squads.map((squad) => squad.close()));
  await clock.advance(2 * MINUTE_MS);
  await closing;
  await Promise.all(running);
  return { ledger: ledger.slice(0, windows - 1), outcomes };
}

describe("eight whole squads at 160 % of one quota", () => {
  const limit = 800;

  it("are refused nothing, use nearly all of it, and serve the urgent first", async () => {
    const { ledger, outcomes } = await runSquads({ limit, windowMs: 2 * MINUTE_MS, windows: 3, hidden: 0 });
    expect(ledger.map(({ refusedByPrimary }) => refusedByPrimary)).toEqual([0, 0]);
    for (const { chargedUnits } of ledger) expect(chargedUnits).toBeGreaterThan(0.98 * limit);
    const [p0 = 0, , p2 = 0] = outcomes.answered;
    expect(p0 / (0.2 * 1.6 * limit * 3)).toBeGreaterThan(0.9);
    expect(p2 / (0.5 * 1.6 * limit * 3)).toBeLessThan(0.6);
    expect(outcomes.held).toBeGreaterThan(0);
  });

  it("leave a hidden consumer its tenth", async () => {
    const { ledger } = await runSquads({ limit, windowMs: 2 * MINUTE_MS, windows: 3, hidden: 0.1 });
    for (const { chargedUnits, hiddenUnits, refusedByPrimary } of ledger) {
      expect(refusedByPrimary).toBeLessThanOrEqual(0.001 * limit);
      expect(chargedUnits + hiddenUnits).toBeGreaterThan(0.97 * limit);
      expect(hiddenUnits).toBeGreaterThan(0.05 * limit);
    }
  });
});
