import type { Origins } from "../wire.js";
import type { AssetRecord, ReleaseRecord, RepositoryRecord } from "../world/entities.js";
import { downloadToken, mayDownload } from "./downloads.js";
import { byId } from "./issue-routes.js";
import { list } from "./pages.js";
import { simpleUser } from "./render-accounts.js";
import { fullName, repositoryUrl } from "./render-repositories.js";
import { iso, nodeId } from "./render-values.js";
import {
  invalid,
  json,
  noContent,
  notFound,
  type RepositoryContext,
  type Route,
  type RouteAnswer,
  refuseUnless,
  repositoryRoute,
  route,
  textField,
} from "./route.js";

function asset(
  record: AssetRecord,
  release: ReleaseRecord,
  repository: RepositoryRecord,
  origins: Origins,
): Record<string, unknown> {
  return {
    url: `${repositoryUrl(repository, origins)}/releases/assets/${record.id}`,
    id: record.id,
    node_id: nodeId("ReleaseAsset", record.id),
    name: record.name,
    label: record.label,
    uploader: simpleUser(record.uploader, origins),
    content_type: record.contentType,
    state: "uploaded",
    size: record.content.byteLength,
    download_count: record.downloads,
    created_at: iso(record.createdAt),
    updated_at: iso(record.createdAt),
    browser_download_url: `${origins.html}/${fullName(repository)}/releases/download/${release.tagName}/${record.name}`,
  };
}

function release(record: ReleaseRecord, repository: RepositoryRecord, origins: Origins): Record<string, unknown> {
  const url = `${repositoryUrl(repository, origins)}/releases/${record.id}`;
  return {
    url,
    assets_url: `${url}/assets`,
    upload_url: `${origins.uploads}/repos/${fullName(repository)}/releases/${record.id}/assets{?name,label}`,
    html_url: `${origins.html}/${fullName(repository)}/releases/tag/${record.tagName}`,
    id: record.id,
    author: simpleUser(record.author, origins),
    node_id: nodeId("Release", record.id),
    tag_name: record.tagName,
    target_commitish: repository.defaultBranch,
    name: record.name,
    draft: false,
    prerelease: false,
    created_at: iso(record.createdAt),
    published_at: iso(record.createdAt),
    assets: record.assets.map((one) => asset(one, record, repository, origins)),
    tarball_url: `${repositoryUrl(repository, origins)}/tarball/${record.tagName}`,
    zipball_url: `${repositoryUrl(repository, origins)}/zipball/${record.tagName}`,
    body: record.body,
  };
}

function one(context: RepositoryContext, found: ReleaseRecord | undefined): RouteAnswer {
  return found === undefined
    ? notFound
    : { ...json(release(found, context.repository, context.origins)), lastModifiedAt: found.createdAt };
}

function byNumber({ repository, params }: RepositoryContext): ReleaseRecord | undefined {
  return repository.releases.find((each) => each.id === Number(params.id));
}

function findAsset({
  repository,
  params,
}: Pick<RepositoryContext, "params" | "repository">):
  | { readonly of: ReleaseRecord; readonly found: AssetRecord }
  | undefined {
  for (const of of repository.releases) {
    const found = of.assets.find((each) => each.id === Number(params.id));
    if (found !== undefined) return { of, found };
  }
  return undefined;
}

