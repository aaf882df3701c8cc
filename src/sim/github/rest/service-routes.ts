import { listByCursor } from "./pages.js";
import { json, notFound, type Route, type RouteAnswer, type RouteContext, route, textField } from "./route.js";

function root({ origins: { api } }: RouteContext): RouteAnswer {
  return json({
    current_user_url: `${api}/user`,
    authorizations_url: `${api}/authorizations`,
    code_search_url: `${api}/search/code?q={query}{&page,per_page,sort,order}`,
    events_url: `${api}/events`,
    issues_url: `${api}/issues`,
    issue_search_url: `${api}/search/issues?q={query}{&page,per_page,sort,order}`,
    label_search_url: `${api}/search/labels?q={query}&repository_id={repository_id}{&page,per_page}`,
    notifications_url: `${api}/notifications`,
    organization_url: `${api}/orgs/{org}`,
    organization_repositories_url: `${api}/orgs/{org}/repos{?type,page,per_page,sort}`,
    rate_limit_url: `${api}/rate_limit`,
    repository_url: `${api}/repos/{owner}/{repo}`,
    repository_search_url: `${api}/search/repositories?q={query}{&page,per_page,sort,order}`,
    current_user_repositories_url: `${api}/user/repos{?type,page,per_page,sort}`,
    starred_url: `${api}/user/starred{/owner}{/repo}`,
    user_url: `${api}/users/{user}`,
    user_repositories_url: `${api}/users/{user}/repos{?type,page,per_page,sort}`,
    user_search_url: `${api}/search/users?q={query}{&page,per_page,sort,order}`,
  });
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** Enough of Markdown to answer with HTML: headings, emphasis, paragraphs. */
function markdown(text: string): RouteAnswer {
  const blocks = escapeHtml(text)
    .split(/\n{2,}/)
    .map((block) => {
      const heading = /^(#{1,6}) (.*)$/.exec(block);
      const inline = (heading?.[2] ?? block)
        .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
        .replace(/`(.+?)`/g, "<code>$1</code>");
      return heading === null ? `<p>${inline}</p>` : `<h${heading[1]?.length}>${inline}</h${heading[1]?.length}>`;
    });
  return {
    status: 200,
    text: `${blocks.join("\n")}\n`,
    contentType: "text/html;charset=utf-8",
    etag: false,
    bare: true,
    headers: { "x-commonmarker-version": "0.23.4" },
  };
}

/** The API's own pages. */
export const serviceRoutes: readonly Route[] = [
  route("GET /", "", root),
  route("GET /meta", "/meta/meta#get-github-meta-information", () =>
    json({
      verifiable_password_authentication: false,
      hooks: ["192.0.2.0/24"],
      web: ["192.0.2.0/24"],
      api: ["198.51.100.0/24"],
      git: ["198.51.100.0/24"],
    }),
  ),
  route(
    "GET /zen",
    "/meta/meta#get-the-zen-of-github",
    () => ({ status: 200, text: "Keep it logically awesome.", contentType: "text/plain;charset=utf-8", etag: false }),
    "volatile",
  ),
  route("POST /markdown", "/markdown/markdown#render-a-markdown-document", (context) =>
    markdown(textField(context, "text") ?? ""),
  ),
  route("POST /markdown/raw", "/markdown/markdown#render-a-markdown-document-in-raw-mode", ({ request: { body } }) =>
    markdown(typeof body === "string" ? body : new TextDecoder().decode(body)),
  ),
  route("GET /orgs/{org}/audit-log", "/orgs/orgs#get-the-audit-log-for-an-organization", (context) => {
    const org = context.state.users.get(context.params.org?.toLowerCase() ?? "");
    if (org?.type !== "Organization") return notFound;
    const events = [...context.state.repositoriesById.values()]
      .filter((one) => one.owner === org)
      .flatMap((one) => one.events.map((event) => ({ ...event, repo: `${org.login}/${one.name}` })));
    events.sort((a, b) => b.id - a.id);
    return listByCursor(context, events, (event) => ({
      "@timestamp": event.createdAt,
      _document_id: String(event.id),
      action: event.type,
      actor: event.actor.login,
      created_at: event.createdAt,
      org: org.login,
      repo: event.repo,
    }));
  }),
];
