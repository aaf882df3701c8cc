import { parsePublicKey, type TokenLimits, tokenDigest } from "./credentials.js";
import type { RepositoryRecord, UserRecord } from "./entities.js";
import type { WorldState } from "./world-state.js";

/** A user, organization or bot to add. */
export interface NewUser {
  readonly login: string;
  readonly type?: "User" | "Organization" | "Bot";
  readonly name?: string | null;
  readonly bio?: string | null;
  readonly company?: string | null;
  readonly email?: string | null;
}

/** What makes one token different from others of its user. */
export interface NewTokenOptions {
  /** The `X-OAuth-Scopes` of its answers. Default `repo, user, notifications, workflow`. */
  readonly scopes?: string;
  /** Limits of this token alone, such as `{ core: 15_000 }` for an app owned by an enterprise. */
  readonly limits?: TokenLimits;
}

/** An app's installation to add. */
export interface NewInstallation {
  /** Login of the account it is installed on; it is added as an organization when there is none. */
  readonly account: string;
  /** `owner/name` of the repositories it may see. Default: all of the account. */
  readonly repositories?: "all" | readonly string[];
  /** Repositories that its limit is reckoned by. Default: as many as it may see. */
  readonly repositoryCount?: number;
  /** Users that its limit is reckoned by. Default 0. */
  readonly userCount?: number;
  /** Belongs to an enterprise: 15,000 units an hour. Default `false`. */
  readonly enterprise?: boolean;
}

export function addUser(state: WorldState, user: NewUser): UserRecord {
  const key = user.login.toLowerCase();
  if (user.login === "") throw new RangeError("addUser: `login` must not be empty.");
  if (state.users.has(key)) throw new RangeError(`addUser: there is already an account "${user.login}".`);
  const now = state.now();
  const record: UserRecord = {
    id: state.nextId("user"),
    login: user.login,
    type: user.type ?? "User",
    name: user.name ?? null,
    bio: user.bio ?? null,
    company: user.company ?? null,
    email: user.email ?? null,
    createdAt: now,
    updatedAt: now,
    starred: new Map(),
    notifications: [],
  };
  state.users.set(key, record);
  state.usersById.set(record.id, record);
  state.touchIdentities();
  return record;
}

export function ensureUser(state: WorldState, login: string, type: UserRecord["type"] = "User"): UserRecord {
  return state.users.get(login.toLowerCase()) ?? addUser(state, { login, type });
}

export function addToken(state: WorldState, token: string, login: string, options: NewTokenOptions = {}): void {
  const user = ensureUser(state, login);
  const scopes = options.scopes ?? "notifications, repo, user, workflow";
  state.tokens.set(tokenDigest(token), { kind: "user-token", user, scopes, limits: options.limits ?? {} });
  state.touchIdentities();
}

export function addActionsToken(
  state: WorldState,
  token: string,
  repository: RepositoryRecord,
  enterprise: boolean,
): void {
  state.tokens.set(tokenDigest(token), { kind: "actions-token", repository, enterprise });
  state.touchIdentities();
}

export function addApp(
  state: WorldState,
  appId: number,
  options: { readonly slug?: string; readonly publicKey?: string; readonly owner?: string },
): void {
  state.apps.set(appId, {
    id: appId,
    slug: options.slug ?? `app-${appId}`,
    owner: ensureUser(state, options.owner ?? "apps-inc", "Organization"),
    publicKey: options.publicKey === undefined ? undefined : parsePublicKey(options.publicKey),
    createdAt: state.now(),
  });
  state.touchIdentities();
}

export function addInstallation(state: WorldState, appId: number, installation: NewInstallation): number {
  if (!state.apps.has(appId)) addApp(state, appId, {});
  const id = state.nextId("installation");
  const listed = installation.repositories ?? "all";
  state.installations.set(id, {
    id,
    appId,
    account: ensureUser(state, installation.account, "Organization"),
    repositories: listed === "all" ? "all" : new Set(listed.map((fullName) => idOf(state, fullName))),
    repositoryCount: installation.repositoryCount,
    userCount: installation.userCount ?? 0,
    enterprise: installation.enterprise ?? false,
    createdAt: state.now(),
  });
  state.touchIdentities();
  return id;
}

export function addInstallationToken(
  state: WorldState,
  token: string,
  installationId: number,
  expiresAt: number,
): void {
  const installation = state.installations.get(installationId);
  if (installation === undefined)
    throw new RangeError(`There is no installation ${installationId}. Add it with world.addInstallation().`);
  state.tokens.set(tokenDigest(token), { kind: "installation-token", installation, expiresAt });
}

function idOf(state: WorldState, fullName: string): number {
  const [owner = "", name = ""] = fullName.split("/");
  return state.repository(owner, name).id;
}
