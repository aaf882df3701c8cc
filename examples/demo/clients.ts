import { Octokit } from "@octokit/core";
import { isSquadRateError, type Squad, squadRate, squadRequest } from "octokit-plugin-squad-rate";
import type { Agent } from "./agents.js";
import type { Tally } from "./tally.js";

/** Where GitHub is, and as whom it is asked. */
export interface Account {
  readonly baseUrl: string;
  readonly token: string;
}

/** What every client of one side of the demo is made with. */
export interface Side {
  readonly account: Account;
  readonly tally: Tally;
  /** `false`: anything but a GET is an error. */
  readonly mayWrite: boolean;
  /** Ends calls that are under way. */
  readonly stop: AbortSignal;
  /** Milliseconds since the demo began. */
  elapsedMs(): number;
  /** Called with the words of whoever refused a call. */
  onRefusal(agent: string, message: string, by: "GitHub" | "SquadRateError"): void;
}

const SquadOctokit = Octokit.plugin(squadRate);

/** Each agent has an Octokit of its own, and all are of one squad. What an agent is called stands on each of its calls. */
export function createSquadClient({ account, ...side }: Side, squad: Squad, agent: Agent): Octokit {
  const says = squadRequest({ agent: agent.name, priority: agent.priority, ...agent.request });
  const octokit = new SquadOctokit({
    auth: account.token,
    baseUrl: account.baseUrl,
    log: SILENT,
    squad,
    request: { signal: side.stop, squad: says },
  });
  watch(octokit, agent.name, side);
  return octokit;
}

/** The same without the plugin. */
export function createPlainClient({ account, ...side }: Side, agent: Agent): Octokit {
  const octokit = new Octokit({
    auth: account.token,
    baseUrl: account.baseUrl,
    log: SILENT,
    request: { signal: side.stop },
  });
  watch(octokit, agent.name, side);
  return octokit;
}

/** The demo shows what matters itself; more would tear its table. */
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Notes every call of an agent, from when it is made to when it is answered, waiting included. */
function watch(octokit: Octokit, agent: string, side: Omit<Side, "account">): void {
  const { tally, stop, elapsedMs, mayWrite, onRefusal } = side;
  octokit.hook.wrap("request", async (request, options) => {
    const begunAtMs = elapsedMs();
    const note = (result: Parameters<Tally["record"]>[1]["result"], outcome?: unknown): void => {
      const atMs = elapsedMs();
      tally.record(agent, { result, free: FREE.has(outcome), durationMs: atMs - begunAtMs, atMs });
    };
    if (!mayWrite && options.method !== "GET")
      throw new Error(`${agent} may only read, not ${options.method} ${options.url}`);
    try {
      const response = await request(options);
      note("answered", response.headers["x-squad-rate"]);
      return response;
    } catch (error) {
      if (isSquadRateError(error)) {
        note("refused by the squad");
        onRefusal(agent, error.message, "SquadRateError");
      } else if (isLimitRefusal(error)) {
        note("refused by GitHub");
        onRefusal(agent, (error as Error).message, "GitHub");
      } else if (!stop.aborted) {
        note("failed");
        tally.unexpected(`${agent}: ${options.method} ${options.url}: ${(error as Error).message}`);
      }
      throw error;
    }
  });
}

/** Outcomes that cost no quota. */
const FREE: ReadonlySet<unknown> = new Set(["revalidated", "shared", "fresh", "stale"]);

/** Whether GitHub answered that a rate limit is exceeded; a 403 may mean other things. */
function isLimitRefusal(error: unknown): boolean {
  const { status, message } = error as { readonly status?: unknown; readonly message?: unknown };
  return status === 429 || (status === 403 && /rate limit/i.test(String(message)));
}
