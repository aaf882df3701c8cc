import type { ClientName } from "./clients.js";
import type { Family, FamilyRow } from "./families.js";
import type { JobResult } from "./job.js";

/** One client in one scenario, and what came of it. */
export interface Run {
  readonly row: FamilyRow;
  readonly client: ClientName;
  readonly result: JobResult;
}

/** All runs of a family: each row with each client. */
export interface FamilyRuns {
  readonly family: Family;
  readonly runs: readonly Run[];
}

/** The one of a client, by its row's label. */
export function runOf({ runs }: FamilyRuns, client: ClientName, label: string): Run | undefined {
  return runs.find((run) => run.client === client && run.row.label === label);
}

/** Those of one client, in the order of the rows. */
export function runsOf({ family, runs }: FamilyRuns, client: ClientName): readonly Run[] {
  return family.rows.flatMap((row) => runs.filter((run) => run.client === client && run.row === row));
}
