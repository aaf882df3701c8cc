import { pathSegments, wordOf } from "./path.js";

/** What a write may have changed, or what a read depends on. */
export type Scope =
  /** One repository; `name` is `/repos/owner/repo` in lower case. */
  | { readonly kind: "repository"; readonly name: string }
  /** Everything on the host. */
  | { readonly kind: "host" };

/** What a write may have changed; `nothing`: it mints a token, and no read shows that. */
export type WriteScope = Scope | { readonly kind: "nothing" };

const HOST: Scope = Object.freeze({ kind: "host" });
const NOTHING: WriteScope = Object.freeze({ kind: "nothing" });

/**
 * A path in a repository, spelt as nearly all are: no escapes, no templates, no segment that begins with a dot. It needs
 * no decoding; everything else is taken apart segment by segment.
 */
const USUAL = /^\/repos\/([\w-]+\/[\w-][\w.-]*)(\/[\w-][\w.~:@!$&'()*+,;=-]*)*$/;

/** A path that is not in a repository, however it is read. */
const ELSEWHERE = /^\/(?!repos(?:\/|$)|api(?:\/|$))[a-z_-]+(?:\/|$)/;

/**
 * The scope of a write to `path`: a write inside a repository concerns that repository (and, in effect, every list
 * outside repositories); one elsewhere and a GraphQL mutation concern all. So does a write to the repository itself or
 * its transfer: afterwards that name, or another, may mean a different repository.
 */
export function writeScope(path: string): WriteScope {
  const usual = USUAL.exec(path);
  if (usual?.[1] !== undefined && usual[2] !== undefined && !/\/transfer(?:\/|$)/i.test(path)) return named(usual[1]);
  const segments = pathSegments(path);
  if (mintsToken(segments)) return NOTHING;
  const below = segments[3];
  return below === undefined || wordOf(below) === "transfer" ? HOST : repositoryScope(segments);
}

/** The scope of a read of `path`: the repository it is in, or the host when that cannot be told from the path. */
export function readScope(path: string): Scope {
  const usual = USUAL.exec(path)?.[1];
  if (usual !== undefined) return named(usual);
  if (ELSEWHERE.test(path)) return HOST;
  return repositoryScope(pathSegments(path));
}

function mintsToken([root, second, , fourth]: readonly string[]): boolean {
  if (root === "login") return second === "oauth";
  return root === "app" && second === "installations" && fourth === "access_tokens";
}

function repositoryScope(segments: readonly string[]): Scope {
  const [root, owner, repo] = segments;
  if (root === undefined || owner === undefined || repo === undefined || wordOf(root) !== "repos") return HOST;
  // A dot segment or a template could mean any repository.
  if (segments.some((segment) => segment.includes("{") || /^\.\.?$/.test(wordOf(segment)))) return HOST;
  const name = `${wordOf(owner)}/${wordOf(repo)}`;
  return name.split("/").length === 2 ? { kind: "repository", name: `/repos/${name}` } : HOST;
}

function named(ownerAndName: string): Scope {
  return { kind: "repository", name: `/repos/${ownerAndName.toLowerCase()}` };
}
