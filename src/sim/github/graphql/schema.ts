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
input AddLabelsToLabelableInput {
  clientMutationId: String labelIds: [ID!]! labelableId: ID!
}
type AddLabelsToLabelablePayload {
  clientMutationId: String labelable: Labelable
}
input AddPullRequestReviewInput {
  body: String clientMutationId: String commitOID: GitObjectID event: PullRequestReviewEvent pullRequestId: ID!
}
type AddPullRequestReviewPayload {
  clientMutationId: String pullRequestReview: PullRequestReview
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
type BranchProtectionRule implements Node {
  id: ID! pattern: String! requiresStrictStatusChecks: Boolean!
}
type CheckRun implements Node {
  id: ID! databaseId: Int name: String! status: CheckStatusState! conclusion: CheckConclusionState
  startedAt: DateTime completedAt: DateTime detailsUrl: URI url: URI! title: String summary: String
  checkSuite: CheckSuite! isRequired(pullRequestId: ID, pullRequestNumber: Int): Boolean!
}
type CheckSuite implements Node {
  id: ID! databaseId: Int status: CheckStatusState! conclusion: CheckConclusionState
  checkRuns(after: String, before: String, first: Int, last: Int): CheckRunConnection createdAt: DateTime!
  updatedAt: DateTime! workflowRun: WorkflowRun
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
input ClosePullRequestInput {
  clientMutationId: String pullRequestId: ID!
}
type ClosePullRequestPayload {
  clientMutationId: String pullRequest: PullRequest
}
type CodeOfConduct implements Node {
  id: ID! key: String! name: String! url: URI
}
interface Comment {
  id: ID! body: String! createdAt: DateTime! updatedAt: DateTime! author: Actor
}
type Commit implements GitObject & Node {
  id: ID! oid: GitObjectID! abbreviatedOid: String! commitUrl: URI! message: String!
  messageHeadline: String! messageBody: String! committedDate: DateTime! authoredDate: DateTime!
  author: GitActor authors(after: String, before: String, first: Int, last: Int): GitActorConnection! url: URI!
  history(after: String, before: String, first: Int, last: Int, path: String, since: GitTimestamp, until: GitTimestamp): CommitHistoryConnection!
  parents(after: String, before: String, first: Int, last: Int): CommitConnection!
  statusCheckRollup: StatusCheckRollup
  checkSuites(after: String, before: String, first: Int, last: Int): CheckSuiteConnection status: Status
  additions: Int! deletions: Int! repository: Repository! tree: Tree!
}
type CommitHistoryConnection {
  nodes: [Commit] edges: [CommitEdge] pageInfo: PageInfo! totalCount: Int!
}
input ConvertPullRequestToDraftInput {
  clientMutationId: String pullRequestId: ID!
}
type ConvertPullRequestToDraftPayload {
  clientMutationId: String pullRequest: PullRequest
}
input CreateIssueInput {
  assigneeIds: [ID!] body: String clientMutationId: String labelIds: [ID!] milestoneId: ID projectIds: [ID!]
  repositoryId: ID! title: String!
}
type CreateIssuePayload {
  clientMutationId: String issue: Issue
}
input CreatePullRequestInput {
  baseRefName: String! body: String clientMutationId: String draft: Boolean = false headRefName: String!
  headRepositoryId: ID maintainerCanModify: Boolean = true repositoryId: ID! title: String!
}
type CreatePullRequestPayload {
  clientMutationId: String pullRequest: PullRequest
}
type FundingLink {
  platform: FundingPlatform! url: URI!
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
  repository: Repository! viewerDidAuthor: Boolean! milestone: Milestone reactionGroups: [ReactionGroup!]
  projectCards(after: String, before: String, first: Int, last: Int): ProjectCardConnection!
  projectItems(after: String, before: String, first: Int, includeArchived: Boolean = true, last: Int): ProjectV2ItemConnection!
}
type IssueComment implements Comment & Node {
  id: ID! databaseId: Int body: String! bodyText: String! createdAt: DateTime! updatedAt: DateTime!
  url: URI! resourcePath: URI! author: Actor issue: Issue! repository: Repository!
  authorAssociation: CommentAuthorAssociation! includesCreatedEdit: Boolean! isMinimized: Boolean!
  minimizedReason: String reactionGroups: [ReactionGroup!] viewerDidAuthor: Boolean!
}
input IssueFilters {
  assignee: String createdBy: String labels: [String!] mentioned: String since: DateTime states: [IssueState!]
}
input IssueOrder {
  direction: OrderDirection! field: IssueOrderField!
}
type IssueTemplate {
  about: String body: String name: String! title: String
}
type Label implements Node {
  id: ID! name: String! color: String! description: String isDefault: Boolean! createdAt: DateTime
  updatedAt: DateTime url: URI! resourcePath: URI!
  issues(after: String, before: String, filterBy: IssueFilters, first: Int, labels: [String!], last: Int, orderBy: IssueOrder, states: [IssueState!]): IssueConnection!
  repository: Repository!
}
input LabelOrder {
  direction: OrderDirection! field: LabelOrderField!
}
interface Labelable {
  labels(after: String, before: String, first: Int, last: Int, orderBy: LabelOrder = {direction:ASC,field:CREATED_AT}): LabelConnection
}
type Language implements Node {
  id: ID! name: String! color: String
}
type LanguageConnection {
  nodes: [Language] edges: [LanguageEdge] pageInfo: PageInfo! totalCount: Int! totalSize: Int!
}
type LanguageEdge {
  cursor: String! node: Language! size: Int!
}
type License implements Node {
  id: ID! key: String! name: String! nickname: String spdxId: String url: URI
}
input MarkPullRequestReadyForReviewInput {
  clientMutationId: String pullRequestId: ID!
}
type MarkPullRequestReadyForReviewPayload {
  clientMutationId: String pullRequest: PullRequest
}
input MergePullRequestInput {
  authorEmail: String clientMutationId: String commitBody: String commitHeadline: String
  expectedHeadOid: GitObjectID mergeMethod: PullRequestMergeMethod = MERGE pullRequestId: ID!
}
type MergePullRequestPayload {
  actor: Actor clientMutationId: String pullRequest: PullRequest
}
type Milestone implements Closable & Node {
  id: ID! number: Int! title: String! description: String dueOn: DateTime state: MilestoneState! closed: Boolean!
  closedAt: DateTime url: URI!
}
type Mutation {
  createIssue(input: CreateIssueInput!): CreateIssuePayload
  createPullRequest(input: CreatePullRequestInput!): CreatePullRequestPayload
  updatePullRequest(input: UpdatePullRequestInput!): UpdatePullRequestPayload
  requestReviews(input: RequestReviewsInput!): RequestReviewsPayload
  addComment(input: AddCommentInput!): AddCommentPayload
  closeIssue(input: CloseIssueInput!): CloseIssuePayload addStar(input: AddStarInput!): AddStarPayload
  addLabelsToLabelable(input: AddLabelsToLabelableInput!): AddLabelsToLabelablePayload
  addPullRequestReview(input: AddPullRequestReviewInput!): AddPullRequestReviewPayload
  closePullRequest(input: ClosePullRequestInput!): ClosePullRequestPayload
  convertPullRequestToDraft(input: ConvertPullRequestToDraftInput!): ConvertPullRequestToDraftPayload
  markPullRequestReadyForReview(input: MarkPullRequestReadyForReviewInput!): MarkPullRequestReadyForReviewPayload
  mergePullRequest(input: MergePullRequestInput!): MergePullRequestPayload
  removeLabelsFromLabelable(input: RemoveLabelsFromLabelableInput!): RemoveLabelsFromLabelablePayload
  reopenIssue(input: ReopenIssueInput!): ReopenIssuePayload
  reopenPullRequest(input: ReopenPullRequestInput!): ReopenPullRequestPayload
  updateIssue(input: UpdateIssueInput!): UpdateIssuePayload
}
interface Node {
  id: ID!
}
type Organization implements Actor & Node & RepositoryOwner & UniformResourceLocatable {
  id: ID! databaseId: Int login: String! name: String description: String avatarUrl(size: Int): URI!
  url: URI! resourcePath: URI! createdAt: DateTime! updatedAt: DateTime!
  repositories(affiliations: [RepositoryAffiliation], after: String, before: String, first: Int, hasIssuesEnabled: Boolean, isArchived: Boolean, isFork: Boolean, isLocked: Boolean, last: Int, orderBy: RepositoryOrder, ownerAffiliations: [RepositoryAffiliation] = [OWNER,COLLABORATOR], privacy: RepositoryPrivacy, visibility: RepositoryVisibility): RepositoryConnection!
  repository(followRenames: Boolean = true, name: String!): Repository
  teams(after: String, before: String, first: Int, last: Int, orderBy: TeamOrder): TeamConnection!
}
type PageInfo {
  endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String
}
type Project implements Closable & Node {
  id: ID! name: String! number: Int! body: String resourcePath: URI! closed: Boolean! closedAt: DateTime
}
type ProjectCard implements Node {
  id: ID! project: Project! column: ProjectColumn
}
type ProjectColumn implements Node {
  id: ID! name: String!
}
type ProjectV2 implements Closable & Node {
  id: ID! title: String! number: Int! closed: Boolean! closedAt: DateTime url: URI! resourcePath: URI!
}
type ProjectV2Item implements Node {
  id: ID! project: ProjectV2! isArchived: Boolean!
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
  headRepository: Repository headRepositoryOwner: RepositoryOwner isCrossRepository: Boolean!
  maintainerCanModify: Boolean! mergeCommit: Commit potentialMergeCommit: Commit mergeStateStatus: MergeStateStatus!
  files(after: String, before: String, first: Int, last: Int): PullRequestChangedFileConnection
  latestReviews(after: String, before: String, first: Int, last: Int): PullRequestReviewConnection
  reviewRequests(after: String, before: String, first: Int, last: Int): ReviewRequestConnection
  milestone: Milestone reactionGroups: [ReactionGroup!]
  projectCards(after: String, before: String, first: Int, last: Int): ProjectCardConnection!
  projectItems(after: String, before: String, first: Int, includeArchived: Boolean = true, last: Int): ProjectV2ItemConnection!
}
type PullRequestChangedFile {
  path: String! additions: Int! deletions: Int! changeType: PatchStatus!
}
type PullRequestCommit implements Node & UniformResourceLocatable {
  id: ID! commit: Commit! pullRequest: PullRequest! url: URI! resourcePath: URI!
}
type PullRequestReview implements Comment & Node {
  id: ID! databaseId: Int author: Actor body: String! state: PullRequestReviewState! submittedAt: DateTime
  createdAt: DateTime! updatedAt: DateTime! url: URI!
  comments(after: String, before: String, first: Int, last: Int): PullRequestReviewCommentConnection!
  pullRequest: PullRequest! authorAssociation: CommentAuthorAssociation! commit: Commit
  reactionGroups: [ReactionGroup!] viewerDidAuthor: Boolean!
}
type PullRequestReviewComment implements Comment & Node {
  id: ID! databaseId: Int author: Actor body: String! path: String! line: Int createdAt: DateTime!
  updatedAt: DateTime! url: URI! pullRequest: PullRequest! diffHunk: String!
}
type PullRequestReviewThread implements Node {
  id: ID! isResolved: Boolean! isOutdated: Boolean! path: String! line: Int
  comments(after: String, before: String, first: Int, last: Int, skip: Int): PullRequestReviewCommentConnection!
}
type PullRequestTemplate {
  body: String filename: String repository: Repository!
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
type ReactingUserConnection {
  nodes: [User] edges: [ReactingUserEdge] pageInfo: PageInfo! totalCount: Int!
}
type ReactingUserEdge {
  cursor: String! node: User! reactedAt: DateTime!
}
type ReactionGroup {
  content: ReactionContent! createdAt: DateTime viewerHasReacted: Boolean!
  users(after: String, before: String, first: Int, last: Int): ReactingUserConnection!
}
type Ref implements Node {
  id: ID! name: String! prefix: String! target: GitObject repository: Repository!
  branchProtectionRule: BranchProtectionRule
}
type Release implements Node {
  id: ID! databaseId: Int name: String tagName: String! description: String createdAt: DateTime!
  publishedAt: DateTime isDraft: Boolean! isPrerelease: Boolean! url: URI! author: User isLatest: Boolean!
}
input ReleaseOrder {
  direction: OrderDirection! field: ReleaseOrderField!
}
input RemoveLabelsFromLabelableInput {
  clientMutationId: String labelIds: [ID!]! labelableId: ID!
}
type RemoveLabelsFromLabelablePayload {
  clientMutationId: String labelable: Labelable
}
input ReopenIssueInput {
  clientMutationId: String issueId: ID!
}
type ReopenIssuePayload {
  clientMutationId: String issue: Issue
}
input ReopenPullRequestInput {
  clientMutationId: String pullRequestId: ID!
}
type ReopenPullRequestPayload {
  clientMutationId: String pullRequest: PullRequest
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
  issues(after: String, before: String, filterBy: IssueFilters, first: Int, labels: [String!], last: Int, orderBy: IssueOrder, states: [IssueState!]): IssueConnection!
  issue(number: Int!): Issue
  pullRequests(after: String, baseRefName: String, before: String, first: Int, headRefName: String, labels: [String!], last: Int, orderBy: IssueOrder, states: [PullRequestState!]): PullRequestConnection!
  pullRequest(number: Int!): PullRequest issueOrPullRequest(number: Int!): IssueOrPullRequest
  labels(after: String, before: String, first: Int, last: Int, orderBy: LabelOrder = {direction:ASC,field:CREATED_AT}, query: String): LabelConnection
  label(name: String!): Label
  releases(after: String, before: String, first: Int, last: Int, orderBy: ReleaseOrder): ReleaseConnection!
  hasIssuesEnabled: Boolean! forkCount: Int! visibility: RepositoryVisibility!
  assignableUsers(after: String, before: String, first: Int, last: Int, query: String): UserConnection! codeOfConduct: CodeOfConduct
  contactLinks: [RepositoryContactLink!] deleteBranchOnMerge: Boolean! diskUsage: Int fundingLinks: [FundingLink!]!
  hasDiscussionsEnabled: Boolean! hasProjectsEnabled: Boolean! hasWikiEnabled: Boolean!
  isBlankIssuesEnabled: Boolean! isEmpty: Boolean! isInOrganization: Boolean! isMirror: Boolean!
  isSecurityPolicyEnabled: Boolean isTemplate: Boolean! isUserConfigurationRepository: Boolean!
  issueTemplates: [IssueTemplate!] languages(after: String, before: String, first: Int, last: Int): LanguageConnection
  latestRelease: Release licenseInfo: License
  mentionableUsers(after: String, before: String, first: Int, last: Int, query: String): UserConnection!
  mergeCommitAllowed: Boolean! rebaseMergeAllowed: Boolean! squashMergeAllowed: Boolean!
  milestones(after: String, before: String, first: Int, last: Int, query: String, states: [MilestoneState!]): MilestoneConnection
  mirrorUrl: URI openGraphImageUrl: URI! usesCustomOpenGraphImage: Boolean! parent: Repository
  primaryLanguage: Language projects(after: String, before: String, first: Int, last: Int, search: String, states: [ProjectState!]): ProjectConnection!
  pullRequestTemplates: [PullRequestTemplate!] release(tagName: String!): Release
  repositoryTopics(after: String, before: String, first: Int, last: Int): RepositoryTopicConnection!
  securityPolicyUrl: URI sshUrl: GitSSHRemote! templateRepository: Repository viewerCanAdminister: Boolean!
  viewerDefaultCommitEmail: String viewerDefaultMergeMethod: PullRequestMergeMethod!
  viewerPossibleCommitEmails: [String!] viewerSubscription: SubscriptionState
  watchers(after: String, before: String, first: Int, last: Int): UserConnection!
}
type RepositoryContactLink {
  about: String! name: String! url: URI!
}
input RepositoryOrder {
  direction: OrderDirection! field: RepositoryOrderField!
}
interface RepositoryOwner {
  id: ID! login: String! url: URI! avatarUrl(size: Int): URI!
  repositories(affiliations: [RepositoryAffiliation], after: String, before: String, first: Int, hasIssuesEnabled: Boolean, isArchived: Boolean, isFork: Boolean, isLocked: Boolean, last: Int, orderBy: RepositoryOrder, ownerAffiliations: [RepositoryAffiliation] = [OWNER,COLLABORATOR], privacy: RepositoryPrivacy, visibility: RepositoryVisibility): RepositoryConnection!
}
type RepositoryTopic implements Node & UniformResourceLocatable {
  id: ID! topic: Topic! url: URI! resourcePath: URI!
}
input RequestReviewsInput {
  clientMutationId: String pullRequestId: ID! teamIds: [ID!] union: Boolean = false userIds: [ID!]
}
type RequestReviewsPayload {
  actor: Actor clientMutationId: String pullRequest: PullRequest
}
type ReviewRequest implements Node {
  id: ID! asCodeOwner: Boolean! pullRequest: PullRequest! requestedReviewer: RequestedReviewer
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
  isRequired(pullRequestId: ID, pullRequestNumber: Int): Boolean!
}
type Team implements Node {
  id: ID! name: String! slug: String! organization: Organization!
}
input TeamOrder {
  direction: OrderDirection! field: TeamOrderField!
}
type Topic implements Node {
  id: ID! name: String!
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
input UpdateIssueInput {
  assigneeIds: [ID!] body: String clientMutationId: String id: ID! labelIds: [ID!] milestoneId: ID projectIds: [ID!]
  state: IssueState title: String
}
type UpdateIssuePayload {
  actor: Actor clientMutationId: String issue: Issue
}
input UpdatePullRequestInput {
  assigneeIds: [ID!] baseRefName: String body: String clientMutationId: String labelIds: [ID!]
  maintainerCanModify: Boolean milestoneId: ID projectIds: [ID!] pullRequestId: ID! state: PullRequestUpdateState
  title: String
}
type UpdatePullRequestPayload {
  actor: Actor clientMutationId: String pullRequest: PullRequest
}
type User implements Actor & Node & RepositoryOwner & UniformResourceLocatable {
  id: ID! databaseId: Int login: String! name: String bio: String company: String email: String!
  avatarUrl(size: Int): URI! url: URI! resourcePath: URI! createdAt: DateTime! updatedAt: DateTime!
  repositories(affiliations: [RepositoryAffiliation], after: String, before: String, first: Int, hasIssuesEnabled: Boolean, isArchived: Boolean, isFork: Boolean, isLocked: Boolean, last: Int, orderBy: RepositoryOrder, ownerAffiliations: [RepositoryAffiliation] = [OWNER,COLLABORATOR], privacy: RepositoryPrivacy, visibility: RepositoryVisibility): RepositoryConnection!
  issues(after: String, before: String, filterBy: IssueFilters, first: Int, labels: [String!], last: Int, orderBy: IssueOrder, states: [IssueState!]): IssueConnection!
  pullRequests(after: String, baseRefName: String, before: String, first: Int, headRefName: String, labels: [String!], last: Int, orderBy: IssueOrder, states: [PullRequestState!]): PullRequestConnection!
  starredRepositories(after: String, before: String, first: Int, last: Int, orderBy: StarOrder, ownedByViewer: Boolean): StarredRepositoryConnection!
  isViewer: Boolean!
}
type Workflow implements Node {
  id: ID! databaseId: Int name: String!
}
type WorkflowRun implements Node {
  id: ID! databaseId: Int workflow: Workflow!
}
enum CheckConclusionState { ACTION_REQUIRED CANCELLED FAILURE NEUTRAL SKIPPED STALE STARTUP_FAILURE SUCCESS TIMED_OUT }
enum CheckStatusState { COMPLETED IN_PROGRESS PENDING QUEUED REQUESTED WAITING }
enum CommentAuthorAssociation { COLLABORATOR CONTRIBUTOR FIRST_TIMER FIRST_TIME_CONTRIBUTOR MANNEQUIN MEMBER NONE OWNER }
enum FundingPlatform { CUSTOM GITHUB KO_FI LIBERAPAY OPEN_COLLECTIVE PATREON TIDELIFT }
enum IssueClosedStateReason { COMPLETED DUPLICATE NOT_PLANNED }
enum IssueOrderField { COMMENTS CREATED_AT UPDATED_AT }
enum IssueState { CLOSED OPEN }
enum IssueStateReason { COMPLETED DUPLICATE NOT_PLANNED REOPENED }
enum LabelOrderField { CREATED_AT NAME }
enum MergeStateStatus { BEHIND BLOCKED CLEAN DIRTY DRAFT HAS_HOOKS UNKNOWN UNSTABLE }
enum MergeableState { CONFLICTING MERGEABLE UNKNOWN }
enum MilestoneState { CLOSED OPEN }
enum OrderDirection { ASC DESC }
enum PatchStatus { ADDED CHANGED COPIED DELETED MODIFIED RENAMED }
enum ProjectState { CLOSED OPEN }
enum PullRequestMergeMethod { MERGE REBASE SQUASH }
enum PullRequestReviewDecision { APPROVED CHANGES_REQUESTED REVIEW_REQUIRED }
enum PullRequestReviewEvent { APPROVE COMMENT DISMISS REQUEST_CHANGES }
enum PullRequestReviewState { APPROVED CHANGES_REQUESTED COMMENTED DISMISSED PENDING }
enum PullRequestState { CLOSED MERGED OPEN }
enum PullRequestUpdateState { CLOSED OPEN }
enum ReactionContent { CONFUSED EYES HEART HOORAY LAUGH ROCKET THUMBS_DOWN THUMBS_UP }
enum ReleaseOrderField { CREATED_AT NAME }
enum RepositoryAffiliation { COLLABORATOR ORGANIZATION_MEMBER OWNER }
enum RepositoryOrderField { CREATED_AT NAME PUSHED_AT STARGAZERS UPDATED_AT }
enum RepositoryPermission { ADMIN MAINTAIN READ TRIAGE WRITE }
enum RepositoryPrivacy { PRIVATE PUBLIC }
enum RepositoryVisibility { INTERNAL PRIVATE PUBLIC }
enum SearchType { DISCUSSION ISSUE REPOSITORY USER }
enum StarOrderField { STARRED_AT }
enum SubscriptionState { IGNORED SUBSCRIBED UNSUBSCRIBED }
enum TeamOrderField { NAME }
enum StatusState { ERROR EXPECTED FAILURE PENDING SUCCESS }
union IssueOrPullRequest = Issue | PullRequest
union RequestedReviewer = Bot | Team | User
union SearchResultItem = Issue | Organization | PullRequest | Repository | User
union StatusCheckRollupContext = CheckRun | StatusContext
scalar BigInt
scalar DateTime
scalar GitObjectID
scalar GitSSHRemote
scalar GitTimestamp
scalar URI
`;

/** Types whose connection and edge have the usual fields and no others. */
const CONNECTED = [
  "CheckRun",
  "CheckSuite",
  "Commit",
  "GitActor",
  "IssueComment",
  "Issue",
  "Label",
  "Milestone",
  "Project",
  "ProjectCard",
  "ProjectV2Item",
  "PullRequestChangedFile",
  "PullRequestCommit",
  "PullRequest",
  "PullRequestReviewComment",
  "PullRequestReview",
  "PullRequestReviewThread",
  "Ref",
  "Release",
  "Repository",
  "RepositoryTopic",
  "ReviewRequest",
  "StatusCheckRollupContext",
  "Team",
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
