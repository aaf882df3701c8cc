import { parseNodeId } from "../rest/render-values.js";
import { type ResolverContext, visibleRepositories, visibleRepository } from "./resolver-context.js";
import { account, checkRunOf, commentOf, commitOf, issueOf, labelOf, repositoryOf } from "./sources.js";

/** What a global id names, if the viewer may see it. */
export function nodeById(context: ResolverContext, id: string): unknown {
  const parsed = parseNodeId(id);
  const found = parsed === undefined ? undefined : lookUp(context, parsed.type, parsed.id);
  if (found !== undefined && found !== null) return found;
  throw context.problem("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'`);
}

function lookUp(context: ResolverContext, type: string, id: string): unknown {
  const number = Number(id);
  if (type === "User" || type === "Organization" || type === "Bot") {
    const user = context.state.usersById.get(number);
    return user === undefined ? undefined : account(user);
  }
  if (type === "Repository") {
    const repository = visibleRepository(context, context.state.repositoriesById.get(number));
    return repository === undefined ? undefined : repositoryOf(repository);
  }
  for (const repository of visibleRepositories(context)) {
    if (type === "Commit") {
      const commit = commitOf(repository, id);
      if (commit !== null) return commit;
    } else if (type === "Label") {
      const label = repository.labels.find((one) => one.id === number);
      if (label !== undefined) return labelOf(repository, label);
    } else if (type === "CheckRun") {
      const run = repository.checkRuns.find((one) => one.id === number);
      if (run !== undefined) return checkRunOf(repository, run);
    } else if (type === "IssueComment") {
      for (const issue of repository.issues) {
        const comment = issue.comments.find((one) => one.id === number);
        if (comment !== undefined) return commentOf(repository, issue, comment);
      }
    } else if (type === "Issue" || type === "PullRequest") {
      const issue = repository.issues.find((one) => one.id === number);
      if (issue !== undefined) return issueOf(repository, issue);
    }
  }
  return undefined;
}
