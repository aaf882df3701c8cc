import { Octokit } from "@octokit/core";
import { describe, expect, it } from "vitest";
import { squadRequest } from "../../src/index.js";
import { squadRate } from "../../src/plugin.js";
import { createReport, type Report, renderText } from "../../src/report/index.js";
import { createSimulatedGitHub, createVirtualClock, type SimulatedGitHub } from "../../src/sim/index.js";
import { createSquad } from "../../src/squad.js";
import type { TraceRecord } from "../../src/trace/record.js";

const MINUTE_MS = 60_000;
const ROUNDS = 70;

/** Three agents poll for seventy minutes while somebody else spends the same quota, and a secondary limit strikes once. */
async function play(): Promise<{ github: SimulatedGitHub; report: Report }> {
  const clock = createVirtualClock();
  const github = createSimulatedGitHub({ clock, latency: {}, resetJitterMs: 1_000 });
  github.world.addToken("ghp_mona", "mona");
  github.world.addRepository({ owner: "mona", name: "hello" });
  github.world.addIssue({ owner: "mona", repo: "hello", title: "First" });
  const records: TraceRecord[] = [];
  const squad = createSquad({
    clock,
    fetch: github.fetch,
    pacing: false,
    trace: (record) => void records.push(record),
  });
  const SquadOctokit = Octokit.plugin(squadRate);
  const octokit = new SquadOctokit({ auth: "ghp_mona", squad, request: { fetch: github.fetch } });
  const where = { owner: "mona", repo: "hello" };
  const agents = (["lead", "reader", "scribe"] as const).map((agent, priority) => ({
    request: { squad: squadRequest({ agent, priority: priority as 0 | 1 | 2, session: `s-${agent}` }) },
  }));
  for (let round = 0; round < ROUNDS; round++) {
    const [lead, reader, scribe] = agents;
    const poll = Promise.all([
      octokit.request("GET /rate_limit", { ...lead }),
      ...agents.map((who) => octokit.request("GET /repos/{owner}/{repo}/issues", { ...where, ...who })),
      octokit.request("GET /repos/{owner}/{repo}", { ...where, ...reader }),
      octokit.graphql("query viewer { viewer { login } }", { ...scribe }),
    ]);
    await clock.settle(poll);
    if (round % 10 === 5) {
      await clock.settle(
        octokit.request("POST /repos/{owner}/{repo}/issues", { ...where, title: `${round}`, ...scribe }),
      );
    }
    if (round % 3 === 0) github.consume("ghp_mona", "core", 7);
    if (round === 30) github.block("ghp_mona", 5_000);
    await clock.advance(MINUTE_MS);
  }
  await squad.close();
  return { github, report: await createReport({ records }) };
}

describe("a report of a squad's own trace", () => {
  it("agrees with GitHub's ledger, finds what was hidden, and leaves nothing opaque", { timeout: 60_000 }, async () => {
    const { github, report } = await play();
    const { scorecard, windows, classes } = report;
    const ledger = github.ledger();
    expect(scorecard.units).toBe(ledger.reduce((sum, entry) => sum + entry.chargedUnits, 0));
    for (const entry of ledger) {
      const window = windows.find(
        (row) => row.resource === entry.resource && Math.abs(row.resetAt - entry.resetAt) <= 2_000,
      );
      expect(window?.chargedUnits).toBe(entry.chargedUnits);
      // The last use of a window may come after its last header.
      expect(Math.abs((window?.hiddenUnits ?? 0) - entry.hiddenUnits)).toBeLessThanOrEqual(7);
    }
    expect(scorecard).toMatchObject({
      opaque: { exchanges: 0 },
      conditional: { errors: expect.any(Number) },
      straddles: true,
    });
    expect(scorecard.refusals.secondary).toBe(github.log.filter(({ refusedBy }) => refusedBy === "secondary").length);
    expect(scorecard.cache.shared).toBeGreaterThan(0);
    expect(report.spend.agents.rows.map(({ name }) => name).sort()).toEqual(["lead", "reader", "scribe"]);
    expect(report.brackets.find(({ resource }) => resource === "core")?.resetsInside).toBe(1);
    // What squadRate sends, squadRate would have sent: but for refusals nothing of REST is left to spare.
    const spared = classes.byClass.filter(({ class: kind }) => kind === "duplicate" || kind === "cacheable");
    expect(spared.map(({ units }) => units)).toEqual([0, 0]);
    expect(renderText(report)).toContain("BY AGENT");
  });
});
