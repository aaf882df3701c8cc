import { ensureUser } from "./accounts.js";
import type {
  CheckConclusion,
  CheckRunRecord,
  CheckStatus,
  CommentRecord,
  IssueRecord,
  LabelRecord,
  PullRecord,
  RepositoryRecord,
  ReviewCommentRecord,
  ReviewRecord,
  StateReason,
  UserRecord,
} from "./entities.js";
import { objectSha } from "./git-hash.js";
import { pushCommit } from "./repositories.js";
import type { WorldState } from "./world-state.js";

/** An issue to add. */
export interface NewIssue {
  readonly title: string;
  readonly body?: string | null;
  /** Login of the author. Default: the repository's owner. */
  readonly user?: string;
  /** Names; a label that the repository lacks is added to it. */
  readonly labels?: readonly string[];
  readonly assignees?: readonly string[];
}

/** A pull request to add. */
export interface NewPullRequest extends NewIssue {
  /** Branch; it is created with a commit when there is none. Default `change-{number}`. */
  readonly head?: string;
  /** Default: the default branch. */
  readonly base?: string;
  readonly draft?: boolean;
  /** Logins of those who are asked for a review. */
  readonly reviewers?: readonly string[];
}

/** What of an issue or pull request can be changed. */
export interface IssueChange {
  readonly title?: string;
  readonly body?: string | null;
  readonly state?: "open" | "closed";
  readonly stateReason?: StateReason | null;
  readonly labels?: readonly string[];
  readonly assignees?: readonly string[];
  readonly draft?: boolean;
  /** Logins of those who are asked for a review; nothing to an issue. */
  readonly reviewers?: readonly string[];
  /** The branch that a pull request is to be merged into. */
  readonly base?: string;
  readonly locked?: boolean;
}

/** A check run to add or, by name and commit, to change. */
export interface NewCheckRun {
  readonly name: string;
  /** Commit SHA or branch. Default: the default branch. */
  readonly ref?: string;
  /** Default `completed`. */
  readonly status?: CheckStatus;
  /** Default `success` when completed. */
  readonly conclusion?: CheckConclusion | null;
  readonly title?: string;
  readonly summary?: string;
}

export function addIssue(state: WorldState, repository: RepositoryRecord, wanted: NewIssue): IssueRecord {
  const issue = append(state, repository, wanted, undefined);
  state.record(repository, "IssuesEvent", issue.user, { action: "opened", number: issue.number });
  return issue;
}

export function addPullRequest(state: WorldState, repository: RepositoryRecord, wanted: NewPullRequest): IssueRecord {
  const headRef = wanted.head ?? `change-${repository.issues.length + 1}`;
  const baseRef = wanted.base ?? repository.defaultBranch;
  const baseSha = repository.refs.get(`refs/heads/${baseRef}`) ?? objectSha("missing", baseRef);
  const headSha =
    repository.refs.get(`refs/heads/${headRef}`) ??
    pushCommit(state, repository, {
      message: wanted.title,
      branch: headRef,
      ...(wanted.user === undefined ? {} : { author: wanted.user }),
    }).sha;
  const pull: PullRecord = {
    id: state.nextId("pull"),
    headRef,
    headSha,
    baseRef,
    baseSha,
    draft: wanted.draft ?? false,
    mergedAt: null,
    mergedBy: null,
    mergeCommitSha: objectSha("merge", headSha, baseSha),
    commits: [headSha],
    reviews: [],
    reviewComments: [],
    requestedReviewers: (wanted.reviewers ?? []).map((login) => ensureUser(state, login)),
    additions: 12,
    deletions: 4,
    changedFiles: 1,
  };
  const issue = append(state, repository, wanted, pull);
  state.record(repository, "PullRequestEvent", issue.user, { action: "opened", number: issue.number });
  return issue;
}

export function changeIssue(
  state: WorldState,
  repository: RepositoryRecord,
  issue: IssueRecord,
  change: IssueChange,
  actor: UserRecord,
): void {
  const now = state.now();
  if (change.title !== undefined) issue.title = change.title;
  if (change.body !== undefined) issue.body = change.body;
  if (change.locked !== undefined) issue.locked = change.locked;
  if (change.labels !== undefined) issue.labels = change.labels.map((name) => ensureLabel(state, repository, name));
  if (change.assignees !== undefined) issue.assignees = change.assignees.map((login) => ensureUser(state, login));
  if (change.draft !== undefined && issue.pull !== undefined) issue.pull.draft = change.draft;
  if (change.reviewers !== undefined && issue.pull !== undefined)
    issue.pull.requestedReviewers = change.reviewers.map((login) => ensureUser(state, login));
  if (change.base !== undefined && issue.pull !== undefined) {
    issue.pull.baseRef = change.base;
    issue.pull.baseSha = repository.refs.get(`refs/heads/${change.base}`) ?? objectSha("missing", change.base);
  }
  if (change.state !== undefined && change.state !== issue.state) {
    issue.state = change.state;
    issue.closedAt = change.state === "closed" ? now : null;
    issue.closedBy = change.state === "closed" ? actor : null;
    issue.stateReason = change.state === "closed" ? "completed" : "reopened";
    const type = issue.pull === undefined ? "IssuesEvent" : "PullRequestEvent";
    state.record(repository, type, actor, {
      action: change.state === "closed" ? "closed" : "reopened",
      number: issue.number,
    });
  }
  if (change.stateReason !== undefined) issue.stateReason = change.stateReason;
  issue.updatedAt = now;
  state.touch(repository);
}

