import { addComment, addIssue, type IssueChange } from "../world/issues.js";
import { change, demand, mutation, subject } from "./mutation.js";
import { labelNames, logins, type Plans, refusePlans } from "./named-by-id.js";
import { nodeById } from "./node-by-id.js";
import type { Resolver, ResolverContext } from "./resolver-context.js";
import { account, commentOf, issueOf, type RepositorySource } from "./sources.js";

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

interface NewIssueInput extends Plans {
  readonly repositoryId: string;
  readonly title: string;
  readonly body?: string | null;
  readonly labelIds?: readonly string[] | null;
  readonly assigneeIds?: readonly string[] | null;
}

/** What may be changed of an issue and of a pull request. */
export interface ChangedInput extends Plans {
  readonly title?: string | null;
  readonly body?: string | null;
  readonly state?: "OPEN" | "CLOSED" | null;
  readonly labelIds?: readonly string[] | null;
  readonly assigneeIds?: readonly string[] | null;
}

interface ChangedIssueInput extends ChangedInput {
  readonly id: string;
}

/** An absent or null field is no change. */
export function issueChange(input: ChangedInput, context: ResolverContext): IssueChange {
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
