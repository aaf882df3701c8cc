import { ensureUser } from "./accounts.js";
import type { CommitRecord, FileRecord, Permission, RepositoryRecord, UserRecord } from "./entities.js";
import { blobSha, objectSha } from "./git-hash.js";
import { fullNameKey, type WorldState } from "./world-state.js";

/** A repository to add. */
export interface NewRepository {
  /** Login of the owner; added as a user when there is none. */
  readonly owner: string;
  readonly name: string;
  /** Default `false`. */
  readonly private?: boolean;
  /** Logins that may see it (and write to it) although it is private. Default: the owner alone. */
  readonly visibleTo?: readonly string[];
  readonly description?: string | null;
  readonly language?: string | null;
  readonly topics?: readonly string[];
  /** Default `main`. */
  readonly defaultBranch?: string;
}

/** What of a repository can be changed. */
export interface RepositoryChange {
  readonly private?: boolean;
  readonly archived?: boolean;
  readonly description?: string | null;
  readonly homepage?: string | null;
  readonly topics?: readonly string[];
  readonly hasIssues?: boolean;
  readonly defaultBranch?: string;
}

/** A commit to push. */
export interface NewCommit {
  readonly message: string;
  /** Default: the default branch; a new branch starts from it. */
  readonly branch?: string;
  /** Login. Default: the repository's owner. */
  readonly author?: string;
  /** Paths to their new content; `null` deletes. Default: a file that every such commit changes. */
  readonly files?: Readonly<Record<string, string | Uint8Array | null>>;
}

const DEFAULT_LABELS: readonly (readonly [name: string, color: string, description: string])[] = [
  ["bug", "d73a4a", "Something isn't working"],
  ["documentation", "0075ca", "Improvements or additions to documentation"],
  ["duplicate", "cfd3d7", "This issue or pull request already exists"],
  ["enhancement", "a2eeef", "New feature or request"],
  ["good first issue", "7057ff", "Good for newcomers"],
  ["help wanted", "008672", "Extra attention is needed"],
  ["invalid", "e4e669", "This doesn't seem right"],
  ["question", "d876e3", "Further information is requested"],
  ["wontfix", "ffffff", "This will not be worked on"],
];

export function addRepository(state: WorldState, wanted: NewRepository): RepositoryRecord {
  if (!/^[\w.-]+$/.test(wanted.name ?? ""))
    throw new RangeError(
      `addRepository: \`name\` must be of letters, digits, ".", "-" and "_", but is ${JSON.stringify(wanted.name)}.`,
    );
  const owner = ensureUser(state, wanted.owner);
  const key = fullNameKey(wanted.owner, wanted.name);
  if (state.repositories.has(key))
    throw new RangeError(`addRepository: "${wanted.owner}/${wanted.name}" exists already.`);
  const now = state.now();
  const repository: RepositoryRecord = {
    id: state.nextId("repository"),
    owner,
    name: wanted.name,
    private: wanted.private ?? false,
    archived: false,
    description: wanted.description ?? null,
    homepage: null,
    language: wanted.language ?? "TypeScript",
    topics: wanted.topics ?? [],
    hasIssues: true,
    defaultBranch: wanted.defaultBranch ?? "main",
    collaborators: new Map(
      (wanted.visibleTo ?? []).map((login) => [ensureUser(state, login).id, "write" as Permission]),
    ),
    createdAt: now,
    updatedAt: now,
    pushedAt: now,
    issues: [],
    labels: DEFAULT_LABELS.map(([name, color, description]) => ({
      id: state.nextId("label"),
      name,
      color,
      description,
      default: true,
    })),
    commits: new Map(),
    refs: new Map(),
    checkRuns: [],
    statuses: [],
    releases: [],
    stargazers: new Map(),
    events: [],
    version: 0,
  };
  state.repositories.set(key, repository);
  state.repositoriesById.set(repository.id, repository);
  state.formerNames.delete(key);
  pushCommit(state, repository, { message: "Initial commit", files: { "README.md": `# ${wanted.name}\n` } });
  state.touchIdentities();
  return repository;
}

