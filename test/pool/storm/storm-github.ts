import { createRandom } from "../../../src/sim/github/random.js";
import { createSimulatedGitHub, type LedgerEntry, type SimulatedExchange } from "../../../src/sim/index.js";

/** The call's `agent` by which the hidden consumer is known. */
export const HIDDEN = "hidden";

const TOKEN = "ghp_storm";

export interface StormGitHubOptions {
  readonly limit: number;
  readonly windowMs: number;
  /** Units per window that somebody outside the pool uses. */
  readonly hiddenPerWindow: number;
  readonly seed: number;
}

/** The simulated GitHub of a storm, over HTTP and in real time. */
export interface StormGitHub {
  readonly url: string;
  readonly host: string;
  readonly token: string;
  readonly log: readonly SimulatedExchange[];
  /** The windows that have been opened, oldest first. */
  windows(): readonly LedgerEntry[];
  /** Resolves with the reset of the window of this number (0 is the first) once it is open. Epoch milliseconds. */
  opened(window: number): Promise<number>;
  /** Lets the hidden consumer begin. */
  startHiddenUse(): void;
  close(): Promise<void>;
}

/**
 * Windows open with their first charge, as GitHub's do. Answers take about 200 ms and overtake each other. Secondary limits
 * are off: an hour's quota in minutes is more than they allow per minute.
 */
export async function startStormGitHub(options: StormGitHubOptions): Promise<StormGitHub> {
  const { limit, windowMs, hiddenPerWindow, seed } = options;
  const github = createSimulatedGitHub({ seed, limits: { core: { limit, windowMs } }, secondary: false, latency: {} });
  github.world.addUser({ login: "mona" });
  github.world.addToken(TOKEN, "mona");
  github.world.addRepository({ owner: "mona", name: "hello" });
  const server = await github.listen();
  const random = createRandom(seed);
  let next: NodeJS.Timeout | undefined;
  let closed = false;

  const spendHidden = (): void => {
    next = setTimeout(
      () => {
        spendHidden();
        // It looks at its own headers; what it is refused would be no fault of the pool.
        if (github.usage(TOKEN).remaining > 0) void callHidden(server.url).catch(() => undefined);
      },
      (-Math.log(1 - random()) * windowMs) / hiddenPerWindow,
    );
  };
  const windows = (): readonly LedgerEntry[] =>
    github.ledger().filter(({ resource, chargedUnits }) => resource === "core" && chargedUnits > 0);
  return {
    url: server.url,
    host: new URL(server.url).host,
    token: TOKEN,
    get log() {
      return github.log;
    },
    windows,
    opened: async (window) => {
      for (;;) {
        const entry = windows()[window];
        if (entry !== undefined) return entry.resetAt;
        if (closed) throw new Error(`Window ${window} was never opened.`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    startHiddenUse: spendHidden,
    close: async () => {
      closed = true;
      clearTimeout(next);
      await server.close();
    },
  };
}

async function callHidden(url: string): Promise<void> {
  const response = await fetch(`${url}/repos/mona/hello?agent=${HIDDEN}`, {
    headers: { authorization: `token ${TOKEN}`, "user-agent": "somebody-else" },
  });
  await response.arrayBuffer();
}
