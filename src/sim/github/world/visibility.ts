import type { Credential } from "./credentials.js";
import type { Permission, RepositoryRecord, UserRecord } from "./entities.js";

const RANK: Readonly<Record<Permission, number>> = { read: 1, triage: 2, write: 3, maintain: 4, admin: 5 };

/** The user that a credential acts for; an installation acts for the account it is installed on. */
export function actorOf(credential: Credential): UserRecord | undefined {
  switch (credential.kind) {
    case "user-token":
      return credential.user;
    case "installation-token":
      return credential.installation.account;
    case "actions-token":
      return credential.repository.owner;
    default:
      return undefined;
  }
}

/** What a credential may do with a repository; undefined: it may not even know of it. */
export function permissionOf(credential: Credential, repository: RepositoryRecord): Permission | undefined {
  const everybody = repository.private ? undefined : "read";
  switch (credential.kind) {
    case "user-token":
      if (credential.user === repository.owner) return "admin";
      return repository.collaborators.get(credential.user.id) ?? everybody;
    case "installation-token": {
      const { repositories, account } = credential.installation;
      const installed = repositories === "all" ? account === repository.owner : repositories.has(repository.id);
      return installed ? "admin" : everybody;
    }
    case "actions-token":
      return credential.repository === repository ? "write" : everybody;
    default:
      return everybody;
  }
}

export function allows(permission: Permission | undefined, needed: Permission): boolean {
  return permission !== undefined && RANK[permission] >= RANK[needed];
}
