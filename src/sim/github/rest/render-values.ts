/** GitHub's timestamps have no fraction. */
export function iso(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}

const PREFIX: Readonly<Record<string, string>> = {
  User: "U",
  Organization: "O",
  Bot: "BOT",
  Repository: "R",
  Issue: "I",
  PullRequest: "PR",
  IssueComment: "IC",
  PullRequestReview: "PRR",
  PullRequestReviewComment: "PRRC",
  Label: "LA",
  Commit: "C",
  CheckRun: "CR",
  Ref: "REF",
  Release: "RE",
  ReleaseAsset: "RA",
  StatusContext: "SC",
  StatusCheckRollup: "SCR",
  CheckSuite: "CS",
  App: "A",
};

/** A global node id: opaque to clients, readable to the simulator. */
export function nodeId(type: string, id: number | string): string {
  return `${PREFIX[type] ?? "N"}_${Buffer.from(`${type}:${id}`).toString("base64url")}`;
}

/** The type and id within a node id, or undefined when it is none of ours. */
export function parseNodeId(node: string): { readonly type: string; readonly id: string } | undefined {
  const [, encoded = ""] = node.split("_", 2);
  const [type = "", ...rest] = Buffer.from(node.slice(node.indexOf("_") + 1), "base64url")
    .toString("utf8")
    .split(":");
  return encoded === "" || !(type in PREFIX) ? undefined : { type, id: rest.join(":") };
}
