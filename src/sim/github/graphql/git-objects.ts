import type { FileRecord, RepositoryRecord } from "../world/entities.js";
import type { ResolverContext } from "./resolver-context.js";
import { commitOf } from "./sources.js";

/** A branch or tag. */
export type RefSource = {
  readonly __typename: "Ref";
  readonly repository: RepositoryRecord;
  readonly name: string;
  readonly sha: string;
};

/** The ref of a full name, or null. */
export const refOf = (repository: RepositoryRecord, name: string): RefSource | null => {
  const sha = repository.refs.get(name);
  return sha === undefined ? null : { __typename: "Ref", repository, name, sha };
};

/** A page of a repository. */
export const gitUrl = ({ origins }: ResolverContext, repository: RepositoryRecord, rest: string): string =>
  `${origins.html}/${repository.owner.login}/${repository.name}${rest}`;

/** The files at the top of a tree. */
export function treeEntries(repository: RepositoryRecord, files: ReadonlyMap<string, FileRecord>): unknown[] {
  return [...files]
    .filter(([path]) => !path.includes("/"))
    .map(([path, file]) => ({
      name: path,
      path,
      type: "blob",
      mode: 33_188,
      size: file.content.byteLength,
      oid: file.sha,
      object: blob(repository, file),
    }));
}

function blob(repository: RepositoryRecord, file: FileRecord): unknown {
  return {
    __typename: "Blob",
    id: `B_${file.sha}`,
    oid: file.sha,
    abbreviatedOid: file.sha.slice(0, 7),
    commitUrl: (_: unknown, context: ResolverContext) => gitUrl(context, repository, `/commit/${file.sha}`),
    byteSize: file.content.byteLength,
    isBinary: file.content.includes(0),
    text: file.content.includes(0) ? null : new TextDecoder().decode(file.content),
  };
}

/** What an expression such as `main:README.md` names, or null. */
export function objectAt(repository: RepositoryRecord, expression: string): unknown {
  const [ref = "", path] = expression.split(":");
  const name = ref === "HEAD" || ref === "" ? repository.defaultBranch : ref;
  const sha =
    repository.refs.get(`refs/heads/${name}`) ??
    repository.refs.get(`refs/tags/${name}`) ??
    repository.refs.get(name) ??
    name;
  if (path === undefined) return commitOf(repository, sha);
  const file = repository.commits.get(sha)?.files.get(path);
  return file === undefined ? null : blob(repository, file);
}
