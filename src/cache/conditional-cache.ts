import { LRUCache } from "lru-cache";
import type { CacheOutcome } from "../call/cache-outcome.js";
import { readScope } from "../call/write-scope.js";
import type { Clock } from "../clock.js";
import type { Answer, StoredAnswer } from "./answer.js";
import { Entry } from "./entry.js";
import { githubEtag, provesFormula, sameTag } from "./etag.js";
import { Flights } from "./flights.js";
import { type Lookup, pathOf } from "./lookup.js";
import { readBody } from "./read-body.js";
import type { Received } from "./received.js";
import { isStorable } from "./storable.js";
import type { StoreTier } from "./store-tier.js";
import { keptHeaders, Variant } from "./variant.js";
import { WriteStamps } from "./write-stamps.js";

/** Settings of a {@link ConditionalCache}. */
export interface ConditionalCacheOptions {
  readonly clock: Clock;
  readonly maxBytes: number;
  readonly maxEntryBytes: number;
  readonly tier: StoreTier | undefined;
}

/** Sends the request once, with this validator if there is one. */
export type SendOnce = (validator: string | undefined) => Promise<Received>;

/** When an exchange began, on the two scales that freshness is judged by. */
export interface Departure {
  readonly startedAfterWrite: number;
  readonly startedAt: number;
}

/**
 * Bodies that GitHub has vouched for, per credential, and the rules for asking about them again.
 *
 * No body reaches a credential without GitHub's word to that very credential: either it was sent the body, or it sent the
 * body's own ETag and was told 304.
 */
