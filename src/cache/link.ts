/** One `<target>; rel="name"` of a Link header. */
interface PageLink {
  readonly target: URL;
  readonly rel: string;
}

/** Whether a Link header names a next page. */
export function hasNext(link: string | undefined): boolean {
  return link !== undefined && /;\s*rel="?next"?(?:\s*[;,]|\s*$)/i.test(link);
}

/** Whether a Link header has the form that RFC 8288 gives it. */
export function isReadable(link: string): boolean {
  return link
    .split(/,\s*(?=<)/)
    .every((part) => /^\s*<[^<>\s]+>(?:\s*;\s*[\w-]+(?:=(?:"[^"]*"|[\w-]+))?)+\s*$/.test(part));
}

/**
 * How many items a full page of this list has: `per_page`, 30 when not given, 100 at most. Given twice, the smaller
 * counts: a page that is taken for full costs a unit, one that is not may hide the next.
 */
export function pageSize(url: string): number {
  const asked = Array.from(url.matchAll(/[?&]per_page=(\d{1,9})(?=&|#|$)/g), ([, digits]) => Number(digits) || 30);
  return asked.length === 0 ? 30 : Math.min(...asked, 100);
}

/** Page sizes of GitHub's own, where an endpoint has another default or another maximum than most. */
const OTHER_PAGE_SIZES: ReadonlySet<number> = new Set([30, 50, 100, 250, 1_000]);

/**
 * Whether a list of so many items may be a full page, with more to come. A list that is longer than what was asked for,
 * such as a directory's, comes from an endpoint without pages.
 */
export function mayBeFullPage(length: number, url: string): boolean {
  return length === pageSize(url) || OTHER_PAGE_SIZES.has(length);
}

/** What to make of a Link header that came out of a store. */
export type StoredLink =
  | { readonly kind: "trusted"; readonly link: string | undefined }
  | { readonly kind: "doubtful" };

/**
 * Judges a Link header out of a store that others can write to, for the page that was asked for. It is trusted only if
 * it is what an honest answer to this very request would have said, the number of the last page aside.
 *
 * Only page numbers are believed. Every target must be the request's own address but for `page`, each relation must name
 * the page that it has to name, and the relations must be the ones that a page at this place has. GitHub writes ids into
 * some targets (`/repositories/1/issues` for `/repos/o/r/issues`); an id cannot be checked, so such a target is rewritten
 * to the address that was asked for.
 */
export function judgeStoredLink(link: string | undefined, url: string): StoredLink {
  const asked = new URL(url);
  const page = pageOf(asked);
  const links = link === undefined ? [] : parseLink(link);
  if (links === undefined || page === undefined) return DOUBTFUL;
  const relations = links.map(({ rel }) => rel).sort();
  if (!relationsOf(page).includes(relations.join())) return DOUBTFUL;
  const rewritten: string[] = [];
  for (const { target, rel } of links) {
    const number = target.searchParams.has("page") ? pageOf(target) : undefined;
    if (number === undefined || !namesItsPage(rel, number, page)) return DOUBTFUL;
    if (target.origin !== asked.origin || !samePath(target.pathname, asked.pathname)) return DOUBTFUL;
    // Neither is part of the origin; `fetch` refuses an address with credentials in it.
    if (target.username !== "" || target.password !== "" || target.hash !== "") return DOUBTFUL;
    if (parametersBesidesPage(target) !== parametersBesidesPage(asked)) return DOUBTFUL;
    const kept = target.pathname === asked.pathname ? target.href : `${asked.origin}${asked.pathname}${target.search}`;
    rewritten.push(`<${kept}>; rel="${rel}"`);
  }
  return { kind: "trusted", link: links.length === 0 ? undefined : rewritten.join(", ") };
}

const DOUBTFUL: StoredLink = { kind: "doubtful" };

/** The sets of relations that GitHub gives to the first page of a list, and to a later one; sorted, joined by commas. */
function relationsOf(page: number): readonly string[] {
  return page === 1 ? ["", "last,next"] : ["first,prev", "first,last,next,prev"];
}

function parseLink(link: string): readonly PageLink[] | undefined {
  const links: PageLink[] = [];
  for (const part of link.split(/,\s*(?=<)/)) {
    const match = /^\s*<([^<>]+)>\s*;\s*rel="([^"]+)"\s*$/.exec(part);
    if (match === null || !URL.canParse(match[1] as string)) return undefined;
    links.push({ target: new URL(match[1] as string), rel: match[2] as string });
  }
  return links;
}

function pageOf(url: URL): number | undefined {
  const page = url.searchParams.get("page") ?? "1";
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : undefined;
}

function namesItsPage(rel: string, number: number, asked: number): boolean {
  switch (rel) {
    case "next":
      return number === asked + 1;
    case "prev":
      return number === asked - 1;
    case "first":
      return number === 1;
    case "last":
      return true;
    default:
      return false;
  }
}

function parametersBesidesPage(url: URL): string {
  const parameters = [...url.searchParams].filter(([name]) => name !== "page");
  return JSON.stringify(parameters.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** GitHub's own spelling of a path by id: the first two or three segments give way, the rest must agree. */
function samePath(target: string, asked: string): boolean {
  if (target === asked) return true;
  const [, base = "", kind = "", tail = ""] =
    /^(\/api\/v3)?\/(repos\/[^/]+\/[^/]+|orgs\/[^/]+|users\/[^/]+)(\/.*)?$/.exec(asked) ?? [];
  const byId = kind.startsWith("repos/") ? "repositories" : kind.startsWith("orgs/") ? "organizations" : "user";
  return kind !== "" && new RegExp(`^${base}/${byId}/\\d+`).exec(target)?.[0].concat(tail) === target;
}
