/**
 * The segments of a URL, a path or a URL template below the API's root, undecoded: without origin, query, fragment,
 * empty segments and GitHub Enterprise Server's prefix (`/api/v3`, `/api/uploads`, and `/api` before `graphql`).
 *
 * @see https://docs.github.com/en/enterprise-server@latest/rest/quickstart
 */
export function pathSegments(urlOrPath: string): readonly string[] {
  let path = urlOrPath.startsWith("/") ? urlOrPath : urlOrPath.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
  if (path.includes("{")) path = path.replace(/\{[?&#][^{}]*\}/g, "").replace(/\{\/([^{}]*)\}/g, "/{$1}");
  const end = path.search(/[?#]/);
  if (end !== -1) path = path.slice(0, end);
  const segments = path.split("/").filter((segment) => segment !== "");
  if (segments[0]?.toLowerCase() === "api") {
    const second = segments[1]?.toLowerCase();
    if (second === "v3" || second === "uploads") return segments.slice(2);
    if (second === "graphql") return segments.slice(1);
  }
  return segments;
}

/** `segment` as a word to compare: decoded where it can be, in lower case. */
export function wordOf(segment: string): string {
  if (!segment.includes("%")) return segment.toLowerCase();
  try {
    return decodeURIComponent(segment).toLowerCase();
  } catch {
    return segment.toLowerCase();
  }
}
