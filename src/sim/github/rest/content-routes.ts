import type { FileRecord } from "../world/entities.js";
import { pushCommit } from "../world/repositories.js";
import { permissionOf } from "../world/visibility.js";
import { history, resolveRef } from "./commit-routes.js";
import { downloadToken, mayDownload } from "./downloads.js";
import { gitCommit } from "./render-commits.js";
import { fullName, repositoryUrl } from "./render-repositories.js";
import {
  json,
  notFound,
  problem,
  type RepositoryContext,
  type Route,
  type RouteAnswer,
  refuseUnless,
  repositoryRoute,
  route,
  textField,
} from "./route.js";

/** Beyond this the JSON form carries no content. */
const MAX_JSON_BYTES = 2 ** 20;

function entry(
  context: RepositoryContext,
  path: string,
  ref: string,
  file: FileRecord | undefined,
): Record<string, unknown> {
  const url = repositoryUrl(context.repository, context.origins);
  const html = `${context.origins.html}/${fullName(context.repository)}`;
  const kind = file === undefined ? "tree" : "blob";
  const self = `${url}/contents/${path}?ref=${ref}`;
  const git = file === undefined ? `${url}/git/trees/${ref}` : `${url}/git/blobs/${file.sha}`;
  const page = `${html}/${kind}/${ref}/${path}`;
  return {
    name: path.split("/").pop() ?? "",
    path,
    sha: file?.sha ?? resolveRef(context, ref)?.treeSha,
    size: file?.content.byteLength ?? 0,
    url: self,
    html_url: page,
    git_url: git,
    download_url: file === undefined ? null : `${context.origins.raw}/${fullName(context.repository)}/${ref}/${path}`,
    type: file === undefined ? "dir" : "file",
    _links: { self, git, html: page },
  };
}

function directory(
  context: RepositoryContext,
  path: string,
  ref: string,
  files: ReadonlyMap<string, FileRecord>,
): Record<string, unknown>[] {
  const prefix = path === "" ? "" : `${path}/`;
  const names = new Map<string, FileRecord | undefined>();
  for (const [name, file] of files) {
    if (!name.startsWith(prefix)) continue;
    const [first = "", ...rest] = name.slice(prefix.length).split("/");
    names.set(first, rest.length === 0 ? file : undefined);
  }
  return [...names]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, file]) => entry(context, `${prefix}${name}`, ref, file));
}

function contents(context: RepositoryContext): RouteAnswer {
  const ref = context.query.get("ref") ?? context.repository.defaultBranch;
  const found = resolveRef(context, ref);
  if (found === undefined) return problem(404, `No commit found for the ref ${ref}`);
  const path = (context.params.path ?? "").replace(/\/+$/, "");
  const file = found.files.get(path);
  const changed = history(context, found).find((one) => one.changedPaths.includes(path)) ?? found;
  const dated = { lastModifiedAt: changed.authoredAt };
  const asJson = /\+json/.test(context.accept);
  if (file === undefined) {
    const entries = directory(context, path, ref, found.files);
    if (entries.length === 0) return notFound;
    return {
      ...json(/\.object\b/.test(context.accept) ? { ...entry(context, path, ref, undefined), entries } : entries),
      ...dated,
    };
  }
  if (/\.raw\b/.test(context.accept)) {
    const contentType = asJson
      ? "application/vnd.github.v3.raw+json; charset=utf-8"
      : "application/vnd.github.v3.raw; charset=utf-8";
    return { status: 200, bytes: file.content, contentType, ...dated };
  }
  const small = file.content.byteLength <= MAX_JSON_BYTES;
  const lines = Buffer.from(file.content).toString("base64").replace(/.{60}/g, "$&\n");
  return {
    ...json({
      ...entry(context, path, ref, file),
      content: small ? `${lines}\n` : "",
      encoding: small ? "base64" : "none",
    }),
    ...dated,
  };
}

