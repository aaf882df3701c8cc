import type { Validation, Variant } from "./variant.js";

/** How many representations one key keeps: enough for a handful of users who see different bodies. */
const MAX_VARIANTS = 4;
/** How many credentials one key remembers: enough for a day of hourly token rotation by a few agents. */
const MAX_CREDENTIALS = 64;
/** What an entry takes beside its bodies, as `npm run bench -- heap` measures, so that the bound holds for small ones too. */
const OVERHEAD_BYTES = 2_048;

/**
 * All that is known under one cache key. Nearly every entry knows one credential and one variant: it keeps them as they
 * are, since a map and a set of its own would take more memory than all the rest beside the body.
 */
export class Entry {
  #credential: string | undefined;
  #validation: Validation | undefined;
  #variant: Variant | undefined;
  #many: ManyValidations | undefined;

  /** What this credential was last told; undefined when it was never told anything that is still kept. */
  validation(credential: string): Validation | undefined {
    if (this.#many !== undefined) return this.#many.validation(credential);
    return this.#credential === credential ? this.#validation : undefined;
  }

  /** The most recently confirmed variant that any credential may ask about. */
  shareable(): Variant | undefined {
    if (this.#many !== undefined) return this.#many.shareable();
    return this.#variant?.verified === true ? this.#variant : undefined;
  }

  /** Records GitHub's word to one credential. */
  confirm(credential: string, validation: Validation): void {
    if (this.#many !== undefined) {
      this.#many.confirm(credential, validation);
    } else if (this.#validation === undefined || this.#credential === credential) {
      this.#credential = credential;
      this.#validation = validation;
      this.#variant = validation.variant;
    } else {
      this.#many = new ManyValidations();
      this.#many.confirm(this.#credential as string, this.#validation);
      this.#many.confirm(credential, validation);
      this.#validation = this.#variant = undefined;
    }
  }

  /** Drops what one credential was told, because GitHub has since said otherwise. */
  forget(credential: string): void {
    if (this.#many !== undefined) this.#many.forget(credential);
    else if (this.#credential === credential) this.#validation = this.#credential = undefined;
  }

  /** Bytes to account for. */
  get bytes(): number {
    return OVERHEAD_BYTES + (this.#many?.bytes ?? this.#variant?.heapBytes ?? 0);
  }
}

/** What several credentials were told. */
class ManyValidations {
  /** Least recently confirmed first. */
  readonly #variants = new Set<Variant>();
  readonly #byCredential = new Map<string, Validation>();

  /** What this credential was last told; undefined when it was never told anything that is still kept. */
  validation(credential: string): Validation | undefined {
    return this.#byCredential.get(credential);
  }

  /** The most recently confirmed variant that any credential may ask about. */
  shareable(): Variant | undefined {
    let newest: Variant | undefined;
    for (const variant of this.#variants) if (variant.verified) newest = variant;
    return newest;
  }

  /** Records GitHub's word to one credential. */
  confirm(credential: string, validation: Validation): void {
    this.#byCredential.delete(credential);
    this.#byCredential.set(credential, validation);
    this.#variants.delete(validation.variant);
    this.#variants.add(validation.variant);
    this.#forgetOldest();
  }

  /** Drops what one credential was told, because GitHub has since said otherwise. */
  forget(credential: string): void {
    this.#byCredential.delete(credential);
  }

  /** Bytes to account for. */
  get bytes(): number {
    let bytes = 0;
    for (const variant of this.#variants) bytes += variant.heapBytes;
    return bytes;
  }

  #forgetOldest(): void {
    if (this.#byCredential.size > MAX_CREDENTIALS) {
      const [oldest] = this.#byCredential.keys();
      this.#byCredential.delete(oldest as string);
    }
    if (this.#variants.size === 1) return;
    const used = new Set<Variant>();
    for (const { variant } of this.#byCredential.values()) used.add(variant);
    for (const variant of this.#variants) {
      if (!used.has(variant)) this.#variants.delete(variant);
    }
    while (this.#variants.size > MAX_VARIANTS) {
      const [oldest] = this.#variants as Iterable<Variant>;
      this.#variants.delete(oldest as Variant);
      for (const [credential, { variant }] of this.#byCredential) {
        if (variant === oldest) this.#byCredential.delete(credential);
      }
    }
  }
}
