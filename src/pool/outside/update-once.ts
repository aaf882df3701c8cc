import type { Changed, PoolDocuments } from "../documents.js";

/** One update of a document, as a promise. */
export function updateOnce<Result>(
  documents: PoolDocuments,
  key: string,
  change: (stored: unknown) => Changed<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    documents.update(key, change, (outcome) => {
      if (outcome.kind === "done") resolve(outcome.result);
      else reject(outcome.error);
    });
  });
}
