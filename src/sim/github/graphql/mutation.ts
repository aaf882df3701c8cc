import type { Permission, RepositoryRecord } from "../world/entities.js";
import { changeIssue, type IssueChange } from "../world/issues.js";
import { allows, permissionOf } from "../world/visibility.js";
import { nodeById } from "./node-by-id.js";
import type { Resolver, ResolverContext } from "./resolver-context.js";
import type { IssueSource } from "./sources.js";

interface Input<T> {
  readonly input: T & { readonly clientMutationId?: string | null };
}

/** A mutation: what it makes of its input, with the client's own id given back beside it. */
export function mutation<T>(
  perform: (input: T, context: ResolverContext) => Readonly<Record<string, unknown>>,
): Resolver {
  return (_source: unknown, { input }: Input<T>, context) => ({
    clientMutationId: input.clientMutationId ?? null,
    ...perform(input, context),
  });
}

/** Changes an issue or pull request on behalf of the viewer, who must have written it or may triage. */
export function change(context: ResolverContext, on: IssueSource, name: string, wanted: IssueChange): IssueSource {
  if (on.record.user !== context.viewer) demand(context, on.repository, "triage", name);
  changeIssue(context.state, on.repository, on.record, wanted, context.viewer);
  return on;
}

/** Refuses a viewer who may not do enough with a repository. */
export function demand(context: ResolverContext, repository: RepositoryRecord, needed: Permission, name: string): void {
  if (allows(permissionOf(context.credential, repository), needed)) return;
  const who = context.viewer.login;
  throw context.problem("FORBIDDEN", `${who} does not have the correct permissions to execute \`${name}\``);
}

/** The issue or pull request of a global id. */
export function subject(context: ResolverContext, id: string, kind?: IssueSource["__typename"]): IssueSource {
  const found = nodeById(context, id) as IssueSource;
  const fits = kind === undefined ? ["Issue", "PullRequest"].includes(found.__typename) : found.__typename === kind;
  if (fits) return found;
  throw context.problem("NOT_FOUND", `Could not resolve to ${kind ?? "Issue"} node with the global id of '${id}'.`);
}
