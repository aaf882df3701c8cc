import type { QuotaDocument } from "../policy/share/quota-document.js";
import { type ShareReport, type ShareUpdate, updateShare } from "../policy/share.js";
import { isUnreadableDocument } from "../store/document.js";
import type { PoolDocuments } from "./documents.js";
import type { GitHubTime } from "./github-time.js";
import { newestDocument } from "./newest-document.js";

/** A report that was made: of what document, and what came of it. */
export interface MadeUpdate extends ShareUpdate {
  readonly kind: "made";
  readonly before: QuotaDocument | undefined;
  readonly report: ShareReport;
}

/** What became of one report. */
export type PoolUpdate = MadeUpdate | { readonly kind: "failed"; readonly failure: PoolFailure };

/** What kept a report from being made: a store that does not answer, or a document that nobody here can read. */
export interface PoolFailure {
  readonly of: "store" | "document";
  readonly error: unknown;
}

/** Where a report goes, and by whose time. */
export interface PoolDesk {
  readonly documents: PoolDocuments;
  /** The quota document's key. */
  readonly key: string;
  readonly time: GitHubTime;
}

/** Takes one report to the document. `remembered` is asked, at each attempt, for the newest document that is known here. */
export function makeReport(
  { documents, key, time }: PoolDesk,
  report: ShareReport,
  remembered: () => QuotaDocument | undefined,
  done: (update: PoolUpdate) => void,
): void {
  documents.update<MadeUpdate>(
    key,
    (stored) => {
      const at = time.now();
      const before = newestDocument(key, stored, remembered(), at, time.known());
      const update = updateShare(before, report, at);
      return { doc: update.doc, result: { kind: "made", before, report, ...update } };
    },
    (outcome) => {
      if (outcome.kind === "done") done(outcome.result);
      else done({ kind: "failed", failure: failureOf(outcome.error) });
    },
  );
}

function failureOf(error: unknown): PoolFailure {
  return { of: isUnreadableDocument(error) ? "document" : "store", error };
}
