import type { SquadRequestInit } from "../../../src/adapter/fetch.js";
import type { SquadOptions, SquadRequestOptions } from "../../../src/options.js";
import { PacedLane } from "../../../src/pipeline/lanes/paced-lane.js";
import { DEFAULT_LANE_SPACING } from "../../../src/policy/pacing.js";
import { createVirtualClock, type VirtualClock } from "../../../src/sim/virtual-clock.js";
import { createSquad, type Squad } from "../../../src/squad.js";
import { openStore } from "../../../src/store/open-store.js";
import type { Store } from "../../../src/store/store.js";
import { createStubGithub, type StubAnswer, type StubGithub } from "../../harness/stub-github.js";

// The first write loads a package, which is real I/O: not while a virtual clock looks for what to do next.
await new PacedLane({ spacing: DEFAULT_LANE_SPACING, timed: false }).ready();

/** One request as it left. */
export interface Sent {
  /** Milliseconds since the bench was set up. */
  readonly at: number;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
}

/** What a call of {@link Recovery} may say. */
export interface CallInit extends Omit<SquadRequestInit, "headers" | "squad"> {
  readonly squad?: SquadRequestOptions;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A squad with all its parts for failures and limits on, before a stub of GitHub, on one virtual clock. */
export interface Recovery {
  readonly clock: VirtualClock;
  readonly github: StubGithub;
  readonly squad: Squad;
  /** What was sent, by all squads. */
  readonly sent: readonly Sent[];
  /** Milliseconds since it was set up. */
  elapsed(): number;
  /** A call of the squad, or of `from`; a repository's read by default. */
  call(path?: string, init?: CallInit, from?: Squad): Promise<Response>;
  graphql(query: string, init?: CallInit, from?: Squad): Promise<Response>;
}

export const API = "https://api.github.com";
export const TOKEN = "token ghp_alice";
export const REPO = "/repos/mona/hello";
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

/** A wait as long as any, so that calls show when they would be sent. */
export const PATIENT: SquadOptions = { maxWaitMs: 4 * HOUR_MS };

/** GitHub's words when too much came at once, without a hint how long to wait. */
export const SECONDARY: StubAnswer = {
  status: 403,
  json: {
    documentation_url:
      "https://docs.github.com/free-pro-team@latest/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits",
    message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
  },
};

/** The same with `Retry-After`, which comes without rate headers. */
export function secondary(retryAfter: string): StubAnswer {
  return { ...SECONDARY, headers: { "retry-after": retryAfter }, unlimited: true };
}

export const OK: StubAnswer = { json: { name: "hello" } };
export const UNWELL: StubAnswer = { status: 500, json: { message: "Server Error" } };

/** Half of every window, unless a test brings its own chance. */
const MIDDLE = (): number => 0.5;

export function recovery(options: SquadOptions = {}): Recovery {
  const clock = createVirtualClock();
  return around(clock, (fetch) =>
    createSquad({ agent: "ralph", clock, random: MIDDLE, fetch, cache: false, ...options }),
  );
}

/** Several squads, as of several processes, on one store. */
export interface SharedRecovery extends Recovery {
  readonly store: Store;
  /** Another squad on the store, before the same GitHub. */
  join(options?: SquadOptions): Squad;
}

export async function sharedRecovery(options: SquadOptions = {}): Promise<SharedRecovery> {
  const clock = createVirtualClock();
  const store = await openStore("memory:", { clock });
  const join = (fetch: typeof globalThis.fetch, own: SquadOptions = {}): Squad =>
    createSquad({ agent: "ralph", clock, random: MIDDLE, store, fetch, cache: false, ...options, ...own });
  let toGithub: typeof globalThis.fetch | undefined;
  const bench = around(clock, (fetch) => {
    toGithub = fetch;
    return join(fetch);
  });
  return { ...bench, store, join: (own) => join(toGithub as typeof globalThis.fetch, own) };
}

function around(clock: VirtualClock, build: (fetch: typeof globalThis.fetch) => Squad): Recovery {
  const github = createStubGithub({ clock });
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const method = init?.method ?? (input instanceof Request ? input.method : "GET");
    sent.push({ at: clock.monotonic(), method, path: url.pathname + url.search });
    return github.fetch(input, init);
  };
  const squad = build(fetch);
  github.route(REPO, OK);
  const call: Recovery["call"] = (path = REPO, init = {}, from = squad) => {
    const { headers, ...rest } = init;
    return from.fetch(API + path, { ...rest, headers: { authorization: TOKEN, ...headers } } as SquadRequestInit);
  };
  return {
    clock,
    github,
    squad,
    sent,
    elapsed: () => clock.monotonic(),
    call,
    graphql: (query, init, from) =>
      call("/graphql", { method: "POST", body: JSON.stringify({ query }), ...init }, from),
  };
}

/** How many requests were sent in the fullest minute. */
export function mostInAMinute(sent: readonly Sent[]): number {
  let most = 0;
  for (const [index, { at }] of sent.entries()) {
    const inMinute = sent.slice(index).filter((other) => other.at < at + MINUTE_MS).length;
    most = Math.max(most, inMinute);
  }
  return most;
}
