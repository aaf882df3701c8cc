// A call is counted when it is admitted and GitHub counts it when it arrives, and calls are on their way for differently
// long. So each window is a bucket longer than GitHub's.

/** Whole seconds: with the bucket that is leaving, at most 2 in 60 are given away. */
export const MINUTE_BUCKET_MS = 1_000;
export const BUCKETS_PER_MINUTE = 61;

/** Half minutes: at most 1 minute in 60 is given away. */
export const HOUR_BUCKET_MS = 30_000;
export const BUCKETS_PER_HOUR = 121;
