/** Fields that give a connection's items, or where the page stands; without a page size GitHub refuses them. */
export const ITEM_FIELDS: ReadonlySet<string> = new Set(["nodes", "edges", "pageInfo"]);

/**
 * Fields that only connections have, and that GitHub answers without a page size. (`updatedAt` and `viewerHasReacted`,
 * which a few connections have as well, tell nothing.)
 *
 * @see https://docs.github.com/graphql/reference/objects
 */
export const COUNT_FIELDS: ReadonlySet<string> = new Set([
  "totalCount",
  "authorCount",
  "checkRunCount",
  "checkRunCountsByState",
  "codeCount",
  "discussionCount",
  "filteredCount",
  "isOverLimit",
  "issueCount",
  "pageCount",
  "repositoryCount",
  "statusContextCount",
  "statusContextCountsByState",
  "totalDiskUsage",
  "totalRecurringMonthlyPriceInCents",
  "totalRecurringMonthlyPriceInDollars",
  "totalSize",
  "totalUniqueUserCount",
  "userCount",
  "wikiCount",
]);