export function changeRepository(state: WorldState, repository: RepositoryRecord, change: RepositoryChange): void {
  Object.assign(repository, withoutUndefined(change));
  repository.updatedAt = state.now();
  state.touch(repository);
}

export function renameRepository(state: WorldState, repository: RepositoryRecord, newName: string): void {
  const newKey = fullNameKey(repository.owner.login, newName);
  if (state.repositories.has(newKey)) throw new RangeError(`renameRepository: "${newKey}" exists already.`);
  const oldKey = fullNameKey(repository.owner.login, repository.name);
  state.repositories.delete(oldKey);
  state.formerNames.set(oldKey, repository.id);
  state.formerNames.delete(newKey);
  repository.name = newName;
  repository.updatedAt = state.now();
  state.repositories.set(newKey, repository);
  state.touch(repository);
}

export function deleteRepository(state: WorldState, repository: RepositoryRecord): void {
  state.repositories.delete(fullNameKey(repository.owner.login, repository.name));
  state.repositoriesById.delete(repository.id);
  state.touch(repository);
}

export function pushCommit(state: WorldState, repository: RepositoryRecord, wanted: NewCommit): CommitRecord {
  const now = state.now();
  const branch = wanted.branch ?? repository.defaultBranch;
  const author = wanted.author === undefined ? repository.owner : ensureUser(state, wanted.author);
  const before =
    repository.refs.get(`refs/heads/${branch}`) ?? repository.refs.get(`refs/heads/${repository.defaultBranch}`);
  const parent = before === undefined ? undefined : repository.commits.get(before);
  const sequence = state.nextId("commit");
  const changes = wanted.files ?? { "CHANGES.md": `Change ${sequence}: ${wanted.message}\n` };
  const sha = objectSha("commit", repository.id, sequence, wanted.message, now);
  const commit: CommitRecord = {
    sha,
    treeSha: objectSha("tree", sha),
    parents: before === undefined ? [] : [before],
    message: wanted.message,
    author,
    authoredAt: now,
    files: applied(parent?.files ?? new Map(), changes),
    changedPaths: Object.keys(changes),
  };
  repository.commits.set(sha, commit);
  moveBranch(state, repository, branch, sha);
  repository.pushedAt = now;
  state.record(repository, "PushEvent", author, {
    repository_id: repository.id,
    push_id: sequence,
    ref: `refs/heads/${branch}`,
    head: sha,
    before: before ?? "0".repeat(40),
  });
  return commit;
}

/** Sets a branch; open pull requests from it take its head along. */
export function moveBranch(state: WorldState, repository: RepositoryRecord, branch: string, sha: string): void {
  repository.refs.set(`refs/heads/${branch}`, sha);
  for (const issue of repository.issues) {
    if (issue.pull === undefined || issue.state !== "open" || issue.pull.headRef !== branch) continue;
    if (issue.pull.headSha !== sha) {
      issue.pull.headSha = sha;
      issue.pull.commits.push(sha);
      issue.updatedAt = state.now();
    }
  }
  state.touch(repository);
}

export function star(state: WorldState, user: UserRecord, repository: RepositoryRecord, starred: boolean): void {
  if (starred === repository.stargazers.has(user.id)) return;
  if (starred) {
    repository.stargazers.set(user.id, { user, starredAt: state.now() });
    user.starred.set(repository.id, state.now());
    state.record(repository, "WatchEvent", user, { action: "started" });
  } else {
    repository.stargazers.delete(user.id);
    user.starred.delete(repository.id);
  }
  state.touch(repository);
}

function applied(
  files: ReadonlyMap<string, FileRecord>,
  changes: NonNullable<NewCommit["files"]>,
): ReadonlyMap<string, FileRecord> {
  const result = new Map(files);
  for (const [path, content] of Object.entries(changes)) {
    if (content === null) result.delete(path);
    else {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      result.set(path, { sha: blobSha(bytes), content: bytes });
    }
  }
  return result;
}

/** An absent change is no change: `undefined` must not overwrite. */
export function withoutUndefined<T extends object>(change: T): Partial<T> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>;
}
