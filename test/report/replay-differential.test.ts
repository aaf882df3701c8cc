import { Octokit } from "@octokit/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { squadRate } from "../../src/plugin.js";
import { createReport } from "../../src/report/index.js";
import {
  createSimulatedGitHub,
  createVirtualClock,
  type SimulatedGitHub,
  type VirtualClock,
} from "../../src/sim/index.js";
import { createSquad } from "../../src/squad.js";
import type { TraceRecord } from "../../src/trace/record.js";
import { tracedFetch } from "./traced-fetch.js";

/** The same schedule of reads, writes and changes from outside is played twice. */
type Step =
  | { readonly kind: "read"; readonly agent: number; readonly read: number }
  | { readonly kind: "write"; readonly agent: number; readonly repo: number }
  | { readonly kind: "change"; readonly repo: number; readonly what: number };

interface Schedule {
  readonly steps: readonly (Step & { readonly at: number })[];
}

const REPOS = ["hello", "world"];
const TOKENS = ["ghp_mona", "ghp_hubot"];
const READS = REPOS.flatMap((repo) => [
  `/repos/mona/${repo}`,
  `/repos/mona/${repo}/issues`,
  `/repos/mona/${repo}/issues?per_page=3`,
  `/repos/mona/${repo}/issues/1`,
  `/repos/mona/${repo}/pulls`,
  `/repos/mona/${repo}/issues/99`,
]).concat("/user", "/rate_limit", "/repos/mona/former", "/repos/mona/former/issues");

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant("read" as const), agent: fc.nat(3), read: fc.nat(READS.length - 1) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("write" as const), agent: fc.nat(3), repo: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("change" as const), repo: fc.nat(1), what: fc.nat(2) }) },
);
const schedule: fc.Arbitrary<Schedule> = fc
  .array(fc.tuple(step, fc.nat(400)), { minLength: 20, maxLength: 120 })
  .map((pairs) => {
    let at = 0;
    const steps = pairs.map(([what, gapMs]) => {
      at += gapMs;
      return { ...what, at };
    });
    return { steps };
  });

type MakeOctokit = (github: SimulatedGitHub, clock: VirtualClock, agent: number) => Octokit;

async function play({ steps }: Schedule, make: MakeOctokit): Promise<number> {
  const clock = createVirtualClock();
  const github = createSimulatedGitHub({ clock, secondary: false, latency: { sigma: 0 } });
  for (const [index, token] of TOKENS.entries()) github.world.addToken(token, ["mona", "hubot"][index] as string);
  for (const name of REPOS) {
    github.world.addRepository({ owner: "mona", name, visibleTo: ["hubot"] });
    github.world.addIssue({ owner: "mona", repo: name, title: "First" });
  }
  github.world.addRepository({ owner: "mona", name: "former", visibleTo: ["hubot"] });
  github.world.renameRepository("mona", "former", "latter");
  const octokits = [0, 1, 2, 3].map((agent) => make(github, clock, agent));
  const running: Promise<unknown>[] = [];
  for (const next of steps) {
    clock.timer(next.at, () => {
      if (next.kind === "change") change(github, REPOS[next.repo] as string, next.what);
      else {
        const octokit = octokits[next.agent] as Octokit;
        const sent =
          next.kind === "read"
            ? octokit.request(`GET ${READS[next.read]}`)
            : octokit.request("POST /repos/{owner}/{repo}/issues", {
                owner: "mona",
                repo: REPOS[next.repo] as string,
                title: "Another",
              });
        running.push(sent.catch((error: { status?: number }) => expect(error.status).toBe(404)));
      }
    });
  }
  await clock.advance((steps.at(-1)?.at ?? 0) + 5_000);
  await clock.settle(Promise.all(running));
  return github.ledger().reduce((sum, entry) => sum + entry.chargedUnits, 0);
}

function change(github: SimulatedGitHub, repo: string, what: number): void {
  const at = { owner: "mona", repo };
  if (what === 0) github.world.addIssue({ ...at, title: "Found" });
  else if (what === 1) github.world.updateIssue({ ...at, number: 1 }, { title: `Renamed ${github.log.length}` });
  else github.world.addPullRequest({ ...at, title: "Mend" });
}

interface Figures {
  readonly actual: number;
  readonly predicted: number;
  /** What other credentials had read: perhaps free. */
  readonly perhaps: number;
  readonly squad: number;
}

/** Plays it with plain Octokits, replays their trace, and plays it with one squad. */
async function compare(plan: Schedule, tokens: readonly string[]): Promise<Figures> {
  const tokenOf = (agent: number): string => tokens[agent % tokens.length] as string;
  const records: TraceRecord[] = [];
  const actual = await play(plan, (github, clock, agent) => {
    const fetch = tracedFetch(github, clock, { agent: `a${agent}` }, (record) => records.push(record));
    return new Octokit({ auth: tokenOf(agent), request: { fetch } });
  });
  const { classes } = await createReport({ records });
  expect(classes.actual.units).toBe(actual);

  let squad: ReturnType<typeof createSquad> | undefined;
  const spent = await play(plan, (github, clock, agent) => {
    squad ??= createSquad({ clock, retry: false, pacing: false, fetch: github.fetch });
    return new (Octokit.plugin(squadRate))({ auth: tokenOf(agent), squad, request: { fetch: github.fetch } });
  });
  await squad?.close();
  return { actual, predicted: classes.withSquadRateUnits, perhaps: classes.ofOtherCredentials.units, squad: spent };
}

describe("replaying a plain client's trace", () => {
  it("predicts to the unit what squadRate is charged for the same reads of one credential", {
    timeout: 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async (plan) => {
        const { predicted, squad } = await compare(plan, TOKENS.slice(0, 1));
        expect(predicted).toBe(squad);
      }),
      { numRuns: 6, seed: 7 },
    );
  });

  it("bounds what it is charged where credentials may share bodies", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async (plan) => {
        const { predicted, perhaps, squad } = await compare(plan, TOKENS);
        expect(squad).toBeLessThanOrEqual(predicted);
        expect(squad).toBeGreaterThanOrEqual(predicted - perhaps);
      }),
      { numRuns: 6, seed: 8 },
    );
  });
});
