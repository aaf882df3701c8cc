import { wordOf } from "./path.js";

/** One segment of GitHub's route templates, and what may follow it. */
export interface RouteNode {
  /** As templates write it: a word, or `{name}`. */
  readonly segment: string;
  /** A parameter that may hold slashes, such as a path or a branch. */
  readonly holdsSlashes: boolean;
  /** The template that ends here. */
  readonly template: string | undefined;
  /** How many templates end here or below. */
  readonly templates: number;
  readonly words: ReadonlyMap<string, RouteNode>;
  readonly parameters: readonly RouteNode[];
}

/** A segment of a request's path; `word` is undefined for a parameter of a template. */
export interface PathSegment {
  readonly text: string;
  readonly word: string | undefined;
}

/** Reads what `scripts/generate-route-templates.mjs` writes; the format is told there. */
export function parseRouteTree(data: string): RouteNode {
  const token = /([^,()!]+)(!?)(\(?)|,|\)/y;
  const children = (path: string): RouteNode[] => {
    const nodes: RouteNode[] = [];
    for (let match = token.exec(data); match !== null && match[0] !== ")"; match = token.exec(data)) {
      const [, name, isEnd, opens] = match;
      if (name === undefined) continue;
      const segment = name.replace("*}", "}");
      const template = `${path}/${segment}`;
      const below = opens === "(" ? children(template) : [];
      nodes.push(nodeOf(segment, segment !== name, isEnd === "!" || opens !== "(" ? template : undefined, below));
    }
    return nodes;
  };
  return nodeOf("", false, undefined, children(""));
}

function nodeOf(
  segment: string,
  holdsSlashes: boolean,
  template: string | undefined,
  below: readonly RouteNode[],
): RouteNode {
  const isParameter = (node: RouteNode): boolean => node.segment.startsWith("{");
  return {
    segment,
    holdsSlashes,
    template,
    templates: below.reduce((sum, node) => sum + node.templates, template === undefined ? 0 : 1),
    words: new Map(below.filter((node) => !isParameter(node)).map((node) => [wordOf(node.segment), node])),
    // The busiest first: an unknown path is taken to go the way most known ones go.
    parameters: below.filter(isParameter).sort((a, b) => b.templates - a.templates),
  };
}

/** The template that `path` from segment `at` on follows below `node`; words win over parameters. */
export function matchRoute(node: RouteNode, path: readonly PathSegment[], at = 0): string | undefined {
  const segment = path[at];
  if (segment === undefined) return node.template;
  const next = segment.word === undefined ? undefined : node.words.get(segment.word);
  const literal = next && matchRoute(next, path, at + 1);
  if (literal !== undefined) return literal;
  const mayHoldSlashes = node.parameters.some((parameter) => parameter.holdsSlashes);
  const longest = mayHoldSlashes ? path.length : Math.min(path.length, at + 1);
  // The shortest value after which the rest is known; the whole rest only as a last resort.
  for (let end = at + 1; end <= longest; end++) {
    for (const parameter of node.parameters) {
      if (end > at + 1 && !parameter.holdsSlashes) continue;
      const template = matchRoute(parameter, path, end);
      if (template !== undefined) return template;
    }
  }
  return undefined;
}

/** The way from `root` along `path`, as far as it is known. */
export function knownPrefix(root: RouteNode, path: readonly PathSegment[]): readonly RouteNode[] {
  const way: RouteNode[] = [];
  let node = root;
  for (const { word } of path) {
    const next = (word === undefined ? undefined : node.words.get(word)) ?? node.parameters[0];
    if (next === undefined) break;
    way.push(next);
    node = next;
  }
  return way;
}

/** Every word that occurs in a template below `node`. */
export function vocabularyOf(node: RouteNode, words: Set<string> = new Set()): ReadonlySet<string> {
  for (const [word, child] of node.words) {
    words.add(word);
    vocabularyOf(child, words);
  }
  for (const child of node.parameters) vocabularyOf(child, words);
  return words;
}
