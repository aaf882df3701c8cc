import {
  type CostReport,
  mergeCosts,
  type OperationCostsDocument,
  parseOperationCosts,
  restoreCosts,
} from "../policy/operation-costs.js";
import { unreadableDocument } from "../store/document.js";
import type { Changed } from "./documents.js";
import type { GitHubTime } from "./github-time.js";

/**
 * What one process makes of the stored document, by its report and by what it `remembered`; without either it is a reading.
 * Another version may own what this one cannot read, and a fleet of two versions would destroy each other's in turn; so
 * that is left alone, and runs out if nobody owns it.
 *
 * @throws SquadRateError `SQUAD_RATE_STORE` when what is stored is no document that this version can read.
 */
export function changeCosts(
  key: string,
  stored: unknown,
  remembered: OperationCostsDocument | undefined,
  report: CostReport | undefined,
  time: GitHubTime,
): Changed<OperationCostsDocument | undefined> {
  const now = time.now();
  const parsed =
    stored === undefined ? undefined : parseOperationCosts(stored, time.known() ? now : Number.POSITIVE_INFINITY);
  if (parsed?.kind === "unreadable") throw unreadableDocument(key, parsed.why);
  const restored = restoreCosts(parsed?.doc, remembered);
  const doc = report === undefined ? restored : mergeCosts(restored, report, now);
  return { doc: doc === parsed?.doc ? undefined : doc, result: doc };
}
