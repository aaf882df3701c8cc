import { Octokit } from "@octokit/core";
import { createAgents } from "./agents.js";
import type { Plan } from "./arguments.js";
import { play } from "./play.js";

/** How much slower the agents ask than on a simulated GitHub. */
const PACE = 4;

/** The agents read a real repository; they write nothing, and no plain client runs beside them. */
export async function playReal(plan: Extract<Plan, { readonly kind: "real" }>): Promise<void> {
  const { seconds, owner, repo, token, baseUrl } = plan;
  const problem = await problemWith(plan);
  if (problem !== undefined) {
    console.error(problem);
    process.exitCode = 1;
    return;
  }
  const place = { owner, repo, mayWrite: false, commitsToIndex: 20, indexAtOnce: 4 };
  await play({
    seconds,
    github: `${owner}/${repo} on ${new URL(baseUrl).host}, read only`,
    cast: () => createAgents(place, PACE),
    squad: {
      account: { baseUrl, token },
      mayWrite: false,
      bill: ({ counters }) => ({
        requests: counters.exchanges,
        notModified: counters.notModified,
        writes: 0,
        units: counters.chargedUnits,
        refusals: counters.refusedByGithub,
      }),
    },
  });
}

/** Asks for the repository once, so that a wrong name or token is told in one line. */
async function problemWith({
  owner,
  repo,
  token,
  baseUrl,
}: Extract<Plan, { readonly kind: "real" }>): Promise<string | undefined> {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  try {
    await new Octokit({ auth: token, baseUrl, log }).request("GET /repos/{owner}/{repo}", { owner, repo });
    return undefined;
  } catch (error) {
    const { status, response, message } = error as {
      readonly status?: number;
      readonly response?: unknown;
      readonly message: string;
    };
    if (response === undefined) return `${baseUrl} could not be reached: ${message}.`;
    if (status === 401) return `${baseUrl} does not accept the token in GITHUB_TOKEN (401).`;
    if (status === 404)
      return `${baseUrl} has no repository ${owner}/${repo}, or the token in GITHUB_TOKEN may not see it (404).`;
    return `${baseUrl} answered ${status}: ${message}`;
  }
}
