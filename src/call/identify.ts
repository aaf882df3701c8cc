import { LRUCache } from "lru-cache";
import type { SecondaryCall } from "../policy/secondary.js";
import { createsContent } from "./creates-content.js";
import { type GraphqlOperationKind, graphqlOperationKind } from "./graphql-kind.js";
import { pathSegments } from "./path.js";
import { isReadMethod, type Points, secondaryPoints } from "./points.js";
import { type Resource, resourceOf } from "./resource.js";
import type { RouteLabel } from "./route.js";

/** What can be told of a request before it is sent. */
export interface IdentifiedCall {
  readonly method: string;
  readonly api: "rest" | "graphql";
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
  /** What it means to the secondary limits; made when asked for. */
  secondary(): SecondaryCall;
}

/** A request as far as it must be known to identify it; `url` is a template, a path or an address. */
export interface Identifiable {
  readonly method: string;
  readonly url: string;
  readonly baseUrl: string;
  /** The GraphQL document and the operation that will run, if it is a GraphQL request that can be read. */
  readonly graphql?: { readonly document: unknown; readonly operationName: unknown } | undefined;
}

/** Route templates are few; addresses by pagination and ids are not. */
const MAX_ROUTES = 2_000;
/** Documents in use at a time, and the longest that is remembered. */
const MAX_DOCUMENTS = 500;
const MAX_DOCUMENT_LENGTH = 50_000;

/** Tells what a request is, and remembers the answer for routes and documents that come again. */
export class Identifier {
  readonly #label: RouteLabel;
  readonly #routes = new LRUCache<string, IdentifiedCall>({ max: MAX_ROUTES });
  readonly #documents = new LRUCache<string, GraphqlOperationKind>({ max: MAX_DOCUMENTS });
  /** By host and route: the bucket that the server's own header named, where it was not the expected one. */
  readonly #learned = new LRUCache<string, Resource>({ max: MAX_ROUTES });

  constructor(label: RouteLabel) {
    this.#label = label;
  }

  identify({ method, url, baseUrl, graphql }: Identifiable): IdentifiedCall {
    const key = `${method} ${url} ${baseUrl}`;
    let call = this.#routes.get(key);
    if (call === undefined) {
      call = this.#identify(method, url, baseUrl);
      this.#routes.set(key, call);
    }
    return isGraphql(url) ? this.#withOperation(call, graphql) : call;
  }

  /** Takes GitHub's word for the bucket of a route, for its next calls. */
  learn({ host, route }: IdentifiedCall, resource: Resource): void {
    this.#learned.set(`${host} ${route()}`, resource);
    this.#routes.clear();
  }

  #identify(method: string, url: string, baseUrl: string): IdentifiedCall {
    const [first = "", second = ""] = pathSegments(url);
    const mints = first === "app" || (first === "login" && second === "oauth") || first === "applications";
    const free = first === "rate_limit";
    const host = hostOf(/^https?:/i.test(url) ? url : baseUrl);
    let label: string | undefined;
    const route = (): string => {
      label ??= this.#label(method, url);
      return label;
    };
    const call: Omit<IdentifiedCall, "secondary"> = {
      method,
      api: isGraphql(url) ? "graphql" : "rest",
      host,
      resource:
        (this.#learned.size > 0 ? this.#learned.get(`${host} ${route()}`) : undefined) ?? resourceOf(method, url),
      kind: isReadMethod(method) ? "read" : "write",
      points: secondaryPoints(method),
      costUnits: mints || free ? 0 : 1,
      exempt: mints || free,
      operationName: undefined,
      route,
    };
    return { ...call, secondary: secondaryOf(call, url) };
  }

  #withOperation(call: IdentifiedCall, graphql: Identifiable["graphql"]): IdentifiedCall {
    const operationName = typeof graphql?.operationName === "string" ? graphql.operationName : undefined;
    const kind = typeof graphql?.document === "string" ? this.#document(graphql.document, operationName) : "unknown";
    const operation: IdentifiedCall = {
      ...call,
      operationName,
      kind: kind === "query" ? "read" : "write",
      points: secondaryPoints(call.method, kind),
    };
    return { ...operation, secondary: secondaryOf(operation, "/graphql", kind) };
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
}

function secondaryOf(
  call: Omit<IdentifiedCall, "secondary">,
  url: string,
  graphql?: GraphqlOperationKind,
): () => SecondaryCall {
  let made: SecondaryCall | undefined;
  return () => {
    made ??= {
      api: call.api,
      endpoint: `${call.host} ${call.route()}`,
      points: call.points,
      createsContent: createsContent(call.method, url, graphql),
    };
    return made;
  };
}

function isGraphql(url: string): boolean {
  return url === "/graphql" || /\/graphql(?:[?#]|$)/.test(url);
}

function hostOf(address: string): string {
  const host = URL.canParse(address) ? new URL(address).host : "";
  // Uploads are charged to the same quota.
  return host === "uploads.github.com" ? "api.github.com" : host;
}
