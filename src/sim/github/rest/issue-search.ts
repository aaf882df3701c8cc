import type { IssueRecord, RepositoryRecord, UserRecord } from "../world/entities.js";

/** A search, read. */
export interface SearchQuery {
  readonly words: readonly string[];
  readonly qualifiers: ReadonlyMap<string, readonly string[]>;
}

/**
 * Splits `fix repo:a/b label:"help wanted"` into words and qualifiers; `@me` stands for `viewer`.
 *
 * @see https://docs.github.com/search-github/searching-on-github/searching-issues-and-pull-requests
 */
export function parseSearch(text: string, viewer?: string): SearchQuery {
  const words: string[] = [];
  const qualifiers = new Map<string, string[]>();
  for (const [, name, quoted, plain, word] of text.matchAll(/([\w-]+):(?:"([^"]*)"|(\S+))|"?([^\s"]+)"?/g)) {
    if (name === undefined) {
      words.push((word ?? "").toLowerCase());
      continue;
    }
    const value = quoted ?? plain ?? "";
    const meant = value === "@me" && viewer !== undefined ? viewer : value;
    qualifiers.set(name, [...(qualifiers.get(name) ?? []), meant.toLowerCase()]);
  }
  return { words, qualifiers };
}

/** Repositories that a query may look into. */
export function searchedRepositories(query: SearchQuery, visible: Iterable<RepositoryRecord>): RepositoryRecord[] {
  const names = query.qualifiers.get("repo");
  const owners = [...(query.qualifiers.get("org") ?? []), ...(query.qualifiers.get("user") ?? [])];
  return [...visible].filter((one) => {
    const owner = one.owner.login.toLowerCase();
    return (
      (names === undefined || names.includes(`${owner}/${one.name.toLowerCase()}`)) &&
      (owners.length === 0 || owners.includes(owner))
    );
  });
}

/** Qualifiers that every issue or pull request found fulfils, by name. */
const TESTS: Readonly<Record<string, (one: IssueRecord, value: string) => boolean>> = {
  is: fitsKind,
  type: fitsKind,
  state: (one, value) => (value === "merged" ? isMerged(one) : one.state === value),
  draft: (one, value) => (one.pull?.draft ?? false) === (value === "true"),
  author: (one, value) => isCalled(one.user, value),
  assignee: (one, value) => one.assignees.some((user) => isCalled(user, value)),
  mentions: (one, value) => mentions(one, value),
  label: (one, value) => hasLabel(one, value),
  "-label": (one, value) => !hasLabel(one, value),
  no: (one, value) =>
    value === "label" ? one.labels.length === 0 : value === "assignee" ? one.assignees.length === 0 : true,
  // The world has neither.
  milestone: () => false,
  project: () => false,
  head: (one, value) => one.pull?.headRef.toLowerCase() === value,
  base: (one, value) => one.pull?.baseRef.toLowerCase() === value,
  "review-requested": (one, value) => one.pull?.requestedReviewers.some((user) => isCalled(user, value)) === true,
  "reviewed-by": (one, value) => one.pull?.reviews.some(({ user }) => isCalled(user, value)) === true,
};

/** Whether an issue or pull request fits a query; qualifiers that the simulator does not know exclude nothing. */
export function issueFits(query: SearchQuery, one: IssueRecord): boolean {
  const text = `${one.title}\n${one.body ?? ""}`.toLowerCase();
  return (
    [...query.qualifiers].every(([name, values]) => values.every((value) => TESTS[name]?.(one, value) ?? true)) &&
    query.words.every((word) => text.includes(word))
  );
}

/** Whether an issue or pull request, or a comment on it, mentions somebody. */
export function mentions(one: IssueRecord, login: string): boolean {
  const name = new RegExp(`(^|[^\\w/])@${login.replace(/[^\w-]/g, "")}(?![\\w-])`, "i");
  return [one.body ?? "", ...one.comments.map((comment) => comment.body)].some((text) => name.test(text));
}

/** The order of what is found when nothing else is asked for. */
export function newestFirst(a: IssueRecord, b: IssueRecord): number {
  return b.createdAt - a.createdAt || b.number - a.number;
}

function fitsKind(one: IssueRecord, kind: string): boolean {
  switch (kind) {
    case "issue":
      return one.pull === undefined;
    case "pr":
    case "pull-request":
      return one.pull !== undefined;
    case "merged":
      return isMerged(one);
    case "unmerged":
      return one.pull !== undefined && !isMerged(one);
    case "draft":
      return one.pull?.draft === true;
    case "open":
    case "closed":
      return one.state === kind;
    default:
      return true;
  }
}

const isMerged = (one: IssueRecord): boolean => (one.pull?.mergedAt ?? null) !== null;
const isCalled = (user: UserRecord, login: string): boolean => user.login.toLowerCase() === login;
const hasLabel = (one: IssueRecord, name: string): boolean => one.labels.some((own) => own.name.toLowerCase() === name);