export function mergePullRequest(
  state: WorldState,
  repository: RepositoryRecord,
  issue: IssueRecord,
  actor: UserRecord,
): string {
  const { pull } = issue;
  if (pull === undefined) throw new RangeError(`${issue.number} is an issue, not a pull request.`);
  const commit = pushCommit(state, repository, {
    message: `Merge pull request #${issue.number}`,
    branch: pull.baseRef,
    author: actor.login,
  });
  pull.mergedAt = state.now();
  pull.mergedBy = actor;
  pull.mergeCommitSha = commit.sha;
  changeIssue(state, repository, issue, { state: "closed" }, actor);
  issue.stateReason = null;
  return commit.sha;
}

export function addComment(
  state: WorldState,
  repository: RepositoryRecord,
  issue: IssueRecord,
  body: string,
  user: UserRecord,
): CommentRecord {
  const now = state.now();
  const comment: CommentRecord = { id: state.nextId("comment"), body, user, createdAt: now, updatedAt: now };
  issue.comments.push(comment);
  issue.updatedAt = now;
  state.record(repository, "IssueCommentEvent", user, {
    action: "created",
    number: issue.number,
    comment_id: comment.id,
  });
  state.touch(repository);
  return comment;
}

export function addReview(
  state: WorldState,
  repository: RepositoryRecord,
  issue: IssueRecord,
  review: Pick<ReviewRecord, "body" | "state" | "user">,
): ReviewRecord {
  const pull = pullOf(issue);
  const record: ReviewRecord = {
    ...review,
    id: state.nextId("review"),
    commitSha: pull.headSha,
    submittedAt: state.now(),
  };
  pull.reviews.push(record);
  pull.requestedReviewers = pull.requestedReviewers.filter((one) => one !== review.user);
  issue.updatedAt = state.now();
  state.touch(repository);
  return record;
}

export function addReviewComment(
  state: WorldState,
  repository: RepositoryRecord,
  issue: IssueRecord,
  comment: Pick<ReviewCommentRecord, "body" | "line" | "path" | "user">,
): ReviewCommentRecord {
  const pull = pullOf(issue);
  const now = state.now();
  const record: ReviewCommentRecord = {
    ...comment,
    id: state.nextId("review-comment"),
    reviewId: pull.reviews.at(-1)?.id ?? null,
    commitSha: pull.headSha,
    createdAt: now,
    updatedAt: now,
  };
  pull.reviewComments.push(record);
  issue.updatedAt = now;
  state.touch(repository);
  return record;
}

export function setCheckRun(
  state: WorldState,
  repository: RepositoryRecord,
  headSha: string,
  wanted: NewCheckRun,
): CheckRunRecord {
  const now = state.now();
  const status = wanted.status ?? "completed";
  const conclusion = wanted.conclusion ?? (status === "completed" ? "success" : null);
  const known = repository.checkRuns.find((run) => run.headSha === headSha && run.name === wanted.name);
  const run: CheckRunRecord = known ?? {
    id: state.nextId("check-run"),
    headSha,
    name: wanted.name,
    status,
    conclusion,
    startedAt: now,
    completedAt: null,
    title: wanted.title ?? null,
    summary: wanted.summary ?? null,
  };
  if (known === undefined) repository.checkRuns.push(run);
  run.status = status;
  run.conclusion = conclusion;
  run.completedAt = status === "completed" ? now : null;
  state.touch(repository);
  return run;
}

export function ensureLabel(state: WorldState, repository: RepositoryRecord, name: string): LabelRecord {
  const known = repository.labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
  if (known !== undefined) return known;
  const label: LabelRecord = { id: state.nextId("label"), name, color: "ededed", description: null, default: false };
  repository.labels.push(label);
  state.touch(repository);
  return label;
}

function pullOf(issue: IssueRecord): PullRecord {
  if (issue.pull === undefined) throw new RangeError(`${issue.number} is an issue, not a pull request.`);
  return issue.pull;
}

function append(
  state: WorldState,
  repository: RepositoryRecord,
  wanted: NewIssue,
  pull: PullRecord | undefined,
): IssueRecord {
  const now = state.now();
  const issue: IssueRecord = {
    id: state.nextId("issue"),
    number: repository.issues.length + 1,
    title: wanted.title,
    body: wanted.body ?? null,
    user: wanted.user === undefined ? repository.owner : ensureUser(state, wanted.user),
    state: "open",
    stateReason: null,
    locked: false,
    labels: (wanted.labels ?? []).map((name) => ensureLabel(state, repository, name)),
    assignees: (wanted.assignees ?? []).map((login) => ensureUser(state, login)),
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    closedBy: null,
    comments: [],
    pull,
  };
  repository.issues.push(issue);
  state.touch(repository);
  return issue;
}
