import type { FleetSession } from "../../../src/sim/fleet/needs.js";
import { readJson } from "./read-json.js";
import type { Requester } from "./requester.js";

/** A review comment, as far as it matters here. */
export interface ReviewComment {
  readonly id: number;
  readonly body: string;
  readonly updated_at: string;
  readonly pull_request_url: string;
}

/** By id. */
export type ReviewComments = ReadonlyMap<number, ReviewComment>;

const REPOSITORY_COMMENTS = "GET /repos/{owner}/{repo}/pulls/comments";
const PAGE = 100;
const LATEST_FIRST = { sort: "updated", direction: "desc", per_page: PAGE };

/**
 * All review comments of a repository, with one read where each pull request would need one of its own. What changed last
 * comes first, so that the first page tells of everything new, and nothing new is a 304. Pages are read until one ends with
 * a comment that is `known` as it is: what is older is known too. (GitHub does not tell of the deletion of one that is not
 * on the page.)
 */
export async function readRepositoryComments(
  octokit: Requester,
  { owner, repo }: FleetSession,
  known: ReviewComments,
): Promise<ReviewComments> {
  const comments = new Map<number, ReviewComment>();
  for (let page = 1; ; page++) {
    const parameters = { ...LATEST_FIRST, owner, repo, page };
    const { data: items } = await readJson<readonly ReviewComment[]>(octokit, REPOSITORY_COMMENTS, parameters);
    for (const item of items) comments.set(item.id, item);
    const last = items.at(-1);
    if (last === undefined || items.length < PAGE) return comments;
    if (known.get(last.id)?.updated_at !== last.updated_at) continue;
    for (const [id, one] of known) if (one.updated_at <= last.updated_at && !comments.has(id)) comments.set(id, one);
    return comments;
  }
}

/** Those of a pull request, oldest first. */
export function commentsOn(pullNumber: number, comments: ReviewComments): readonly ReviewComment[] {
  const end = `/pulls/${pullNumber}`;
  return [...comments.values()]
    .filter(({ pull_request_url }) => pull_request_url.endsWith(end))
    .sort((one, other) => one.id - other.id);
}
