import type { FieldNode, SelectionNode } from "graphql/language/ast.js";
import { type Condition, conditionsOf, type DocumentParts } from "./document-parts.js";

/** A selection of `rateLimit` at an operation's root. */
export interface RootRateLimit {
  readonly field: FieldNode;
  /** Under which it counts, those of the fragments around it included. */
  readonly when: readonly Condition[];
}

/** The selections of `rateLimit` at the root, through fragments at any depth; circles are walked once. */
export function rootRateLimits({ operation, fragments }: DocumentParts): readonly RootRateLimit[] {
  const found: RootRateLimit[] = [];
  const spread = new Set<string>();
  // A stack of its own: chains of fragments may be longer than the stack is deep.
  const open = [{ nodes: operation.selectionSet.selections, when: [] as readonly Condition[], next: 0 }];
  const enter = (nodes: readonly SelectionNode[], when: readonly Condition[]): void => {
    open.push({ nodes, when, next: 0 });
  };
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const node = top.nodes[top.next++];
    if (node === undefined) {
      open.pop();
      continue;
    }
    if (node.kind === "Field") {
      if (node.name.value === "rateLimit")
        found.push({ field: node, when: [...top.when, ...conditionsOf(node.directives)] });
      continue;
    }
    const when = [...top.when, ...conditionsOf(node.directives)];
    if (node.kind === "InlineFragment") enter(node.selectionSet.selections, when);
    else if (!spread.has(node.name.value)) {
      spread.add(node.name.value);
      const fragment = fragments.get(node.name.value);
      if (fragment !== undefined) enter(fragment.selectionSet.selections, when);
    }
  }
  return found;
}
