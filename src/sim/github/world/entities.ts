/**
 * What the simulated GitHub remembers. These records change in place; only the world changes them. Times are GitHub's
 * clock in epoch milliseconds.
 */

export interface UserRecord {
  readonly id: number;
  login: string;
  readonly type: "User" | "Organization" | "Bot";
  name: string | null;
  bio: string | null;
  company: string | null;
  email: string | null;
  readonly createdAt: number;
  updatedAt: number;
  /** Repository id to the time of the star. */
  readonly starred: Map<number, number>;
  readonly notifications: NotificationRecord[];
}

export interface NotificationRecord {
  readonly id: number;
  readonly repository: RepositoryRecord;
  readonly subject: { readonly title: string; readonly type: "Issue" | "PullRequest"; readonly number: number };
  readonly reason: string;
  unread: boolean;
  updatedAt: number;
  lastReadAt: number | null;
}

export type Permission = "read" | "triage" | "write" | "maintain" | "admin";

export interface RepositoryRecord {
  readonly id: number;
  owner: UserRecord;
  name: string;
  private: boolean;
  archived: boolean;
  description: string | null;
  homepage: string | null;
  language: string | null;
  topics: readonly string[];
  hasIssues: boolean;
  defaultBranch: string;
  /** User id to what the user may do, beyond what everybody may. */
  readonly collaborators: Map<number, Permission>;
  readonly createdAt: number;
  updatedAt: number;
  pushedAt: number;
  /** Issues and pull requests share one sequence of numbers. */
  readonly issues: IssueRecord[];
  readonly labels: LabelRecord[];
  readonly commits: Map<string, CommitRecord>;
  /** Full ref name to commit SHA. */
  readonly refs: Map<string, string>;
  readonly checkRuns: CheckRunRecord[];
  readonly statuses: StatusRecord[];
  readonly releases: ReleaseRecord[];
  readonly stargazers: Map<number, { readonly user: UserRecord; readonly starredAt: number }>;
  readonly events: EventRecord[];
  /** Grows with every change to anything in the repository. */
  version: number;
}

/** Why an issue has the state it has. */
export type StateReason = "completed" | "not_planned" | "reopened";

/** A reviewer's verdict. */
export type ReviewState = "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED";

/** How far a check run is. */
export type CheckStatus = "queued" | "in_progress" | "completed";

export interface LabelRecord {
  readonly id: number;
  name: string;
  color: string;
  description: string | null;
  readonly default: boolean;
}

export interface IssueRecord {
  readonly id: number;
  readonly number: number;
  title: string;
  body: string | null;
  readonly user: UserRecord;
  state: "open" | "closed";
  stateReason: StateReason | null;
  locked: boolean;
  labels: LabelRecord[];
  assignees: UserRecord[];
  readonly createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: UserRecord | null;
  readonly comments: CommentRecord[];
  readonly pull: PullRecord | undefined;
}

export interface PullRecord {
  readonly id: number;
  headRef: string;
  headSha: string;
  baseRef: string;
  baseSha: string;
  draft: boolean;
  mergedAt: number | null;
  mergedBy: UserRecord | null;
  mergeCommitSha: string | null;
  readonly commits: string[];
  readonly reviews: ReviewRecord[];
  readonly reviewComments: ReviewCommentRecord[];
  /** Who was asked for a review and has not given one since. */
  requestedReviewers: UserRecord[];
  additions: number;
  deletions: number;
  changedFiles: number;
}

export interface CommentRecord {
  readonly id: number;
  body: string;
  readonly user: UserRecord;
  readonly createdAt: number;
  updatedAt: number;
}

export interface ReviewRecord {
  readonly id: number;
  readonly user: UserRecord;
  readonly body: string;
  readonly state: ReviewState;
  readonly commitSha: string;
  readonly submittedAt: number;
}

export interface ReviewCommentRecord {
  readonly id: number;
  readonly reviewId: number | null;
  readonly user: UserRecord;
  body: string;
  readonly path: string;
  readonly line: number;
  readonly commitSha: string;
  readonly createdAt: number;
  updatedAt: number;
}

export interface CommitRecord {
  readonly sha: string;
  readonly treeSha: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: UserRecord;
  readonly authoredAt: number;
  /** The whole tree after the commit; unchanged files are shared with the parent's. */
  readonly files: ReadonlyMap<string, FileRecord>;
  readonly changedPaths: readonly string[];
}

export interface FileRecord {
  readonly sha: string;
  readonly content: Uint8Array;
}

export interface CheckRunRecord {
  readonly id: number;
  readonly headSha: string;
  readonly name: string;
  status: CheckStatus;
  conclusion: CheckConclusion | null;
  readonly startedAt: number;
  completedAt: number | null;
  readonly title: string | null;
  readonly summary: string | null;
}

export type CheckConclusion =
  | "action_required"
  | "cancelled"
  | "failure"
  | "neutral"
  | "skipped"
  | "success"
  | "timed_out";

export interface StatusRecord {
  readonly id: number;
  readonly sha: string;
  readonly state: "error" | "failure" | "pending" | "success";
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creator: UserRecord;
  readonly createdAt: number;
}

export interface ReleaseRecord {
  readonly id: number;
  tagName: string;
  name: string | null;
  body: string | null;
  readonly author: UserRecord;
  readonly createdAt: number;
  readonly assets: AssetRecord[];
}

export interface AssetRecord {
  readonly id: number;
  name: string;
  label: string | null;
  readonly contentType: string;
  readonly content: Uint8Array;
  readonly uploader: UserRecord;
  readonly createdAt: number;
  downloads: number;
}

export interface EventRecord {
  readonly id: number;
  readonly type: string;
  readonly actor: UserRecord;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
}
