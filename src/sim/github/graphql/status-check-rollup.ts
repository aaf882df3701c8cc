import { nodeId } from "../rest/render-values.js";
import { rollup } from "../world/merge-state.js";
import { connect } from "./connections.js";
import { type CommitSource, checkRunOf, type StatusSource } from "./sources.js";

/** Check runs and statuses of a commit, as one. */
export function statusCheckRollup(source: CommitSource | null): unknown {
  if (source === null) return null;
  const { repository, record } = source;
  const runs = repository.checkRuns.filter((one) => one.headSha === record.sha);
  const statuses = repository.statuses.filter((one) => one.sha === record.sha);
  if (runs.length + statuses.length === 0) return null;
  const contexts = [
    ...runs.map((one) => checkRunOf(repository, one)),
    ...statuses.map((one): StatusSource => ({ __typename: "StatusContext", record: one, repository })),
  ];
  return {
    __typename: "StatusCheckRollup",
    id: nodeId("StatusCheckRollup", `${repository.id}:${record.sha}`),
    state: rollup(
      statuses,
      runs.map((one) => one.conclusion),
    ),
    contexts: (args: object) => connect(contexts, args, (one) => one),
    commit: source,
  };
}
