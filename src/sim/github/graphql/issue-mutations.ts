import { addComment, addIssue, type IssueChange } from "../world/issues.js";
import { change, demand, mutation, subject } from "./mutation.js";
import { nodeById } from "./node-by-id.js";
import type { Resolver, ResolverContext } from "./resolver-context.js";
import { type AccountSource, account, commentOf, issueOf, type LabelSource, type RepositorySource } from "./sources.js";

const labelNames = (context: ResolverContext, ids: readonly string[] | null | undefined): string[] =>
  (ids ?? []).map((id) => (nodeById(context, id) as LabelSource).record.name);
const logins = (context: ResolverContext, ids: readonly string[] | null | undefined): string[] =>
  (ids ?? []).map((id) => (nodeById(context, id) as AccountSource).record.login);

interface OnLabelable {
  readonly labelableId: string;
  readonly labelIds: readonly string[];
}

function relabel(name: string, labelsOf: (before: readonly string[], named: readonly string[]) => string[]): Resolver {
  return mutation(({ labelableId, labelIds }: OnLabelable, context) => {
    const on = subject(context, labelableId);
    demand(context, on.repository, "triage", name);
    const before = on.record.labels.map((one) => one.name);
    const labels = labelsOf(before, labelNames(context, labelIds));
    return { labelable: change(context, on, name, { labels }) };
  });
}

interface Plans {
  readonly milestoneId?: string | null;
  readonly projectIds?: readonly string[] | null;
}

/** There are no milestones and projects in the world: whoever names one is told that there is none of that id. */
function refusePlans({ milestoneId, projectIds }: Plans, context: ResolverContext): void {
  for (const id of [milestoneId ?? [], projectIds ?? []].flat()) nodeById(context, id);
}

interface NewIssueInput extends Plans {
  readonly repositoryId: string;
  readonly title: string;
  readonly body?: string | null;
  readonly labelIds?: readonly string[] | null;
  readonly assigneeIds?: readonly string[] | null;
}

interface ChangedIssueInput extends Plans {
  readonly id: string;
  readonly title?: string | null;
  readonly body?: string | null;
  readonly state?: "OPEN" | "CLOSED" | null;
  readonly labelIds?: readonly string[] | null;
  readonly assigneeIds?: readonly string[] | null;
}

/** An absent or null field is no change. */
function issueChange(input: ChangedIssueInput, context: ResolverContext): IssueChange {
  refusePlans(input, context);
  const { title, body, state, labelIds, assigneeIds } = input;
  return {
    ...(title === undefined || title === null ? {} : { title }),
    ...(body === undefined || body === null ? {} : { body }),
    ...(state === undefined || state === null ? {} : { state: state === "OPEN" ? "open" : "closed" }),
    ...(labelIds === undefined || labelIds === null ? {} : { labels: labelNames(context, labelIds) }),
    ...(assigneeIds === undefined || assigneeIds === null ? {} : { assignees: logins(context, assigneeIds) }),
  };
}

/** Mutations of issues, and what is done to pull requests in the same way. */
export const issueMutations: Readonly<Record<string, Resolver>> = {
  createIssue: mutation((input: NewIssueInput, context) => {
    refusePlans(input, context);
    const { record } = nodeById(context, input.repositoryId) as RepositorySource;
    const made = addIssue(context.state, record, {
      title: input.title,
      body: input.body ?? null,
      labels: labelNames(context, input.labelIds),
      assignees: logins(context, input.assigneeIds),
      user: context.viewer.login,
    });
    return { issue: issueOf(record, made) };
  }),
  addComment: mutation(({ subjectId, body }: { readonly subjectId: string; readonly body: string }, context) => {
    const on = subject(context, subjectId);
    const made = addComment(context.state, on.repository, on.record, body, context.viewer);
    return { subject: on, commentEdge: { cursor: "", node: commentOf(on.repository, on.record, made) } };
  }),
  closeIssue: mutation((input: { readonly issueId: string; readonly stateReason?: string | null }, context) => ({
    issue: change(context, subject(context, input.issueId, "Issue"), "CloseIssue", {
      state: "closed",
      stateReason: input.stateReason === "NOT_PLANNED" ? "not_planned" : "completed",
    }),
  })),
  reopenIssue: mutation(({ issueId }: { readonly issueId: string }, context) => ({
    issue: change(context, subject(context, issueId, "Issue"), "ReopenIssue", { state: "open" }),
  })),
  updateIssue: mutation((input: ChangedIssueInput, context) => ({
    issue: change(context, subject(context, input.id, "Issue"), "UpdateIssue", issueChange(input, context)),
    actor: account(context.viewer),
  })),
  addLabelsToLabelable: relabel("AddLabelsToLabelable", (before, named) => [...new Set([...before, ...named])]),
  removeLabelsFromLabelable: relabel("RemoveLabelsFromLabelable", (before, named) =>
    before.filter((one) => !named.includes(one)),
  ),
};
