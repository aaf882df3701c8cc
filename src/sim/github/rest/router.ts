import type { Route } from "./route.js";

/** A route that fits a request, with the values of its variables. */
export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

interface Node {
  readonly literals: Map<string, Node>;
  variable: Node | undefined;
  readonly routes: Map<string, Route>;
  /** Routes whose last variable takes the rest of the path. */
  readonly tails: Map<string, Route>;
}

/** Finds the route of a method and a path. */
export type Router = (method: string, path: string) => RouteMatch | undefined;

/** Builds a router: literal segments win over variables, `{name+}` takes the rest of the path. */
export function createRouter(routes: readonly Route[]): Router {
  const root = newNode();
  for (const route of routes) insert(root, route);
  return (method, path) => {
    const segments = path.split("/").slice(1).map(decode);
    if (segments[segments.length - 1] === "") segments.pop();
    const wanted = method === "HEAD" ? "GET" : method;
    const route = find(root, wanted, segments, 0);
    return route === undefined ? undefined : { route, params: bind(route, segments) };
  };
}

function newNode(): Node {
  return { literals: new Map(), variable: undefined, routes: new Map(), tails: new Map() };
}

function insert(root: Node, route: Route): void {
  let node = root;
  for (const segment of route.segments) {
    if (segment === "") continue;
    if (segment.endsWith("+}")) {
      node.tails.set(route.method, route);
      return;
    }
    if (segment.startsWith("{")) {
      node.variable ??= newNode();
      node = node.variable;
    } else {
      let next = node.literals.get(segment);
      if (next === undefined) {
        next = newNode();
        node.literals.set(segment, next);
      }
      node = next;
    }
  }
  node.routes.set(route.method, route);
}

function find(node: Node, method: string, segments: readonly string[], depth: number): Route | undefined {
  const segment = segments[depth];
  if (segment === undefined) return node.routes.get(method) ?? node.tails.get(method);
  const literal = node.literals.get(segment);
  const byLiteral = literal === undefined ? undefined : find(literal, method, segments, depth + 1);
  if (byLiteral !== undefined) return byLiteral;
  const byVariable = node.variable === undefined ? undefined : find(node.variable, method, segments, depth + 1);
  return byVariable ?? node.tails.get(method);
}

function bind(route: Route, segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  route.segments.forEach((segment, index) => {
    if (segment.endsWith("+}")) params[segment.slice(1, -2)] = segments.slice(index).join("/");
    else if (segment.startsWith("{")) params[segment.slice(1, -1)] = segments[index] ?? "";
  });
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
