import { openBook } from "../../policy/share/book.js";
import { divide } from "../../policy/share/division.js";
import { parseQuotaDocument } from "../../policy/share/parse-quota-document.js";
import { PRIORITIES, type QuotaDocument } from "../../policy/share/quota-document.js";
import { standingOf } from "../../policy/share/standing.js";
import type { FleetGrants } from "./report.js";

/** Who is further from GitHub's time than this when it writes has not been told it yet, and knows no better. */
const CLOCK_ERROR_MS = 2_000;

/** Looks at what squads write into their shared quota: whether units went to a class that was not their next owner. */
export class PoolGrants {
  readonly #now: () => number;
  #updates = 0;
  #grants = 0;
  #inversions = 0;

  /** `now`: GitHub's time, epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A document of the store was replaced; others than quotas do not matter. Texts are as Keyv writes them. */
  replaced(key: string, before: string | undefined, after: string): void {
    if (!key.includes("squad-rate:quota:")) return;
    const now = this.#now();
    const doc = quotaIn(after, now);
    if (doc === undefined) return;
    this.#updates += 1;
    const old = before === undefined ? undefined : quotaIn(before, now);
    const granted = grantedUnits(doc, old);
    if (granted.every((units) => units === 0)) return;
    this.#grants += 1;
    // A probe goes because nobody can say how much is used.
    const probed = doc.probedAt !== (old?.probedAt ?? 0);
    if (probed || Math.abs(doc.updatedAt - now) > CLOCK_ERROR_MS) return;
    if (isInverted(doc, granted)) this.#inversions += 1;
  }

  figures(): FleetGrants {
    return { updates: this.#updates, grants: this.#grants, inversions: this.#inversions };
  }
}

function quotaIn(text: string, now: number): QuotaDocument | undefined {
  const { value } = JSON.parse(text) as { readonly value?: unknown };
  const parsed = parseQuotaDocument(value, now, false);
  return parsed.kind === "ok" ? parsed.doc : undefined;
}

/** By class, what an update has moved to whoever made it. */
function grantedUnits(doc: QuotaDocument, old: QuotaDocument | undefined): readonly number[] {
  const sameWindow = old?.window === doc.window;
  return PRIORITIES.map((priority) => {
    let units = 0;
    for (const [name, { classes }] of Object.entries(doc.allocations)) {
      const now = classes[priority];
      if (now === undefined) continue;
      const had = sameWindow && Object.hasOwn(old.allocations, name) ? old.allocations[name] : undefined;
      // What is spent beyond a grant counts as granted, and in a new window what straddles does.
      units += Math.max(0, now.allocated - Math.max(had?.classes[priority]?.allocated ?? 0, now.used));
    }
    return units;
  });
}

/** Whether fewer units stay free than more urgent classes' waiting calls need within their entitlement. */
function isInverted(doc: QuotaDocument, granted: readonly number[]): boolean {
  const book = openBook(doc);
  const standing = standingOf(book, doc.totalLimit, doc.updatedAt);
  const division = divide(book, standing, doc.updatedAt);
  let owed = 0;
  for (const priority of PRIORITIES) {
    // Half a unit more or less is an estimate's doing; a call needs whole ones.
    if ((granted[priority] ?? 0) > 0 && Math.floor(owed) > standing.free + 1e-6) return true;
    owed += Math.min(division[priority].entitled, division[priority].backlog);
  }
  return false;
}
