import type { Children } from "../recovery/children.js";
import type { ClientName } from "./clients.js";
import type { Family, FamilyRow } from "./families.js";
import type { Job, JobResult } from "./job.js";
import type { FamilyRuns, Run } from "./runs.js";

/** Puts every client through every row of the families. The longest are begun first, so that no core waits for the last. */
export async function measure(
  families: readonly Family[],
  children: Children<Job, JobResult>,
  onRun: (family: Family, run: Run, left: number) => void,
): Promise<readonly FamilyRuns[]> {
  const planned = families.flatMap((family) =>
    family.rows.flatMap((row) => row.clients.map((client) => ({ family, row, client }))),
  );
  planned.sort((one, other) => weightOf(other.row) - weightOf(one.row));
  let left = planned.length;
  const done = await Promise.all(
    planned.map(async ({ family, row, client }) => {
      const { settings, heapEveryMs } = family;
      const traced = family.traced && client === "e";
      const result = await children.do({ client, scenario: row.scenario, settings, heapEveryMs, traced });
      const run: Run = { row, client, result };
      left -= 1;
      onRun(family, run, left);
      return { family, run };
    }),
  );
  return families.map((family) => ({
    family,
    runs: inOrder(
      family,
      done.filter((one) => one.family === family).map(({ run }) => run),
    ),
  }));
}

function inOrder({ rows, clients }: Family, runs: readonly Run[]): readonly Run[] {
  const placeOf = ({ row, client }: { readonly row: FamilyRow; readonly client: ClientName }): number =>
    rows.indexOf(row) * clients.length + clients.indexOf(client);
  return [...runs].sort((one, other) => placeOf(one) - placeOf(other));
}

/** About how many polls or calls there are. */
function weightOf({ scenario }: FamilyRow): number {
  const hours = (scenario.warmUpMs + scenario.forMs) / 3_600_000;
  return scenario.agents.reduce(
    (sum, { count, work }) => sum + count * hours * (work.kind === "calls" ? work.perHour / 4 : 120),
    0,
  );
}
