import type { Exchange } from "./exchange.js";
import type { SecondaryLimits, SecondaryRequest } from "./secondary-limits.js";

/** What an exchange means to the secondary limits. Downloads and uploads go to other hosts and cost no points. */
export function secondaryRequest(exchange: Exchange, limits: SecondaryLimits): SecondaryRequest {
  const { request, kind, match } = exchange;
  const reads = request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS";
  const mutation = exchange.graphql?.isMutation === true;
  const byPath = limits.options !== false && limits.options.by === "path";
  const mintsToken = match?.route.name.endsWith("/access_tokens") === true;
  return {
    principal: exchange.identity.credential.principal.key,
    kind,
    endpoint: byPath || match === undefined ? `${request.method} ${exchange.path}` : match.route.name,
    points: exchange.path.startsWith("/-") ? 0 : kind === "graphql" ? (mutation ? 5 : 1) : reads ? 1 : 5,
    createsContent:
      kind === "graphql" ? exchange.graphql?.createsContent === true : request.method === "POST" && !mintsToken,
    mintsToken,
  };
}
