import type { GraphqlOperationKind } from "./graphql-kind.js";
import { pathSegments } from "./path.js";

/** Writes that plainly leave nothing behind that anybody could read. Anything not listed here counts. */
const CREATES_NOTHING = new RegExp(
  [
    "^markdown(?:/raw)?$", // renders a text
    "^repos/[^/]+/[^/]+/releases/generate-notes$", // "not saved anywhere"
    "^(?:orgs|users)/[^/]+/attestations/(?:bulk-list|delete-request)$", // a read with a long question, and a removal
    "^(?:app|applications|login/oauth)/", // mints and checks tokens, configures an app's own webhook
    "^(?:repos/[^/]+/[^/]+|orgs/[^/]+|enterprises/[^/]+)/actions/runners/(?:registration|remove)-token$",
    "^credentials/revoke$",
    "^(?:repos/[^/]+/[^/]+|orgs/[^/]+)/hooks/[^/]+/(?:pings|tests|deliveries/[^/]+/attempts)$", // calls a webhook
    "^notifications(?:/|$)", // marks the caller's own inbox as read
    "^repos/[^/]+/[^/]+/notifications$",
  ].join("|"),
);

/** Removals of which GitHub's reference says that they are limited as content creation is. */
const REMOVES_CONTENT =
  /^repos\/[^/]+\/[^/]+\/issues\/[^/]+\/(?:sub_issue$|dependencies\/blocked_by\/[^/]+$|issue-field-values\/[^/]+$)/;

/**
 * Whether GitHub may count a request among its "content-generating requests", of which it allows 80 a minute and 500 an
 * hour. Its documentation does not say which they are, only that REST and GraphQL count alike and that some endpoints
 * have lower limits; of some twenty endpoints the reference adds "Creating content too quickly using this endpoint may
 * result in secondary rate limiting". A refusal is worse than a pause, so this errs on the side of counting: every POST,
 * PATCH and PUT but for those that plainly create nothing, no DELETE but for those that the reference names, and every
 * GraphQL operation that is not known to be a query.
 *
 * @param urlOrPath - a URL, a path or a route template
 * @param graphql - the kind of the operation, when the request is a GraphQL one
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
 *
 * @example
 * ```ts
 * createsContent("POST", "/repos/octo-org/hello/issues"); // true
 * createsContent("POST", "/markdown"); // false
 * createsContent("POST", "/graphql", "query"); // false
 * ```
 */
export function createsContent(method: string, urlOrPath: string, graphql?: GraphqlOperationKind): boolean {
  if (graphql !== undefined) return graphql !== "query";
  switch (method.toUpperCase()) {
    case "POST":
    case "PATCH":
    case "PUT":
      return !CREATES_NOTHING.test(shapeOf(urlOrPath));
    case "DELETE":
      return REMOVES_CONTENT.test(shapeOf(urlOrPath));
    default:
      return false;
  }
}

/** Undecoded: a segment that only looks like one of the words above after decoding is not taken for it, and counts. */
function shapeOf(urlOrPath: string): string {
  return pathSegments(urlOrPath).join("/").toLowerCase();
}