/** Files, archives and the hosts that serve them. */
export const contentRoutes: readonly Route[] = [
  repositoryRoute("GET /repos/{owner}/{repo}/contents/{path+}", "/repos/contents#get-repository-content", contents),
  repositoryRoute("GET /repos/{owner}/{repo}/readme", "/repos/contents#get-a-repository-readme", (context) =>
    contents({ ...context, params: { ...context.params, path: "README.md" } }),
  ),
  repositoryRoute(
    "PUT /repos/{owner}/{repo}/contents/{path+}",
    "/repos/contents#create-or-update-file-contents",
    (context) => {
      const refusal = refuseUnless(context, "write");
      if (refusal !== undefined) return refusal;
      const path = context.params.path ?? "";
      const branch = textField(context, "branch") ?? context.repository.defaultBranch;
      const old = resolveRef(context, branch)?.files.get(path);
      const sha = textField(context, "sha");
      if (old !== undefined && sha === undefined) return problem(422, `Invalid request.\n\n"sha" wasn't supplied.`);
      if (old !== undefined && sha !== old.sha) return problem(409, `${path} does not match ${sha}`);
      const content = new Uint8Array(Buffer.from(textField(context, "content") ?? "", "base64"));
      const author = context.actor?.login;
      const made = pushCommit(context.state, context.repository, {
        message: textField(context, "message") ?? `Update ${path}`,
        branch,
        files: { [path]: content },
        ...(author === undefined ? {} : { author }),
      });
      return json(
        {
          content: entry(context, path, branch, made.files.get(path)),
          commit: gitCommit(made, context.repository, context.origins),
        },
        old === undefined ? 201 : 200,
      );
    },
  ),
  repositoryRoute("GET /repos/{owner}/{repo}/git/blobs/{sha}", "/git/blobs#get-a-blob", (context) => {
    for (const one of context.repository.commits.values()) {
      for (const file of one.files.values()) {
        if (file.sha !== context.params.sha) continue;
        if (/\.raw\b/.test(context.accept))
          return { status: 200, bytes: file.content, contentType: "application/vnd.github.v3.raw; charset=utf-8" };
        const url = `${repositoryUrl(context.repository, context.origins)}/git/blobs/${file.sha}`;
        return json({
          sha: file.sha,
          node_id: `B_${file.sha}`,
          size: file.content.byteLength,
          url,
          content: Buffer.from(file.content).toString("base64"),
          encoding: "base64",
        });
      }
    }
    return notFound;
  }),
  archive("tarball", "legacy.tar.gz"),
  archive("zipball", "legacy.zip"),
  route("GET /-codeload/{owner}/{repo}/{form}/{ref+}", "", (context) => {
    const repository = context.state.findRepository(context.params.owner ?? "", context.params.repo ?? "");
    if (repository === undefined || !mayDownload(context, repository))
      return { status: 404, text: "404: Not Found", contentType: "text/plain; charset=utf-8" };
    const bytes = new TextEncoder().encode(
      `archive of ${context.params.owner}/${context.params.repo} at ${context.params.ref}\n`,
    );
    return {
      status: 200,
      bytes,
      contentType: "application/x-gzip",
      headers: { "content-disposition": `attachment; filename=${context.params.owner}-${context.params.repo}.tar.gz` },
    };
  }),
  route("GET /-raw/{owner}/{repo}/{ref}/{path+}", "", (context) => {
    const repository = context.state.findRepository(context.params.owner ?? "", context.params.repo ?? "");
    const sha = repository?.refs.get(`refs/heads/${context.params.ref}`) ?? context.params.ref ?? "";
    const file = repository?.commits.get(sha)?.files.get(context.params.path ?? "");
    if (repository === undefined || file === undefined || permissionOf(context.credential, repository) === undefined) {
      return { status: 404, text: "404: Not Found", contentType: "text/plain; charset=utf-8" };
    }
    return { status: 200, bytes: file.content, contentType: "text/plain; charset=utf-8", cacheControl: "max-age=300" };
  }),
];

/** A redirect to another origin. */
function archive(name: string, form: string): Route {
  return repositoryRoute(
    `GET /repos/{owner}/{repo}/${name}/{ref+}`,
    "/repos/contents#download-a-repository-archive-tar",
    (context) => {
      const ref =
        context.params.ref === undefined || context.params.ref === ""
          ? context.repository.defaultBranch
          : context.params.ref;
      const full = context.repository.refs.has(`refs/heads/${ref}`) ? `refs/heads/${ref}` : ref;
      const location = `${context.origins.codeload}/${fullName(context.repository)}/${form}/${full}${downloadToken(context.repository)}`;
      return {
        status: 302,
        text: "",
        contentType: "text/html;charset=utf-8",
        headers: { location },
        bare: true,
        cacheControl: "public, must-revalidate, max-age=0",
      };
    },
  );
}
