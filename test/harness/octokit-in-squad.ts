import { Octokit } from "@octokit/core";
import type { SquadOptions } from "../../src/options.js";
import { squadRate } from "../../src/plugin.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { createSquad, type Squad } from "../../src/squad.js";
import { createStubGithub, type StubGithub } from "./stub-github.js";

/** Core's Octokit with the plugin. */
export const SquadOctokit = Octokit.plugin(squadRate);

/** A squad on its own clock before a stub of GitHub, and Octokits in it. */
export interface Bench {
  readonly clock: VirtualClock;
  readonly github: StubGithub;
  readonly squad: Squad;
  /** What was logged, `level: message`. */
  readonly logged: string[];
  /** An Octokit of the squad with this token. */
  octokit(token?: string): InstanceType<typeof SquadOctokit>;
}

/** Failures reach the caller at once, and writes go as they come: what these tests are about is something else. */
export const AS_IT_COMES: SquadOptions = { retry: false, pacing: false };

/** `limits: false` makes the stub a server that sends no rate headers. Without a pool, whatever the store. */
export function setUpBench(options: SquadOptions = {}, { limits = true }: { readonly limits?: boolean } = {}): Bench {
  const clock = createVirtualClock();
  const github = createStubGithub({ clock, limits });
  const squad = createSquad({ agent: "ralph", clock, fetch: github.fetch, pool: false, ...AS_IT_COMES, ...options });
  const logged: string[] = [];
  const log = {
    debug: () => undefined,
    info: (message: string) => void logged.push(`info: ${message}`),
    warn: (message: string) => void logged.push(`warn: ${message}`),
    error: (message: string) => void logged.push(`error: ${message}`),
  };
  return {
    clock,
    github,
    squad,
    logged,
    octokit: (token) =>
      new SquadOctokit({
        ...(token === undefined ? {} : { auth: token }),
        squad,
        log,
        request: { fetch: github.fetch },
      }),
  };
}
