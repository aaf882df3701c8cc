import { parseQuotaDocument } from "../../../src/policy/share/parse-quota-document.js";
import { readDocument } from "../../../src/store/atomic-update.js";
import { openStore } from "../../../src/store/open-store.js";
import type { Store } from "../../../src/store/store.js";

/** What one spender was in the document when it was last seen there. */
export interface SeenSpender {
  /** Epoch milliseconds. */
  readonly leaseExpiry: number;
  /** Units that it was allocated and had not reported as spent. */
  readonly heldUnits: number;
}

/** A spender that was in the document, and was not when it was read again. */
export interface Vanished extends SeenSpender {
  readonly spender: string;
  readonly vanishedAt: number;
}

const EVERY_MS = 100;
const FEW_UNITS = 3;
const LONG_MS = 30_000;

/** Spenders are named after their process's agent. */
export function spenderIsOf(spender: string, agent: string): boolean {
  return spender.startsWith(`${agent}~`);
}

/** Reads the shared document again and again, as an onlooker: it is the store's word on who holds what. */
export class DocumentWatch {
  readonly vanished: Vanished[] = [];
  /** What was no document of the pool's, and why. */
  readonly unreadable: { readonly at: number; readonly why: string }[] = [];
  readonly #store: Store;
  readonly #key: string;
  readonly #present = new Map<string, SeenSpender>();
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();
  #ended = false;

  private constructor(store: Store, key: string) {
    this.#store = store;
    this.#key = key;
    this.#next();
  }

  static async start(storeUrl: string, key: string): Promise<DocumentWatch> {
    return new DocumentWatch(await openStore(storeUrl, { timeoutMs: 1_000 }), key);
  }

  /** Resolves when the document says that this agent holds a few units; rejects when it has not for long. */
  async holding(agent: string): Promise<void> {
    for (let waitedMs = 0; waitedMs < LONG_MS; waitedMs += EVERY_MS) {
      for (const [spender, { heldUnits }] of this.#present)
        if (spenderIsOf(spender, agent) && heldUnits >= FEW_UNITS) return;
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    throw new Error(`By the document ${agent} did not hold ${FEW_UNITS} units within ${LONG_MS} ms.`);
  }

  /** When a spender of this agent was first missing after a moment, and what it had held. */
  vanishedAfter(agent: string, at: number): Vanished | undefined {
    return this.vanished.find(({ spender, vanishedAt }) => spenderIsOf(spender, agent) && vanishedAt > at);
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#reading;
    await this.#store.close();
  }

  #next(): void {
    if (this.#ended) return;
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
    const { allocations } = parsed.doc;
    for (const [spender, seen] of this.#present) {
      if (Object.hasOwn(allocations, spender)) continue;
      this.#present.delete(spender);
      this.vanished.push({ ...seen, spender, vanishedAt: now });
    }
    for (const [spender, { leaseExpiry, allocated, used }] of Object.entries(allocations))
      this.#present.set(spender, { leaseExpiry, heldUnits: allocated - used });
  }
}
