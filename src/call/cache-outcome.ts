/**
 * How an answer came about, as it stands in the `x-squad-rate` header:
 * - `miss`: asked without a validator and kept;
 * - `changed`: asked with a validator, GitHub sent a new body;
 * - `revalidated`: asked with a validator, GitHub said 304 and charged nothing;
 * - `shared`: another caller's request was under way and served this one too;
 * - `fresh`: not asked, as `freshForMs` allows;
 * - `stale`: could not be asked, as `maxStaleMs` allows.
 */
export type CacheOutcome = "miss" | "changed" | "revalidated" | "shared" | "fresh" | "stale";
