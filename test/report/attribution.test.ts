import { Octokit } from "@octokit/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReport, type Report } from "../../src/report/index.js";
import {
  createSimulatedGitHub,
  createVirtualClock,
  type LedgerEntry,
  type SimulatedGitHub,
  type SimulatedGitHubOptions,
  type VirtualClock,
} from "../../src/sim/index.js";
import type { TraceRecord } from "../../src/trace/record.js";
import { tracedFetch } from "./traced-fetch.js";

/** The virtual clock's. */
const START = Date.UTC(2030, 0, 1);
const TOKEN = "ghp_mona";
const MINUTE_MS = 60_000;

interface Stage {
  readonly clock: VirtualClock;
  readonly github: SimulatedGitHub;
  readonly records: TraceRecord[];
  readonly octokit: (agent: string, token?: string) => Octokit;
}

function stage(options: SimulatedGitHubOptions = {}): Stage {
  const clock = createVirtualClock();
  const github = createSimulatedGitHub({ clock, secondary: false, latency: {}, ...options });
  github.world.addToken(TOKEN, "mona");
  github.world.addRepository({ owner: "mona", name: "hello" });
  github.world.addIssue({ owner: "mona", repo: "hello", title: "First" });
  const records: TraceRecord[] = [];
  const octokit = (agent: string, token = TOKEN): Octokit => {
    const fetch = tracedFetch(github, clock, { agent }, (record) => records.push(record));
    return new Octokit({ auth: token, request: { fetch } });
  };
  return { clock, github, records, octokit };
}

/** Sends reads at these times, and lets somebody else spend at those. */
async function run(
  { clock, github, octokit }: Stage,
  reads: readonly { readonly at: number; readonly agent: number; readonly query: boolean }[],
  hidden: readonly { readonly at: number; readonly units: number; readonly query: boolean }[],
  forMs: number,
): Promise<void> {
  const octokits = [0, 1, 2].map((agent) => octokit(`agent-${agent}`));
  const running: Promise<unknown>[] = [];
  for (const { at, agent, query } of reads) {
    clock.timer(at, () => {
      const client = octokits[agent] as Octokit;
      const sent = query
        ? client.graphql("{ viewer { login } }")
        : client.request("GET /repos/{owner}/{repo}/issues/{issue_number}", {
            owner: "mona",
            repo: "hello",
            issue_number: 1 + agent,
          });
      running.push(sent.catch(() => undefined));
    });
  }
  for (const { at, units, query } of hidden)
    clock.timer(at, () => github.consume(TOKEN, query ? "graphql" : "core", units));
  await clock.advance(forMs);
  await clock.settle(Promise.all(running));
}

/** The report's windows beside the ledger's, by resource and reset. */
function pairs(
  report: Report,
  github: SimulatedGitHub,
): { window: Report["windows"][number] | undefined; entry: LedgerEntry }[] {
  return github.ledger().map((entry) => ({
    entry,
    window: report.windows.find(
      ({ resource, resetAt }) => resource === entry.resource && Math.abs(resetAt - entry.resetAt) <= 2_000,
    ),
  }));
}

describe("attribution", () => {
  const HOURS = 3;
  const at = fc.integer({ min: 0, max: HOURS * 60 * MINUTE_MS });
  const read = fc.record({ at, agent: fc.nat(2), query: fc.boolean() });
  const hidden = fc.record({ at, units: fc.integer({ min: 1, max: 300 }), query: fc.boolean() });

  it("charges what the ledger does, and finds hidden use that a later header can show", {
    timeout: 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(read, { minLength: 60, maxLength: 120 }),
        fc.array(hidden, { maxLength: 12 }),
        fc.constantFrom(0, 1_000),
        async (reads, hiddenUses, resetJitterMs) => {
          const scene = stage({ resetJitterMs });
          await run(scene, reads, hiddenUses, HOURS * 60 * MINUTE_MS);
          const report = await createReport({ records: scene.records });
          expect(report.scorecard.units).toBe(
            scene.github.ledger().reduce((sum, entry) => sum + entry.chargedUnits, 0),
          );
          for (const { window, entry } of pairs(report, scene.github)) {
            if (window === undefined) {
              // Nobody of the trace was there: no header, no window.
              expect(entry.chargedUnits).toBe(0);
              continue;
            }
            expect(window.chargedUnits).toBe(entry.chargedUnits);
            expect(window.unconfirmedUnits).toBe(0);
            // What was spent after the last header of the window nobody could see.
            const seen = hiddenUses
              .filter(
                ({ query, at: time }) =>
                  (query ? "graphql" : "core") === entry.resource && time + START < window.lastSeenAt,
              )
              .filter(
                ({ at: time }) => time + START < entry.resetAt && time + START >= entry.resetAt - 3_600_000 - 2_000,
              )
              .reduce((sum, { units }) => sum + units, 0);
            const before = window.beforeTraceUnits;
            const error = Math.abs(window.hiddenUnits + before - Math.min(seen, entry.hiddenUnits));
            expect(error).toBeLessThanOrEqual(Math.max(5, 0.05 * seen));
          }
        },
      ),
      { numRuns: 5, seed: 5 },
    );
  });
});
