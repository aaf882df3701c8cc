import { PacedLane } from "../../../../src/pipeline/lanes/paced-lane.js";
import { RetryLane } from "../../../../src/pipeline/lanes/retry-lane.js";
import { DEFAULT_LANE_SPACING } from "../../../../src/policy/pacing.js";

// A process that makes one write and one retry, and should then end by itself.
function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
}

const paced = new PacedLane({ spacing: DEFAULT_LANE_SPACING, timed: true });
const write = { method: "POST", url: "/repos/mona/hello/issues" };
console.log(`${await paced.through("notification", write, async () => "wrote")}, ${timers()} timers`);

const retry = new RetryLane({ timed: true });
console.log(`${await retry.again(async () => "retried")}, ${timers()} timers`);
