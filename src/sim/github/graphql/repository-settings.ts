import type { RepositoryRecord, UserRecord } from "../world/entities.js";
import { allows, permissionOf } from "../world/visibility.js";
import { connect } from "./connections.js";
import type { Resolver, ResolverContext } from "./resolver-context.js";
import { account, type RepositorySource } from "./sources.js";

const never: Resolver = () => false;
const always: Resolver = () => true;
const nothing: Resolver = () => null;
const none: Resolver = () => [];
const noConnection: Resolver = (_source: unknown, args: object) => connect([], args, (one) => one);

/** Who may work on a repository, and is therefore offered as an assignee. */
function people({ record }: RepositorySource, args: object, { state }: ResolverContext): unknown {
  const members = [...record.collaborators.keys()].flatMap((id) => state.usersById.get(id) ?? []);
  const users = [record.owner, ...members].filter((one) => one.type === "User");
  return connect([...new Set<UserRecord>(users)], args, account);
}

const language = (name: string) => ({ id: `LAN_${name}`, name, color: null });
const languagesOf = ({ language: name }: RepositoryRecord): string[] => (name === null ? [] : [name]);
/** As REST's `languages` and `size` tell it. */
const LANGUAGE_BYTES = 4_096;
const DISK_KILOBYTES = 108;

/**
 * What a repository's settings page shows, in agreement with what REST tells. What cannot be set in the world is as GitHub
 * sets it for a new repository.
 */
export const repositorySettings: Readonly<Record<string, Resolver>> = {
  assignableUsers: people,
  mentionableUsers: people,
  hasProjectsEnabled: always,
  hasWikiEnabled: always,
  hasDiscussionsEnabled: never,
  isBlankIssuesEnabled: always,
  mergeCommitAllowed: always,
  rebaseMergeAllowed: always,
  squashMergeAllowed: always,
  deleteBranchOnMerge: never,
  isEmpty: ({ record }: RepositorySource) => record.commits.size === 0,
  isInOrganization: ({ record }: RepositorySource) => record.owner.type === "Organization",
  isMirror: never,
  isTemplate: never,
  isSecurityPolicyEnabled: never,
  isUserConfigurationRepository: ({ record }: RepositorySource) =>
    record.name.toLowerCase() === record.owner.login.toLowerCase(),
  usesCustomOpenGraphImage: never,
  openGraphImageUrl: ({ record }: RepositorySource) =>
    `https://opengraph.githubassets.com/1/${record.owner.login}/${record.name}`,
  sshUrl: ({ record }: RepositorySource, _args: unknown, { origins }: ResolverContext) =>
    `git@${new URL(origins.html).host}:${record.owner.login}/${record.name}.git`,
  diskUsage: () => DISK_KILOBYTES,
  primaryLanguage: ({ record }: RepositorySource) => languagesOf(record).map(language)[0] ?? null,
  languages: ({ record }: RepositorySource, args: object) => {
    const names = languagesOf(record);
    return {
      ...connect(names, args, language, () => ({ size: LANGUAGE_BYTES })),
      totalSize: LANGUAGE_BYTES * names.length,
    };
  },
  repositoryTopics: ({ record }: RepositorySource, args: object) =>
    connect(record.topics, args, (name) => ({
      id: `RT_${record.id}_${name}`,
      topic: { id: `T_${name}`, name },
      resourcePath: `/topics/${name}`,
      url: (_args: unknown, { origins }: ResolverContext) => `${origins.html}/topics/${name}`,
    })),
  // The owner watches what is theirs.
  watchers: ({ record }: RepositorySource, args: object) => connect([record.owner], args, account),
  viewerSubscription: ({ record }: RepositorySource, _args: unknown, { viewer }: ResolverContext) =>
    record.owner === viewer ? "SUBSCRIBED" : "UNSUBSCRIBED",
  viewerCanAdminister: ({ record }: RepositorySource, _args: unknown, { credential }: ResolverContext) =>
    allows(permissionOf(credential, record), "admin"),
  viewerDefaultMergeMethod: () => "MERGE",
  viewerDefaultCommitEmail: (_source: unknown, _args: unknown, { viewer }: ResolverContext) => viewer.email,
  viewerPossibleCommitEmails: (_source: unknown, _args: unknown, { viewer }: ResolverContext) =>
    viewer.email === null ? [] : [viewer.email],
  codeOfConduct: nothing,
  licenseInfo: nothing,
  mirrorUrl: nothing,
  parent: nothing,
  templateRepository: nothing,
  securityPolicyUrl: nothing,
  contactLinks: none,
  fundingLinks: none,
  issueTemplates: none,
  pullRequestTemplates: none,
  milestones: noConnection,
  projects: noConnection,
};
