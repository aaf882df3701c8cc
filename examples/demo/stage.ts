import { createSimulatedGitHub, type SimulatedGitHub } from "octokit-plugin-squad-rate/sim";
import type { Account } from "./clients.js";
import { createHappenings } from "./world.js";

/** GitHub's windows last an hour and hold 5,000 units; these hold about as much as the plain agents spend in seven seconds. */
export const CORE = { limit: 400, windowMs: 15_000 };

/** How often something happens in the world. */
const HAPPENS_EVERY_MS = 700;
const TOKEN = "ghp_demo";

/** What one side's GitHub has counted. */
export interface Bill {
  readonly requests: number;
  readonly notModified: number;
  readonly writes: number;
  readonly units: number;
  readonly refusals: number;
}

/** A simulated GitHub of one's own, served over HTTP. */
export interface Stage {
  readonly account: Account;
  /** Lets the next thing happen in its world every now and then, until stopped. */
  play(stop: AbortSignal): void;
  bill(): Bill;
  window(): { readonly limit: number; readonly remaining: number; readonly resetAt: number };
  close(): Promise<void>;
}

/** Opens a stage; two with the same seed show the same play. */
export async function openStage(seed: number, commits: number): Promise<Stage> {
  const github = createSimulatedGitHub({
    seed,
    limits: { core: CORE },
    latency: { restMedianMs: 60 },
    // Their minutes and hours are GitHub's own: windows so short would be used 240 times as densely as they allow.
    secondary: false,
  });
  github.world.addToken(TOKEN, "acme");
  const happen = createHappenings(github.world, seed, commits);
  const server = await github.listen();
  return {
    account: { baseUrl: server.url, token: TOKEN },
    play: (stop) => {
      const timer = setInterval(happen, HAPPENS_EVERY_MS);
      stop.addEventListener("abort", () => clearInterval(timer), { once: true });
    },
    bill: () => billOf(github),
    window: () => github.usage(TOKEN),
    close: () => server.close(),
  };
}

function billOf({ log }: SimulatedGitHub): Bill {
  const count = (counts: (exchange: (typeof log)[number]) => boolean): number => log.filter(counts).length;
  return {
    requests: log.length,
    notModified: count(({ status }) => status === 304),
    writes: count(({ method, status }) => method !== "GET" && status < 300),
    // GitHub goes on counting what it refuses; that is on a line of its own.
    units: log.reduce((units, { chargedUnits, refusedBy }) => units + (refusedBy === undefined ? chargedUnits : 0), 0),
    refusals: count(({ refusedBy }) => refusedBy !== undefined),
  };
}
