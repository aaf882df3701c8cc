import { describe, expect, it } from "vitest";
import type { QuotaDocument } from "../../../../src/policy/share/quota-document.js";
import type { PoolUpdate } from "../../../../src/pool/pool-update.js";
import { fleetOf, type QuotaMishap, type QuotaShape } from "../../../../src/sim/fleet/quota/scenario.js";
import type { QuotaReport } from "../../../../src/sim/fleet/quota/tally.js";
import { figuresOf, MINUTE_MS, run } from "./fleets.js";

const LIMIT = 1_000;
const WINDOW_MS = 10 * MINUTE_MS;
const SECOND_WINDOW_AT = Date.UTC(2030, 0, 1) + 2 * WINDOW_MS;
const SHAPE = { spenders: 8, limit: LIMIT, windowMs: WINDOW_MS, windows: 4 };
/** Moments of the second window, as a share (0-1) of it. */
const MOMENTS = [0.05, 0.2, 0.35, 0.5, 0.65, 0.8];

function atMs(moment: number): number {
  return (1 + moment) * WINDOW_MS;
}

interface Befallen extends QuotaReport {
  /** Reports that found no document at all. */
  readonly began: number;
  /** Units granted by updates that the last document does not go back to. */
  readonly forgottenUnits: number;
  /** The names that spenders had. */
  readonly spenders: ReadonlySet<string>;
}

function befallen(seed: number, mishaps: readonly QuotaMishap[], shape: Partial<QuotaShape>): Befallen {
  const made: (PoolUpdate & { readonly kind: "made" })[] = [];
  const report = run({ ...fleetOf({ ...SHAPE, seed, ...shape }), mishaps }, "lend", (update) => {
    if (update.kind === "failed") throw update.failure.error;
    made.push(update);
  });
  return {
    ...report,
    began: made.filter(({ before }) => before === undefined).length,
    forgottenUnits: forgottenUnits(made),
    spenders: new Set(made.map(({ report: { spender } }) => spender)),
  };
}

function forgottenUnits(made: readonly (PoolUpdate & { readonly kind: "made" })[]): number {
  const nameOf = ({ revision, updatedAt }: QuotaDocument): string => `${revision}@${updatedAt}`;
  const forgotten = new Map(made.map((update) => [nameOf(update.doc), update]));
  let last = made.reduce<QuotaDocument | undefined>(
    (newest, { doc }) => (doc.revision > (newest?.revision ?? 0) ? doc : newest),
    undefined,
  );
  while (last !== undefined) {
    const before = forgotten.get(nameOf(last))?.before;
    forgotten.delete(nameOf(last));
    last = before;
  }
  let sum = 0;
  for (const { grant } of forgotten.values()) sum += grant.units[0] + grant.units[1] + grant.units[2];
  return sum;
}

/** Refused in windows after the second, in which the mishap was. */
function refusedLater(reports: readonly QuotaReport[]): number {
  const later = reports.flatMap(({ windows }) =>
    windows.filter(({ resetAt }) => resetAt > SECOND_WINDOW_AT + MINUTE_MS),
  );
  return later.reduce((sum, { refused }) => sum + refused, 0);
}

describe.each([0, 0.1])("a store that forgets, with hidden use of %d of the limit", (hidden) => {
  it.each<readonly [string, (moment: number) => QuotaMishap]>([
    ["loses everything", (moment) => ({ kind: "store-emptied", atMs: atMs(moment) })],
    ["goes back by a second", (moment) => ({ kind: "store-rolled-back", atMs: atMs(moment), byMs: 1_000 })],
    ["goes back by a minute", (moment) => ({ kind: "store-rolled-back", atMs: atMs(moment), byMs: MINUTE_MS })],
    ["goes back to another window", (moment) => ({ kind: "store-rolled-back", atMs: atMs(moment), byMs: WINDOW_MS })],
  ])("is reminded when it %s: nobody is refused, and nothing is left unused", (_, mishap) => {
    const reports = MOMENTS.map((moment, seed) => befallen(seed, [mishap(moment)], { hidden }));
    expect(reports.map(({ began }) => began)).toEqual(MOMENTS.map(() => 1));
    const figures = figuresOf(reports);
    expect(figures).toMatchObject({ refused: 0 });
    expect(figures.used).toBeGreaterThan(0.98);
    expect(figures.urgentAnswered).toBeGreaterThan(0.98);
  });

  // Whoever reports first after the loss may remember less than others do; and when one who remembers more takes over,
  // what the first was granted in between is not in its memory. Units so forgotten can be granted twice, until all that
  // hold units have reported. No more than those can be refused, and only where so little is left that it matters.
  it("is reminded of too little at the end of a window: at most the units it forgot are refused, and none later", () => {
    const reports = [0.95, 0.96, 0.97, 0.98, 0.99].flatMap((moment, index) =>
      [0, 1].map((more) => befallen(2 * index + more, [{ kind: "store-emptied", atMs: atMs(moment) }], { hidden })),
    );
    for (const { refused, forgottenUnits: forgotten } of reports) {
      expect(refused).toBeLessThanOrEqual(forgotten);
      expect(forgotten).toBeLessThan(0.05 * LIMIT);
    }
    expect(reports.reduce((sum, { refused }) => sum + refused, 0)).toBeLessThan(0.01 * LIMIT * reports.length);
    expect(refusedLater(reports)).toBe(0);
    expect(figuresOf(reports).used).toBeGreaterThan(0.98);
  });

  it("forgets no unit when it loses nothing", () => {
    expect(befallen(1, [], { hidden })).toMatchObject({ forgottenUnits: 0, began: 1, refused: 0 });
  });
});

describe.each([5_000, 100_000, 700_000])("machines that sleep for %i ms and do not know it", (forMs) => {
  const sleepers = [1, 3, 6].map(
    (process, index): QuotaMishap => ({
      kind: "suspend",
      process: `process-${process}`,
      atMs: atMs(0.3 * index),
      forMs,
    }),
  );

  it.each([
    ["demand beyond the quota", { demand: 3.2 }],
    ["hidden use", { hidden: 0.1 }],
  ])("spend nothing that is others' by then, go on under new names, and leave little unused, with %s", (_, shape) => {
    const reports = [1, 2, 3].map((seed) => befallen(seed, sleepers, shape));
    expect(reports.map(({ refused }) => refused)).toEqual([0, 0, 0]);
    for (const { spenders, windows } of reports) {
      expect(spenders).toContain("process-3~1");
      expect(spenders).not.toContain("process-2~1");
      for (const { used, limit } of windows) expect(used / limit).toBeGreaterThan(0.97);
    }
  });
});
