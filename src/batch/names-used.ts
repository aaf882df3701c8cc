import type { Token } from "graphql/language/ast.js";

/** Names that a piece of GraphQL uses without saying what they are. */
export interface NamesUsed {
  readonly variables: ReadonlySet<string>;
  readonly fragments: ReadonlySet<string>;
}

/** The names used between two tokens, both included. */
export function namesUsed(start: Token, end: Token): NamesUsed {
  const variables = new Set<string>();
  const fragments = new Set<string>();
  for (let token: Token | null = start; token !== null && token.start < end.end; token = token.next) {
    const { kind, next } = token;
    if (next?.kind !== "Name") continue;
    if (kind === "$") variables.add(next.value);
    // `... on Type` names a type, and a fragment cannot be called `on`.
    else if (kind === "..." && next.value !== "on") fragments.add(next.value);
  }
  return { variables, fragments };
}
