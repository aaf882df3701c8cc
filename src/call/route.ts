import { pathSegments, wordOf } from "./path.js";
import { ROUTE_TEMPLATES } from "./route-templates.js";
import {
  knownPrefix,
  matchRoute,
  type PathSegment,
  parseRouteTree,
  type RouteNode,
  vocabularyOf,
} from "./route-tree.js";

/** Names the route of a request; see {@link createRouteLabel}. */
export type RouteLabel = (method: string, urlOrTemplate: string) => string;

const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;
/** Longer labels would say no more, and a label is also a key. */
const MAX_UNKNOWN_SEGMENTS = 12;

/**
 * Makes a function that names routes as GitHub's documentation does, `GET /repos/{owner}/{repo}/pulls`, from a template,
 * a path or a URL (also of GitHub Enterprise Server). No name, number or branch becomes part of a label, so that labels
 * stay few and tell nothing: where a path is not known, its longest known beginning is kept, then GitHub's words, and
 * all else is `{}`.
 *
 * The templates are read at the first call of the function, which takes a few milliseconds.
 *
 * @example
 * ```ts
 * const routeLabel = createRouteLabel();
 * routeLabel("GET", "https://api.github.com/repos/octocat/hello/pulls?page=2"); // "GET /repos/{owner}/{repo}/pulls"
 * routeLabel("POST", "/api/graphql"); // "POST /graphql"
 * ```
 */
export function createRouteLabel(): RouteLabel {
  let known: { readonly root: RouteNode; readonly vocabulary: ReadonlySet<string> } | undefined;

  return (method, urlOrTemplate) => {
    if (known === undefined) {
      const root = parseRouteTree(ROUTE_TEMPLATES);
      known = { root, vocabulary: vocabularyOf(root) };
    }
    const verb = method.toUpperCase();
    return `${METHOD.test(verb) ? verb : "OTHER"} ${routeOf(urlOrTemplate, known.root, known.vocabulary)}`;
  };
}

function routeOf(urlOrTemplate: string, root: RouteNode, vocabulary: ReadonlySet<string>): string {
  // A complete URL holds values, whatever characters are in them.
  const isTemplate = urlOrTemplate.startsWith("/") && urlOrTemplate.includes("{");
  const path = pathSegments(urlOrTemplate).map((text) => segmentOf(text, isTemplate));
  if (path.length === 0) return "/";
  if (path.length === 1 && path[0]?.word === "graphql") return "/graphql";
  const template = matchRoute(root, path);
  if (template !== undefined) return template;
  const named = byName(path);
  if (named !== undefined) return matchRoute(root, named) ?? shapeOf(named, root, vocabulary, isTemplate);
  return shapeOf(path, root, vocabulary, isTemplate);
}

function segmentOf(text: string, inTemplate: boolean): PathSegment {
  return { text, word: (inTemplate && text.includes("{")) || /^:[A-Za-z_]\w*$/.test(text) ? undefined : wordOf(text) };
}

/**
 * GitHub's `Link` headers and redirects name things by number, as in `/repositories/1300192/issues?page=2`. The second
 * page belongs to the route of the first.
 */
function byName([first, second, ...rest]: readonly PathSegment[]): readonly PathSegment[] | undefined {
  if (second?.word === undefined || !/^\d+$/.test(second.word)) return undefined;
  const word = (text: string): PathSegment => ({ text, word: text });
  switch (first?.word) {
    case "repositories":
      return [word("repos"), second, second, ...rest];
    case "organizations":
      return [word("orgs"), second, ...rest];
    case "user":
      return [word("users"), second, ...rest];
    default:
      return undefined;
  }
}

function shapeOf(
  path: readonly PathSegment[],
  root: RouteNode,
  vocabulary: ReadonlySet<string>,
  isTemplate: boolean,
): string {
  const way = knownPrefix(root, path);
  const labels = way.map((node) => node.segment);
  for (const { text, word } of path.slice(way.length, MAX_UNKNOWN_SEGMENTS)) {
    if (word === undefined) labels.push(isTemplate && /^\{[\w-]{1,40}\}$/.test(text) ? text : "{}");
    // What a template says outright is the programmer's word, perhaps for a route that is younger than our list.
    else if (vocabulary.has(word) || (isTemplate && /^[a-z][a-z_-]{0,39}$/.test(word))) labels.push(word);
    else labels.push("{}");
  }
  return `/${labels.join("/")}${path.length > labels.length ? "/…" : ""}`;
}
