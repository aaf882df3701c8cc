import fc from "fast-check";
import type { RequestCacheOptions } from "../../src/options.js";
import { CLIENTS } from "./cast.js";
import { episode } from "./episodes.js";
import { FAULTS } from "./faults.js";
import { FORGERY_NAMES } from "./forgeries.js";
import { READS, WRITES } from "./requests.js";
import type { Scenario, Settings, Step } from "./scenario.js";
import { CHANGE_COUNT } from "./shared-world.js";
import type { StoreMood } from "./unreliable-store.js";

/** Once in `every` times; usually nothing. */
function sometimes<T>(every: number, what: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: every - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: what });
}

const client = fc.nat(CLIENTS.length - 1);
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

const writeStep = fc.record({
  kind: fc.constant("write" as const),
  client,
  write: fc.nat(WRITES.length - 1),
  abortAfterMs: sometimes(6, abortAfterMs),
  thenMs,
});

/** A step of any kind; most are reads. `read` and `client` count through the few that a scenario has. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 24, arbitrary: readStep },
  { weight: 6, arbitrary: writeStep },
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
      fault: fc.nat(FAULTS.length - 1),
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
      entry: fc.nat(20),
      forgery: fc.constantFrom(...FORGERY_NAMES),
      thenMs,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const), client, thenMs }) },
);

const settings: fc.Arbitrary<Settings> = fc.record({
  seed: fc.nat(1_000_000),
  maxBytes: fc.constantFrom(2 ** 26, 2 ** 26, 12_000, 5_000),
  freshForMs: fc.constantFrom(0, 0, 0, 400, 5_000),
  maxStaleMs: fc.constantFrom(0, 0, 30_000),
  sigma: fc.constantFrom(0.35, 1),
  effectShare: fc.constantFrom(0.1, 0.5, 0.9),
  bodyMs: fc.constantFrom(0, 0, 120),
  opaque: fc.constantFrom(false, false, false, true),
  limit: fc.constantFrom(5_000, 5_000, 5_000, 12),
  light: fc.boolean(),
});

/** The reads and clients that occur in a scenario: few, so that they meet. */
const focus = fc.record({
  reads: fc.array(fc.nat(READS.length - 1), { minLength: 1, maxLength: 8, size: "max" }),
  clients: fc.array(client, { minLength: 1, maxLength: 6, size: "max" }),
});

/** Scenarios of about `meanSteps` steps. */
export function scenarios(meanSteps: number): fc.Arbitrary<Scenario> {
  const single = step.map((one): readonly Step[] => [one]);
  const part = fc.oneof({ weight: 12, arbitrary: single }, { weight: 1, arbitrary: episode });
  const parts = fc.array(part, { maxLength: Math.round(1.7 * meanSteps), size: "max" });
  return fc.tuple(settings, focus, parts).map(([chosen, { reads, clients }, chunks]) => ({
    settings: chosen,
    steps: chunks.flatMap((steps) =>
      // An episode has chosen already.
      steps.length > 1
        ? steps
        : steps.map((one) => ({
            ...one,
            ...("read" in one ? { read: reads[one.read % reads.length] as number } : {}),
            ...("client" in one ? { client: clients[one.client % clients.length] as number } : {}),
          })),
    ),
  }));
}
