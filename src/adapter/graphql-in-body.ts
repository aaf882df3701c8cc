import type { GraphqlRequest } from "../pipeline/graphql-desk.js";

/** Longer bodies are not searched for a GraphQL operation: the request counts as a mutation. */
export const MAX_GRAPHQL_LENGTH = 1_000_000;

/** Whether a request to this address brings a GraphQL operation in its body. */
export function isGraphql(method: string, url: string): boolean {
  return method === "POST" && /\/graphql(?:[?#]|$)/.test(url);
}

/** The operation in a request's body; undefined where there is none that can be read. */
export function graphqlOf(body: unknown): GraphqlRequest | undefined {
  if (typeof body !== "string" || body.length > MAX_GRAPHQL_LENGTH) return undefined;
  try {
    const { query, operationName, variables } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    return { document: query, operationName, variables };
  } catch {
    return undefined;
  }
}
