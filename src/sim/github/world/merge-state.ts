import type { IssueRecord, PullRecord, RepositoryRecord, StatusRecord } from "./entities.js";

/** The one state of many checks. */
export function rollup(
  statuses: readonly StatusRecord[],
  conclusions: readonly (string | null)[],
): "FAILURE" | "PENDING" | "SUCCESS" {
  if (statuses.some((one) => one.state === "error" || one.state === "failure")) return "FAILURE";
  if (
    conclusions.some(
      (one) => one === "failure" || one === "timed_out" || one === "cancelled" || one === "action_required",
    )
  )
    return "FAILURE";
  return statuses.some((one) => one.state === "pending") || conclusions.includes(null) ? "PENDING" : "SUCCESS";
}

/**
 * Whether a pull request could be merged now, as REST writes it; GraphQL writes the same in capitals. Nothing conflicts in
 * the world and nothing is protected, so checks that do not pass make it unstable and never blocked.
 *
 * @see https://docs.github.com/graphql/reference/enums#mergestatestatus
 */
export function mergeState(
  issue: IssueRecord,
  pull: PullRecord,
  repository: RepositoryRecord,
): "clean" | "draft" | "unknown" | "unstable" {
  if (issue.state === "closed") return "unknown";
  if (pull.draft) return "draft";
  const passing = rollup(
    repository.statuses.filter((one) => one.sha === pull.headSha),
    repository.checkRuns.filter((one) => one.headSha === pull.headSha).map((one) => one.conclusion),
  );
  return passing === "SUCCESS" ? "clean" : "unstable";
}
