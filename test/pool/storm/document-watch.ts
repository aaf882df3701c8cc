import { parseQuotaDocument } from "../../../src/policy/share/parse-quota-document.js";
import type { QuotaDocument } from "../../../src/policy/share/quota-document.js";
import { readDocument } from "../../../src/store/atomic-update.js";
import { openStore } from "../../../src/store/open-store.js";
import type { Store } from "../../../src/store/store.js";

/** What one spender was in the document when it was last seen there. Times are epoch milliseconds. */
export interface SeenSpender {
  readonly leaseExpiry: number;
  /** Units that it was allocated and had not reported as spent. */
  readonly heldUnits: number;
  readonly seenAt: number;
  /** The document's word on the newest header, when it was last seen. */
  readonly usedAt: number;
}

/** A spender that was in the document, and was not when it was read again. */
export interface Vanished extends SeenSpender {
  readonly spender: string;
  readonly vanishedAt: number;
}

const EVERY_MS = 200;
const FEW_UNITS = 3;

/** Spenders are named after their process's agent. */
export function spenderIsOf(spender: string, agent: string): boolean {
  return spender.startsWith(`${agent}~`);
}

/** Reads the shared document again and again, as an onlooker: it is the store's word on who holds what. */
export class DocumentWatch {
  readonly vanished: Vanished[] = [];
  /** What was no document of the pool's, and why. */
  readonly unreadable: { readonly at: number; readonly why: string }[] = [];
  newest: QuotaDocument | undefined;
  newestAt = 0;
  readonly #store: Store;
  readonly #key: string;
  readonly #present = new Map<string, SeenSpender>();
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();

  private constructor(store: Store, key: string) {
    this.#store = store;
    this.#key = key;
    this.#next();
  }

  static async start(storeUrl: string, key: string): Promise<DocumentWatch> {
    return new DocumentWatch(await openStore(storeUrl, { timeoutMs: 1_000 }), key);
  }

  /** Resolves when the document says that this agent holds a few units. */
  async holding(agent: string): Promise<void> {
    for (;;) {
      for (const [spender, { heldUnits }] of this.#present)
        if (spenderIsOf(spender, agent) && heldUnits >= FEW_UNITS) return;
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS / 4));
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#reading;
    await this.#store.close();
  }

  #next(): void {
    this.#timer = setTimeout(() => {
      this.#reading = this.#look().finally(() => this.#next());
    }, EVERY_MS);
  }

  async #look(): Promise<void> {
    const found = await readDocument(this.#store, this.#key).catch(() => "away" as const);
    const now = Date.now();
    if (found === "away" || found === undefined) return;
    const parsed = parseQuotaDocument(found, now);
    if (parsed.kind === "unreadable") {
      this.unreadable.push({ at: now, why: parsed.why });
      return;
    }
    this.newest = parsed.doc;
    this.newestAt = now;
    const { allocations, usedAt } = parsed.doc;
    for (const [spender, seen] of this.#present) {
      if (Object.hasOwn(allocations, spender)) continue;
      this.#present.delete(spender);
      this.vanished.push({ ...seen, spender, vanishedAt: now });
    }
    for (const [spender, { leaseExpiry, allocated, used }] of Object.entries(allocations))
      this.#present.set(spender, { leaseExpiry, heldUnits: allocated - used, seenAt: now, usedAt });
  }
}
