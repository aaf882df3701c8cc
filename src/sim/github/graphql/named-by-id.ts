import { nodeById } from "./node-by-id.js";
import type { ResolverContext } from "./resolver-context.js";
import type { AccountSource, LabelSource } from "./sources.js";

type Ids = readonly string[] | null | undefined;

/** The names of labels. */
export function labelNames(context: ResolverContext, ids: Ids): string[] {
  return (ids ?? []).map((id) => (nodeById(context, id) as LabelSource).record.name);
}

/** The logins of accounts. */
export function logins(context: ResolverContext, ids: Ids): string[] {
  return (ids ?? []).map((id) => (nodeById(context, id) as AccountSource).record.login);
}

export interface Plans {
  readonly milestoneId?: string | null;
  readonly projectIds?: readonly string[] | null;
}

/** There are no milestones and projects in the world: whoever names one is told that there is none of that id. */
export function refusePlans({ milestoneId, projectIds }: Plans, context: ResolverContext): void {
  for (const id of [milestoneId ?? [], projectIds ?? []].flat()) nodeById(context, id);
}
