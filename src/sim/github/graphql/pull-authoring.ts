import type { RepositoryRecord } from "../world/entities.js";
import { addPullRequest } from "../world/issues.js";
import { type ChangedInput, issueChange } from "./issue-mutations.js";
import { change, demand, mutation, subject } from "./mutation.js";
import { logins } from "./named-by-id.js";
import { nodeById } from "./node-by-id.js";
import type { Resolver, ResolverContext } from "./resolver-context.js";
import { account, issueOf, pullOf, type RepositorySource } from "./sources.js";

interface NewPullInput {
  readonly repositoryId: string;
  readonly title: string;
  readonly baseRefName: string;
  /** A branch, after the login of its owner if it is on a fork. */
  readonly headRefName: string;
  readonly body?: string | null;
  readonly draft?: boolean | null;
}

function create(input: NewPullInput, context: ResolverContext): Readonly<Record<string, unknown>> {
  const { record } = nodeById(context, input.repositoryId) as RepositorySource;
  demand(context, record, "write", "CreatePullRequest");
  const { title, baseRefName: base, body, draft } = input;
  const head = input.headRefName.split(":").pop() as string;
  const missing = [missingBranch(record, "Head", head), missingBranch(record, "Base", base)].flat();
  if (missing.length > 0)
    throw context.problem("UNPROCESSABLE", [...missing, `No commits between ${base} and ${head}`].join(", "));
  if (record.issues.some(({ state, pull }) => state === "open" && pull?.headRef === head && pull.baseRef === base))
    throw context.problem("UNPROCESSABLE", `A pull request already exists for ${record.owner.login}:${head}.`);
  const user = context.viewer.login;
  const made = addPullRequest(context.state, record, {
    title,
    base,
    head,
    body: body ?? null,
    draft: draft === true,
    user,
  });
  return { pullRequest: issueOf(record, made) };
}

function missingBranch({ refs }: RepositoryRecord, which: "Head" | "Base", name: string): string[] {
  return refs.has(`refs/heads/${name}`) ? [] : [`${which} sha can't be blank`, `${which} ref must be a branch`];
}

interface ChangedPullInput extends ChangedInput {
  readonly pullRequestId: string;
  readonly baseRefName?: string | null;
}

function update(input: ChangedPullInput, context: ResolverContext): Readonly<Record<string, unknown>> {
  const on = subject(context, input.pullRequestId, "PullRequest");
  const { baseRefName: base } = input;
  if (base !== undefined && base !== null && missingBranch(on.repository, "Base", base).length > 0)
    throw context.problem("UNPROCESSABLE", `Proposed base branch '${base}' was not found`);
  const wanted = { ...issueChange(input, context), ...(base === undefined || base === null ? {} : { base }) };
  return { pullRequest: change(context, on, "UpdatePullRequest", wanted), actor: account(context.viewer) };
}

interface ReviewersInput {
  readonly pullRequestId: string;
  readonly userIds?: readonly string[] | null;
  /** Besides those who are asked already. */
  readonly union?: boolean | null;
}

function requestReviews(input: ReviewersInput, context: ResolverContext): Readonly<Record<string, unknown>> {
  const on = subject(context, input.pullRequestId, "PullRequest");
  const before = input.union === true ? pullOf(on).requestedReviewers.map(({ login }) => login) : [];
  const reviewers = [...new Set([...before, ...logins(context, input.userIds)])];
  if (reviewers.includes(on.record.user.login))
    throw context.problem("UNPROCESSABLE", "Review cannot be requested from pull request author.");
  return { pullRequest: change(context, on, "RequestReviews", { reviewers }), actor: account(context.viewer) };
}

/** Mutations that make a pull request and change what its author may change. */
export const pullAuthoring: Readonly<Record<string, Resolver>> = {
  createPullRequest: mutation(create),
  updatePullRequest: mutation(update),
  requestReviews: mutation(requestReviews),
};
