import type { Origins } from "../wire.js";
import type { Credential } from "../world/credentials.js";
import type { RepositoryRecord, UserRecord } from "../world/entities.js";
import { permissionOf } from "../world/visibility.js";
import type { WorldState } from "../world/world-state.js";

/** What `rateLimit` answers. */
export interface RateLimitReading {
  readonly cost: number;
  readonly limit: number;
  readonly nodeCount: number;
  readonly remaining: number;
  readonly resetAt: string;
  readonly used: number;
}

/** What resolvers know of the query they answer. */
export interface ResolverContext {
  readonly state: WorldState;
  readonly credential: Credential;
  readonly viewer: UserRecord;
  readonly origins: Origins;
  /** Null where limits are switched off. */
  readonly rateLimit: RateLimitReading | null;
  /** Makes the error that GitHub reports next to data. */
  readonly problem: (type: string, message: string) => Error;
}

/** A field's resolver. Sources and arguments are what the schema says they are. */
// biome-ignore lint/suspicious/noExplicitAny: the schema, not the compiler, ties a field to its source and arguments
export type Resolver = (source: any, args: any, context: ResolverContext) => unknown;

/** Resolvers by type and field. */
export type Resolvers = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;

/** A repository that the viewer may see. */
export function visibleRepository(
  context: ResolverContext,
  repository: RepositoryRecord | undefined,
): RepositoryRecord | undefined {
  return repository !== undefined && permissionOf(context.credential, repository) !== undefined
    ? repository
    : undefined;
}

/** All repositories that the viewer may see. */
export function visibleRepositories(context: ResolverContext): RepositoryRecord[] {
  return [...context.state.repositoriesById.values()].filter((one) => visibleRepository(context, one) !== undefined);
}
