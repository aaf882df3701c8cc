/** Buckets whose windows last a minute; all others last an hour. */
const MINUTE_RESOURCES: ReadonlySet<string> = new Set([
  "search",
  "code_search",
  "source_import",
  "code_scanning_autofix",
  "dependency_snapshots",
  "dependency_sbom",
]);

/**
 * How long GitHub's window of a resource lasts, in milliseconds, before its headers have told.
 *
 * https://docs.github.com/en/rest/rate-limit/rate-limit
 */
export function windowLengthOf(resource: string): number {
  return MINUTE_RESOURCES.has(resource) ? 60_000 : 3_600_000;
}
