/**
 * The part of GitHub's GraphQL schema that the simulator answers. Names and types are GitHub's; a test holds them
 * against the published schema.
 *
 * @see https://docs.github.com/graphql/reference
 */
const OBJECTS = `
interface Actor {
  login: String! avatarUrl(size: Int): URI! url: URI! resourcePath: URI!
}
input AddCommentInput {
  body: String! clientMutationId: String subjectId: ID!
}
type AddCommentPayload {
  clientMutationId: String subject: Node commentEdge: IssueCommentEdge
}
input AddStarInput {
  clientMutationId: String starrableId: ID!
}
type AddStarPayload {
  clientMutationId: String starrable: Starrable
}
type Blob implements GitObject & Node {
  id: ID! oid: GitObjectID! abbreviatedOid: String! commitUrl: URI! byteSize: Int! isBinary: Boolean
  text: String
}
type Bot implements Actor & Node & UniformResourceLocatable {
  id: ID! databaseId: Int login: String! avatarUrl(size: Int): URI! url: URI! resourcePath: URI!
  createdAt: DateTime! updatedAt: DateTime!
}
type CheckRun implements Node {
  id: ID! databaseId: Int name: String! status: CheckStatusState! conclusion: CheckConclusionState
  startedAt: DateTime completedAt: DateTime detailsUrl: URI url: URI! title: String summary: String
}
type CheckSuite implements Node {
  id: ID! databaseId: Int status: CheckStatusState! conclusion: CheckConclusionState
  checkRuns(after: String, before: String, first: Int, last: Int): CheckRunConnection createdAt: DateTime!
  updatedAt: DateTime!
}
interface Closable {
  closed: Boolean! closedAt: DateTime
}
input CloseIssueInput {
  clientMutationId: String issueId: ID! stateReason: IssueClosedStateReason
}
type CloseIssuePayload {
  clientMutationId: String issue: Issue
}
interface Comment {
  id: ID! body: String! createdAt: DateTime! updatedAt: DateTime! author: Actor
}
type Commit implements GitObject & Node {
  id: ID! oid: GitObjectID! abbreviatedOid: String! commitUrl: URI! message: String!
  messageHeadline: String! messageBody: String! committedDate: DateTime! authoredDate: DateTime!
  author: GitActor url: URI!
  history(after: String, before: String, first: Int, last: Int, path: String, since: GitTimestamp, until: GitTimestamp): CommitHistoryConnection!
  parents(after: String, before: String, first: Int, last: Int): CommitConnection!
  statusCheckRollup: StatusCheckRollup
  checkSuites(after: String, before: String, first: Int, last: Int): CheckSuiteConnection status: Status
  additions: Int! deletions: Int! repository: Repository! tree: Tree!
}
type CommitHistoryConnection {
  nodes: [Commit] edges: [CommitEdge] pageInfo: PageInfo! totalCount: Int!
}
input CreateIssueInput {
  assigneeIds: [ID!] body: String clientMutationId: String labelIds: [ID!] repositoryId: ID!
  title: String!
}
type CreateIssuePayload {
  clientMutationId: String issue: Issue
}
type GitActor {
  name: String email: String date: GitTimestamp user: User
}
interface GitObject {
  id: ID! oid: GitObjectID! abbreviatedOid: String! commitUrl: URI!
}
type Issue implements Closable & Comment & Labelable & Node & UniformResourceLocatable {
  id: ID! databaseId: Int number: Int! title: String! body: String! bodyText: String! state: IssueState!
  stateReason(enableDuplicate: Boolean = false): IssueStateReason locked: Boolean! closed: Boolean!
  closedAt: DateTime createdAt: DateTime! updatedAt: DateTime! url: URI! resourcePath: URI! author: Actor
  authorAssociation: CommentAuthorAssociation!
  labels(after: String, before: String, first: Int, last: Int, orderBy: LabelOrder = {direction:ASC,field:CREATED_AT}): LabelConnection
  assignees(after: String, before: String, first: Int, last: Int): UserConnection!
  comments(after: String, before: String, first: Int, last: Int): IssueCommentConnection!
  repository: Repository! viewerDidAuthor: Boolean!
}
type IssueComment implements Comment & Node {
  id: ID! databaseId: Int body: String! bodyText: String! createdAt: DateTime! updatedAt: DateTime!
  url: URI! resourcePath: URI! author: Actor issue: Issue! repository: Repository!
  authorAssociation: CommentAuthorAssociation!
}
input IssueOrder {
  direction: OrderDirection! field: IssueOrderField!
}
type Label implements Node {
  id: ID! name: String! color: String! description: String isDefault: Boolean! createdAt: DateTime
  updatedAt: DateTime url: URI! resourcePath: URI!
  issues(after: String, before: String, first: Int, labels: [String!], last: Int, orderBy: IssueOrder, states: [IssueState!]): IssueConnection!
  repository: Repository!
}
input LabelOrder {
  direction: OrderDirection! field: LabelOrderField!
}
interface Labelable {
  labels(after: String, before: String, first: Int, last: Int, orderBy: LabelOrder = {direction:ASC,field:CREATED_AT}): LabelConnection
}
type Mutation {
  createIssue(input: CreateIssueInput!): CreateIssuePayload
  addComment(input: AddCommentInput!): AddCommentPayload
  closeIssue(input: CloseIssueInput!): CloseIssuePayload addStar(input: AddStarInput!): AddStarPayload
}
interface Node {
  id: ID!
}
type Organization implements Actor & Node & RepositoryOwner & UniformResourceLocatable {
  id: ID! databaseId: Int login: String! name: String description: String avatarUrl(size: Int): URI!
  url: URI! resourcePath: URI! createdAt: DateTime! updatedAt: DateTime!
  repositories(affiliations: [RepositoryAffiliation], after: String, before: String, first: Int, hasIssuesEnabled: Boolean, isArchived: Boolean, isFork: Boolean, isLocked: Boolean, last: Int, orderBy: RepositoryOrder, ownerAffiliations: [RepositoryAffiliation] = [OWNER,COLLABORATOR], privacy: RepositoryPrivacy, visibility: RepositoryVisibility): RepositoryConnection!
  repository(followRenames: Boolean = true, name: String!): Repository
}
type PageInfo {
  endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String
}
type PullRequest implements Closable & Comment & Labelable & Node & UniformResourceLocatable {
  id: ID! databaseId: Int fullDatabaseId: BigInt number: Int! title: String! body: String!
  bodyText: String! state: PullRequestState! isDraft: Boolean! locked: Boolean! closed: Boolean!
  closedAt: DateTime createdAt: DateTime! updatedAt: DateTime! merged: Boolean! mergedAt: DateTime
  mergedBy: Actor mergeable: MergeableState! url: URI! resourcePath: URI! author: Actor
  authorAssociation: CommentAuthorAssociation!
  labels(after: String, before: String, first: Int, last: Int, orderBy: LabelOrder = {direction:ASC,field:CREATED_AT}): LabelConnection
  assignees(after: String, before: String, first: Int, last: Int): UserConnection!
  comments(after: String, before: String, first: Int, last: Int): IssueCommentConnection!
  reviews(after: String, author: String, before: String, first: Int, last: Int, states: [PullRequestReviewState!]): PullRequestReviewConnection
  reviewThreads(after: String, before: String, first: Int, last: Int): PullRequestReviewThreadConnection!
  commits(after: String, before: String, first: Int, last: Int): PullRequestCommitConnection!
  headRefName: String! headRefOid: GitObjectID! baseRefName: String! baseRefOid: GitObjectID! headRef: Ref
  baseRef: Ref additions: Int! deletions: Int! changedFiles: Int! repository: Repository!
  reviewDecision: PullRequestReviewDecision statusCheckRollup: StatusCheckRollup viewerDidAuthor: Boolean!
}
type PullRequestCommit implements Node & UniformResourceLocatable {
  id: ID! commit: Commit! pullRequest: PullRequest! url: URI! resourcePath: URI!
}
type PullRequestReview implements Comment & Node {
  id: ID! databaseId: Int author: Actor body: String! state: PullRequestReviewState! submittedAt: DateTime
  createdAt: DateTime! updatedAt: DateTime! url: URI!
  comments(after: String, before: String, first: Int, last: Int): PullRequestReviewCommentConnection!
  pullRequest: PullRequest! authorAssociation: CommentAuthorAssociation!
}
type PullRequestReviewComment implements Comment & Node {
  id: ID! databaseId: Int author: Actor body: String! path: String! line: Int createdAt: DateTime!
  updatedAt: DateTime! url: URI! pullRequest: PullRequest! diffHunk: String!
}
type PullRequestReviewThread implements Node {
  id: ID! isResolved: Boolean! isOutdated: Boolean! path: String! line: Int
  comments(after: String, before: String, first: Int, last: Int, skip: Int): PullRequestReviewCommentConnection!
}
type Query {
  repository(followRenames: Boolean = true, name: String!, owner: String!): Repository viewer: User!
  user(login: String!): User organization(login: String!): Organization
  repositoryOwner(login: String!): RepositoryOwner node(id: ID!): Node nodes(ids: [ID!]!): [Node]!
  rateLimit(dryRun: Boolean = false): RateLimit
  search(after: String, before: String, first: Int, last: Int, query: String!, type: SearchType!): SearchResultItemConnection!
}
type RateLimit {
  cost: Int! limit: Int! nodeCount: Int! remaining: Int! resetAt: DateTime! used: Int!
}
type Ref implements Node {
  id: ID! name: String! prefix: String! target: GitObject repository: Repository!
}
type Release implements Node {
  id: ID! databaseId: Int name: String tagName: String! description: String createdAt: DateTime!
  publishedAt: DateTime isDraft: Boolean! isPrerelease: Boolean! url: URI! author: User isLatest: Boolean!
}
input ReleaseOrder {
  direction: OrderDirection! field: ReleaseOrderField!
}
type Repository implements Node & Starrable & UniformResourceLocatable {
  id: ID! databaseId: Int name: String! nameWithOwner: String! description: String homepageUrl: URI
  url: URI! resourcePath: URI! isPrivate: Boolean! isArchived: Boolean! isFork: Boolean!
  createdAt: DateTime! updatedAt: DateTime! pushedAt: DateTime owner: RepositoryOwner!
  stargazerCount: Int!
  stargazers(after: String, before: String, first: Int, last: Int, orderBy: StarOrder): StargazerConnection!
  viewerHasStarred: Boolean! viewerPermission: RepositoryPermission defaultBranchRef: Ref
  ref(qualifiedName: String!): Ref
  refs(after: String, before: String, direction: OrderDirection, first: Int, last: Int, query: String, refPrefix: String!): RefConnection
  object(expression: String, oid: GitObjectID): GitObject
  issues(after: String, before: String, first: Int, labels: [String!], last: Int, orderBy: IssueOrder, states: [IssueState!]): IssueConnection!
  issue(number: Int!): Issue
  pullRequests(after: String, baseRefName: String, before: String, first: Int, headRefName: String, labels: [String!], last: Int, orderBy: IssueOrder, states: [PullRequestState!]): PullRequestConnection!
  pullRequest(number: Int!): PullRequest issueOrPullRequest(number: Int!): IssueOrPullRequest
  labels(after: String, before: String, first: Int, last: Int, orderBy: LabelOrder = {direction:ASC,field:CREATED_AT}, query: String): LabelConnection
  label(name: String!): Label
  releases(after: String, before: String, first: Int, last: Int, orderBy: ReleaseOrder): ReleaseConnection!
  hasIssuesEnabled: Boolean! forkCount: Int! visibility: RepositoryVisibility!
}
input RepositoryOrder {
  direction: OrderDirection! field: RepositoryOrderField!
}
interface RepositoryOwner {
  id: ID! login: String! url: URI! avatarUrl(size: Int): URI!
  repositories(affiliations: [RepositoryAffiliation], after: String, before: String, first: Int, hasIssuesEnabled: Boolean, isArchived: Boolean, isFork: Boolean, isLocked: Boolean, last: Int, orderBy: RepositoryOrder, ownerAffiliations: [RepositoryAffiliation] = [OWNER,COLLABORATOR], privacy: RepositoryPrivacy, visibility: RepositoryVisibility): RepositoryConnection!
}
type SearchResultItemConnection {
  issueCount: Int! repositoryCount: Int! nodes: [SearchResultItem] edges: [SearchResultItemEdge]
  pageInfo: PageInfo! userCount: Int!
}
type SearchResultItemEdge {
  cursor: String! node: SearchResultItem
}
input StarOrder {
  direction: OrderDirection! field: StarOrderField!
}
type StargazerConnection {
  nodes: [User] edges: [StargazerEdge] pageInfo: PageInfo! totalCount: Int!
}
type StargazerEdge {
  cursor: String! node: User! starredAt: DateTime!
}
interface Starrable {
  id: ID! stargazerCount: Int!
  stargazers(after: String, before: String, first: Int, last: Int, orderBy: StarOrder): StargazerConnection!
  viewerHasStarred: Boolean!
}
type StarredRepositoryConnection {
  nodes: [Repository] edges: [StarredRepositoryEdge] pageInfo: PageInfo! totalCount: Int!
}
type StarredRepositoryEdge {
  cursor: String! node: Repository! starredAt: DateTime!
}
type Status implements Node {
  id: ID! state: StatusState! contexts: [StatusContext!]!
}
type StatusCheckRollup implements Node {
  id: ID! state: StatusState!
  contexts(after: String, before: String, first: Int, last: Int): StatusCheckRollupContextConnection!
  commit: Commit
}
type StatusContext implements Node {
  id: ID! context: String! state: StatusState! description: String targetUrl: URI createdAt: DateTime!
}
type Tree implements GitObject & Node {
  id: ID! oid: GitObjectID! abbreviatedOid: String! commitUrl: URI! entries: [TreeEntry!]
}
type TreeEntry {
  name: String! path: String type: String! mode: Int! size: Int! oid: GitObjectID! object: GitObject
}
interface UniformResourceLocatable {
  url: URI! resourcePath: URI!
}
type User implements Actor & Node & RepositoryOwner & UniformResourceLocatable {
  id: ID! databaseId: Int login: String! name: String bio: String company: String email: String!
  avatarUrl(size: Int): URI! url: URI! resourcePath: URI! createdAt: DateTime! updatedAt: DateTime!
  repositories(affiliations: [RepositoryAffiliation], after: String, before: String, first: Int, hasIssuesEnabled: Boolean, isArchived: Boolean, isFork: Boolean, isLocked: Boolean, last: Int, orderBy: RepositoryOrder, ownerAffiliations: [RepositoryAffiliation] = [OWNER,COLLABORATOR], privacy: RepositoryPrivacy, visibility: RepositoryVisibility): RepositoryConnection!
  issues(after: String, before: String, first: Int, labels: [String!], last: Int, orderBy: IssueOrder, states: [IssueState!]): IssueConnection!
  pullRequests(after: String, baseRefName: String, before: String, first: Int, headRefName: String, labels: [String!], last: Int, orderBy: IssueOrder, states: [PullRequestState!]): PullRequestConnection!
  starredRepositories(after: String, before: String, first: Int, last: Int, orderBy: StarOrder, ownedByViewer: Boolean): StarredRepositoryConnection!
  isViewer: Boolean!
}
enum CheckConclusionState { ACTION_REQUIRED CANCELLED FAILURE NEUTRAL SKIPPED STALE STARTUP_FAILURE SUCCESS TIMED_OUT }
enum CheckStatusState { COMPLETED IN_PROGRESS PENDING QUEUED REQUESTED WAITING }
enum CommentAuthorAssociation { COLLABORATOR CONTRIBUTOR FIRST_TIMER FIRST_TIME_CONTRIBUTOR MANNEQUIN MEMBER NONE OWNER }
enum IssueClosedStateReason { COMPLETED DUPLICATE NOT_PLANNED }
enum IssueOrderField { COMMENTS CREATED_AT UPDATED_AT }
enum IssueState { CLOSED OPEN }
enum IssueStateReason { COMPLETED DUPLICATE NOT_PLANNED REOPENED }
enum LabelOrderField { CREATED_AT NAME }
enum MergeableState { CONFLICTING MERGEABLE UNKNOWN }
enum OrderDirection { ASC DESC }
enum PullRequestReviewDecision { APPROVED CHANGES_REQUESTED REVIEW_REQUIRED }
enum PullRequestReviewState { APPROVED CHANGES_REQUESTED COMMENTED DISMISSED PENDING }
enum PullRequestState { CLOSED MERGED OPEN }
enum ReleaseOrderField { CREATED_AT NAME }
enum RepositoryAffiliation { COLLABORATOR ORGANIZATION_MEMBER OWNER }
enum RepositoryOrderField { CREATED_AT NAME PUSHED_AT STARGAZERS UPDATED_AT }
enum RepositoryPermission { ADMIN MAINTAIN READ TRIAGE WRITE }
enum RepositoryPrivacy { PRIVATE PUBLIC }
enum RepositoryVisibility { INTERNAL PRIVATE PUBLIC }
enum SearchType { DISCUSSION ISSUE REPOSITORY USER }
enum StarOrderField { STARRED_AT }
enum StatusState { ERROR EXPECTED FAILURE PENDING SUCCESS }
union IssueOrPullRequest = Issue | PullRequest
union SearchResultItem = Issue | Organization | PullRequest | Repository | User
union StatusCheckRollupContext = CheckRun | StatusContext
scalar BigInt
scalar DateTime
scalar GitObjectID
scalar GitTimestamp
scalar URI
`;

/** Types whose connection and edge have the usual fields and no others. */
const CONNECTED = [
  "CheckRun",
  "CheckSuite",
  "Commit",
  "IssueComment",
  "Issue",
  "Label",
  "PullRequestCommit",
  "PullRequest",
  "PullRequestReviewComment",
  "PullRequestReview",
  "PullRequestReviewThread",
  "Ref",
  "Release",
  "Repository",
  "StatusCheckRollupContext",
  "User",
];

/** The schema as text. */
export const SCHEMA_TEXT: string = [
  OBJECTS,
  ...CONNECTED.map(
    (name) =>
      `type ${name}Connection { nodes: [${name}] edges: [${name}Edge] pageInfo: PageInfo! totalCount: Int! }
type ${name}Edge { cursor: String! node: ${name} }`,
  ),
].join("\n");
