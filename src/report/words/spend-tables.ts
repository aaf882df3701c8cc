import type { Report } from "../report.js";
import type { SpendBy, SpendTable } from "../tally/spend.js";

/** A table of who spent what, and what heads its names. */
export interface NamedTable {
  readonly by: SpendBy;
  readonly title: string;
  readonly table: SpendTable;
}

const TITLES: Readonly<Record<SpendBy, string>> = {
  agents: "agent",
  sessions: "session",
  routes: "route",
  operations: "operation",
  machines: "machine",
  processes: "process",
  resources: "resource",
};

/** The tables that say something: one without a name does not, nor does one of a single machine or process. */
export function spendTables({ spend }: Report): readonly NamedTable[] {
  return (Object.keys(TITLES) as SpendBy[])
    .map((by) => ({ by, title: TITLES[by], table: spend[by] }))
    .filter(({ by, table: { rows } }) => {
      const isPlace = by === "machines" || by === "processes";
      return rows.some(({ name }) => name !== undefined) && (rows.length > 1 || !isPlace);
    });
}
