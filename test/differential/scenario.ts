import fc from "fast-check";
import type { RequestCacheOptions } from "../../src/options.js";
import { FORGERIES } from "./forgeries.js";
import { READS, WRITES } from "./requests.js";
import { CHANGE_COUNT } from "./shared-world.js";
import type { StoreMood } from "./unreliable-store.js";

/** One step of a scenario: plain data, so that a failing scenario prints and shrinks well. Indexes are into the lists. */
export type Step = StepKind & {
  /** How long until the next step, in milliseconds. Exchanges take about 200, so steps overlap. */
  readonly thenMs: number;
};

type StepKind =
  | {
      readonly kind: "read";
      readonly client: number;
      readonly read: number;
      readonly cache: RequestCacheOptions | undefined;
      /** So many callers make the same call at once. */
      readonly copies: number;
      /** Which of them aborts, and when; none if there is no such one. */
      readonly abort: { readonly copy: number; readonly afterMs: number } | undefined;
    }
  | {
      readonly kind: "write";
      readonly client: number;
      readonly write: number;
      readonly abortAfterMs: number | undefined;
    }
  | { readonly kind: "change"; readonly change: number }
  | { readonly kind: "rotate"; readonly client: number; readonly revoke: boolean }
  | { readonly kind: "fault"; readonly fault: number; readonly every: number }
  | { readonly kind: "store"; readonly mood: StoreMood }
  | { readonly kind: "tamper"; readonly entry: number; readonly forgery: keyof typeof FORGERIES }
  | { readonly kind: "clear"; readonly client: number };

/** What holds for a whole scenario. */
export interface Settings {
  /** The reads and clients that occur: few, so that they meet. Steps point into these lists, beginning anew past their end. */
  readonly reads: readonly number[];
  readonly clients: readonly number[];
  readonly seed: number;
  /** Bodies are one to four thousand bytes: with the smallest, one or two entries fit. */
  readonly maxBytes: number;
  readonly freshForMs: number;
  readonly maxStaleMs: number;
  readonly sigma: number;
  readonly opaque: boolean;
  readonly limit: number;
  readonly light: boolean;
}

export interface Scenario {
  readonly settings: Settings;
  readonly steps: readonly Step[];
}

/** How many clients there are; see `cast.ts`. */
export const CLIENT_COUNT = 9;
/** How many faults there are; see `faults.ts`. */
export const FAULT_COUNT = 13;

/** Once in `every` times; usually nothing. */
function sometimes<T>(every: number, what: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: every - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: what });
}

const client = fc.nat(CLIENT_COUNT - 1);
const durations = fc.record({
  freshForMs: fc.constantFrom(undefined, 0, 150, 1_000, 10_000),
  maxStaleMs: fc.constantFrom(undefined, 0, 500, 60_000),
});
const cache: fc.Arbitrary<RequestCacheOptions | undefined> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: durations },
  { weight: 1, arbitrary: fc.constantFrom("revalidate" as const, "bypass" as const) },
);
const thenMs = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 150 }) },
  { weight: 2, arbitrary: fc.integer({ min: 200, max: 900 }) },
);
const abortAfterMs = fc.integer({ min: 0, max: 350 });
const readStep = fc.record({
  kind: fc.constant("read" as const),
  client,
  read: fc.nat(READS.length - 1),
  cache,
  copies: fc.constantFrom(1, 1, 1, 2, 3),
  abort: sometimes(5, fc.record({ copy: fc.nat(2), afterMs: abortAfterMs })),
  thenMs,
});

/** A step of any kind; most are reads. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 24, arbitrary: readStep },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("write" as const),
      client,
      write: fc.nat(WRITES.length - 1),
      abortAfterMs: sometimes(6, abortAfterMs),
      thenMs,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("change" as const), change: fc.nat(CHANGE_COUNT - 1), thenMs }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("rotate" as const), client, revoke: fc.boolean(), thenMs }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("fault" as const),
      fault: fc.nat(FAULT_COUNT - 1),
      every: fc.integer({ min: 1, max: 4 }),
      thenMs,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("store" as const),
      mood: fc.constantFrom<StoreMood>("well", "well", "slow", "throws", "hangs"),
      thenMs,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("tamper" as const),
      entry: fc.nat(30),
      forgery: fc.constantFrom(...Object.keys(FORGERIES)),
      thenMs,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const), client, thenMs }) },
);

export const settings: fc.Arbitrary<Settings> = fc.record({
  reads: fc.array(fc.nat(READS.length - 1), { minLength: 1, maxLength: 8, size: "max" }),
  clients: fc.array(fc.nat(CLIENT_COUNT - 1), { minLength: 1, maxLength: 6, size: "max" }),
  seed: fc.nat(1_000_000),
  maxBytes: fc.constantFrom(2 ** 26, 2 ** 26, 12_000, 3_000),
  freshForMs: fc.constantFrom(0, 0, 0, 400, 5_000),
  maxStaleMs: fc.constantFrom(0, 0, 30_000),
  sigma: fc.constantFrom(0.35, 1),
  opaque: fc.constantFrom(false, false, false, true),
  limit: fc.constantFrom(5_000, 5_000, 5_000, 12),
  light: fc.boolean(),
});

/** Scenarios of about `meanSteps` steps. */
export function scenarios(meanSteps: number): fc.Arbitrary<Scenario> {
  return fc.record({ settings, steps: fc.array(step, { maxLength: 2 * meanSteps, size: "max" }) });
}
