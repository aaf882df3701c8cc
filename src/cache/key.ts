/** What of a request decides which representation GitHub sends, as far as a cache may know it before asking. */
export interface KeyedRequest {
  readonly url: string;
  readonly accept: string;
  readonly apiVersion: string;
  readonly requestedWith: string;
  readonly userAgent: string;
}

/**
 * The cache key of a GET. Two requests with one key would be given the same representation if one credential sent both.
 *
 * GitHub pretty-prints JSON for a few user agents, hence the class; see docs/design.md.
 */
export function cacheKey(request: KeyedRequest): string {
  const { url, accept, apiVersion, requestedWith, userAgent } = request;
  const form = PRETTY_PRINTED_FOR.test(userAgent) ? "pretty" : "compact";
  return `${withSortedQuery(url)}\n${accept}\n${apiVersion}\n${requestedWith}\n${form}`;
}

const PRETTY_PRINTED_FOR = /curl|wget|safari|firefox/i;

/** Parameters in one order, whatever order they were written in; equal names keep theirs, because their order means something. */
function withSortedQuery(url: string): string {
  const hash = url.indexOf("#");
  const whole = hash === -1 ? url : url.slice(0, hash);
  const mark = whole.indexOf("?");
  if (mark === -1 || !whole.includes("&", mark)) return whole;
  const parameters = whole.slice(mark + 1).split("&");
  if (parameters.every((parameter, index) => index === 0 || byName(parameters[index - 1] as string, parameter) <= 0))
    return whole;
  return `${whole.slice(0, mark + 1)}${parameters.sort(byName).join("&")}`;
}

function byName(a: string, b: string): number {
  const nameA = nameOf(a);
  const nameB = nameOf(b);
  return nameA < nameB ? -1 : nameA > nameB ? 1 : 0;
}

function nameOf(parameter: string): string {
  const end = parameter.indexOf("=");
  return end === -1 ? parameter : parameter.slice(0, end);
}