/** Releases and their assets; uploads go to a host of their own. */
export const releaseRoutes: readonly Route[] = [
  repositoryRoute("GET /repos/{owner}/{repo}/releases", "/releases/releases#list-releases", (context) =>
    list(
      context,
      context.repository.releases,
      (each) => release(each, context.repository, context.origins),
      byId(context.repository, "/releases"),
    ),
  ),
  repositoryRoute("POST /repos/{owner}/{repo}/releases", "/releases/releases#create-a-release", (context) => {
    const refusal = refuseUnless(context, "write");
    if (refusal !== undefined) return refusal;
    const tagName = textField(context, "tag_name");
    if (tagName === undefined) return invalid("Release", "tag_name", "missing_field");
    if (context.repository.releases.some((each) => each.tagName === tagName))
      return invalid("Release", "tag_name", "already_exists");
    const made: ReleaseRecord = {
      id: context.state.nextId("release"),
      tagName,
      name: textField(context, "name") ?? null,
      body: textField(context, "body") ?? null,
      author: context.actor ?? context.repository.owner,
      createdAt: context.state.now(),
      assets: [],
    };
    context.repository.releases.unshift(made);
    context.state.touch(context.repository);
    const value = release(made, context.repository, context.origins);
    return { ...json(value, 201), headers: { location: String(value.url) } };
  }),
  repositoryRoute("GET /repos/{owner}/{repo}/releases/latest", "/releases/releases#get-the-latest-release", (context) =>
    one(context, context.repository.releases[0]),
  ),
  repositoryRoute(
    "GET /repos/{owner}/{repo}/releases/tags/{tag}",
    "/releases/releases#get-a-release-by-tag-name",
    (context) =>
      one(
        context,
        context.repository.releases.find((each) => each.tagName === context.params.tag),
      ),
  ),
  repositoryRoute("GET /repos/{owner}/{repo}/releases/{id}", "/releases/releases#get-a-release", (context) =>
    one(context, byNumber(context)),
  ),
  repositoryRoute(
    "GET /repos/{owner}/{repo}/releases/{id}/assets",
    "/releases/assets#list-release-assets",
    (context) => {
      const found = byNumber(context);
      if (found === undefined) return notFound;
      return list(
        context,
        found.assets,
        (each) => asset(each, found, context.repository, context.origins),
        byId(context.repository, `/releases/${found.id}/assets`),
      );
    },
  ),
  repositoryRoute(
    "GET /repos/{owner}/{repo}/releases/assets/{id}",
    "/releases/assets#get-a-release-asset",
    (context) => {
      const hit = findAsset(context);
      if (hit === undefined) return notFound;
      if (context.accept.includes("application/octet-stream")) {
        const location = `${context.origins.codeload}/-assets/${fullName(context.repository)}/${hit.found.id}${downloadToken(context.repository)}`;
        return {
          status: 302,
          text: "",
          contentType: "text/html;charset=utf-8",
          headers: { location },
          cacheControl: "no-cache",
        };
      }
      return {
        ...json(asset(hit.found, hit.of, context.repository, context.origins)),
        lastModifiedAt: hit.found.createdAt,
      };
    },
  ),
  repositoryRoute(
    "PATCH /repos/{owner}/{repo}/releases/assets/{id}",
    "/releases/assets#update-a-release-asset",
    (context) => {
      const refusal = refuseUnless(context, "write");
      const hit = findAsset(context);
      if (refusal !== undefined || hit === undefined) return refusal ?? notFound;
      hit.found.name = textField(context, "name") ?? hit.found.name;
      hit.found.label = textField(context, "label") ?? hit.found.label;
      context.state.touch(context.repository);
      return json(asset(hit.found, hit.of, context.repository, context.origins));
    },
  ),
  repositoryRoute(
    "DELETE /repos/{owner}/{repo}/releases/assets/{id}",
    "/releases/assets#delete-a-release-asset",
    (context) => {
      const refusal = refuseUnless(context, "write");
      const hit = findAsset(context);
      if (refusal !== undefined || hit === undefined) return refusal ?? notFound;
      hit.of.assets.splice(hit.of.assets.indexOf(hit.found), 1);
      context.state.touch(context.repository);
      return noContent;
    },
  ),
  repositoryRoute(
    "POST /-uploads/repos/{owner}/{repo}/releases/{id}/assets",
    "/releases/assets#upload-a-release-asset",
    (context) => {
      const refusal = refuseUnless(context, "write");
      const found = byNumber(context);
      if (refusal !== undefined || found === undefined) return refusal ?? notFound;
      const name = context.query.get("name");
      if (name === null) return invalid("ReleaseAsset", "name", "missing_field");
      if (found.assets.some((each) => each.name === name))
        return { ...invalid("ReleaseAsset", "name", "already_exists"), cacheControl: "no-cache" };
      const { body, headers } = context.request;
      const content = typeof body === "string" ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
      const made: AssetRecord = {
        id: context.state.nextId("asset"),
        name,
        label: context.query.get("label"),
        contentType: headers.get("content-type") ?? "application/octet-stream",
        content,
        uploader: context.actor ?? context.repository.owner,
        createdAt: context.state.now(),
        downloads: 0,
      };
      found.assets.push(made);
      context.state.touch(context.repository);
      return { ...json(asset(made, found, context.repository, context.origins), 201), cacheControl: "no-cache" };
    },
  ),
  route("GET /-codeload/-assets/{owner}/{repo}/{id}", "", (context) => {
    const repository = context.state.findRepository(context.params.owner ?? "", context.params.repo ?? "");
    const hit = repository === undefined ? undefined : findAsset({ repository, params: context.params });
    if (repository === undefined || hit === undefined || !mayDownload(context, repository)) return notFound;
    const headers = { "content-disposition": `attachment; filename=${hit.found.name}` };
    return { status: 200, bytes: hit.found.content, contentType: "application/octet-stream", headers };
  }),
];
