import {
  addActionsToken,
  addApp,
  addInstallation,
  addInstallationToken,
  addToken,
  addUser,
  ensureUser,
  type NewInstallation,
  type NewTokenOptions,
  type NewUser,
} from "./accounts.js";
import { tokenDigest } from "./credentials.js";
import type { Permission, ReviewState } from "./entities.js";
import {
  addComment,
  addIssue,
  addPullRequest,
  addReview,
  addReviewComment,
  changeIssue,
  ensureLabel,
  type IssueChange,
  mergePullRequest,
  type NewCheckRun,
  type NewIssue,
  type NewPullRequest,
  setCheckRun,
} from "./issues.js";
import {
  addRepository,
  changeRepository,
  deleteRepository,
  type NewCommit,
  type NewRepository,
  pushCommit,
  type RepositoryChange,
  renameRepository,
  star,
  withoutUndefined,
} from "./repositories.js";
import type { WorldState } from "./world-state.js";

/** Where something lies. */
export interface InRepository {
  readonly owner: string;
  readonly repo: string;
}

/** An issue or a pull request. */
export interface OnIssue extends InRepository {
  readonly number: number;
}

/**
 * Changes to what the simulated GitHub holds, made behind the API's back: they cost nothing and appear in no log. All
 * of them are synchronous, and all take and return plain JSON, so that the control API can offer the same. An account
 * that is named but unknown is added.
 */
export interface SimulatedWorld {
  /** Adds a user, organization or bot. Throws when the login is taken. */
  addUser(user: NewUser | string): { readonly id: number; readonly login: string };
  /** Adds an organization. */
  addOrganization(login: string): { readonly id: number; readonly login: string };
  /** Makes `token` a credential of that user. Two tokens of one user share one quota. */
  addToken(token: string, userLogin: string, options?: NewTokenOptions): void;
  /** Makes `token` the `GITHUB_TOKEN` of a repository's workflow: 1,000 units an hour per repository. */
  addActionsToken(token: string, at: InRepository & { readonly enterprise?: boolean }): void;
  /** From now on `token` earns a 401. */
  revokeToken(token: string): void;
  /** Registers an app. With its PEM public key, the signatures of its JWTs are verified. */
  addApp(
    appId: number,
    options?: { readonly slug?: string; readonly publicKey?: string; readonly owner?: string },
  ): void;
  /** Installs an app on an account. Tokens are minted over REST, or made up with `addInstallationToken`. */
  addInstallation(appId: number, installation: NewInstallation): { readonly id: number };
  /** Makes `token` an installation token for the next `expiresInMs` (default one hour). */
  addInstallationToken(token: string, installationId: number, expiresInMs?: number): void;
  /** Adds a repository with an initial commit, a README and GitHub's nine labels. */
  addRepository(repository: NewRepository): { readonly id: number; readonly fullName: string };
  updateRepository(at: InRepository, change: RepositoryChange): void;
  /** The old name answers 301 from now on. */
  renameRepository(owner: string, repo: string, newName: string): void;
  deleteRepository(owner: string, repo: string): void;
  /** Gives a user a permission on a repository, or takes it away with `null`. */
  setCollaborator(at: InRepository, login: string, permission: Permission | null): void;
  addIssue(issue: InRepository & NewIssue): { readonly id: number; readonly number: number };
  addPullRequest(pull: InRepository & NewPullRequest): {
    readonly id: number;
    readonly number: number;
    readonly headSha: string;
  };
  updateIssue(at: OnIssue, change: IssueChange): void;
  updatePullRequest(at: OnIssue, change: IssueChange): void;
  mergePullRequest(at: OnIssue, by?: string): { readonly sha: string };
  addComment(comment: OnIssue & { readonly body: string; readonly user?: string }): { readonly id: number };
  addReview(review: OnIssue & { readonly state: ReviewState; readonly body?: string; readonly user?: string }): {
    readonly id: number;
  };
  addReviewComment(
    comment: OnIssue & {
      readonly body: string;
      readonly path?: string;
      readonly line?: number;
      readonly user?: string;
    },
  ): { readonly id: number };
  addLabel(at: InRepository, name: string): { readonly id: number };
  pushCommit(commit: InRepository & NewCommit): { readonly sha: string };
  /** Adds a check run, or changes the one of that name on that commit. */
  addCheckRun(run: InRepository & NewCheckRun): { readonly id: number };
  addStatus(
    status: InRepository & {
      readonly sha: string;
      readonly state: "error" | "failure" | "pending" | "success";
      readonly context?: string;
    },
  ): { readonly id: number };
  /** Commits one file to the default branch. Over the control API binary content is `{ "base64": … }`. */
  setFile(owner: string, repo: string, path: string, content: string | Uint8Array): { readonly sha: string };
  addRelease(release: InRepository & { readonly tagName: string; readonly name?: string; readonly body?: string }): {
    readonly id: number;
  };
  addNotification(login: string, about: OnIssue & { readonly reason?: string }): { readonly id: number };
  star(login: string, owner: string, repo: string): void;
  unstar(login: string, owner: string, repo: string): void;
}

