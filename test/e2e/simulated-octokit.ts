import { onTestFinished } from "vitest";
import {
  createSimulatedGitHub,
  createVirtualClock,
  type SimulatedGitHub,
  type SimulatedGitHubOptions,
  type VirtualClock,
} from "../../src/sim/index.js";

/** The two forms of the simulated GitHub. */
export const FORMS = ["in process", "over HTTP"] as const;

/** A simulated GitHub and what an Octokit needs to reach it. */
export interface Reached {
  readonly github: SimulatedGitHub;
  readonly clock: VirtualClock;
  /** Options for any Octokit. */
  readonly client: { readonly baseUrl: string; readonly request: { readonly fetch: typeof globalThis.fetch } };
}

/** With `mona`, her token `ghp_mona` and her repository `mona/hello`. Time is today's, because real packages sign with it. */
export async function reachGitHub(
  form: (typeof FORMS)[number],
  options: SimulatedGitHubOptions = {},
): Promise<Reached> {
  const clock = createVirtualClock({ startAt: Date.now() });
  const github = createSimulatedGitHub({ clock, ...options });
  github.world.addToken("ghp_mona", "mona");
  github.world.addRepository({ owner: "mona", name: "hello" });
  if (form === "over HTTP") {
    const server = await github.listen();
    onTestFinished(() => server.close());
    return { github, clock, client: { baseUrl: server.url, request: { fetch: globalThis.fetch } } };
  }
  const baseUrl = options.ghes ? "https://github.example.com/api/v3" : "https://api.github.com";
  return { github, clock, client: { baseUrl, request: { fetch: github.fetch } } };
}
