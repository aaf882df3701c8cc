import type { IssueRecord, RepositoryRecord } from "../world/entities.js";
import { permissionOf } from "../world/visibility.js";
import { issueFits, newestFirst, parseSearch, type SearchQuery, searchedRepositories } from "./issue-search.js";
import { MAX_SEARCH_RESULTS, pageOf } from "./pages.js";
import { issue } from "./render-issues.js";
import { minimalRepository, repositoryItem, repositoryUrl } from "./render-repositories.js";
import { invalid, json, problem, type Route, type RouteAnswer, type RouteContext, route } from "./route.js";

function searchRoute(
  kind: string,
  find: (
    context: RouteContext,
    query: SearchQuery,
  ) => { readonly items: readonly unknown[]; readonly render: (item: never) => unknown },
): Route {
  return route(`GET /search/${kind}`, `/search/search#search-${kind}`, (context) => {
    const text = context.query.get("q");
    if (text === null || text === "") return invalid("Search", "q", "missing_field");
    const { items, render } = find(context, parseSearch(text, context.actor?.login));
    return searchPage(context, items as readonly never[], render);
  });
}

function searchPage<T>(context: RouteContext, items: readonly T[], render: (item: T) => unknown): RouteAnswer {
  const perPage = Math.min(100, Number(context.query.get("per_page") ?? 30) || 30);
  const page = Number(context.query.get("page") ?? 1) || 1;
  if ((page - 1) * perPage >= MAX_SEARCH_RESULTS)
    return problem(422, "Only the first 1000 search results are available");
  const reachable = pageOf(context, items.slice(0, MAX_SEARCH_RESULTS));
  return {
    ...json({ total_count: items.length, incomplete_results: false, items: reachable.items.map(render) }),
    link: reachable.link,
    etag: false,
    cacheControl: "no-cache",
  };
}

function visible(context: RouteContext): RepositoryRecord[] {
  return [...context.state.repositoriesById.values()].filter(
    (one) => permissionOf(context.credential, one) !== undefined,
  );
}

/** Search: a bucket of its own, no ETag, at most 1,000 results. */
export const searchRoutes: readonly Route[] = [
  searchRoute("issues", (context, query) => {
    const items = searchedRepositories(query, visible(context)).flatMap((repository) =>
      repository.issues.filter((one) => issueFits(query, one)).map((one) => ({ repository, one })),
    );
    items.sort((a, b) => newestFirst(a.one, b.one));
    return {
      items,
      render: ({ repository, one }: { repository: RepositoryRecord; one: IssueRecord }) => ({
        ...issue(one, repository, context.origins),
        score: 1,
      }),
    };
  }),
  searchRoute("repositories", (context, query) => {
    const items = searchedRepositories(query, visible(context)).filter((one) =>
      query.words.every((word) => `${one.name} ${one.description ?? ""}`.toLowerCase().includes(word)),
    );
    return { items, render: (one: RepositoryRecord) => ({ ...repositoryItem(one, context.origins), score: 1 }) };
  }),
  searchRoute("code", (context, query) => {
    const items = searchedRepositories(query, visible(context)).flatMap((repository) => {
      const head = repository.commits.get(repository.refs.get(`refs/heads/${repository.defaultBranch}`) ?? "");
      return [...(head?.files ?? [])]
        .filter(([path, file]) => {
          const text = `${path}\n${new TextDecoder().decode(file.content)}`.toLowerCase();
          return query.words.every((word) => text.includes(word));
        })
        .map(([path, file]) => ({ repository, path, file, sha: head?.sha ?? "" }));
    });
    const render = ({
      repository,
      path,
      file,
      sha,
    }: {
      repository: RepositoryRecord;
      path: string;
      file: { sha: string };
      sha: string;
    }) => {
      const url = repositoryUrl(repository, context.origins);
      return {
        name: path.split("/").pop(),
        path,
        sha: file.sha,
        url: `${url}/contents/${path}?ref=${sha}`,
        git_url: `${url}/git/blobs/${file.sha}`,
        html_url: `${context.origins.html}/${repository.owner.login}/${repository.name}/blob/${sha}/${path}`,
        repository: minimalRepository(repository, context.origins),
        score: 1,
      };
    };
    return { items, render };
  }),
];
