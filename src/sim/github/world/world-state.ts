import type { Clock } from "../../../clock.js";
import { type AppRecord, type InstallationRecord, type TokenRecord, tokenDigest } from "./credentials.js";
import type { EventRecord, IssueRecord, RepositoryRecord, UserRecord } from "./entities.js";

/** GitHub keeps this many events of a repository. */
const MAX_EVENTS = 300;

/** Everything the simulated GitHub knows, and how to find it. */
export class WorldState {
  readonly users: Map<string, UserRecord> = new Map();
  readonly usersById: Map<number, UserRecord> = new Map();
  readonly repositories: Map<string, RepositoryRecord> = new Map();
  readonly repositoriesById: Map<number, RepositoryRecord> = new Map();
  /** Names that repositories had before, to their ids. */
  readonly formerNames: Map<string, number> = new Map();
  readonly tokens: Map<string, TokenRecord> = new Map();
  readonly apps: Map<number, AppRecord> = new Map();
  readonly installations: Map<number, InstallationRecord> = new Map();
  /** Grows with every change. */
  version = 0;
  /** Grows with every change of users, tokens or memberships: what anybody's answer may depend on. */
  identityVersion = 0;
  /** GitHub's clock runs ahead of the simulator's by this much. */
  skewMs: number;
  readonly #clock: Clock;
  readonly #counters = new Map<string, number>();

  constructor(clock: Clock, skewMs: number) {
    this.#clock = clock;
    this.skewMs = skewMs;
  }

  /** GitHub's time. */
  now(): number {
    return this.#clock.now() + this.skewMs;
  }

  nextId(kind: string): number {
    const id = (this.#counters.get(kind) ?? 1_000) + 1;
    this.#counters.set(kind, id);
    return id;
  }

  /** Something in `repository` changed. */
  touch(repository: RepositoryRecord): void {
    repository.version++;
    this.version++;
  }

  touchIdentities(): void {
    this.identityVersion++;
    this.version++;
  }

  user(login: string): UserRecord {
    const user = this.users.get(login.toLowerCase());
    if (user === undefined)
      throw new RangeError(`The simulated GitHub has no account "${login}". Add it with world.addUser().`);
    return user;
  }

  repository(owner: string, name: string): RepositoryRecord {
    const repository = this.findRepository(owner, name);
    if (repository === undefined) {
      throw new RangeError(
        `The simulated GitHub has no repository "${owner}/${name}". Add it with world.addRepository().`,
      );
    }
    return repository;
  }

  findRepository(owner: string, name: string): RepositoryRecord | undefined {
    return this.repositories.get(fullNameKey(owner, name));
  }

  issue(repository: RepositoryRecord, number: number): IssueRecord {
    const issue = repository.issues[number - 1];
    if (issue === undefined) {
      throw new RangeError(`${repository.owner.login}/${repository.name} has no issue or pull request ${number}.`);
    }
    return issue;
  }

  token(token: string): TokenRecord | undefined {
    return this.tokens.get(tokenDigest(token));
  }

  record(repository: RepositoryRecord, type: string, actor: UserRecord, payload: EventRecord["payload"]): void {
    const id = this.nextId("event");
    repository.events.unshift({ id, type, actor, payload, createdAt: this.now() });
    if (repository.events.length > MAX_EVENTS) repository.events.pop();
  }

  /** Forgets everything, counters included. */
  clear(): void {
    for (const map of [this.users, this.usersById, this.repositories, this.repositoriesById, this.formerNames])
      map.clear();
    for (const map of [this.tokens, this.apps, this.installations, this.#counters]) map.clear();
    this.touchIdentities();
  }
}

export function fullNameKey(owner: string, name: string): string {
  return `${owner}/${name}`.toLowerCase();
}
