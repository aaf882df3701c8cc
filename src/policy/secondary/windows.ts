// A call is counted when it is admitted and GitHub counts it when it arrives, and calls are on their way for differently
// long. So the windows of points and of content are a bucket longer than GitHub's.

/** Whole seconds: with the bucket that is leaving, at most 2 in 60 are given away. */
export const MINUTE_BUCKET_MS = 1_000;
export const BUCKETS_PER_MINUTE = 61;

/** Half minutes: at most 1 minute in 60 is given away. */
export const HOUR_BUCKET_MS = 30_000;
export const BUCKETS_PER_HOUR = 121;

/**
 * An answer is counted when it has come, which is after GitHub has counted it, so this window need be no longer than
 * GitHub's. Finer, because response time is what quiet pollers run out of: at most 1 in 120 is given away.
 */
export const RESPONSE_BUCKET_MS = 500;
export const RESPONSE_BUCKETS_PER_MINUTE = 120;

/**
 * Where processes divide the limit, the window is a little shorter than a minute. A poller that comes every half minute has
 * two polls in it then, and not at times three; with a part for the eight reads of two polls it would wait half a minute for
 * the oldest to leave. Over many processes the sum is the same; what more passes is taken off their parts.
 */
export const DIVIDED_RESPONSE_BUCKETS = 117;
