import type { FaultHandle } from "../../src/sim/github/faults.js";
import type { SimulatedGitHub } from "../../src/sim/github/surface.js";

/** The credential that all agents share, and one that looks at what became of the world. */
export const TOKEN = "ghp_shared";
export const AUDITOR_TOKEN = "ghp_auditor";

export const READ_ISSUES = 300;
export const INBOX_ISSUES = 40;

/** Puts issues to read into one repository and issues to comment on into another; returns whose quota `TOKEN` spends. */
export function furnish({ world }: SimulatedGitHub): string {
  const { id } = world.addUser("mona");
  world.addToken(TOKEN, "mona");
  world.addToken(AUDITOR_TOKEN, "auditor");
  world.addOrganization("acme");
  for (const [repo, issues] of [
    ["app", READ_ISSUES],
    ["inbox", INBOX_ISSUES],
  ] as const) {
    world.addRepository({ owner: "acme", name: repo });
    for (let issue = 1; issue <= issues; issue++) world.addIssue({ owner: "acme", repo, title: `Issue ${issue}` });
  }
  return `user:${id}`;
}

/** From now on some connections break after GitHub has done what was asked, and some reads are answered 502. */
export function breakThings(github: SimulatedGitHub): readonly FaultHandle[] {
  const comments = { method: "POST", path: /\/comments\?/ };
  const times = Number.POSITIVE_INFINITY;
  return [
    github.fault({ kind: "reset", when: "after", match: comments, every: 10, times }),
    github.fault({ kind: "status", status: 502, match: { method: "GET" }, every: 250, times }),
  ];
}
