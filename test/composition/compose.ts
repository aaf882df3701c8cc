import type { OctokitOptions } from "@octokit/core/types";
import { systemClock } from "../../src/clock.js";
import type { Squad, SquadOptions } from "../../src/index.js";
import { createSimulatedGitHub, type SimulatedGitHub, type SimulatedGitHubOptions } from "../../src/sim/index.js";
import { createStubGithub, type StubGithub } from "../harness/stub-github.js";
import type { Host, HostClass } from "./compositions.js";
import { type OneTime, takeTime } from "./one-time.js";

export const REPO: { readonly owner: string; readonly repo: string } = { owner: "mona", repo: "hello" };
export const TOKEN = "ghp_mona";

/** One question of plugin-throttling to its user. */
export interface Asked {
  readonly limit: "primary" | "secondary";
  readonly retryAfter: number;
  readonly route: string;
  readonly octokit: unknown;
  readonly retryCount: number;
  readonly atMs: number;
}

/** A request on its way to GitHub; `atMs` since the test began, as everywhere here. */
export interface Sent {
  readonly atMs: number;
  readonly route: string;
}

/** How an Octokit is made. */
export interface Settings {
  readonly squad?: SquadOptions | Squad;
  /** What the user's handlers answer to plugin-throttling; left out, no. */
  readonly wants?: (retryCount: number) => boolean | undefined;
  /** More of the constructor's options. */
  readonly options?: OctokitOptions;
}

/** Octokits before one GitHub, all on one time. */
export interface Composed {
  readonly time: OneTime;
  readonly octokit: Host;
  readonly sent: readonly Sent[];
  readonly asked: readonly Asked[];
  /** `level: message` */
  readonly logged: readonly string[];
  /** One more Octokit before the same GitHub. */
  another(Class: HostClass, settings?: Settings): Host;
}

/** Before a stub, which answers what it is told to. */
export async function compose(
  Class: HostClass,
  settings: Settings = {},
): Promise<Composed & { readonly github: StubGithub }> {
  const time = await takeTime();
  const github = createStubGithub({ clock: systemClock });
  return { github, ...before(github.fetch, time, Class, settings) };
}

/** Before a simulated GitHub, whose world shows what was done. `mona` has the token and the repository `mona/hello`. */
export async function composeSimulated(
  Class: HostClass,
  settings: Settings = {},
  options: SimulatedGitHubOptions = {},
): Promise<Composed & { readonly github: SimulatedGitHub }> {
  const time = await takeTime();
  const github = createSimulatedGitHub({ clock: systemClock, ...options });
  github.world.addToken(TOKEN, REPO.owner);
  github.world.addRepository({ owner: REPO.owner, name: REPO.repo });
  return { github, ...before(github.fetch, time, Class, settings) };
}

/** plugin-throttling's limiters are the process's; what has the same id shares them. */
let ids = 0;

function before(base: typeof globalThis.fetch, time: OneTime, Class: HostClass, settings: Settings): Composed {
  const sent: Sent[] = [];
  const asked: Asked[] = [];
  const logged: string[] = [];
  const fetch = (input: string, init: RequestInit): Promise<Response> => {
    sent.push({ atMs: time.passedMs, route: `${init.method} ${new URL(input).pathname}` });
    return base(input, init);
  };
  const log = {
    debug: () => undefined,
    info: (message: string) => void logged.push(`info: ${message}`),
    warn: (message: string) => void logged.push(`warn: ${message}`),
    error: (message: string) => void logged.push(`error: ${message}`),
  };
  const another: Composed["another"] = (Made, { squad, wants, options } = {}) => {
    const handler =
      (limit: Asked["limit"]) =>
      (retryAfter: number, request: object, octokit: unknown, retryCount: number): boolean | undefined => {
        const { method, url } = request as { readonly method: string; readonly url: string };
        asked.push({ limit, retryAfter, route: `${method} ${url}`, octokit, retryCount, atMs: time.passedMs });
        return wants?.(retryCount);
      };
    return new Made({
      auth: TOKEN,
      log,
      ...options,
      squad: squad !== undefined && "status" in squad ? squad : { agent: "ralph", random: () => 0.5, ...squad },
      request: { fetch: fetch as typeof globalThis.fetch, ...options?.request },
      throttle: {
        id: `test ${++ids}`,
        onRateLimit: handler("primary"),
        onSecondaryRateLimit: handler("secondary"),
        ...options?.throttle,
      },
    } as OctokitOptions);
  };
  return { time, octokit: another(Class, settings), sent, asked, logged, another };
}

/** What a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("It was expected to fail, and did not.");
}
