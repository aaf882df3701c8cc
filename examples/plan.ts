/**
 * How many agents does a token carry? A plan says so without running anything, and which limit is the first to bind.
 */
import assert from "node:assert/strict";
import { type PlanScenario, plan } from "octokit-plugin-squad-rate/sim";

const team: PlanScenario = {
  agents: [
    { count: 40, priority: 1, work: { kind: "watch", everyMs: 30_000 } },
    {
      count: 10,
      priority: 0,
      work: { kind: "workload", readsPerHour: 120, unchanged: 0.5, writesPerHour: 6, queriesPerHour: 20 },
    },
  ],
  changes: { kind: "share", sharePerPoll: 0.02 },
  hidden: [{ resource: "core", unitsPerHour: 300 }], // somebody's script
};

console.log("With one poller for each repository:");
const byRepository = plan(team);
for (const line of byRepository.explain) console.log(`- ${line}`);

console.log("\nWith one poller for all:");
const together = plan({ ...team, polls: "together" });
for (const line of together.explain) console.log(`- ${line}`);

console.log("\nWith plain clients:");
const plain = plan({ ...team, client: "plain" });
for (const line of plain.explain) console.log(`- ${line}`);

assert.ok(plain.carries < byRepository.carries && byRepository.carries < together.carries);
