/** Addresses that begin with `github` begin with `client` for one client of the proxy. Neither ends with a slash. */
export interface AddressRoot {
  /** Such as `https://api.github.com`, or an Enterprise Server's `https://github.example.com/api/v3`. */
  readonly github: string;
  /** Such as `http://127.0.0.1:4100/SECRET`. */
  readonly client: string;
}

/**
 * The roots by which GitHub may name what a client reaches at `clientUrl`: GitHub's own, and that of the server which stands
 * in for it. The first is the one that what the client sends is given back.
 *
 * @example
 * ```ts
 * addressRoots(["https://api.github.com/", "http://127.0.0.1:9999"], "http://127.0.0.1:4100/SECRET");
 * // [{ github: "https://api.github.com", client: "http://127.0.0.1:4100/SECRET" }, { github: "http://127.0.0.1:9999", … }]
 * ```
 */
export function addressRoots(githubUrls: readonly string[], clientUrl: string): readonly AddressRoot[] {
  const client = withoutSlash(clientUrl);
  return [...new Set(githubUrls.map(withoutSlash))].map((github) => ({ github, client }));
}

/**
 * The address as the client has to ask for it, if it lies below one of the roots; any other as it is. One that begins with a
 * slash is read as it stands in the answer to `requestUrl`, the address that GitHub was asked for.
 *
 * @example
 * ```ts
 * clientAddress("https://api.github.com/user/repos?page=2", url, roots); // "http://127.0.0.1:4100/SECRET/user/repos?page=2"
 * clientAddress("https://codeload.github.com/o/r/zip/main", url, roots); // itself
 * ```
 */
export function clientAddress(address: string, requestUrl: string, roots: readonly AddressRoot[]): string {
  // What the client asked for has its root before the path, which a path from the top would leave out.
  const isFromTop = address.startsWith("/") && URL.canParse(address, requestUrl);
  const absolute = isFromTop ? new URL(address, requestUrl).href : address;
  const root = roots.find(({ github }) => absolute.startsWith(github) && endsRoot(absolute[github.length]));
  return root === undefined ? absolute : root.client + absolute.slice(root.github.length);
}

/** Whether a root ends before this character: a longer host name, or another port, is another address. */
function endsRoot(next: string | undefined): boolean {
  return next === undefined || "/?#{".includes(next);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
