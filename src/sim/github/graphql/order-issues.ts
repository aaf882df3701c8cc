import { mentions } from "../rest/issue-search.js";
import type { IssueRecord, UserRecord } from "../world/entities.js";
import type { ConnectionArgs } from "./connections.js";

/** What GitHub calls issue filters. */
export interface IssueFilters {
  readonly assignee?: string | null;
  readonly createdBy?: string | null;
  readonly labels?: readonly string[] | null;
  readonly mentioned?: string | null;
  readonly since?: string | null;
  readonly states?: readonly string[] | null;
}

/** Arguments that select and order issues and pull requests. */
export interface IssueArgs extends ConnectionArgs {
  readonly states?: readonly string[] | null;
  readonly labels?: readonly string[] | null;
  readonly headRefName?: string | null;
  readonly baseRefName?: string | null;
  readonly filterBy?: IssueFilters | null;
  readonly orderBy?: { readonly field: string; readonly direction: string } | null;
}

/** The state as GraphQL names it. */
export const stateOf = (one: IssueRecord): string =>
  (one.pull?.mergedAt ?? null) !== null ? "MERGED" : one.state.toUpperCase();

/** Issues or pull requests in the order and selection that the arguments ask for; oldest first by default. */
export function orderIssues(issues: readonly IssueRecord[], args: IssueArgs): IssueRecord[] {
  const { states, labels, headRefName, baseRefName } = args;
  const found = issues.filter(
    (one) =>
      (states === undefined || states === null || states.includes(stateOf(one))) &&
      (labels === undefined || labels === null || one.labels.some((own) => labels.includes(own.name))) &&
      (headRefName === undefined || headRefName === null || one.pull?.headRef === headRefName) &&
      (baseRefName === undefined || baseRefName === null || one.pull?.baseRef === baseRefName) &&
      passesFilters(one, args.filterBy ?? {}),
  );
  const sign = args.orderBy?.direction === "DESC" ? -1 : 1;
  const key =
    { UPDATED_AT: (one: IssueRecord) => one.updatedAt, COMMENTS: (one: IssueRecord) => one.comments.length }[
      args.orderBy?.field ?? ""
    ] ?? ((one: IssueRecord) => one.createdAt);
  return found.sort((a, b) => sign * (key(a) - key(b) || a.number - b.number));
}

/** @see https://docs.github.com/graphql/reference/input-objects#issuefilters */
function passesFilters(
  one: IssueRecord,
  { assignee, createdBy, labels, mentioned, since, states }: IssueFilters,
): boolean {
  const is = (login: string, user: UserRecord): boolean => user.login.toLowerCase() === login.toLowerCase();
  return (
    // Null: nobody's; a star: anybody's.
    (assignee === undefined ||
      (assignee === null
        ? one.assignees.length === 0
        : assignee === "*"
          ? one.assignees.length > 0
          : one.assignees.some((user) => is(assignee, user)))) &&
    (createdBy === undefined || createdBy === null || is(createdBy, one.user)) &&
    (labels === undefined || labels === null || one.labels.some((own) => labels.includes(own.name))) &&
    (mentioned === undefined || mentioned === null || mentions(one, mentioned)) &&
    (since === undefined || since === null || one.updatedAt >= Date.parse(since)) &&
    (states === undefined || states === null || states.includes(stateOf(one)))
  );
}