export class ConditionalCache {
  readonly flights: Flights = new Flights();
  readonly writes: WriteStamps = new WriteStamps();
  readonly #options: ConditionalCacheOptions;
  readonly #entries: LRUCache<string, Entry>;
  readonly #outcomes: Record<CacheOutcome, number> = {
    miss: 0,
    changed: 0,
    revalidated: 0,
    shared: 0,
    fresh: 0,
    stale: 0,
  };

  constructor(options: ConditionalCacheOptions) {
    this.#options = options;
    this.#entries = new LRUCache({ maxSize: options.maxBytes, sizeCalculation: (entry) => entry.bytes });
  }

  /** An answer that need not be asked for: GitHub's word to this credential, young enough, and from after every write. */
  remembered(lookup: Lookup, how: "fresh" | "stale", maxAgeMs: number): StoredAnswer | undefined {
    if (maxAgeMs <= 0) return undefined;
    const validation = this.#entries.get(lookup.key)?.validation(lookup.credential);
    if (validation === undefined) return undefined;
    const ageMs = this.#options.clock.monotonic() - validation.startedAt;
    if (ageMs >= maxAgeMs || validation.startedAfterWrite < this.lastWrite(lookup, validation.redirected))
      return undefined;
    const { variant, etag, url, redirected, date } = validation;
    return this.#answer(how, variant, url, redirected, undefined, { etag, date, ageMs });
  }

  /** The last write that this read must see. A redirected read may be of a repository under another name. */
  lastWrite(lookup: Lookup, redirected: boolean): number {
    if (this.writes.count === 0) return 0;
    return this.writes.lastWrite(lookup.host, redirected ? { kind: "host" } : readScope(pathOf(lookup.url)));
  }

  departure(): Departure {
    return { startedAfterWrite: this.writes.count, startedAt: this.#options.clock.monotonic() };
  }

  /** Asks GitHub, conditionally where that proves something, and keeps what may be kept. */
  async ask(lookup: Lookup, departure: Departure, send: SendOnce): Promise<Answer> {
    const { tier } = this.#options;
    const known = this.#known(lookup) ?? (tier === undefined ? undefined : await this.#knownToStore(lookup, tier));
    const validator = known === undefined || known.variant.mayHaveGrown() ? undefined : known.etag;
    const received = await send(validator);
    const { response, headers } = received;
    if (known === undefined || validator === undefined || response.status !== 304) {
      return this.#keep(lookup, departure, received, validator === undefined ? "miss" : "changed");
    }
    const confirmed = headers.get("etag");
    if (confirmed !== undefined && !sameTag(confirmed, validator)) {
      // A 304 for something that was not asked about proves nothing.
      return this.#keep(lookup, departure, await send(undefined), "miss");
    }
    const url = response.url === "" ? lookup.url : response.url;
    this.#confirm(lookup, departure, known.variant, validator, url, received);
    return this.#answer("revalidated", known.variant, url, response.redirected, headers, undefined);
  }

  /** The same answer for another caller of the same exchange. */
  share(answer: StoredAnswer): StoredAnswer {
    this.#outcomes.shared++;
    return { ...answer, how: "shared" };
  }

  /** Forgets all bodies in memory, and those in the store. */
  async clear(): Promise<void> {
    const keys = [...this.#entries.keys()];
    this.#entries.clear();
    await this.#options.tier?.clear(keys);
  }

  /** Waits for background writes. */
  async flush(): Promise<void> {
    await this.#options.tier?.flush();
  }

  /** Plain numbers for status. */
  status(): { entries: number; bytes: number; outcomes: Record<CacheOutcome, number> } {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize, outcomes: { ...this.#outcomes } };
  }

  #known(lookup: Lookup): { variant: Variant; etag: string } | undefined {
    const entry = this.#entries.get(lookup.key);
    const own = entry?.validation(lookup.credential);
    if (own !== undefined) return own;
    const variant = entry?.shareable();
    return variant && { variant, etag: githubEtag(lookup.inputs, variant.body) };
  }

  async #knownToStore(lookup: Lookup, tier: StoreTier): Promise<{ variant: Variant; etag: string } | undefined> {
    const variant = await tier.read(lookup);
    return variant && { variant, etag: githubEtag(lookup.inputs, variant.body) };
  }

  /** Not async itself: most of what cannot be kept is known from its head. */
  #keep(lookup: Lookup, departure: Departure, received: Received, how: "miss" | "changed"): Answer | Promise<Answer> {
    const { response, headers } = received;
    const url = response.url === "" ? lookup.url : response.url;
    if (isStorable(response.status, headers) && isSameOrigin(url, lookup.url) && isWebResponse(response)) {
      return this.#read(lookup, departure, received, how, url);
    }
    if (isLastWord(received)) this.#entries.get(lookup.key)?.forget(lookup.credential);
    return { kind: "pass", response };
  }

  async #read(
    lookup: Lookup,
    departure: Departure,
    received: Received,
    how: "miss" | "changed",
    url: string,
  ): Promise<Answer> {
    const { response, headers } = received;
    const read = await readBody(response, this.#options.maxEntryBytes);
    if (read.kind === "unfit") {
      this.#entries.get(lookup.key)?.forget(lookup.credential);
      return { kind: "pass", response: read.response };
    }
    const etag = headers.get("etag") as string;
    const variant = new Variant(
      {
        body: read.text,
        bytes: read.byteLength,
        headers: keptHeaders(headers),
        verified: provesFormula(etag, lookup.inputs, read.text),
        fromStore: false,
      },
      lookup.url,
    );
    this.#confirm(lookup, departure, variant, etag, url, received);
    this.#options.tier?.write(lookup, variant);
    return this.#answer(how, variant, url, response.redirected, headers, undefined);
  }

  #confirm(
    lookup: Lookup,
    departure: Departure,
    variant: Variant,
    etag: string,
    url: string,
    { response, headers }: Received,
  ): void {
    const known = this.#entries.get(lookup.key);
    const entry = known ?? new Entry();
    const previous = entry.validation(lookup.credential);
    const { startedAt, startedAfterWrite } = departure;
    // Of two exchanges that overlapped, the one that began later is nearer to the present.
    if (previous !== undefined && previous.startedAt > startedAt) return;
    const date = headers.get("date");
    const { redirected } = response;
    const isNew = previous?.variant !== variant;
    entry.confirm(lookup.credential, { variant, etag, url, redirected, date, startedAfterWrite, startedAt });
    if (known !== undefined && !isNew) return;
    // An object that is set again is not weighed again, and this one may have grown.
    if (known !== undefined) this.#entries.delete(lookup.key);
    this.#entries.set(lookup.key, entry);
  }

  #answer(
    how: CacheOutcome,
    variant: Variant,
    url: string,
    redirected: boolean,
    live: Map<string, string> | undefined,
    remembered: StoredAnswer["remembered"],
  ): StoredAnswer {
    this.#outcomes[how]++;
    return { kind: "stored", how, variant, url, redirected, live, remembered };
  }
}

/** Whether an answer that cannot be kept still tells that the kept one is out of date; limits and failures do not. */
function isLastWord({ response: { status }, refused }: Received): boolean {
  return status < 500 && status !== 401 && !refused;
}

/** Some fetch implementations answer with a Node stream: such a body goes through as it is, and is not kept. */
function isWebResponse({ body }: Response): boolean {
  return body === null || typeof (body as Partial<ReadableStream> | undefined)?.getReader === "function";
}

function isSameOrigin(url: string, asked: string): boolean {
  return url === asked || (URL.canParse(url) && new URL(url).origin === new URL(asked).origin);
}
