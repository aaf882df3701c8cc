/** Changes one entry of a shared store as an attacker, or a bug, might. `other` is another entry there. */
type Forgery = (entry: unknown, address: string, other: unknown) => unknown;

interface Entry {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const withEntry =
  (change: (entry: Entry, address: string, other: Partial<Entry> | null) => unknown): Forgery =>
  (entry, address, other) =>
    isEntry(entry) ? change(entry as Entry, address, other as Partial<Entry> | null) : entry;

/** What was forged before may be no entry any more. */
function isEntry(value: unknown): boolean {
  const { body, headers } = (value ?? {}) as Partial<Entry>;
  return typeof body === "string" && typeof headers === "object" && headers !== null;
}

const withHeaders = (
  change: (entry: Entry, address: string) => Readonly<Record<string, string | undefined>>,
): Forgery =>
  withEntry((entry, address) => ({ ...entry, headers: definedOnly({ ...entry.headers, ...change(entry, address) }) }));

const withLink = (change: (link: string, address: string) => string | undefined): Forgery =>
  withHeaders(({ headers }, address) => ({ link: change(headers.link ?? linkOf(address, 2, 5), address) }));

const FORGERIES: Readonly<Record<string, Forgery>> = {
  "another body": withEntry((entry) => ({ ...entry, body: entry.body.replace(/"(\w)/, '"$1$1') })),
  "an empty list": withEntry((entry) => ({ ...entry, body: "[]" })),
  "no body": withEntry((entry) => ({ ...entry, body: "" })),
  "a body cut short": withEntry((entry) => ({ ...entry, body: entry.body.slice(0, -9) })),
  "the body of another entry": withEntry((entry, _, other) => ({
    ...entry,
    body: other?.body,
  })),
  "the headers of another entry": withEntry((entry, _, other) => ({
    ...entry,
    headers: other?.headers,
  })),
  "another entry": (entry, _, other) => other ?? entry,
  "HTML by type": withHeaders(() => ({ "content-type": "text/html; charset=utf-8" })),
  "bytes by type": withHeaders(() => ({ "content-type": "application/octet-stream" })),
  "no type": withHeaders(() => ({ "content-type": undefined })),
  "a link to another origin": withLink((link) => link.replaceAll("api.github.com", "api.github.example")),
  "a link to another path": withLink((link) =>
    link.replaceAll(/(repos|repositories)\/[^?>]*/g, "repos/mona/secret/issues"),
  ),
  "a link to another repository's id": withLink((link) => link.replaceAll(/\/(\d{4,})/g, "/9$1")),
  "a link with other parameters": withLink((link) => link.replaceAll("page=", "state=closed&page=")),
  "a link past a page": withLink((link) =>
    link.replace(/([?&]page=)(\d+)/, (_, name, page) => `${name}${Number(page) + 1}`),
  ),
  "a link to itself": withLink((_, address) => linkOf(address, pageOf(address), 5)),
  "no link": withLink(() => undefined),
  "a next page": withLink((_, address) => linkOf(address, pageOf(address) + 1, 5)),
  "only a next page": withLink((_, address) => linkOf(address, pageOf(address) + 1, undefined)),
  "nonsense for a link": withLink(() => "<not a url>; rel=next, ;;;"),
  "a header of its own": withHeaders(() => ({ "set-cookie": "a=b", "x-oauth-scopes": "admin:org" })),
  "a wrong date": withHeaders(() => ({ "last-modified": "Thu, 01 Jan 1970 00:00:00 GMT" })),
  "a header with line breaks": withHeaders(() => ({ vary: "accept\r\nset-cookie: a=b" })),
  "Vary on everything": withHeaders(() => ({ vary: "*" })),
  "an unknown version": withEntry((entry) => ({ ...entry, v: 99 })),
  "a validator": withEntry((entry) => ({ ...entry, etag: '"0000"', verified: true })),
  "a list": () => [1, 2, 3],
  "a text": () => "garbage",
  nothing: () => null,
};

/** What can be done to an entry, by name. */
export const FORGERY_NAMES: readonly string[] = Object.keys(FORGERIES);

export function forge(name: string, entry: unknown, address: string, other: unknown): unknown {
  return (FORGERIES[name] as Forgery)(entry, address, other);
}

function linkOf(address: string, next: number, last: number | undefined): string {
  const to = (page: number, rel: string): string => {
    const url = new URL(address);
    url.searchParams.set("page", String(page));
    return `<${url.href}>; rel="${rel}"`;
  };
  const own = pageOf(address);
  const back = own > 1 ? [to(own - 1, "prev"), to(1, "first")] : [];
  return [to(next, "next"), ...(last === undefined ? [] : [to(last, "last")]), ...back].join(", ");
}

function pageOf(address: string): number {
  return Number(new URL(address).searchParams.get("page") ?? 1);
}

function definedOnly(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined));
}
