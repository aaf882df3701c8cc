import type { Output } from "../../context.js";
import type { Paint } from "../../show/paint.js";
import { table, tableWidth } from "../../show/table.js";
import type { ResourceTraffic } from "./traffic.js";

/** What somebody who has started one wants to know. */
export interface Started {
  /** As a setting of squad-rate. */
  readonly upstream: string;
  readonly socket: string | undefined;
  readonly token: string;
  readonly user: string;
  readonly owner: string;
  readonly repos: number;
  readonly pulls: number;
  readonly issues: number;
}

/** What there is, and what to do next; lines that can be copied into a shell. */
export function startedLines(started: Started, paint: Paint): readonly string[] {
  const { upstream, socket, token, user, owner, repos, pulls, issues } = started;
  const holds =
    repos === 0
      ? "without repositories"
      : `with ${counted(repos, "repository", "repositories")} (${owner}/app-1${repos > 1 ? ", …" : ""}): ${counted(pulls, "pull request")} and ${counted(issues, "issue")}${repos > 1 ? " each" : ""}`;
  return [
    `${paint.bold("A simulated GitHub")} listens at ${paint.cyan(socket ?? upstream)},`,
    `${holds}. It knows a token of ${user}.`,
    "",
    "In another terminal:",
    `  export GITHUB_TOKEN=${token}`,
    `  export SQUAD_RATE_UPSTREAM=${quoted(upstream)}`,
    "  squad-rate exec -- gh api user",
    socket === undefined
      ? '  curl -H "authorization: token $GITHUB_TOKEN" $SQUAD_RATE_UPSTREAM/rate_limit'
      : `  curl --unix-socket ${quoted(socket)} -H "authorization: token $GITHUB_TOKEN" http://api.github.com/rate_limit`,
    "",
    "Ctrl-C ends it.",
  ];
}

/** For a shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** What it was asked, at the end. */
export function trafficLines(traffic: readonly ResourceTraffic[], output: Output, paint: Paint): readonly string[] {
  if (traffic.length === 0) return ["It was asked nothing."];
  const count =
    (name: "requests" | "unchanged" | "refused" | "units") =>
    (row: ResourceTraffic): string =>
      row[name].toLocaleString("en-US");
  return table(
    [
      { title: "resource", of: (row) => row.resource },
      { title: "requests", align: "right", of: count("requests") },
      { title: "304", align: "right", of: count("unchanged") },
      {
        title: "refused",
        align: "right",
        of: (row) => (row.refused > 0 ? paint.red(count("refused")(row)) : count("refused")(row)),
      },
      { title: "units", align: "right", of: count("units") },
    ],
    traffic,
    { width: tableWidth(output), heading: paint.dim },
  );
}