/** The mutators over `state`. */
export function createWorld(state: WorldState): SimulatedWorld {
  const repositoryAt = (at: InRepository) => state.repository(at.owner, at.repo);
  const userOr = (login: string | undefined, at: InRepository) =>
    login === undefined ? repositoryAt(at).owner : ensureUser(state, login);
  const issueAt = (at: OnIssue) => state.issue(repositoryAt(at), at.number);
  const update = (at: OnIssue, change: IssueChange): void =>
    changeIssue(state, repositoryAt(at), issueAt(at), change, repositoryAt(at).owner);
  const identified = <T extends { readonly id: number }>({ id }: T): { readonly id: number } => ({ id });

  return {
    addUser: (user) => {
      const { id, login } = addUser(state, typeof user === "string" ? { login: user } : user);
      return { id, login };
    },
    addOrganization: (wanted) => {
      const { id, login } = addUser(state, { login: wanted, type: "Organization" });
      return { id, login };
    },
    addToken: (token, login, options) => addToken(state, token, login, options),
    addActionsToken: (token, at) => addActionsToken(state, token, repositoryAt(at), at.enterprise ?? false),
    revokeToken: (token) => {
      state.tokens.delete(tokenDigest(token));
      state.touchIdentities();
    },
    addApp: (appId, options = {}) => addApp(state, appId, options),
    addInstallation: (appId, installation) => ({ id: addInstallation(state, appId, installation) }),
    addInstallationToken: (token, installationId, expiresInMs = 3_600_000) =>
      addInstallationToken(state, token, installationId, state.now() + expiresInMs),
    addRepository: (wanted) => {
      const { id, owner, name } = addRepository(state, wanted);
      return { id, fullName: `${owner.login}/${name}` };
    },
    updateRepository: (at, change) => changeRepository(state, repositoryAt(at), change),
    renameRepository: (owner, repo, newName) => renameRepository(state, state.repository(owner, repo), newName),
    deleteRepository: (owner, repo) => deleteRepository(state, state.repository(owner, repo)),
    setCollaborator: (at, login, permission) => {
      const { collaborators } = repositoryAt(at);
      if (permission === null) collaborators.delete(ensureUser(state, login).id);
      else collaborators.set(ensureUser(state, login).id, permission);
      state.touchIdentities();
    },
    addIssue: (wanted) => {
      const { id, number } = addIssue(state, repositoryAt(wanted), wanted);
      return { id, number };
    },
    addPullRequest: (wanted) => {
      const { id, number, pull } = addPullRequest(state, repositoryAt(wanted), wanted);
      return { id, number, headSha: pull?.headSha ?? "" };
    },
    updateIssue: update,
    updatePullRequest: update,
    mergePullRequest: (at, by) => ({ sha: mergePullRequest(state, repositoryAt(at), issueAt(at), userOr(by, at)) }),
    addComment: (wanted) =>
      identified(addComment(state, repositoryAt(wanted), issueAt(wanted), wanted.body, userOr(wanted.user, wanted))),
    addReview: (wanted) =>
      identified(
        addReview(state, repositoryAt(wanted), issueAt(wanted), {
          state: wanted.state,
          body: wanted.body ?? "",
          user: userOr(wanted.user, wanted),
        }),
      ),
    addReviewComment: (wanted) =>
      identified(
        addReviewComment(state, repositoryAt(wanted), issueAt(wanted), {
          body: wanted.body,
          path: wanted.path ?? "README.md",
          line: wanted.line ?? 1,
          user: userOr(wanted.user, wanted),
        }),
      ),
    addLabel: (at, name) => identified(ensureLabel(state, repositoryAt(at), name)),
    pushCommit: (wanted) => ({ sha: pushCommit(state, repositoryAt(wanted), wanted).sha }),
    addCheckRun: (wanted) => {
      const repository = repositoryAt(wanted);
      const ref = wanted.ref ?? repository.defaultBranch;
      return identified(setCheckRun(state, repository, repository.refs.get(`refs/heads/${ref}`) ?? ref, wanted));
    },
    addStatus: (wanted) => {
      const repository = repositoryAt(wanted);
      const id = state.nextId("status");
      repository.statuses.push({
        id,
        sha: wanted.sha,
        state: wanted.state,
        context: wanted.context ?? "default",
        description: null,
        targetUrl: null,
        creator: repository.owner,
        createdAt: state.now(),
      });
      state.touch(repository);
      return { id };
    },
    setFile: (owner, repo, path, content) => ({
      sha: pushCommit(state, state.repository(owner, repo), { message: `Change ${path}`, files: { [path]: content } })
        .sha,
    }),
    addRelease: (wanted) => {
      const repository = repositoryAt(wanted);
      const id = state.nextId("release");
      repository.releases.unshift({
        id,
        name: null,
        body: null,
        ...withoutUndefined({ name: wanted.name, body: wanted.body }),
        tagName: wanted.tagName,
        author: repository.owner,
        createdAt: state.now(),
        assets: [],
      });
      state.touch(repository);
      return { id };
    },
    addNotification: (login, about) => {
      const repository = repositoryAt(about);
      const issue = issueAt(about);
      const id = state.nextId("notification");
      const type = issue.pull === undefined ? "Issue" : "PullRequest";
      ensureUser(state, login).notifications.unshift({
        id,
        repository,
        subject: { title: issue.title, type, number: issue.number },
        reason: about.reason ?? "subscribed",
        unread: true,
        updatedAt: state.now(),
        lastReadAt: null,
      });
      state.touch(repository);
      return { id };
    },
    star: (login, owner, repo) => star(state, ensureUser(state, login), state.repository(owner, repo), true),
    unstar: (login, owner, repo) => star(state, ensureUser(state, login), state.repository(owner, repo), false),
  };
}
