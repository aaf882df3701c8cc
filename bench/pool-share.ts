// The pool's table: `npx tsx bench/pool-share.ts` (`--short` for fewer runs). The pool's real client on virtual time, so the
// figures are the same on every machine. Demand is 160 % of the limit, split 20/30/50 over P0/P1/P2; callers wait up to a
// minute; answers overtake each other; two spenders are killed halfway; a hidden consumer takes its part at random.
// Store operations are those that divide the quota; who shares the pool and its cooldown are other documents.
import { createPoolClient } from "../src/sim/fleet/quota/pool-client.js";
import { runQuotaFleet } from "../src/sim/fleet/quota/run-quota-fleet.js";
import { fleetOf } from "../src/sim/fleet/quota/scenario.js";
import type { QuotaReport } from "../src/sim/fleet/quota/tally.js";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const seeds = process.argv.includes("--short") ? 1 : 6;

type Row = readonly [spenders: number, limit: number, windowMs: number, hidden: number, clockSkewMs?: number];

const rows: readonly Row[] = [
  [8, 5_000, HOUR_MS, 0],
  [8, 5_000, HOUR_MS, 0.1],
  [8, 5_000, HOUR_MS, 0.1, 30_000],
  [20, 5_000, HOUR_MS, 0],
  [20, 5_000, HOUR_MS, 0.1],
  [50, 5_000, HOUR_MS, 0],
  [50, 5_000, HOUR_MS, 0.1],
  [8, 2_000, 2 * MINUTE_MS, 0.1],
  [8, 1_000, 10 * MINUTE_MS, 0.1],
  [8, 400, MINUTE_MS, 0],
  [8, 400, MINUTE_MS, 0.1],
  [8, 400, 10 * MINUTE_MS, 0],
  [8, 400, 10 * MINUTE_MS, 0.1],
  [8, 30, MINUTE_MS, 0],
  [1, 400, 10 * MINUTE_MS, 0],
];

console.log(
  "| fleet × limit, window | hidden | used, mean (worst) | refused/window, mean (worst) | store ops/request | answered P0/P1/P2 | p99 P0 |",
);
console.log("|---|---|---|---|---|---|---|");
for (const [spenders, limit, windowMs, hidden, clockSkewMs = 0] of rows) {
  const windows = windowMs === HOUR_MS ? 5 : 7;
  const killed = spenders >= 4 ? 2 : 0;
  // Machines' clocks, until an answer sets them to within half a second.
  const clocks = { clockSkewMs, clockErrorMs: clockSkewMs === 0 ? 0 : 500 };
  const reports = Array.from({ length: seeds }, (_, index) => {
    const scenario = fleetOf({ seed: (index + 1) * 100, spenders, limit, windowMs, windows, hidden, killed });
    return runQuotaFleet({ ...scenario, ...clocks }, (world) => createPoolClient(world));
  });
  const skewed = clockSkewMs === 0 ? "" : `, clocks ±${clockSkewMs / 1_000} s`;
  const fleet = `${spenders} × ${limit}, ${windowMs / 1_000} s${skewed}`;
  console.log(`| ${fleet} | ${hidden * 100} % | ${figures(reports, limit).join(" | ")} |`);
}

function figures(reports: readonly QuotaReport[], limit: number): readonly string[] {
  const windows = reports.flatMap((report) => report.windows);
  const sum = (of: (report: QuotaReport) => number): number => reports.reduce((total, report) => total + of(report), 0);
  const used = windows.map((window) => (100 * window.used) / limit);
  const refused = windows.map((window) => window.refused);
  const answered = ([0, 1, 2] as const).map((priority) => {
    const arrived = sum((report) => report.classes[priority].arrived);
    return arrived === 0 ? "–" : `${Math.round((100 * sum((report) => report.classes[priority].answered)) / arrived)}`;
  });
  const mean = (of: readonly number[]): number => of.reduce((total, one) => total + one, 0) / of.length;
  return [
    `${mean(used).toFixed(1)} (${Math.min(...used).toFixed(1)}) %`,
    `${mean(refused).toFixed(2)} (${Math.max(...refused)})`,
    (sum((report) => report.storeOperations) / sum((report) => report.sent)).toFixed(2),
    `${answered.join("/")} %`,
    `${mean(reports.map((report) => report.classes[0].p99Ms / 1_000)).toFixed(1)} s`,
  ];
}
