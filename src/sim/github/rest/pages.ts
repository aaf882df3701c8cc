import { json, type RouteAnswer, type RouteContext } from "./route.js";

/** Search goes no further than this. */
export const MAX_SEARCH_RESULTS = 1_000;

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly link: string | undefined;
}

/** How a list's pages are addressed. */
export interface PageOptions {
  /** Path of the `Link` addresses; GitHub uses numeric ids there. Default: the request's own. */
  readonly path?: string;
  readonly defaultPerPage?: number;
}

/**
 * The page of `items` that the query asks for: 30 a page by default, 100 at most; `Link` only with more than one page.
 *
 * @see https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api
 */
export function pageOf<T>(context: RouteContext, items: readonly T[], options: PageOptions = {}): Page<T> {
  const perPage = clamp(context.query.get("per_page"), options.defaultPerPage ?? 30, 100);
  const page = clamp(context.query.get("page"), 1, Number.MAX_SAFE_INTEGER);
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const link = linkHeader(context, options.path, page, last);
  return { items: items.slice((page - 1) * perPage, page * perPage), link };
}

/** A list's answer: the page, each item rendered. */
export function list<T>(
  context: RouteContext,
  items: readonly T[],
  render: (item: T) => unknown,
  options: PageOptions = {},
): RouteAnswer {
  const page = pageOf(context, items, options);
  return { ...json(page.items.map(render)), link: page.link };
}

/** A page by cursor: `after` and `before` name the id of an item; `Link` leads on by cursor alone. */
export function listByCursor<T extends { readonly id: number }>(
  context: RouteContext,
  items: readonly T[],
  render: (item: T) => unknown,
): RouteAnswer {
  const perPage = clamp(context.query.get("per_page"), 30, 100);
  const after = decodeCursor(context.query.get("after"));
  const start = after === undefined ? 0 : items.findIndex((item) => item.id === after) + 1;
  const page = items.slice(start, start + perPage);
  const final = page[page.length - 1];
  const more = final !== undefined && start + perPage < items.length;
  const links: string[] = [];
  if (more) links.push(linkTo(context, undefined, { after: encodeCursor(final.id) }, "next"));
  if (start > 0) links.push(linkTo(context, undefined, { after: "" }, "first"));
  return { ...json(page.map(render)), link: links.length === 0 ? undefined : links.join(", ") };
}

function linkHeader(context: RouteContext, path: string | undefined, page: number, last: number): string | undefined {
  const links: string[] = [];
  const add = (to: number, rel: string): number => links.push(linkTo(context, path, { page: String(to) }, rel));
  if (page > 1) add(Math.min(page - 1, last), "prev");
  if (page < last) {
    add(page + 1, "next");
    add(last, "last");
  } else if (page > last) add(last, "last");
  if (page > 1) add(1, "first");
  return links.length === 0 ? undefined : links.join(", ");
}

function linkTo(
  context: RouteContext,
  path: string | undefined,
  change: Readonly<Record<string, string>>,
  rel: string,
): string {
  const query = new URLSearchParams(context.query);
  for (const [name, value] of Object.entries(change)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  const search = query.size === 0 ? "" : `?${query}`;
  const own = context.request.url.pathname;
  return `<${context.origins.api}${path ?? own}${search}>; rel="${rel}"`;
}

function clamp(value: string | null, fallback: number, most: number): number {
  const number = value === null ? fallback : Number.parseInt(value, 10);
  return Number.isNaN(number) || number < 1 ? fallback : Math.min(number, most);
}

function encodeCursor(id: number): string {
  return Buffer.from(`cursor:${id}`).toString("base64");
}

function decodeCursor(cursor: string | null): number | undefined {
  if (cursor === null || cursor === "") return undefined;
  const id = Number(Buffer.from(cursor, "base64").toString("utf8").split(":")[1]);
  return Number.isInteger(id) ? id : undefined;
}
