import { LRUCache } from "lru-cache";
import { type GraphqlOperationKind, graphqlOperationKind } from "./graphql-kind.js";
import { pathSegments } from "./path.js";
import { isReadMethod, type Points, secondaryPoints } from "./points.js";
import { type Resource, resourceOf } from "./resource.js";
import type { RouteLabel } from "./route.js";

/** What can be told of a request before it is sent. */
export interface IdentifiedCall {
  readonly method: string;
  /** Host of the API that the request is for. */
  readonly host: string;
  /** The bucket that it will probably be charged to. */
  readonly resource: Resource;
  readonly kind: "read" | "write";
  /** Weight in GitHub's secondary limits. */
  readonly points: Points;
  /** Units of primary quota that it may cost. */
  readonly costUnits: number;
  /** Sent without admission: it mints a token for a call that already holds a permit, or it costs nothing. */
  readonly exempt: boolean;
  /** Name of the GraphQL operation, where there is one. */
  readonly operationName: string | undefined;
  /** Method and route template; made when asked for. */
  route(): string;
}

/** A request as far as it must be known to identify it; `url` is a template, a path or an address. */
export interface Identifiable {
  readonly method: string;
  readonly url: string;
  readonly baseUrl: string;
  /** The GraphQL document and the operation that will run, if it is a GraphQL request that can be read. */
  readonly graphql?: { readonly document: unknown; readonly operationName: unknown } | undefined;
}

type RouteFacts = Omit<IdentifiedCall, "host" | "operationName">;

/** Route templates are few; addresses by pagination and ids are not. */
const MAX_ROUTES = 2_000;
/** Documents in use at a time, and the longest that is remembered. */
const MAX_DOCUMENTS = 500;
const MAX_DOCUMENT_LENGTH = 50_000;

/** Tells what a request is, and remembers the answer for routes and documents that come again. */
export class Identifier {
  readonly #labeller: RouteLabel;
  readonly #routes = new LRUCache<string, RouteFacts>({ max: MAX_ROUTES });
  readonly #hosts = new LRUCache<string, string>({ max: 100 });
  /** By host and route: the bucket that the server's own header named, where it was not the expected one. */
  readonly #learned = new LRUCache<string, Resource>({ max: MAX_ROUTES });
  readonly #documents = new LRUCache<string, GraphqlOperationKind>({ max: MAX_DOCUMENTS });

  constructor(labeller: RouteLabel) {
    this.#labeller = labeller;
  }

  identify({ method, url, baseUrl, graphql }: Identifiable): IdentifiedCall {
    const facts = this.#route(method, url);
    const host = this.#host(/^https?:/i.test(url) ? url : baseUrl);
    const learned = this.#learned.size > 0 ? this.#learned.get(`${host} ${facts.route()}`) : undefined;
    const resource = learned ?? facts.resource;
    if (facts.resource !== "graphql") return { ...facts, resource, host, operationName: undefined };
    const name = typeof graphql?.operationName === "string" ? graphql.operationName : undefined;
    const kind = typeof graphql?.document === "string" ? this.#document(graphql.document, name) : "unknown";
    return {
      ...facts,
      resource,
      host,
      operationName: name,
      kind: kind === "query" ? "read" : "write",
      points: secondaryPoints(method, kind),
    };
  }

  /** Takes GitHub's word for the bucket of a route, for its next calls. */
  learn(call: IdentifiedCall, resource: Resource): void {
    this.#learned.set(`${call.host} ${call.route()}`, resource);
  }

  #route(method: string, url: string): RouteFacts {
    const key = `${method} ${url}`;
    let facts = this.#routes.get(key);
    if (facts === undefined) {
      facts = this.#factsOf(method, url);
      this.#routes.set(key, facts);
    }
    return facts;
  }

  #factsOf(method: string, url: string): RouteFacts {
    const [first = "", second = ""] = pathSegments(url);
    const mints = first === "app" || (first === "login" && second === "oauth") || first === "applications";
    const free = first === "rate_limit";
    let label: string | undefined;
    const route = (): string => {
      label ??= this.#labeller(method, url);
      return label;
    };
    return {
      method,
      resource: resourceOf(method, url),
      kind: isReadMethod(method) ? "read" : "write",
      points: secondaryPoints(method),
      costUnits: mints || free ? 0 : 1,
      exempt: mints || free,
      route,
    };
  }

  #document(document: string, operationName: string | undefined): GraphqlOperationKind {
    if (document.length > MAX_DOCUMENT_LENGTH) return graphqlOperationKind(document, operationName);
    const key = `${operationName ?? ""}\n${document}`;
    let kind = this.#documents.get(key);
    if (kind === undefined) {
      kind = graphqlOperationKind(document, operationName);
      this.#documents.set(key, kind);
    }
    return kind;
  }

  #host(address: string): string {
    let host = this.#hosts.get(address);
    if (host === undefined) {
      host = URL.canParse(address) ? new URL(address).host : "";
      // Uploads are charged to the same quota.
      if (host === "uploads.github.com") host = "api.github.com";
      this.#hosts.set(address, host);
    }
    return host;
  }
}
