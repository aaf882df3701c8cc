import { createRequire } from "node:module";

/** The `graphql` package. */
export type GraphQLModule = typeof import("graphql");

/**
 * Loads `graphql` when the first query comes. Synchronously, because a real wait inside a simulated exchange would make
 * a virtual clock believe that nothing is left to happen.
 */
export function loadGraphQL(): GraphQLModule {
  return createRequire(import.meta.url)("graphql") as GraphQLModule;
}
