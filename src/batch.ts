export { type Batch, batchFor } from "./batch/batch.js";
export type { BatchFailure, BatchResult, BatchValue } from "./batch/batch-result.js";
export type { BatchOptions, BatchRequestOptions, BatchVariable } from "./batch/check-options.js";
export { GraphqlItemError, type GraphqlItemErrorEntry } from "./batch/item-error.js";
